"""Decks as text: what is read, what is refused, and that writing and reading agree."""

from __future__ import annotations

import pytest

from longfuse.rulesets.riftbound.decks import (
    Deck,
    DeckError,
    from_plain,
    from_text,
    shipped_decks,
    to_text,
)

SMALL = """
# a comment
Name: Small
Legend: The Unsleeping Light
Champion: Maren, First to Wake

Battlefields:
Breakwater
1 Lamp Stair

Main Deck
2 Quay Lookout      # two of them
3x Bellrope Squire
1 Quay Lookout

Runes
6 Calm
5 order runes
1 Order Rune
"""


@pytest.mark.parametrize("name", list(shipped_decks()))
def test_what_is_written_is_read_back(name: str) -> None:
    """Every deck that ships."""
    deck = shipped_decks()[name]
    assert from_text(to_text(deck)) == deck


def test_a_deck_is_read_as_people_write_it() -> None:
    """Comments, “3x”, a card twice, runes by name; the champion is not counted among the cards."""
    assert from_text(SMALL) == Deck(
        "Small",
        {"Quay Lookout": 3, "Bellrope Squire": 3},
        {"calm": 6, "order": 6},
        "The Unsleeping Light",
        "Maren, First to Wake",
        ("Breakwater", "Lamp Stair"),
    )
    assert from_text(SMALL).main()["Maren, First to Wake"] == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no cards in it"),
        ("Main\nQuay Lookout", "line 2: “Quay Lookout” has no number"),
        ("Main\n0 Quay Lookout", "line 2: 0 copies"),
        (f"Main\n{'9' * 5_000} Quay Lookout", "line 2: “9+ Quay Lookout” has no number"),
        ("Main\n1 Owl\nRunes\n6 salt", "line 4: no domain is called “salt”"),
        ("Name: A\nName: B\n1 Owl", "line 2: a second “name”"),
    ],
)
def test_what_is_not_understood_is_told_with_its_line(text: str, complaint: str) -> None:
    """Nothing is guessed or dropped."""
    with pytest.raises(DeckError, match=complaint):
        from_text(text)


def test_a_deck_comes_back_from_plain_data() -> None:
    """As a journal's header keeps it; what is no deck is refused."""
    deck = from_text(SMALL)
    plain = {"name": "Small", "cards": deck.cards, "runes": deck.runes}
    assert from_plain(plain).is_house
    with pytest.raises(DeckError, match="no deck"):
        from_plain({"name": "Small", "cards": ["Owl"]})


def test_a_sideboard_is_a_section_of_its_own() -> None:
    """Its cards are no cards of the Main Deck, and a deck without one has no such section."""
    deck = from_text(SMALL + "\nSideboard:\n2 Reef Giant\n1 Quay Lookout\n")
    assert deck.sideboard == {"Reef Giant": 2, "Quay Lookout": 1}
    assert deck.cards == from_text(SMALL).cards
    assert deck.pool()["Quay Lookout"] == 4
    assert "Reef Giant" in deck.names()
    assert from_text(to_text(deck)) == deck
    assert "Sideboard" not in to_text(from_text(SMALL))
