"""R5, whose a delayed trigger is when the watched object changes sides: creator or controller."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import draws, kills, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

TEXT = "Choose a friendly unit. When it dies this turn, draw 1."


def stolen_and_killed(option: str) -> Playing:
    """A unit with a rider of seat 0 was stolen by seat 1 and has died; the rider triggered."""
    duel = a_duel(
        hand=[spell("Fuse", TEXT), draws("Wait"), kills("Blade")],
        theirs=[spell("Steal", "[Reaction] Take control of an enemy unit and recall it.")],
        board=[unit("Oak", 3)],
        options={"R5": option},
    )
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()
    duel.play("Wait")
    duel.play("Steal", choose=["Oak"])
    duel.pass_all()
    assert duel["Oak"].controller == 1
    duel.play("Blade", choose=["Oak"])
    duel.resolve()
    assert duel.chain == ["Fuse"]
    return duel


@pytest.mark.rule("392", "191.4", "390.2")
def test_creator_it_stays_with_its_maker() -> None:
    """By default its maker draws, wherever the unit went."""
    duel = stolen_and_killed("creator")
    assert duel.asked == (0, "priority")
    before = duel.hand(0)
    duel.pass_all()

    assert (duel.hand(0), duel.hand(1)) == (before + 1, 0)


@pytest.mark.rule("392", "390.2")
def test_controller_it_goes_with_the_object() -> None:
    """With "controller", the new controller of the watched unit controls it and draws."""
    duel = stolen_and_killed("controller")
    assert duel.asked == (1, "priority")
    before = duel.hand(0)
    duel.pass_all()

    assert (duel.hand(0), duel.hand(1)) == (before, 1)


@pytest.mark.rule("390.2")
@pytest.mark.parametrize("option", ["creator", "controller"])
def test_without_a_change_of_sides_both_are_the_same(option: str) -> None:
    """The option is only about a watched object that changes sides."""
    duel = a_duel(
        hand=[spell("Fuse", TEXT), kills("Blade")], board=[unit("Oak")], options={"R5": option}
    )
    for name in ("Fuse", "Blade"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()

    assert duel.hand(0) == 1
