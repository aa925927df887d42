"""Windows: conditions that close for good, and what closes them.

Owns the one expiry vocabulary. A window is data; `keys` says under which words
it is filed, `closes` whether what is happening now closes it, `late` whether it can no longer be
open. Nothing here ends a record: `subscriptions.py` does.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from longfuse.timing.calendar import Now
from longfuse.timing.references import Ref, Seat


class Window(msgspec.Struct, frozen=True, tag=True):
    """A condition that latches. Equal windows are spelt alike: no field is left out of a hash."""


class Forever(Window, frozen=True):
    """Never closes by itself ("for the rest of the game")."""


class During(Window, frozen=True):
    """This phase, step or combat: closes when that occurrence is over, skipped or cut short."""

    name: str
    occurrence: int


class ThisTurn(Window, frozen=True):
    """Closes at the next mark that the ruleset names as the end of "this turn"."""

    turn: int


class UntilMark(Window, frozen=True):
    """Closes on reaching the mark, before its message is published.

    end: the words end at the end of that player's turn, not at its start (for the description).
    """

    mark: str
    owner: Seat | None = None
    not_before_turn: int = 0
    end: bool = False


class AtMark(Window, frozen=True):
    """Closes after the mark's message has collected what waits for it.

    only_turn: this turn or never; else it waits for the next such mark, also if one was skipped.
    """

    mark: str
    owner: Seat | None = None
    not_before_turn: int = 0
    only_turn: int | None = None


class InZone(Window, frozen=True):
    """While an object stays in a zone: closes when that residency ends (390.5)."""

    object: Ref
    zone: str


class InPlace(Window, frozen=True):
    """While an object stays in one of a zone's places: also closes when it moves within the
    zone.
    """

    object: Ref
    zone: str
    place: str


class OnChain(Window, frozen=True):
    """While an item is on the chain."""

    item: Ref


class AttachedTo(Window, frozen=True):
    """While an object is attached to another; does not come back."""

    object: Ref
    to: Ref


class ControlledBy(Window, frozen=True):
    """While a player controls an object; does not come back."""

    object: Ref
    seat: Seat


class Counters(Window, frozen=True):
    """While an object has counters of a kind; closes when the count reaches 0."""

    object: Ref
    counter: str


class EndedBy(Window, frozen=True):
    """Until another record ends it."""

    record: int


class FirstOf(Window, frozen=True):
    """The first of several that closes."""

    parts: tuple[Window, ...]


class Key(NamedTuple):
    """What has happened, as windows are filed: a word and whom it is about."""

    word: str
    about: object = None


def keys(window: Window, turn_end: str) -> tuple[Key, ...]:
    """Every key whose coming may close the window. turn_end: the mark at which "this turn" ends."""
    match window:
        case During(name=name):
            return (Key("over", name),)
        case ThisTurn():
            return (Key("until", turn_end),)
        case UntilMark(mark=mark):
            return (Key("until", mark),)
        case AtMark(mark=mark):
            return (Key("at", mark),)
        case InZone(object=ref) | OnChain(item=ref):
            return (Key("left", ref),)
        case InPlace(object=ref):
            return (Key("moved", ref), Key("left", ref))
        case AttachedTo(object=ref, to=to):
            return (Key("detached", ref), Key("left", ref), Key("left", to))
        case ControlledBy(object=ref):
            return (Key("control", ref), Key("left", ref))
        case Counters(object=ref, counter=counter):
            return (Key("counters", (ref, counter)), Key("left", ref))
        case EndedBy(record=record):
            return (Key("ended", record),)
        case FirstOf(parts=parts):
            found = dict.fromkeys(key for part in parts for key in keys(part, turn_end))
            return tuple(found)
        case _:
            return ()


def closes(
    window: Window, key: Key, now: Now, turn_end: str, controller: Seat | None = None
) -> bool:
    """Whether this window closes because of `key`. controller: the new one, for a control
    change.
    """
    match window:
        case ThisTurn(turn=turn):
            return key.word == "until" and now.turn >= turn
        case UntilMark(owner=owner, not_before_turn=turn):
            return key.word == "until" and _due(owner, turn, now)
        case AtMark(owner=owner, not_before_turn=turn, only_turn=only):
            if only is not None:
                return now.turn >= only
            return _due(owner, turn, now)
        case During(name=name, occurrence=occurrence):
            return (name, occurrence) not in now.open
        case ControlledBy(seat=seat):
            return key.word == "left" or controller != seat
        case FirstOf(parts=parts):
            return any(
                key in keys(part, turn_end) and closes(part, key, now, turn_end, controller)
                for part in parts
            )
        case _:
            return True


def _due(owner: Seat | None, turn: int, now: Now) -> bool:
    return now.turn >= turn and (owner is None or now.owner == owner)


def matches_mark(window: Window, now: Now) -> bool:
    """Whether a record that waits for a mark may act at the present one (its axis of whose and
    when).
    """
    match window:
        case AtMark(owner=owner, not_before_turn=turn, only_turn=only):
            return _due(owner, turn, now) and (only is None or only == now.turn)
        case FirstOf(parts=parts):
            return all(matches_mark(part, now) for part in parts)
        case _:
            return True
