"""Durations: the window that a sentence means, at the moment its ability is created.

Owns the step from a `Duration` (words) to a `Window` (data). "Your" is fixed here; so is the
earliest turn. A window that can no longer be open is `TooLate`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.ability import Ability, Duration
from longfuse.abilities.evaluate import objects, players
from longfuse.abilities.nodes import At
from longfuse.abilities.scope import Scope, Unresolved
from longfuse.timing.references import Ref, Seat
from longfuse.timing.windows import (
    AtMark,
    AttachedTo,
    ControlledBy,
    During,
    FirstOf,
    Forever,
    OnChain,
    ThisTurn,
    UntilMark,
    Window,
)

if TYPE_CHECKING:
    from longfuse.game.world import World


class TooLate(Exception):
    """The window is over before the ability could be created."""


def resolve(ability: Ability, scope: Scope, game: World) -> Window:
    """The window of a delayed ability; TooLate if it can no longer be open."""
    parts: list[Window] = []
    if isinstance(ability.when, At):
        parts.append(at_mark(ability.when, scope, game))
    if ability.window is not None:
        parts.append(window_of(ability.window, scope, game))
    parts = [part for part in parts if not _says_nothing(part, parts)]
    if not parts:
        return Forever()
    return parts[0] if len(parts) == 1 else FirstOf(tuple(parts))


def _says_nothing(part: Window, parts: list[Window]) -> bool:
    """A window that another of them closes before: for ever, or this turn beside a mark of it."""
    if isinstance(part, Forever):
        return True
    only = [one.only_turn for one in parts if isinstance(one, AtMark)]
    return isinstance(part, ThisTurn) and part.turn in only


def at_mark(at: At, scope: Scope, game: World) -> Window:
    """The window of "at mark M": it waits for that mark, this turn's only if the words say so."""
    now = game.now
    owner = _one_seat(at, scope)
    closes = game.rules.closing_marks.get(at.mark)
    if at.turn == "this" and closes is not None:
        if not now.occurrence(closes):
            raise TooLate
        return AtMark(at.mark, owner, now.turn, now.turn)
    if at.turn == "this":
        if at.mark in now.passed or (owner is not None and owner != now.owner):
            raise TooLate
        return AtMark(at.mark, owner, now.turn, now.turn)
    # "The next time that mark comes": if this turn's is past, a later turn's. "The end of your next
    # turn" is never this one's.
    passed = at.mark in now.passed or (at.mark in game.rules.turn_marks and owner == now.owner)
    return AtMark(at.mark, owner, now.turn + 1 if passed else now.turn)


def _one_seat(at: At, scope: Scope) -> Seat | None:
    if at.whose is None:
        return None
    found = players(at.whose, scope)
    return found[0] if len(found) == 1 else None


def window_of(duration: Duration, scope: Scope, game: World) -> Window:
    """The window that a duration means now."""
    match duration.how:
        case "this turn":
            return ThisTurn(game.now.turn)
        case "this combat" | "this phase" | "this step":
            return _occurrence(duration.how.removeprefix("this "), game)
        case "until start of turn":
            return UntilMark("turn", _seat(duration, scope), game.now.turn + 1)
        case "until end of turn":
            return _end_of_turn(duration, scope, game)
        case "while in zone":
            return _in_zone(duration, scope, game)
        case "while on chain":
            return OnChain(_object(duration, scope, game))
        case "while attached":
            return _attached(duration, scope, game)
        case "while controlled":
            seat = _seat(duration, scope)
            ref = _object(duration, scope, game)
            if game.rules_table.controller_of(ref) != seat:
                raise TooLate
            return ControlledBy(ref, seat)
        case "first of":
            return FirstOf(tuple(window_of(part, scope, game) for part in duration.parts))
        case "game":
            return Forever()
    raise Unresolved(f"no such duration: {duration.how!r}")


def _occurrence(name: str, game: World) -> Window:
    number = game.now.occurrence(name)
    if not number:
        raise TooLate
    return During(name, number)


def _end_of_turn(duration: Duration, scope: Scope, game: World) -> Window:
    """ "Until the end of your next turn": this turn's end does not count."""
    seat = _seat(duration, scope)
    return UntilMark(game.rules.turn_end, seat, game.now.turn + 1, end=True)


def _in_zone(duration: Duration, scope: Scope, game: World) -> Window:
    return game.rules.residency(_object(duration, scope, game))


def _attached(duration: Duration, scope: Scope, game: World) -> Window:
    ref = _object(duration, scope, game)
    to = game.rules_table.attached(ref, False)
    if not to:
        raise TooLate
    return AttachedTo(ref, to[0])


def _object(duration: Duration, scope: Scope, game: World) -> Ref:
    """The object a window depends on; if its stay is over, or it is elsewhere, it is too late."""
    found = objects(duration.of, scope)
    if not found or not game.board.is_there(found[0]):
        raise TooLate
    if duration.zone and game.zone_word(found[0]) != duration.zone:
        raise TooLate
    return found[0]


def _seat(duration: Duration, scope: Scope) -> Seat:
    found = players(duration.who, scope)
    if len(found) != 1:
        raise Unresolved(f"{duration.how!r} needs one player, not {len(found)}")
    return found[0]
