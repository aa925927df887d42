"""Damage that is split, cards milled, fights and swaps, and turns that end early."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Choice, Do, Program
from longfuse.abilities.nodes import Named, Selector, This, When, Who
from rulesets.riftbound.cards import does, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

ENEMIES = Choice("t1", Selector(kinds=("unit",), control="enemy"), least=0, most=3)
CHALLENGE = (
    "Choose a friendly unit and an enemy unit. "
    "They deal damage equal to their Mights to each other."
)
SPLIT = does(Do("split", what=Named("t1"), amount=3), choices=[ENEMIES])


def splitting() -> Playing:
    """A duel in which 3 damage is to be split among two enemy units."""
    duel = a_duel(
        hand=[spell("Storm", "", SPLIT)],
        board=[unit("Oak", 5, owner=1), unit("Elm", 5, owner=1), unit("Ash", 5, owner=1)],
    )
    duel.play("Storm", choose=[["Oak", "Ash"]])
    duel.pass_all()
    return duel


@pytest.mark.rule("355.14.e", "355.14.f")
def test_damage_is_split_as_it_is_dealt() -> None:
    """Its player is asked on resolution, and each target gets at least 1."""
    duel = splitting()
    assert duel.prompt.shape == "divide"
    assert duel.prompt.bounds == ((1, 2), (1, 2))

    duel.decide((1, 2))

    assert [duel[name].damage for name in ("Oak", "Elm", "Ash")] == [1, 0, 2]


@pytest.mark.rule("355.13", "355.14.b")
def test_split_among_none() -> None:
    """With no targets the spell is played all the same, and does nothing."""
    duel = a_duel(hand=[spell("Storm", "", SPLIT)], board=[unit("Oak", 5, owner=1)])

    duel.play("Storm", choose=[[]])
    duel.pass_all()

    assert duel["Oak"].damage == 0
    assert duel["Storm"].place == "trash:0"


@pytest.mark.rule("355.14.h")
def test_more_targets_than_damage() -> None:
    """Who deals it says which of them get some."""
    one = does(Do("split", what=Named("t1"), amount=1), choices=[ENEMIES])
    duel = a_duel(
        hand=[spell("Drop", "", one)],
        board=[unit("Oak", 5, owner=1), unit("Elm", 5, owner=1)],
    )
    duel.play("Drop", choose=[["Oak", "Elm"]])
    duel.pass_all()

    duel.answer("Elm")

    assert (duel["Oak"].damage, duel["Elm"].damage) == (0, 1)


@pytest.mark.rule("056")
def test_mill() -> None:
    """The top cards of a deck go to the trash, as many as there are."""
    duel = a_duel(hand=[spell("Wear", "", does(Do("mill", amount=2, who=Who("you"))))])

    duel.play("Wear")
    duel.pass_all()

    assert len(duel.game.board.zone("trash:0")) == 3


@pytest.mark.rule("417")
def test_fight() -> None:
    """Two units deal damage equal to their Mights to each other at once."""
    duel = a_duel(
        hand=[spell("Bout", CHALLENGE)],
        board=[unit("Oak", 2), unit("Elm", 5, owner=1)],
    )
    duel.play("Bout", choose=["Oak", "Elm"])
    duel.pass_all()

    assert duel["Oak"].place == "trash:0"
    assert duel["Elm"].damage == 2


@pytest.mark.rule("446")
def test_swap() -> None:
    """Two units are each where the other was, and have moved."""
    two = [Choice("t1", Selector(kinds=("unit",))), Choice("t2", Selector(kinds=("unit",)))]
    swap = does(Do("swap", what=Named("t1"), to_objects=Named("t2")), choices=two)
    duel = a_duel(
        hand=[spell("Trade", "", swap)], board=[unit("Oak", 2), unit("Elm", 5, place="bf:1")]
    )
    duel.play("Trade", choose=["Oak", "Elm"])
    duel.pass_all()

    assert (duel["Oak"].place, duel["Elm"].place) == ("bf:1", "base:0")
    assert duel.count("moved") == 2


@pytest.mark.rule("317.2")
def test_end_the_turn() -> None:
    """The turn goes to its Ending Phase without another action."""
    duel = a_duel(hand=[spell("Dusk", "End the turn.")])

    duel.play("Dusk")
    duel.pass_all()

    assert duel.asked == (1, "main")


@pytest.mark.rule("467")
def test_lose_the_game() -> None:
    """Who loses loses, whatever the points."""
    duel = a_duel(hand=[spell("Ruin", "", does(Do("lose", who=Who("opponent"))))], points=(0, 5))

    duel.play("Ruin")
    duel.pass_all()

    assert duel.game.result is not None
    assert duel.game.result.winner == 0


@pytest.mark.rule("323.2")
def test_attack_with_a_unit() -> None:
    """A unit that an effect attacks with goes to the source's place and fights there."""
    units = Choice("t1", Selector(kinds=("unit",), control="friendly"))
    attack = Program(choices=(units,), body=(Do("attack with", what=Named("t1")),))
    lead = Ability(kind="triggered", when=When("attacked", subject=This()), program=attack)
    duel = a_duel(
        board=[unit("Oak", 2, "", lead), unit("Elm", 5), unit("Foe", 6, owner=1, place="bf:1")]
    )
    duel.move(["Oak"], to="bf:1")
    duel.answer("Elm")
    duel.pass_showdown()
    duel.answer(["Oak", "Elm"])
    duel.pass_showdown()

    assert duel["Foe"].place == "trash:1"
