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
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from longfuse.rulesets import sideboards

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


class DeckError(Exception):
    """A text is no deck; `errors` has everything that is wrong, each with its line."""

    def __init__(self, errors: Iterable[str]) -> None:
        self.errors = list(errors)
        super().__init__("; ".join(self.errors))


def shipped_decks() -> dict[str, Deck]:
    """The shipped decks by name."""
    return read_toml(SHIPPED.read_text("utf-8"))


def read_toml(text: str) -> dict[str, Deck]:
    """The decks of a TOML file (`[[deck]]`) by name; it may have none."""
    found = [msgspec.convert(one, Deck) for one in tomllib.loads(text).get("deck", [])]
    return {deck.name: deck for deck in found}


def from_plain(data: Mapping[str, Any]) -> Deck:
    """A deck from plain data, as a journal's header has it; DeckError if it is none."""
    try:
        return msgspec.convert(dict(data), Deck)
    except msgspec.ValidationError as error:
        raise DeckError([f"this is no deck: {error}"]) from error


def read(deck: Any) -> Deck:
    """A deck from its name, its text, plain data, or itself; DeckError if it is none of these."""
    if isinstance(deck, str):
        return from_text(deck) if "\n" in deck else _shipped(deck)
    if isinstance(deck, Mapping):
        return from_plain(deck)
    if not isinstance(deck, Deck):
        raise DeckError([f"a deck is a name or a list, not {type(deck).__name__}"])
    return deck


def _shipped(name: str) -> Deck:
    shipped = shipped_decks()
    if name not in shipped:
        names = ", ".join(repr(one) for one in shipped)
        raise DeckError([f"there is no deck {name!r}; there is {names}"])
    return shipped[name]


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
