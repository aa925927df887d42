"""Decks: as text, what makes one legal, and what may be exchanged between games."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from longfuse.rulesets.hkk.decks import (
    Deck,
    DeckError,
    exchanged,
    from_text,
    read,
    reasons,
    shipped_decks,
    to_text,
)
from longfuse.rulesets.hkk.listing import check_deck, may_replace, playable

KILNS = shipped_decks()["The Slow Kilns"]
IN_AND_OUT = {"Cold Water": 3, "Raw Clay Sentry": 2}
"""One Cold Water of the sideboard for a sentry."""


def with_these(sideboard: dict[str, int], **cards: int) -> Deck:
    """The Slow Kilns with other counts of some cards, and with another sideboard."""
    return msgspec.structs.replace(KILNS, cards={**KILNS.cards, **cards}, sideboard=sideboard)


def swapped(**more: Any) -> Deck:
    """The Slow Kilns with one card exchanged."""
    aside = {name: n for name, n in KILNS.sideboard.items() if name != "Cold Water"}
    cards = {**KILNS.cards, **IN_AND_OUT, **more}
    return msgspec.structs.replace(KILNS, cards=cards, sideboard={**aside, "Raw Clay Sentry": 1})


@pytest.mark.parametrize("deck", shipped_decks().values(), ids=list(shipped_decks()))
def test_the_decks_that_ship_are_legal_and_can_be_written(deck: Deck) -> None:
    """With their sideboards; the text has all but the name in the other language."""
    assert deck.sideboard
    assert list(reasons(deck, playable())) == []
    assert from_text(to_text(deck)) == msgspec.structs.replace(deck, name_hu="")


def test_a_sideboard_follows_the_deck() -> None:
    """Its cards are counted apart; a deck is no sideboard alone."""
    deck = from_text("Name: Small\n2 Cold Water\n\nSideboard:\n1 Cold Water\n1x Ash Pit\n")
    assert (deck.cards, deck.sideboard) == ({"Cold Water": 2}, {"Cold Water": 1, "Ash Pit": 1})
    assert deck.pool() == {"Cold Water": 3, "Ash Pit": 1}
    assert "Sideboard" not in to_text(Deck("Small", deck.cards))
    with pytest.raises(DeckError, match="no cards in it"):
        from_text("Sideboard\n1 Ash Pit\n")


def test_a_number_beyond_all_numbers_is_none() -> None:
    """Python reads none of five thousand digits: it is told as any line that is no card."""
    with pytest.raises(DeckError, match="has no number before it"):
        from_text(f"{'9' * 5_000} Cold Water\n")


@pytest.mark.parametrize(
    ("deck", "told"),
    [
        (with_these({}), []),
        (
            with_these({"Cold Water": 2}),
            ["4 of “Cold Water” in deck and sideboard together; 3 at most"],
        ),
        (with_these({}, **{"Cold Water": 4}), ["4 of “Cold Water”; 3 at most"]),
        (with_these({"Owl": 1}), ["no card is called “Owl”"]),
        (with_these({"Mudling": 1}), ["no card is called “Mudling”"]),
        (
            with_these({f"Card {n}": 3 for n in range(7)}),
            ["21 cards in the sideboard; 20 at most"],
        ),
        (with_these({"Ash Pit": 1}, **{"Cold Water": 1}), ["44 cards; 45 at least"]),
    ],
)
def test_what_is_wrong_with_a_deck_is_told(deck: Deck, told: list[str]) -> None:
    """Each thing with the card, or with the sizes."""
    known = [*playable(), *(f"Card {n}" for n in range(7))]
    assert list(reasons(deck, known)) == told


def test_between_games_cards_are_exchanged_one_for_one() -> None:
    """A deck by its name and one as text compare; and back again."""
    by = swapped()
    assert check_deck(to_text(by))["legal"]
    assert list(exchanged(KILNS, by)) == []
    assert list(may_replace("The Slow Kilns", to_text(by))) == []
    assert list(may_replace(to_text(by), "The Slow Kilns")) == []


@pytest.mark.parametrize(
    ("by", "told"),
    [
        (swapped(Fireworks=1), ["1 of Fireworks, and none in what was", "the main deck has 46"]),
        (
            with_these({**KILNS.sideboard, "Cold Water": 0}, **{"Cold Water": 3}),
            ["the main deck has 46 cards; between games it keeps its 45"],
        ),
        (with_these({}), ["none of Snuffed Flame, and 1 in what was brought"]),
    ],
)
def test_what_may_not_be_exchanged_is_told(by: Deck, told: list[str]) -> None:
    """Which card is too many or missing, and that the size stays."""
    found = list(exchanged(KILNS, by))
    for start in told:
        assert any(text.startswith(start) for text in found), found


@pytest.mark.parametrize("deck", ["Nobody's", {"name": 3}, 7, "Main\nowl"])
def test_what_is_no_deck_is_refused(deck: Any) -> None:
    """Whatever form it has."""
    with pytest.raises(DeckError):
        read(deck)
