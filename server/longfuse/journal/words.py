"""Objects, events and entries in an operator's words.

Owns how a journal's commands name what a game is made of, whatever its ruleset. It shows everything
that the game knows: for the operator and for games that are over, never for a viewer of one that
runs.
"""

from __future__ import annotations

from longfuse.game.entries import Decision, Interruption, Recorded, Rewind, TakeBack
from longfuse.game.game import Game
from longfuse.game.questions import Question
from longfuse.game.words import seat_words
from longfuse.timing.messages import Happened
from longfuse.timing.references import NOBODY, Ref

_LABELS_SHOWN = 6


def object_words(game: Game, ref: Ref | None) -> str:
    """A card's name, with which of its stays it is; "" for nothing."""
    if ref is None or not 0 <= ref.card < len(game.board.cards):
        return ""
    stay = f"#{ref.card}" if ref.residency < 2 else f"#{ref.card}.{ref.residency}"
    return f"{game.board.card(ref).name} {stay}"


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


def entry_words(entry: Recorded, question: Question | None) -> str:
    """What entered the game; question: what was asked just before."""
    match entry:
        case Decision(seat=seat):
            return f"{seat_words(seat)} decides: {_answer_words(entry, question)}"
        case TakeBack(seat=seat):
            return f"{seat_words(seat)} takes the play back"
        case Interruption(kind=kind, seat=seat):
            return kind if seat == NOBODY else f"{seat_words(seat)}: {kind}"
        case Rewind(seat=seat, to=to):
            return f"{seat_words(seat)} takes its last decision back, by agreement, to entry {to}"


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
