"""Mighty as a description and as an event; buffs (701-711)."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Do, Program
from longfuse.abilities.nodes import Selector, When, Who
from rulesets.riftbound.cards import gear, kills, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

BECOMES = Ability(
    kind="triggered",
    when=When("became mighty", subject=Selector(kinds=("unit",), control="friendly")),
    program=Program(body=(Do("draw", amount=1, who=Who()),)),
)
DUELIST = unit("Duelist", 2, "", BECOMES)
GROW = spell("Grow", "Give a unit +1 Might this turn.")
GROW_MORE = spell("Thrive", "Give a unit +1 Might this turn.")


def watched(*board: object) -> Playing:
    """A duel with somebody who draws when a friendly unit becomes Mighty."""
    return a_duel(hand=[GROW, GROW_MORE], board=[DUELIST, *board])  # type: ignore[list-item]


@pytest.mark.rule("709")
def test_a_unit_becomes_mighty() -> None:
    """From 4 Might to 5: it has become Mighty, and the ability triggers."""
    duel = watched(unit("Oak", 4))
    duel.play("Grow", choose=["Oak"])
    duel.pass_all()
    assert (duel.count("became mighty", "Oak"), duel.hand(0)) == (1, 2)


@pytest.mark.rule("709")
def test_a_mighty_unit_does_not_become_mighty() -> None:
    """From 5 to 6 nothing happens, nor from 3 to 4."""
    duel = watched(unit("Oak", 5), unit("Elm", 3))
    duel.play("Grow", choose=["Oak"])
    duel.pass_all()
    duel.play("Thrive", choose=["Elm"])
    duel.pass_all()
    assert duel.count("became mighty") == 0


@pytest.mark.rule("709", "710")
def test_a_unit_may_become_mighty_again() -> None:
    """When its Might has gone down at the end of the turn, the next time counts again."""
    duel = watched(unit("Oak", 4))
    duel.play("Grow", choose=["Oak"])
    duel.pass_all()
    duel.end_turn()
    duel.end_turn()
    duel.play("Thrive", choose=["Oak"])
    duel.pass_all()
    assert duel.count("became mighty", "Oak") == 2


@pytest.mark.rule("709")
def test_a_unit_that_enters_mighty_has_not_become_so() -> None:
    """Its Might has not changed."""
    duel = a_duel(hand=[unit("Giant", 6)], board=[DUELIST])
    duel.play("Giant")
    duel.pass_all()
    assert duel.count("became mighty") == 0


@pytest.mark.rule("708", "711")
def test_mighty_off_the_board_is_by_printed_might() -> None:
    """A unit card in the trash is Mighty by what is printed on it."""
    call = spell("Call", "Return a [Mighty] unit from your trash to your hand.")
    duel = a_duel(hand=[call], trash=[unit("Giant", 5), unit("Dwarf", 4)])
    duel.play("Call")
    duel.pass_all()
    assert (duel["Giant"].place, duel["Dwarf"].place) == ("hand:0", "trash:0")


# ---------------------------------------------------------------- buffs

PRAISE = spell("Praise", "Buff a friendly unit.")
PRAISE_AGAIN = spell("Encore", "Buff a friendly unit.")


@pytest.mark.rule("702.3", "703")
def test_a_unit_has_one_buff_at_most() -> None:
    """+1 Might once; the second is not placed."""
    duel = a_duel(hand=[PRAISE, PRAISE_AGAIN], board=[unit("Oak", 3)])
    for name in ("Praise", "Encore"):
        duel.play(name)
        duel.pass_all()
    assert (duel["Oak"].might, duel["Oak"].buffs) == (4, 1)
    assert duel.count("buffed") == 1


@pytest.mark.rule("702.2.b")
def test_a_buff_is_spent() -> None:
    """As a cost: without a buffed unit the ability can't be used."""
    bell = gear("Bell", "Spend a buff: Draw 1.")
    duel = a_duel(hand=[PRAISE], board=[bell, unit("Oak", 3)])
    with pytest.raises(AssertionError, match="can't be paid"):
        duel.use("Bell")
    duel.play("Praise")
    duel.pass_all()
    duel.use("Bell")
    duel.pass_all()
    assert (duel["Oak"].might, duel.hand(0)) == (3, 1)


@pytest.mark.rule("702.2.b.2")
def test_an_opponent_s_buff_can_t_be_spent() -> None:
    """Only buffs on one's own units."""
    bell = gear("Bell", "Spend a buff: Draw 1.")
    duel = a_duel(board=[bell, unit("Ash", 3, owner=1)])
    duel.game.change(duel["Ash"].ref, buffs=1)
    with pytest.raises(AssertionError, match="can't be paid"):
        duel.use("Bell")


@pytest.mark.rule("705")
def test_buffs_are_lost_with_the_unit() -> None:
    """Killed, returned and played again it has none."""
    call = spell("Call", "Return a unit from your trash to your hand.")
    duel = a_duel(hand=[PRAISE, kills("Blade"), call], board=[unit("Oak", 3)])
    duel.play("Praise")
    duel.pass_all()
    duel.play("Blade")
    duel.pass_all()
    duel.play("Call")
    duel.pass_all()
    duel.play("Oak")
    assert (duel["Oak"].might, duel["Oak"].buffs) == (3, 0)
