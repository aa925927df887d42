"""390.5.c.1: moved to a non-board zone, the object's appropriate zone is that zone."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Choice, Do, Program
from longfuse.abilities.nodes import Named, Selector
from rulesets.riftbound.cards import spell, unit
from rulesets.riftbound.duels import Playing, a_duel
from rulesets.riftbound.rules.linking import jailer

BANISH_UNTIL = "Banish an enemy unit. When you hold, return it to its owner's hand."


def freeing(verb: str) -> Ability:
    """A spell that takes a unit card out of banishment."""
    return Ability(
        kind="spell",
        program=Program(
            choices=(Choice("t1", Selector(kinds=("unit",), zone="banishment")),),
            body=(Do(verb, what=Named("t1")),),
        ),
    )


def jailed() -> Playing:
    """Prisoner is banished until the jailer's player holds; Guard will hold."""
    duel = a_duel(
        hand=[jailer()],
        theirs=[spell("Free", "", freeing("return"))],
        board=[unit("Prisoner", owner=1), unit("Guard", place="bf:1")],
    )
    duel.play("Jailer", choose=["Prisoner"])
    duel.pass_all()
    assert duel["Prisoner"].place == "banishment:1"
    return duel


@pytest.mark.rule("390.5.c.1", "390.5.a")
def test_in_banishment_it_waits_and_acts() -> None:
    """It stays in banishment until its jailer's player holds, then goes to its owner's hand."""
    duel = jailed()
    duel.end_turn()
    assert duel["Prisoner"].place == "banishment:1"
    duel.end_turn()

    assert duel["Prisoner"].place == "hand:1"
    assert duel.ended[-1] == ("Jailer", "fired")


@pytest.mark.rule("390.5.c.1", "124")
def test_out_of_banishment_the_bond_is_gone() -> None:
    """Freed before, played and in play: nothing happens to it when they hold."""
    duel = jailed()
    duel.end_turn()
    duel.play("Free", choose=["Prisoner"])
    duel.pass_all()
    assert duel.ended == [("Jailer", "expired")]
    duel.play("Prisoner")
    duel.end_turn()

    assert duel["Prisoner"].place == "base:1"


@pytest.mark.rule("390.5.c.1", "359.3.e.13")
def test_a_sentence_speaks_of_the_card_where_it_was_put() -> None:
    """ "Banish a unit. When you hold, return it": "it" is the banished card."""
    duel = a_duel(
        hand=[spell("Jail", BANISH_UNTIL)],
        board=[unit("Prisoner", owner=1), unit("Guard", place="bf:1")],
    )
    duel.play("Jail", choose=["Prisoner"])
    duel.pass_all()
    assert duel.waiting == ["Jail"]
    duel.end_turn()
    duel.end_turn()

    assert duel["Prisoner"].place == "hand:1"


@pytest.mark.rule("390.5.c.1", "359.3.e.14")
def test_a_target_that_was_not_banished_makes_no_ability() -> None:
    """The target became illegal: the linked instruction is ignored with the one it refers to."""
    duel = a_duel(
        hand=[spell("Jail", BANISH_UNTIL)],
        theirs=[spell("Away", "[Reaction] Return a unit to its owner's hand.")],
        board=[unit("Prisoner", owner=1)],
    )
    duel.play("Jail", choose=["Prisoner"])
    duel.play("Away", choose=["Prisoner"])
    duel.pass_all()

    assert duel["Prisoner"].place == "hand:1"
    assert duel.waiting == []
