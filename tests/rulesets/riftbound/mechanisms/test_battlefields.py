"""Battlefields' own abilities: whose they are, "here", and what nobody controls (187.6)."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.abilities.ability import Ability, Choice, Do, Program, Rewrite
from longfuse.abilities.nodes import At, Named, NamedPlayer, Selector, When, Who
from rulesets.riftbound.cards import battlefield, kills, unit
from rulesets.riftbound.duels import Playing, a_duel


def at(words: str, **start: Any) -> Playing:
    """A duel whose first battlefield, at bf:1, is Field with those words."""
    return a_duel(battlefields=[battlefield("Field", words)], **start)


@pytest.mark.rule("187.6.a", "383.4.c")
def test_when_you_conquer_here() -> None:
    """Who conquers it is "you": they draw; conquering the other battlefield does nothing."""
    duel = at("When you conquer here, draw 1.", board=[unit("Oak", 3), unit("Elm", 3)])
    before = duel.hand(0)

    duel.move(["Oak"], to="bf:2")
    duel.pass_showdown()
    assert duel.hand(0) == before
    duel.move(["Elm"], to="bf:1")
    duel.pass_showdown()

    assert duel.hand(0) == before + 1


@pytest.mark.rule("187.6.a", "383.4.d")
def test_when_you_hold_here() -> None:
    """Its controller makes a token in their own base at their Scoring Step."""
    duel = at(
        "When you hold here, play a 1 Might Recruit unit token in your base.",
        board=[unit("Oak", 3, owner=1, place="bf:1")],
    )

    duel.end_turn()

    assert [token.place for token in duel.find("Recruit")] == ["base:1"]


@pytest.mark.rule("187.6.a", "383.4.f")
def test_when_you_defend_here() -> None:
    """It triggers once for the defender, however many units defend, and not for the attacker."""
    duel = at(
        "When you defend here, draw 1.",
        board=[
            unit("Oak", 3),
            unit("Ash", 3, owner=1, place="bf:1"),
            unit("Fir", 3, owner=1, place="bf:1"),
        ],
    )
    mine, theirs = duel.hand(0), duel.hand(1)

    duel.move(["Oak"], to="bf:1")
    duel.pass_all()

    assert (duel.hand(0), duel.hand(1)) == (mine, theirs + 1)


@pytest.mark.rule("187.6.a")
def test_units_here() -> None:
    """A static ability is about the units of both players that are there, and no others."""
    duel = at(
        "Units here have +1 Might.",
        board=[
            unit("Oak", 3, place="bf:1"),
            unit("Ash", 3, owner=1, place="bf:1"),
            unit("Fir", 3, place="bf:2"),
            unit("Elm", 3),
        ],
        control={"bf:1": 0, "bf:2": 0},
    )

    assert [duel[name].might for name in ("Oak", "Ash", "Fir", "Elm")] == [4, 4, 3, 3]


@pytest.mark.rule("187.6.b")
def test_a_passive_of_an_uncontrolled_battlefield_works() -> None:
    """Nobody controls it before the first unit comes; that unit has the keyword as it arrives."""
    duel = at("Units here have [Ganking].", board=[unit("Oak", 3)])
    assert duel.controls("bf:1") == -1

    duel.move(["Oak"], to="bf:1")

    assert duel["Oak"].has("Ganking")


@pytest.mark.rule("187.6.a")
def test_when_a_unit_moves_from_here() -> None:
    """Only leaving this very battlefield counts."""
    duel = at(
        "When a unit moves from here, give it +1 Might this turn.",
        board=[unit("Oak", 3, place="bf:1"), unit("Elm", 3, place="bf:2")],
    )

    duel.move(["Oak"], to="base:0")
    duel.pass_all()
    duel.move(["Elm"], to="base:0")
    duel.pass_all()

    assert (duel["Oak"].might, duel["Elm"].might) == (4, 3)


BEGINNING = At("beginning", whose=Who("each player"))


@pytest.mark.rule("187.6.b")
def test_the_turn_player_sees_to_an_uncontrolled_battlefield_s_trigger() -> None:
    """At each Beginning Phase the turn player gains a point, though nobody controls it."""
    ability = Ability(
        kind="triggered",
        when=BEGINNING,
        program=Program(body=(Do("points", amount=1, who=NamedPlayer("event.player")),)),
    )
    duel = a_duel(battlefields=[battlefield("Arena", "", ability)])

    duel.end_turn()

    assert (duel.points(0), duel.points(1)) == (0, 1)


@pytest.mark.rule("187.6.c")
def test_you_of_an_uncontrolled_battlefield_is_nobody() -> None:
    """ "Draw 1" of a battlefield that nobody controls is ignored."""
    ability = Ability(
        kind="triggered", when=BEGINNING, program=Program(body=(Do("draw", amount=1),))
    )
    duel = a_duel(battlefields=[battlefield("Arena", "", ability)])
    before = duel.hand(1)

    duel.end_turn()

    assert duel.hand(1) == before + 1, "the Draw Phase's card and no other"


@pytest.mark.rule("187.6.a")
def test_control_of_a_battlefield_s_abilities_changes_hands() -> None:
    """After a conquest "you" is the conqueror: they draw when they hold it."""
    duel = at(
        "When you hold here, draw 1.",
        board=[unit("Oak", 5), unit("Ash", 3, owner=1, place="bf:1")],
    )
    duel.move(["Oak"], to="bf:1")
    duel.pass_showdown()
    assert duel.controls("bf:1") == 0
    mine, theirs = duel.hand(0), duel.hand(1)

    duel.end_turn()
    assert duel.hand(1) == theirs + 1
    duel.end_turn()
    assert duel.hand(0) == mine + 2


@pytest.mark.rule("187.6.a", "187.6.b", "367")
@pytest.mark.parametrize("controller", [0, 1, -1])
def test_a_battlefield_s_replacement_is_about_all_units_there(controller: int) -> None:
    """A unit that would die there is recalled, whoever controls it; elsewhere units die."""
    saves = Ability(
        kind="replacement",
        when=When("death", subject=Selector(kinds=("unit",), place="here")),
        rewrite=Rewrite("instead"),
        program=Program(body=(Do("recall", what=Named("event")),)),
    )
    duel = a_duel(
        hand=[kills("Blade"), kills("Knife")],
        battlefields=[battlefield("Haven", "", saves)],
        board=[unit("Oak", 3, place="bf:1"), unit("Ash", 3, owner=1)],
    )
    field = duel.rules.battlefield("bf:1")
    assert field is not None
    duel.game.change(field.ref, controller=controller)

    duel.play("Blade", choose=["Oak"])
    duel.pass_all()
    duel.play("Knife", choose=["Ash"])
    duel.pass_all()

    assert (duel["Oak"].place, duel["Ash"].place) == ("base:0", "trash:1")


@pytest.mark.rule("187.6.b")
def test_the_turn_player_chooses_for_an_uncontrolled_battlefield() -> None:
    """Its ability chooses a unit: the turn player is asked which."""
    ability = Ability(
        kind="triggered",
        when=At("beginning", whose=Who("each player")),
        program=Program(
            choices=(Choice("t1", Selector(kinds=("unit",))),),
            body=(Do("stun", what=Named("t1")),),
        ),
    )
    duel = a_duel(
        battlefields=[battlefield("Arena", "", ability)], board=[unit("Oak", 3), unit("Elm", 3)]
    )
    duel.end_turn()
    assert duel.asked == (1, "target")
    duel.answer("Oak")
    assert duel.chain == ["Arena"]
    duel.pass_all()
    assert duel["Oak"].stunned
