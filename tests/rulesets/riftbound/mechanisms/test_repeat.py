"""Repeat: paid as a spell is played, its instructions are carried out once more (820)."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import spell, unit
from rulesets.riftbound.duels import Playing, a_duel

BOLT = "[Repeat] :rb_energy_1:\nDeal 1 to a unit."


def played(text: str, choose: list[str], *, pay: bool = True) -> Playing:
    """A duel in which a spell of that text has been played and has resolved."""
    duel = a_duel(hand=[spell("Bolt", text)], board=[unit("Oak", 5), unit("Elm", 5)], energy=(1, 0))
    duel.play("Bolt", choose=choose, pay=pay)
    duel.pass_all()
    return duel


@pytest.mark.rule("820.1.d", "820.2.a")
def test_repeat_carries_out_the_spell_again_with_its_own_choices() -> None:
    """The further execution has a target of its own."""
    duel = played(BOLT, ["Oak", "Elm"])

    assert (duel["Oak"].damage, duel["Elm"].damage) == (1, 1)
    assert duel.rules.player(0).energy == 0


@pytest.mark.rule("820.2.a")
def test_repeat_may_choose_the_same() -> None:
    """Both executions may have the same target."""
    assert played(BOLT, ["Oak", "Oak"])["Oak"].damage == 2


@pytest.mark.rule("820.1.b")
def test_repeat_that_is_not_paid() -> None:
    """Without it the instructions are carried out once."""
    assert played(BOLT, ["Oak"], pay=False)["Oak"].damage == 1


@pytest.mark.rule("820.3.a")
def test_repeated_spell_is_played_once() -> None:
    """However often it is carried out, it is one card that is played."""
    duel = played(BOLT, ["Oak", "Elm"])

    assert duel.count("card played", "Bolt") == 1


@pytest.mark.rule("820.3", "820.1.c.2")
def test_each_instance_of_repeat_is_paid_for_by_itself() -> None:
    """Two instances, both paid: three executions."""
    duel = played(
        "[Repeat] :rb_energy_1:\n[Repeat] :rb_energy_0:\nDeal 1 to a unit.", ["Oak", "Elm", "Oak"]
    )

    assert (duel["Oak"].damage, duel["Elm"].damage) == (2, 1)


@pytest.mark.rule("820.2.a", "355.3")
def test_repeat_chooses_modes_again() -> None:
    """Another mode may be chosen for the further execution."""
    text = "[Repeat] :rb_energy_1:\nChoose one -\nDeal 1 to a unit.\nDraw 1."
    duel = a_duel(hand=[spell("Bolt", text)], board=[unit("Oak", 5)], energy=(1, 0))

    duel.play("Bolt", choose=["Deal 1 to a unit.", "Oak", "Draw 1."], pay=True)
    duel.pass_all()

    assert duel["Oak"].damage == 1
    assert duel.hand(0) == 1


@pytest.mark.rule("390.4", "820")
def test_next_spell_is_given_repeat() -> None:
    """A waiting passive gives the next spell Repeat at its own cost, and is used by it."""
    give = "Give the next spell you play this turn [Repeat] equal to its cost."
    duel = a_duel(
        hand=[spell("Portal", give), spell("Bolt", "Deal 1 to a unit.", energy=1)],
        board=[unit("Oak", 5)],
        energy=(2, 0),
    )
    duel.play("Portal")
    duel.pass_all()

    duel.play("Bolt", choose=["Oak", "Oak"], pay=True)
    duel.pass_all()

    assert duel["Oak"].damage == 2
    assert duel.ended == [("Portal", "fired")]
