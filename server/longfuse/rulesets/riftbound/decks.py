"""Decks: what a player brings, and decks as text.

Owns `Deck`, the decks that ship, and the plain format that people write, import and export. Whether
a deck is legal is said in `legality`. The format is one line for each thing; `#` begins a comment:

    Name: Lamp Keepers
    Legend: The Unsleeping Light
    Champion: Maren, First to Wake

    Battlefields
    1 Breakwater

    Main
    2 Quay Lookout
    3x Bellrope Squire

    Sideboard
    1 Patient Angler

    Runes
    6 calm
    6 order

`Main` holds all cards but the chosen champion, which is not counted there. A deck needs no
sideboard. A house deck has no legend, no champion and no battlefields.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from longfuse.rulesets import decklists
from longfuse.rulesets.riftbound.vocabulary import DOMAINS

SHIPPED = Path(__file__).parent / "sets" / "decks.toml"
HEADS = ("name", "legend", "champion")
SECTIONS = ("battlefields", "main", "sideboard", "runes")
COPIES_READ_MAX = 99
"""More copies of one card than this are a slip of the pen."""


class Deck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deck: cards by count, runes by domain; a legend, a chosen champion (not counted among the
    cards) and battlefields by name, where it has them.

    sideboard: cards by count that may be exchanged for others between the games of a match.
    own: cards that do not ship, as the fields of a set file, so that whoever has the deck has all
    that is needed to play it: a journal's header holds one.
    """

    name: str
    cards: dict[str, int]
    runes: dict[str, int]
    legend: str = ""
    champion: str = ""
    battlefields: tuple[str, ...] = ()
    own: tuple[dict[str, Any], ...] = ()
    sideboard: dict[str, int] = {}

    @property
    def is_house(self) -> bool:
        """Whether it is of the house format: no legend, no champion, no battlefields."""
        return not (self.legend or self.champion or self.battlefields)

    def main(self) -> dict[str, int]:
        """The Main Deck by count, the chosen champion included (103.2)."""
        found = dict(self.cards)
        if self.champion:
            found[self.champion] = found.get(self.champion, 0) + 1
        return found

    def pool(self) -> Counter[str]:
        """The cards of Main Deck and sideboard together, by count."""
        return Counter(self.main()) + Counter(self.sideboard)

    def names(self) -> list[str]:
        """Every card of it once, runes apart."""
        named = [self.legend, self.champion, *self.battlefields, *self.cards, *self.sideboard]
        return list(dict.fromkeys(name for name in named if name))


DeckError = decklists.DeckError


# ---------------------------------------------------------------- as text

_COUNTED = re.compile(r"(\d{1,9})\s*x?\s+(.+)")
"""A number of thousands of digits is none: Python itself refuses to read it."""


def from_text(text: str) -> Deck:
    """A deck from its text; DeckError with every line that is not understood."""
    reading = _Reading()
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if content:
            reading.take(number, content)
    if not (reading.counts["main"] or reading.errors):
        reading.errors.append("no cards in it: “Main” begins them")
    if reading.errors:
        raise DeckError(reading.errors)
    fields = reading.counts["battlefields"]
    return Deck(
        reading.heads.get("name", "A deck"),
        reading.counts["main"],
        reading.counts["runes"],
        reading.heads.get("legend", ""),
        reading.heads.get("champion", ""),
        tuple(name for name, count in fields.items() for _ in range(count)),
        sideboard=reading.counts["sideboard"],
    )


class _Reading:
    """What has been read of a deck's text."""

    def __init__(self) -> None:
        self.heads: dict[str, str] = {}
        self.counts: dict[str, dict[str, int]] = {section: {} for section in SECTIONS}
        self.errors: list[str] = []
        self._section = "main"

    def take(self, number: int, line: str) -> None:
        """One line that says something."""
        key, colon, value = line.partition(":")
        word = key.strip().casefold().removesuffix(" deck")
        word = {"rune": "runes", "battlefield": "battlefields"}.get(word, word)
        if colon and word in HEADS:
            if word in self.heads:
                self.errors.append(f"line {number}: a second “{word}”")
            self.heads[word] = value.strip()
        elif word in SECTIONS and not value.strip():
            self._section = word
        else:
            self._card(number, line)

    def _card(self, number: int, line: str) -> None:
        counted = _COUNTED.fullmatch(line)
        count, name = (int(counted[1]), counted[2].strip()) if counted else (1, line)
        if not counted and self._section != "battlefields":
            self.errors.append(f"line {number}: “{line}” has no number before it, as in “2 {line}”")
        elif not 1 <= count <= COPIES_READ_MAX:
            self.errors.append(f"line {number}: {count} copies; from 1 to {COPIES_READ_MAX}")
        elif self._section == "runes":
            self._rune(number, count, name)
        else:
            counts = self.counts[self._section]
            counts[name] = counts.get(name, 0) + count

    def _rune(self, number: int, count: int, name: str) -> None:
        domain = name.casefold().removesuffix(" runes").removesuffix(" rune")
        if domain not in DOMAINS:
            self.errors.append(f"line {number}: no domain is called “{name}”; {_list(DOMAINS)} are")
        else:
            runes = self.counts["runes"]
            runes[domain] = runes.get(domain, 0) + count


def to_text(deck: Deck) -> str:
    """A deck as text; `from_text` reads it back."""
    lines = [f"Name: {deck.name}"]
    lines += [f"Legend: {deck.legend}"] if deck.legend else []
    lines += [f"Champion: {deck.champion}"] if deck.champion else []
    if deck.battlefields:
        lines += ["", "Battlefields", *(f"1 {name}" for name in deck.battlefields)]
    lines += ["", "Main", *(f"{count} {name}" for name, count in deck.cards.items())]
    if deck.sideboard:
        lines += ["", "Sideboard", *(f"{count} {name}" for name, count in deck.sideboard.items())]
    lines += ["", "Runes", *(f"{count} {domain}" for domain, count in deck.runes.items())]
    return "\n".join(lines) + "\n"


def _list(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}"


_reader = decklists.DeckReader(Deck, SHIPPED, from_text)
shipped_decks = _reader.shipped
read_toml = _reader.from_toml
from_plain = _reader.from_plain
read = _reader.read
