"""Decks: what a player brings, decks as text, and what a deck must be.

Owns `Deck`, the decks that ship, and the plain format that people write. One line for each card;
`#` begins a comment:

    Name: The Slow Kilns
    3 Raw Clay Sentry
    2x Kiln Apprentice

    Sideboard
    1 Patient Mason

A deck needs no sideboard.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from longfuse.rulesets import decklists, sideboards

SHIPPED = Path(__file__).parent / "sets" / "decks.toml"
CARDS_LEAST = 45
COPIES_MOST = 3
SIDEBOARD_MOST = 20
COPIES_READ_MAX = 99


class Deck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deck: cards by count.

    own: cards that do not ship, as the fields of a set file. sideboard: cards by count that may be
    exchanged for others between the games of a match.
    """

    name: str
    cards: dict[str, int]
    name_hu: str = ""
    own: tuple[dict[str, Any], ...] = ()
    sideboard: dict[str, int] = {}

    def pool(self) -> Counter[str]:
        """The cards of deck and sideboard together, by count."""
        return Counter(self.cards) + Counter(self.sideboard)

    def names(self) -> list[str]:
        """Every card of it once."""
        return list(dict.fromkeys([*self.cards, *self.sideboard]))


DeckError = decklists.DeckError


_COUNTED = re.compile(r"(\d{1,9})\s*x?\s+(.+)")
"""A number of thousands of digits is none: Python itself refuses to read it."""


def from_text(text: str) -> Deck:
    """A deck from its text; DeckError with every line that is not understood."""
    name, main, sideboard, errors = "A deck", dict[str, int](), dict[str, int](), list[str]()
    counts = main
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        key, colon, value = content.partition(":")
        counted = _COUNTED.fullmatch(content)
        if not content:
            continue
        if colon and key.strip().casefold() == "name":
            name = value.strip()
        elif content.removesuffix(":").strip().casefold() == "sideboard":
            counts = sideboard
        elif counted is None:
            errors.append(f"line {number}: “{content}” has no number before it")
        elif not 1 <= int(counted[1]) <= COPIES_READ_MAX:
            errors.append(f"line {number}: {counted[1]} copies; from 1 to {COPIES_READ_MAX}")
        else:
            card = counted[2].strip()
            counts[card] = counts.get(card, 0) + int(counted[1])
    if not main and not errors:
        errors.append("no cards in it")
    if errors:
        raise DeckError(errors)
    return Deck(name, main, sideboard=sideboard)


def to_text(deck: Deck) -> str:
    """A deck as text; `from_text` reads it back."""
    lines = [f"Name: {deck.name}", "", *(f"{n} {card}" for card, n in deck.cards.items())]
    if deck.sideboard:
        lines += ["", "Sideboard", *(f"{n} {card}" for card, n in deck.sideboard.items())]
    return "\n".join(lines) + "\n"


def reasons(deck: Deck, known: Iterable[str]) -> Iterator[str]:
    """Why a deck is not legal: 45 cards at least, 20 in the sideboard at most, and three of a name
    at most in both together.
    """
    names = set(known)
    for name, count in deck.pool().items():
        if name not in names:
            yield f"no card is called “{name}”"
        elif count > COPIES_MOST:
            where = " in deck and sideboard together" if name in deck.sideboard else ""
            yield f"{count} of “{name}”{where}; {COPIES_MOST} at most"
    total, aside = sum(deck.cards.values()), sum(deck.sideboard.values())
    if total < CARDS_LEAST:
        yield f"{total} cards; {CARDS_LEAST} at least"
    if aside > SIDEBOARD_MOST:
        yield f"{aside} cards in the sideboard; {SIDEBOARD_MOST} at most"


def exchanged(deck: Deck, by: Deck) -> Iterator[str]:
    """Why a legal deck may not take the place of the one that was brought to the match: cards are
    exchanged one for one.
    """
    yield from sideboards.differences(deck.pool(), by.pool())
    yield from sideboards.size(deck.cards, by.cards)


_reader = decklists.DeckReader(Deck, SHIPPED, from_text)
shipped_decks = _reader.shipped
read_toml = _reader.from_toml
from_plain = _reader.from_plain
read = _reader.read
