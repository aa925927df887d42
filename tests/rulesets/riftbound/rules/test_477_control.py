"""477.1.a: control."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change, Duration
from longfuse.abilities.nodes import Who
from rulesets.riftbound.cards import A_UNIT, CHOSEN, creates, spell, unit
from rulesets.riftbound.duels import a_duel

STEAL = "Take control of an enemy unit and recall it."


@pytest.mark.rule("477.1.a")
def test_a_stolen_unit_stays_the_same_object() -> None:
    """Damage and effects stay; only its controller is another."""
    duel = a_duel(
        hand=[spell("Rise", "Give a unit +3 Might this turn."), spell("Steal", STEAL)],
        board=[unit("Foe", 3, owner=1, damage=2)],
    )
    before = duel["Foe"].ref
    for name in ("Rise", "Steal"):
        duel.play(name, choose=["Foe"])
        duel.pass_all()

    foe = duel["Foe"]
    assert (foe.ref, foe.controller, foe.damage, foe.might) == (before, 0, 2, 6)


@pytest.mark.rule("056")
def test_a_stolen_unit_dies_into_its_owner_s_trash() -> None:
    """A card headed for another player's zone goes to its owner's."""
    duel = a_duel(
        hand=[spell("Steal", STEAL), spell("Axe", "Kill a unit.")], board=[unit("Foe", owner=1)]
    )
    for name in ("Steal", "Axe"):
        duel.play(name, choose=["Foe"])
        duel.pass_all()

    assert duel["Foe"].place == "trash:1"


@pytest.mark.rule("477.1.a", "390.4")
def test_control_for_a_turn_goes_back() -> None:
    """When the effect ends the former controller has it again, in their own base."""
    duel = a_duel(
        hand=[spell("Borrow", "Take control of an enemy unit this turn.")],
        board=[unit("Foe", owner=1)],
    )
    duel.play("Borrow", choose=["Foe"])
    duel.pass_all()
    assert (duel["Foe"].controller, duel["Foe"].place) == (0, "base:0")
    duel.end_turn()

    assert (duel["Foe"].controller, duel["Foe"].place) == (1, "base:1")


@pytest.mark.rule("390.4", "477.1.a")
def test_a_window_on_control_closes_with_the_first_loss() -> None:
    """ "While you control it" ends when it is stolen and does not come back."""
    ability = Ability(
        kind="passive",
        changes=(Change("might", of=CHOSEN, amount=2),),
        window=Duration("while controlled", of=CHOSEN, who=Who()),
    )
    duel = a_duel(
        hand=[spell("Bond", "", creates(ability, choices=[A_UNIT]))],
        theirs=[spell("Borrow", "Take control of an enemy unit this turn.")],
        board=[unit("Oak", 3)],
    )
    duel.play("Bond", choose=["Oak"])
    duel.pass_all()
    duel.end_turn()
    assert duel["Oak"].might == 5
    duel.play("Borrow", choose=["Oak"])
    duel.pass_all()
    assert duel["Oak"].might == 3
    duel.end_turn()

    assert (duel["Oak"].controller, duel["Oak"].might) == (0, 3)


@pytest.mark.rule("187.3.a.1")
def test_stealing_at_a_battlefield_contests_it() -> None:
    """A unit that is now controlled by who does not control the battlefield leads to a showdown."""
    duel = a_duel(
        hand=[spell("Borrow", "Take control of an enemy unit this turn.")],
        board=[unit("Foe", owner=1, place="bf:1")],
    )
    duel.play("Borrow", choose=["Foe"])
    duel.pass_all()

    assert duel.asked == (0, "focus")
    duel.pass_showdown()
    assert (duel.controls("bf:1"), duel.points(0)) == (0, 1)
