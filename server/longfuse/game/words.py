"""Windows and uses in words, as positions, replays and clients know them.

Owns the fixed words for when a window closes. How an object is named is the caller's: a viewer's
own id, a position's reference, an operator's number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from longfuse.timing.records import Record
from longfuse.timing.references import NOBODY, Ref, Seat
from longfuse.timing.windows import (
    AtMark,
    AttachedTo,
    ControlledBy,
    Counters,
    During,
    EndedBy,
    FirstOf,
    InPlace,
    InZone,
    OnChain,
    ThisTurn,
    UntilMark,
    Window,
)

Naming = Callable[[Ref], str]

BY_RESIDENCY = (InZone, InPlace, AttachedTo, ControlledBy)
"""A delayed ability whose window is a stay and not a time is a link (390.5 in one book)."""


def seat_words(seat: Seat | None) -> str:
    """P1, P2, …; or nobody."""
    return "nobody" if seat is None or seat == NOBODY else f"P{seat + 1}"


def kind_words(record: Record) -> str:
    """What a waiting ability is: trigger, replacement, passive or link."""
    if isinstance(record.window, BY_RESIDENCY):
        return "link"
    return "trigger" if record.kind == "triggered" else record.kind


def uses_words(record: Record) -> int | str:
    """How often it may still act: a number, "1 point", "N points" or "every"."""
    if record.points:
        return "1 point" if record.points == 1 else f"{record.points} points"
    return record.uses or "every"


def window_words(window: Window, name: Naming, turn_end: str) -> str:
    """When a window closes. turn_end: the mark at which "this turn" ends."""
    match window:
        case During(name=phase):
            return f"this {phase}"
        case ThisTurn():
            return "this turn"
        case UntilMark():
            return _until(window, turn_end)
        case AtMark():
            return _at(window)
        case InZone(object=ref, zone=zone) | InPlace(object=ref, zone=zone):
            where = "on the board" if zone == "board" else f"in {zone}"
            return f"while {name(ref)} {where}"
        case OnChain(item=ref):
            return f"while {name(ref)} on the chain"
        case AttachedTo(object=ref):
            return f"while {name(ref)} attached"
        case ControlledBy(object=ref, seat=seat):
            return f"while {seat_words(seat)} controls {name(ref)}"
        case _:
            return _other(window, name, turn_end)


def window_marks(window: Window, turn_end: str) -> list[dict[str, Any]]:
    """The moments at which a window closes, for programs; none where it closes by no moment.

    Each has `mark`, `player` (None: anybody's) and `turn`, the earliest; or only `over`, what it
    ends with.
    """
    match window:
        case During(name=name):
            return [{"over": name}]
        case ThisTurn(turn=turn):
            return [{"mark": turn_end, "player": None, "turn": turn}]
        case UntilMark(mark=mark, owner=owner, not_before_turn=turn):
            return [{"mark": mark, "player": owner, "turn": turn}]
        case AtMark(mark=mark, owner=owner, not_before_turn=turn):
            return [{"mark": mark, "player": owner, "turn": turn}]
        case FirstOf(parts=parts):
            return [one for part in parts for one in window_marks(part, turn_end)]
        case _:
            return []


def _other(window: Window, name: Naming, turn_end: str) -> str:
    match window:
        case Counters():
            return "counters"
        case EndedBy():
            return "until another ability ends it"
        case FirstOf(parts=parts):
            words = ", ".join(window_words(part, name, turn_end) for part in parts)
            return f"first of ({words})"
        case _:
            return "the game"


def _until(window: UntilMark, turn_end: str) -> str:
    whose = f"{seat_words(window.owner)}'s turn" if window.owner is not None else "the turn"
    if window.mark == turn_end:
        return f"until end of {whose}"
    if window.mark == "turn":
        return f"until start of {whose}"
    return f"until {window.mark} of {whose}"


def _at(window: AtMark) -> str:
    if window.mark == "ending":
        if window.owner is None or window.only_turn is not None:
            return "at end of turn"
        return f"at end of turn of {seat_words(window.owner)}"
    if window.mark == "turn":
        whose = f"{seat_words(window.owner)}'s turn" if window.owner is not None else "a turn"
        return f"at start of {whose}"
    moment = f"{window.mark} phase" if window.mark in ("main", "beginning") else window.mark
    if window.owner is None:
        return f"at {moment}"
    return f"at {moment} of {seat_words(window.owner)}"
