"""Places in position files: zones and locations as files name them, and as the rules do.

Owns both directions of that reading.
"""

from __future__ import annotations

from typing import NamedTuple

from longfuse.game.positions.words import SEATS
from longfuse.rulesets.riftbound.state import base
from longfuse.timing.references import Seat

BATTLEFIELDS = ("BF1", "BF2")
OFF_BOARD = ("hand", "deck", "trash", "banishment", "champion", "rune deck")
ON_BOARD = ("base", "legend", "rune", *BATTLEFIELDS)


class Place(NamedTuple):
    """A zone of the rules, with the place in it for those that have places."""

    zone: str
    place: str = ""


def field_place(name: str) -> str:
    """The place of a battlefield."""
    return f"bf:{BATTLEFIELDS.index(name) + 1}"


def field_name(place: str) -> str:
    """The battlefield at a place, as files name it."""
    return BATTLEFIELDS[int(place.partition(":")[2]) - 1]


def read_place(word: str, seat: Seat) -> Place | None:
    """Where a zone word puts an object of that seat; None if there is no such zone."""
    if word in OFF_BOARD:
        return Place(f"{'runes' if word == 'rune deck' else word}:{seat}")
    if word in BATTLEFIELDS:
        return Place("board", field_place(word))
    if word in ("base", "rune"):
        return Place("board", base(seat))
    if word == "legend":
        return Place("board", f"legend:{seat}")
    kind, _, name = word.partition(":")
    if kind == "facedown" and name in BATTLEFIELDS:
        return Place("facedown", field_place(name))
    return None


def zone_word(zone: str, place: str, kind: str) -> str:
    """A zone and place as files name them, with whose it is: "P1.base", "BF2", "P2.hand"."""
    word, _, number = zone.partition(":")
    if word == "board":
        where, _, seat = place.partition(":")
        if where == "bf":
            return field_name(place)
        name = "rune" if kind == "rune" else where
        return f"{SEATS[int(seat)]}.{name}"
    if word == "facedown":
        return f"facedown:{field_name(place)}"
    if word == "chain":
        return "chain"
    name = "rune deck" if word == "runes" else word
    return f"{SEATS[int(number)]}.{name}"


def is_location(word: str) -> bool:
    """Whether a file may name that as where to: a base, with or without whose, or a battlefield."""
    seat, dot, name = word.partition(".")
    if dot:
        return seat in SEATS and name in ("base", *BATTLEFIELDS)
    return word in ("base", *BATTLEFIELDS) or word.startswith("facedown:")


def same_location(word: str, place: str) -> bool:
    """Whether a file's word for a location means a place of the rules."""
    seat, dot, name = word.partition(".")
    if not dot:
        seat, name = "", word
    if name.startswith("facedown:"):
        name = name.partition(":")[2]
    if name in BATTLEFIELDS:
        return place == field_place(name)
    if name != "base":
        return False
    return place == base(SEATS.index(seat)) if seat else place.startswith("base:")


def zone_words() -> str:
    """The zones that an object may be put in, for an error."""
    words = (*OFF_BOARD, *ON_BOARD, *(f"facedown:{name}" for name in BATTLEFIELDS))
    return ", ".join(words)
