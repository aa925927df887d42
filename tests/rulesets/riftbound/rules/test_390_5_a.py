"""390.5.a: about an object, the window is that object's stay in an appropriate zone."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Choice, Create
from longfuse.abilities.nodes import Selector
from rulesets.riftbound.cards import Placed, kills, spell, unit
from rulesets.riftbound.duels import Playing, a_duel
from rulesets.riftbound.rules.linking import jailer, stronger, when_played

FRIEND = Choice("t1", Selector(kinds=("unit",), control="friendly"))
BOUNCE = "Return a unit to its owner's hand."
STEAL = "[Reaction] Take control of an enemy unit and recall it."


def blessed(*hand: Placed, **more: Placed) -> Playing:
    """Oak, at a battlefield, has +2 Might for as long as it is on the board."""
    duel = a_duel(
        hand=[when_played("Herald", 2, FRIEND, body=(Create(stronger()),)), *hand],
        board=[unit("Oak", 3, place="bf:1")],
        theirs=list(more.values()),
    )
    duel.play("Herald", choose=["Oak"])
    duel.pass_all()
    assert duel["Oak"].might == 5
    return duel


@pytest.mark.rule("390.5.a", "440")
def test_a_move_keeps_the_bond() -> None:
    """A moved unit is the same object."""
    duel = blessed()
    duel.move(["Oak"], "base:0")

    assert (duel["Oak"].place, duel["Oak"].might) == ("base:0", 5)


@pytest.mark.rule("390.5.a", "455")
def test_a_recall_keeps_the_bond() -> None:
    """A recalled unit is the same object, in another place."""
    duel = blessed(spell("Home", "Recall a unit."))
    duel.play("Home", choose=["Oak"])
    duel.pass_all()

    assert (duel["Oak"].place, duel["Oak"].might) == ("base:0", 5)


@pytest.mark.rule("390.5.a", "477.1.a")
def test_a_change_of_control_keeps_the_bond() -> None:
    """A stolen unit is the same object, with the same effects."""
    duel = blessed(spell("Wait", "Draw 1."), steal=spell("Steal", STEAL))
    duel.play("Wait")
    duel.play("Steal", choose=["Oak"])
    duel.pass_all()

    assert (duel["Oak"].controller, duel["Oak"].might) == (1, 5)


@pytest.mark.rule("390.5.a", "124")
@pytest.mark.parametrize("away", [spell("Away", BOUNCE), kills("Away")])
def test_leaving_the_board_ends_it(away: Placed) -> None:
    """The stay is over, and the record with it."""
    duel = blessed(away)
    duel.play("Away", choose=["Oak"])
    duel.pass_all()

    assert duel.ended == [("Herald", "expired")]


@pytest.mark.rule("390.5.a", "359.3.e.4")
def test_coming_back_does_not_bring_it_back() -> None:
    """Played again, the card is another object."""
    duel = blessed(spell("Bounce", BOUNCE))
    duel.play("Bounce", choose=["Oak"])
    duel.pass_all()
    duel.play("Oak")

    assert duel["Oak"].might == 3
    assert duel.waiting == []


@pytest.mark.rule("390.5.a", "392")
def test_the_source_is_not_the_object() -> None:
    """The unit that made it dies; the object it is about is still there."""
    duel = blessed(kills("Blade"))
    duel.play("Blade", choose=["Herald"])
    duel.pass_all()

    assert duel["Oak"].might == 5


@pytest.mark.rule("390.5.a", "392")
def test_a_prisoner_comes_back_without_its_jailer() -> None:
    """The jailer is dead when its player holds; the card still goes back."""
    duel = a_duel(
        hand=[jailer(), kills("Blade")],
        board=[unit("Prisoner", owner=1), unit("Guard", place="bf:1")],
    )
    duel.play("Jailer", choose=["Prisoner"])
    duel.pass_all()
    duel.play("Blade", choose=["Jailer"])
    duel.pass_all()
    duel.end_turn()
    duel.end_turn()

    assert duel.points(0) == 1
    assert duel["Prisoner"].place == "hand:1"
