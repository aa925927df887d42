"""Legends: on the board in no location, with abilities of every kind (107.4, 173)."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import deals, kills, legend, spell, unit
from rulesets.riftbound.duels import a_duel


@pytest.mark.rule("173.8", "378")
def test_a_legend_exhausts_to_use_its_ability() -> None:
    """It buffs a unit; exhausted, it can't be used again until it is readied."""
    duel = a_duel(
        board=[legend("Old Monk", "1, [Exhaust]: Buff a friendly unit."), unit("Oak", 3)],
        energy=(2, 0),
    )

    duel.use("Old Monk", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].might == 4
    assert duel["Old Monk"].exhausted
    with pytest.raises(AssertionError, match="can't be paid"):
        duel.use("Old Monk", choose=["Oak"])


@pytest.mark.rule("315.1")
def test_a_legend_readies_in_its_player_s_awaken_phase() -> None:
    """Exhausted in one's own turn, it is ready again in one's next."""
    duel = a_duel(board=[legend("Old Monk", "[Exhaust]: Draw 1.")])
    duel.use("Old Monk")
    duel.pass_all()

    duel.end_turn()
    assert duel["Old Monk"].exhausted
    duel.end_turn()
    assert not duel["Old Monk"].exhausted


@pytest.mark.rule("173.7")
def test_a_legend_s_triggered_ability() -> None:
    """ "When you play a Mighty unit, you may exhaust me to channel 1 rune exhausted." """
    words = "When you play a [Mighty] unit, you may exhaust me to channel 1 rune exhausted."
    duel = a_duel(hand=[unit("Giant", 5), unit("Dwarf", 4)], board=[legend("Storm", words)])

    duel.play("Dwarf")
    assert duel.asked == (0, "main")
    duel.play("Giant")
    duel.answer(True)
    duel.pass_all()

    assert duel["Storm"].exhausted
    assert [rune.exhausted for rune in duel.find("Fury Rune")] == [True]


@pytest.mark.rule("173.6", "364")
def test_a_legend_s_passive_ability() -> None:
    """ "Your Mechs have [Shield]" is so for units of that tag and of its controller only."""
    duel = a_duel(
        board=[
            legend("Tinker", "Your Mechs have [Shield]."),
            unit("Walker", 3, tags=["Mech"]),
            unit("Oak", 3),
            unit("Robber", 3, tags=["Mech"], owner=1),
        ]
    )

    assert [duel[name].has("Shield") for name in ("Walker", "Oak", "Robber")] == [
        True,
        False,
        False,
    ]


@pytest.mark.rule("173.6", "371")
def test_a_legend_s_replacement_ability() -> None:
    """A buffed unit that would die is saved for a price; the legend is exhausted for it."""
    words = (
        "If a buffed unit you control would die, you may exhaust me and spend its buff to heal it, "
        "exhaust it, and recall it instead."
    )
    duel = a_duel(
        hand=[spell("Praise", "Buff a friendly unit."), kills("Blade")],
        board=[legend("Boss", words), unit("Oak", 3)],
    )
    duel.play("Praise", choose=["Oak"])
    duel.pass_all()

    duel.play("Blade", choose=["Oak"])
    duel.pass_all()
    duel.answer(True)

    assert duel["Oak"].place == "base:0"
    assert duel["Oak"].might == 3
    assert duel["Boss"].exhausted


@pytest.mark.rule("107.4.b", "107.4.d", "174")
def test_a_legend_is_no_unit_and_no_permanent() -> None:
    """What deals damage to a unit, or kills a gear or unit, can't choose it."""
    duel = a_duel(
        hand=[deals("Spark", 1), spell("Rust", "Kill a gear.")],
        board=[legend("Old Monk"), unit("Oak", 3)],
    )

    assert duel.reason("Rust").startswith("target")
    duel.play("Spark")
    duel.pass_all()
    assert duel["Oak"].damage == 1


@pytest.mark.rule("173.5")
def test_a_legend_may_be_chosen_by_what_speaks_of_legends() -> None:
    """ "Ready your legend." """
    duel = a_duel(
        hand=[spell("Fanfare", "Ready your legend.")],
        board=[legend("Old Monk", "[Exhaust]: Draw 1.")],
    )
    duel.use("Old Monk")
    duel.pass_all()

    duel.play("Fanfare")
    duel.pass_all()

    assert not duel["Old Monk"].exhausted
