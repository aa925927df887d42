"""455-458: recalls."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import spell, unit
from rulesets.riftbound.duels import Playing, a_duel

MOVED = "When I move, draw 1."


def recalled() -> Playing:
    """A damaged, exhausted, strengthened unit is recalled from a battlefield."""
    duel = a_duel(
        hand=[
            spell("Rise", "Give a unit +3 Might this turn."),
            spell("Home", "Recall a unit."),
        ],
        board=[unit("Oak", 3, MOVED, place="bf:1", damage=2, exhausted=True)],
    )
    for name in ("Rise", "Home"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()
    return duel


@pytest.mark.rule("457.1")
def test_a_recall_is_no_move() -> None:
    """ "When I move" does not see it."""
    duel = recalled()

    assert duel["Oak"].place == "base:0"
    assert (duel.hand(0), duel.count("moved"), duel.count("recalled")) == (0, 0, 1)


@pytest.mark.rule("458", "458.1")
def test_a_recall_changes_no_status() -> None:
    """Damage, exhaustion and what it was given stay."""
    duel = recalled()

    assert (duel["Oak"].damage, duel["Oak"].exhausted, duel["Oak"].might) == (2, True, 6)


@pytest.mark.rule("457.3")
def test_what_can_t_move_can_be_recalled() -> None:
    """A prohibition of moving does not stop a recall."""
    duel = a_duel(
        hand=[
            spell("Root", "Choose a unit. It can't move this turn."),
            spell("Home", "Recall a unit."),
        ],
        board=[unit("Oak", 3, place="bf:1")],
    )
    for name in ("Root", "Home"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()

    assert duel["Oak"].place == "base:0"


@pytest.mark.rule("455")
def test_it_goes_to_its_controller_s_base() -> None:
    """Of a stolen unit that is not its owner's."""
    duel = a_duel(
        hand=[spell("Home", "Recall a unit.")],
        board=[unit("Foe", 3, owner=1, controller=0, place="bf:1")],
    )
    duel.play("Home", choose=["Foe"])
    duel.pass_all()

    assert duel["Foe"].place == "base:0"
