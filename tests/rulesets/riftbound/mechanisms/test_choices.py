"""Choices that depend on each other, and choices among what was looked at (355, 436)."""

from __future__ import annotations

from typing import Any

import pytest

from rulesets.riftbound.cards import spell, unit
from rulesets.riftbound.duels import Playing, a_duel

BREAKER = "Stun a friendly unit and an enemy unit at the same battlefield."


@pytest.mark.rule("355.8")
def test_a_later_choice_that_depends_on_an_earlier_one() -> None:
    """The spell can be played once some first choice leaves a second one, and not before."""
    duel = a_duel(
        hand=[spell("Break", f"[Reaction]\n{BREAKER}"), spell("Ping", "[Reaction] Draw 1.")],
        board=[unit("Oak", 3), unit("Elm", 3), unit("Ash", 3, owner=1, place="bf:1")],
    )
    assert duel.reason("Break").startswith("target")

    duel.move(["Oak"], to="bf:1")
    assert duel.offers("Break")
    duel.play("Break", choose=["Oak"])
    duel.pass_all()

    assert (duel["Oak"].stunned, duel["Ash"].stunned) == (True, True)


def looking(words: str, *top: Any) -> Playing:
    """A duel in which a spell of those words is resolving."""
    duel = a_duel(hand=[spell("Search", words)], deck=list(top))
    duel.play("Search")
    duel.pass_all()
    return duel


@pytest.mark.rule("355.17", "416.5")
def test_choosing_among_the_cards_looked_at() -> None:
    """One of the three goes to hand, the two others to the bottom; no other can be chosen."""
    duel = looking(
        "Look at the top 3 cards of your Main Deck. Put 1 into your hand and recycle the rest.",
        unit("One", 1),
        unit("Two", 1),
        unit("Three", 1),
        unit("Four", 1),
    )
    assert [option.label for option in duel.prompt.items] == ["One", "Two", "Three"]
    duel.answer("Two")
    assert duel["Two"].place == "hand:0"
    deck = [duel.game.board.card(ref).name for ref in duel.game.board.zone("deck:0")]
    assert deck[-1] == "Four"
    assert set(deck[:2]) == {"One", "Three"}


@pytest.mark.rule("128.3")
def test_what_was_looked_at_is_not_settled_by_itself() -> None:
    """With one unit among them the player is asked all the same: the others may not learn of it."""
    duel = looking(
        "Look at the top 2 cards of your Main Deck. You may reveal a unit from among them and draw "
        "it. Then recycle the rest.",
        unit("One", 1),
        spell("Two", "Draw 1."),
    )
    assert duel.asked == (0, "may")
    duel.answer(True)
    assert duel.asked == (0, "card")
    duel.answer("One")
    assert duel["One"].place == "hand:0"


@pytest.mark.rule("355.5")
def test_any_number_of_units_at_one_battlefield() -> None:
    """The battlefield is asked first, then which of the units there."""
    duel = a_duel(
        hand=[spell("Divide", "Move any number of friendly units at a battlefield to their base.")],
        board=[
            unit("Oak", 3, place="bf:1"),
            unit("Elm", 3, place="bf:1"),
            unit("Fir", 3, place="bf:2"),
        ],
    )
    duel.play("Divide", choose=["Field One"])
    assert [option.label for option in duel.prompt.items] == ["Oak", "Elm"]
    duel.answer(["Oak", "Elm"])
    duel.pass_all()
    assert [duel[name].place for name in ("Oak", "Elm", "Fir")] == ["base:0", "base:0", "bf:2"]


@pytest.mark.rule("355.5", "383.3.d")
def test_each_player_does_it() -> None:
    """Each player kills one of their own units, the turn player first, and each chooses."""
    duel = a_duel(
        hand=[spell("Cull", "Each player kills one of their units.")],
        board=[
            unit("Oak", 3),
            unit("Elm", 3),
            unit("Ash", 3, owner=1),
            unit("Fir", 3, owner=1),
        ],
    )
    duel.play("Cull")
    duel.pass_all()
    assert duel.asked[0] == 0
    duel.answer("Elm")
    assert duel.asked[0] == 1
    duel.answer("Fir")
    assert [duel[name].place for name in ("Oak", "Elm", "Ash", "Fir")] == [
        "base:0",
        "trash:0",
        "base:1",
        "trash:1",
    ]
