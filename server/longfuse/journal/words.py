"""Kernel data in words: windows, uses, objects, seats, entries.

Owns how the commands name what a game is made of, whatever its ruleset. Names of events and clauses
are the ruleset's own. It shows everything that the game knows: for the operator and for games that
are over, never for a viewer of one that runs.
"""

from __future__ import annotations

from longfuse.game.entries import Decision, Entry, Interruption, TakeBack
from longfuse.game.game import Game
from longfuse.game.questions import Question
from longfuse.timing.messages import Happened
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
    Forever,
    InPlace,
    InZone,
    OnChain,
    ThisTurn,
    UntilMark,
    Window,
)

KINDS = {"triggered": "trigger", "replacement": "replacement", "passive": "passive", "link": "link"}
_LABELS_SHOWN = 6


def seat_words(seat: Seat | None) -> str:
    """P1, P2, …; or nobody."""
    return "nobody" if seat is None or seat == NOBODY else f"P{seat + 1}"


def object_words(game: Game, ref: Ref | None) -> str:
    """A card's name, with which of its stays it is; "" for nothing."""
    if ref is None or not 0 <= ref.card < len(game.board.cards):
        return ""
    stay = f"#{ref.card}" if ref.residency < 2 else f"#{ref.card}.{ref.residency}"
    return f"{game.board.card(ref).name} {stay}"


def window_words(game: Game, window: Window) -> str:
    """When a window closes."""
    match window:
        case During(name=name):
            return f"this {name}"
        case ThisTurn():
            return "this turn"
        case UntilMark() | AtMark():
            return _mark_words(game, window)
        case InZone(object=ref, zone=zone) | InPlace(object=ref, zone=zone):
            where = "on the board" if zone == "board" else f"in {zone}"
            return f"while {object_words(game, ref)} {where}"
        case OnChain(item=ref):
            return f"while {object_words(game, ref)} on the chain"
        case AttachedTo(object=ref):
            return f"while {object_words(game, ref)} attached"
        case ControlledBy(object=ref, seat=seat):
            return f"while {seat_words(seat)} controls {object_words(game, ref)}"
        case Counters(object=ref, counter=counter):
            return f"while {object_words(game, ref)} has {counter} counters"
        case EndedBy(record=record):
            return f"until ability {record} ends it"
        case FirstOf(parts=parts):
            return f"first of ({', '.join(window_words(game, part) for part in parts)})"
        case Forever():
            return "for the rest of the game"
        case _:
            raise TypeError(f"no words for {window!r}")


def _mark_words(game: Game, window: UntilMark | AtMark) -> str:
    how = "until" if isinstance(window, UntilMark) else "at"
    moment = f"{window.mark}"
    if window.mark == "turn":
        moment = "start"
    elif window.mark == game.rules.turn_end:
        moment = "end"
    whose = "" if window.owner is None else f"{seat_words(window.owner)}'s "
    turn = f" of {whose}turn" if moment in ("start", "end") or whose else ""
    later = f" (turn {window.not_before_turn} or later)" if _is_later(game, window) else ""
    return f"{how} {moment}{turn}{later}"


def _is_later(game: Game, window: UntilMark | AtMark) -> bool:
    return window.not_before_turn > game.now.turn


def uses_words(record: Record) -> int | str:
    """How often it may still act."""
    if record.points:
        return f"{record.points} points"
    return record.uses or "every"


def record_words(record: Record) -> str:
    """What an ability says."""
    return record.ability.text or f"{KINDS[record.kind]} on {', '.join(record.watch)}"


def event_words(game: Game, message: Happened) -> str:
    """What happened, where the ruleset has no sentence for it."""
    parts = [message.event.removeprefix("mark:")]
    if message.event.startswith("mark:"):
        parts.insert(0, "reached:")
    about = ", ".join(filter(None, (object_words(game, ref) for ref in message.subjects)))
    if about:
        parts.append(f"({about})")
    if message.player != NOBODY:
        parts.append(f"[{seat_words(message.player)}]")
    if message.amount:
        parts.append(str(message.amount))
    return " ".join(parts)


def entry_words(entry: Entry, question: Question | None) -> str:
    """What entered the game; question: what was asked just before."""
    match entry:
        case Decision(seat=seat):
            return f"{seat_words(seat)} decides: {_answer_words(entry, question)}"
        case TakeBack(seat=seat):
            return f"{seat_words(seat)} takes the play back"
        case Interruption(kind=kind, seat=seat):
            return kind if seat == NOBODY else f"{seat_words(seat)}: {kind}"


def _answer_words(entry: Decision, question: Question | None) -> str:
    answer = entry.answer
    if question is None:
        return str(answer)
    if question.shape == "one" and isinstance(answer, int):
        chosen = question.items[answer].label
    elif question.shape in ("some", "order") and isinstance(answer, tuple):
        labels = [question.items[index].label for index in answer[:_LABELS_SHOWN]]
        chosen = ", ".join(labels) + (" …" if len(answer) > _LABELS_SHOWN else "") or "nothing"
    elif question.shape == "divide" and isinstance(answer, tuple):
        pairs = zip(question.items, answer, strict=True)
        chosen = ", ".join(f"{item.label}: {amount}" for item, amount in pairs)
    else:
        chosen = str(answer)
    return f"{question.text} {chosen}"
