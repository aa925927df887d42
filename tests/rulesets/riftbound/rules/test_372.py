"""372: who orders several replacements of one event."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Do, Program, Rewrite
from longfuse.abilities.nodes import When, Who
from rulesets.riftbound.cards import (
    SAVE,
    THIS_TURN,
    Placed,
    creates,
    deals,
    draws,
    kills,
    spell,
    unit,
)
from rulesets.riftbound.duels import Playing, a_duel

SMITE = "[Reaction] Deal 3 to a unit. If that unit would die this turn, it is banished instead."


def rivals() -> Playing:
    """A unit about to die that its side would save and the other would banish."""
    duel = a_duel(
        hand=[spell("Save", SAVE), draws("Wait")],
        theirs=[spell("Smite", SMITE)],
        board=[unit("Oak", 3)],
    )
    duel.play("Save", choose=["Oak"])
    duel.pass_all()
    duel.play("Wait")
    duel.play("Smite", choose=["Oak"])
    duel.resolve()
    return duel


@pytest.mark.rule("372")
def test_the_affected_object_s_controller_chooses() -> None:
    """Saved first, the unit has not died, so it is not banished."""
    duel = rivals()
    assert duel.asked == (0, "order")
    duel.answer(["Save", "Smite"])

    assert duel["Oak"].place == "base:0"
    assert duel.ended == [("Save", "fired")]


@pytest.mark.rule("372", "370.2")
def test_banished_first_the_saver_is_not_used() -> None:
    """Being banished is no death: the saver does not apply, and ends as the unit leaves."""
    duel = rivals()
    duel.answer(["Smite", "Save"])

    assert duel["Oak"].place == "banishment:0"
    assert ("Save", "fired") not in duel.ended


@pytest.mark.rule("372")
def test_the_controller_and_not_the_owner() -> None:
    """Of a stolen unit whoever controls it now orders its replacements."""
    duel = a_duel(
        hand=[spell("Save", SAVE), draws("Wait")],
        theirs=[spell("Smite", SMITE)],
        board=[unit("Oak", 3, owner=1, controller=0)],
    )
    duel.play("Save", choose=["Oak"])
    duel.pass_all()
    duel.play("Wait")
    duel.play("Smite", choose=["Oak"])
    duel.resolve()

    assert duel.asked == (0, "order")


def instead_of_drawing(name: str, *body: Do) -> Placed:
    """A spell: the next time that an opponent would draw this turn, something else happens."""
    return spell(
        name,
        "",
        creates(
            Ability(
                kind="replacement",
                when=When("draw", player=Who("opponent")),
                uses=1,
                program=Program(body=body),
                rewrite=Rewrite("instead"),
                window=THIS_TURN,
            )
        ),
    )


@pytest.mark.rule("372.1")
def test_of_what_happens_to_a_player_that_player_chooses() -> None:
    """Two replacements of one draw: the player who would draw says which applies first."""
    duel = a_duel(
        hand=[
            instead_of_drawing("Tax", Do("points", amount=1, who=Who())),
            instead_of_drawing("Toll", Do("points", amount=2, who=Who())),
            draws("Wait"),
        ],
        theirs=[draws("Quick", fast=True)],
    )
    for name in ("Tax", "Toll"):
        duel.play(name)
        duel.pass_all()
    duel.play("Wait")
    duel.play("Quick")
    duel.resolve()
    assert duel.asked == (1, "order")
    duel.answer(["Tax", "Toll"])

    assert duel.points(0) == 1
    assert duel.hand(1) == 0


@pytest.mark.rule("372")
def test_nobody_is_asked_about_two_that_are_alike() -> None:
    """Two savers with the same words and values of one player: no order could be told apart."""
    duel = a_duel(
        hand=[spell("Save", SAVE), spell("Keep", SAVE), kills("Blade")], board=[unit("Oak")]
    )
    for name in ("Save", "Keep", "Blade"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()

    assert duel.asked == (0, "main")
    assert len(duel.waiting) == 1


@pytest.mark.rule("372", "371.2")
def test_a_declined_one_leaves_the_choice_to_the_others() -> None:
    """The paid saver comes first and is declined; the free one then saves, the paid one waits."""
    paid = (
        "[Reaction] Choose a friendly unit. The next time that unit would die this turn, "
        "you may pay 1 to instead heal, exhaust and recall it."
    )
    duel = a_duel(
        hand=[spell("Paid", paid), spell("Free", SAVE), deals("Bolt", 3)],
        board=[unit("Oak", 3)],
        energy=(1, 0),
    )
    for name in ("Paid", "Free", "Bolt"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()
    duel.answer(["Paid", "Free"])
    assert duel.asked == (0, "may")
    duel.answer(False)

    assert duel["Oak"].place == "base:0"
    assert duel.waiting == ["Paid"]
    assert duel.rules.player(0).energy == 1
