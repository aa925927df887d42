"""391: a delayed ability resolves or is active like its base kind, but only in its time."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change, Do, Program, Rewrite
from longfuse.abilities.nodes import When, Who
from rulesets.riftbound.cards import (
    A_UNIT,
    CHOSEN,
    MARK,
    THIS_TURN,
    creates,
    deals,
    gear,
    spell,
    unit,
)
from rulesets.riftbound.duels import a_duel

TOME = "[Exhaust]: Your next spell this turn deals 1 Bonus Damage."

KINDS = {
    "trigger": Ability(
        kind="triggered",
        when=When("damage dealt", subject=CHOSEN),
        program=Program(body=(Do("draw", amount=1, who=Who()),)),
        window=THIS_TURN,
    ),
    "replacement": Ability(
        kind="replacement",
        when=When("damage", subject=CHOSEN),
        rewrite=Rewrite("plus", amount=1),
        window=THIS_TURN,
    ),
    "passive": Ability(
        kind="passive", changes=(Change("might", of=CHOSEN, amount=2),), window=THIS_TURN
    ),
}


@pytest.mark.rule("391")
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_works_in_its_time_and_not_after(kind: str) -> None:
    """Whatever it does this turn, it does nothing next turn."""
    duel = a_duel(
        hand=[spell("Fuse", "", creates(KINDS[kind], choices=[A_UNIT])), deals("Spark", 1)],
        theirs=[deals("Ember", 1)],
        board=[unit("Oak", 5)],
    )
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()
    duel.play("Spark", choose=["Oak"])
    duel.pass_all()
    works = (duel.count("drew"), duel["Oak"].damage, duel["Oak"].might)
    assert (
        works
        == {
            "trigger": (1, 1, 5),
            "replacement": (0, 2, 5),
            "passive": (0, 1, 7),
        }[kind]
    )

    duel.end_turn()
    drawn = duel.hand(0)
    duel.play("Ember", choose=["Oak"])
    duel.pass_all()

    assert (duel.hand(0), duel["Oak"].damage, duel["Oak"].might) == (drawn, 1, 5)


@pytest.mark.rule("391", "390.4", "712")
def test_the_book_s_first_example_a_tome() -> None:
    """The next spell is the time, the Bonus Damage a passive."""
    duel = a_duel(
        hand=[spell("Rain", "Deal 2 to each of up to two units.")],
        board=[gear("Tome", TOME), unit("Oak", 9, owner=1), unit("Elm", 9, owner=1)],
    )
    duel.use("Tome")
    duel.pass_all()
    assert duel.record("Tome").kind == "passive"

    duel.play("Rain", choose=[["Oak", "Elm"]])
    duel.pass_all()

    assert (duel["Oak"].damage, duel["Elm"].damage) == (3, 3)


@pytest.mark.rule("391", "390.2")
def test_the_book_s_second_example_a_guillotine() -> None:
    """ "Kill it the next time it takes damage" is a delayed trigger: it uses the chain."""
    duel = a_duel(
        hand=[spell("Mark", "Choose a unit. Kill it the next time it takes damage this turn.")],
        theirs=[deals("Spark", 1, fast=True)],
        board=[unit("Oak", 5)],
    )
    duel.play("Mark", choose=["Oak"])
    duel.pass_all()
    assert duel.record("Mark").kind == "triggered"


@pytest.mark.rule("391")
def test_a_delayed_trigger_can_be_reacted_to() -> None:
    """While it is on the chain its effect has not happened yet."""
    duel = a_duel(
        hand=[spell("Mark", MARK), deals("Spark", 1)],
        theirs=[spell("Away", "[Reaction] Return a unit to its owner's hand.")],
        board=[unit("Oak", 5, owner=1)],
    )
    duel.play("Mark", choose=["Oak"])
    duel.pass_all()
    duel.play("Spark", choose=["Oak"])
    duel.resolve()
    duel.play("Away", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == "hand:1"
