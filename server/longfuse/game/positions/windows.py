"""Waiting abilities in the words of position files: kind, window, uses, what they are about.

Owns the fixed words of windows. A window may be said in several ways; a file's way must be among
them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from longfuse.game.positions.words import SEATS
from longfuse.timing.references import Ref
from longfuse.timing.windows import (
    AtMark,
    AttachedTo,
    ControlledBy,
    Counters,
    During,
    EndedBy,
    FirstOf,
    Forever,
    InPlace,
    InZone,
    OnChain,
    ThisTurn,
    UntilMark,
    Window,
)

if TYPE_CHECKING:
    from longfuse.timing.records import Record

KINDS = {"triggered": "trigger", "replacement": "replacement", "passive": "passive"}


class Namer(NamedTuple):
    """How a file calls things. ref: an object. mark: a calendar mark, "at" or "until" it, of a
    seat ("" for anybody's). source: what made a record, by its number."""

    ref: Callable[[Ref], str]
    mark: Callable[[str, str, str], tuple[str, ...]]
    source: Callable[[int], str]


def kind_of(record: Record) -> str:
    """trigger, replacement, passive; link where the window is a residency, not a time (390.5)."""
    if isinstance(record.window, InZone | InPlace | ControlledBy | AttachedTo):
        return "link"
    return KINDS.get(record.kind, record.kind)


def uses_of(record: Record) -> int | str:
    """How often it may still act."""
    if record.points:
        return f"{record.points} points"
    return record.uses or "every"


def about_of(record: Record) -> tuple[Ref, ...]:
    """The objects that it is about."""
    if record.bound is not None:
        return (record.bound,)
    if record.about is not None:
        return (record.about,)
    if record.subjects:
        return record.subjects
    return tuple(ref for _, value in record.captured for ref in _refs_in(value))


def _refs_in(value: object) -> tuple[Ref, ...]:
    if isinstance(value, Ref):
        return (value,)
    if isinstance(value, tuple):
        return tuple(one for one in value if isinstance(one, Ref))
    return ()


def phrases(window: Window, namer: Namer) -> tuple[str, ...]:
    """The ways to say a window, the usual one first."""
    match window:
        case ThisTurn():
            return ("this turn",)
        case During(name=name):
            return (f"this {name}",)
        case EndedBy(record=number):
            return (f"until the ability of {namer.source(number)} ends it",)
        case Counters():
            return ("counters",)
        case Forever():
            return ("the game", "forever")
        case FirstOf(parts=parts):
            inner = ", ".join(phrases(part, namer)[0] for part in parts)
            return (f"first of ({inner})",)
        case AtMark() | UntilMark():
            return _of_mark(window, namer)
    return _of_stay(window, namer)


def _of_mark(window: AtMark | UntilMark, namer: Namer) -> tuple[str, ...]:
    how = "at" if isinstance(window, AtMark) else "until"
    seat = SEATS[window.owner] if window.owner is not None and window.owner >= 0 else ""
    return namer.mark(window.mark, seat, how)


def _of_stay(window: Window, namer: Namer) -> tuple[str, ...]:
    match window:
        case InZone(object=ref, zone=zone):
            name = namer.ref(ref)
            return (f"while {name} on the {zone}", f"while {name} in {zone}")
        case InPlace(object=ref, place=place, zone=zone):
            name = namer.ref(ref)
            return (f"while {name} in {place}", f"while {name} on the {zone}")
        case OnChain(item=ref):
            return (f"while {namer.ref(ref)} on the chain",)
        case AttachedTo(object=ref):
            return (f"while {namer.ref(ref)} attached",)
        case ControlledBy(object=ref, seat=seat):
            return (f"while {SEATS[seat]} controls {namer.ref(ref)}",)
    return (type(window).__name__,)


def says(words: str, window: Window, namer: Namer) -> bool:
    """Whether words of a file say that window."""
    plain = _plain(words)
    if isinstance(window, FirstOf) and plain.startswith("first of"):
        inner = plain.removeprefix("first of").strip().removeprefix("(").removesuffix(")")
        said = [part.strip() for part in inner.split(",")]
        return len(said) == len(window.parts) and _all_said(said, list(window.parts), namer)
    return any(plain == _plain(phrase) for phrase in phrases(window, namer))


def _all_said(said: list[str], parts: list[Window], namer: Namer) -> bool:
    if not said:
        return True
    return any(
        says(said[0], part, namer)
        and _all_said(said[1:], parts[:number] + parts[number + 1 :], namer)
        for number, part in enumerate(parts)
    )


def _plain(words: str) -> str:
    return " ".join(words.lower().replace("\u2019", "'").split())
