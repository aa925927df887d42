"""Describe: a replayed game at one of its entries, as plain data.

Owns what `longfuse replay` shows. Every field is a number, a text, or a list or table of these;
nothing is hidden: see `words`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from longfuse.game.game import Game
from longfuse.game.questions import Question
from longfuse.game.state import ChainItem
from longfuse.game.words import kind_words, seat_words, uses_words, window_words
from longfuse.journal.replay import Replayed
from longfuse.journal.words import object_words
from longfuse.timing.records import Ended, Record


def describe(replayed: Replayed) -> dict[str, Any]:
    """The game where it now is."""
    game, header = replayed.game, replayed.journal.header
    now = game.now
    return {
        "ruleset": header.ruleset,
        "table": header.table,
        "seats": [seat.name for seat in header.seats],
        "entry": replayed.entry,
        "entries": len(replayed.journal.entries),
        "state": game.state_hash(),
        "turn": now.turn,
        "turn_player": seat_words(now.owner),
        "phase": now.phase,
        "step": now.step,
        "mark": now.mark.name,
        "zones": {name: len(game.board.zone(name)) for name in game.rules.zone_names},
        "chain": [chain_item(game, item) for item in chain_items(game)],
        "waiting": [waiting(game, record) for record in game.subscriptions.waiting()],
        "ended": [ended(game, end) for end in game.installed.ended()],
        "prompt": None if game.prompt is None else prompt(game.prompt),
        "result": result(game),
    }


def waiting(game: Game, record: Record) -> dict[str, Any]:
    """One delayed ability that waits."""
    return {
        "id": record.id,
        "words": game.rules.words_of(record),
        "kind": kind_words(record),
        "window": window_words(record.window, partial(object_words, game), game.rules.turn_end),
        "uses": uses_words(record),
        "source": record.source.card,
        "source_object": object_words(game, record.source.object),
        "controller": seat_words(record.controller),
        "about": [object_words(game, ref) for ref in _about(record)],
        "created_by_event": record.created_message,
    }


def _about(record: Record) -> tuple[Any, ...]:
    if record.bound is not None:
        return (record.bound,)
    return record.subjects


def ended(game: Game, end: Ended) -> dict[str, Any]:
    """One delayed ability that is over, and why."""
    record = end.record
    return {
        "id": record.id,
        "words": game.rules.words_of(record),
        "source": record.source.card,
        "controller": seat_words(record.controller),
        "reason": end.reason.value,
    }


def chain_items(game: Game) -> list[ChainItem]:
    """The chain from bottom to top."""
    found = [value for value in game.store.values.values() if isinstance(value, ChainItem)]
    return sorted(found, key=lambda item: item.id)


def chain_item(game: Game, item: ChainItem) -> dict[str, Any]:
    """One item of the chain."""
    return {
        "id": item.id,
        "source": item.source.card,
        "object": object_words(game, item.card),
        "kind": item.kind,
        "controller": seat_words(item.controller),
        "state": item.state,
    }


def prompt(question: Question) -> dict[str, Any]:
    """What is asked."""
    return {
        "id": question.id,
        "seat": seat_words(question.seat),
        "shape": question.shape,
        "kind": question.kind,
        "text": question.text,
        "source": question.source,
        "clause": question.clause,
        "items": [
            {"label": item.label, "legal": item.legal, "reason": item.reason}
            for item in question.items
        ],
    }


def result(game: Game) -> dict[str, Any] | None:
    """How it ended."""
    if game.result is None:
        return None
    return {
        "winner": seat_words(game.result.winner),
        "reason": game.result.reason,
        "clause": game.result.clause,
    }


def lines(told: dict[str, Any]) -> list[str]:
    """The same for people, a line each."""
    shown = [
        f"{told['ruleset']}, table {told['table']}: {' against '.join(told['seats'])}",
        f"after entry {told['entry']} of {told['entries']}, state {told['state']}",
        f"turn {told['turn']} of {told['turn_player']}"
        + "".join(f", {told[part]}" for part in ("phase", "step") if told[part]),
        "zones: " + ", ".join(f"{name} {count}" for name, count in told["zones"].items() if count),
    ]
    shown += [f"chain: {_item_line(item)}" for item in told["chain"]]
    shown += [f"waiting: {_waiting_line(one)}" for one in told["waiting"]]
    if told["prompt"] is not None:
        asked = told["prompt"]
        shown.append(f"asked: {asked['seat']}: {asked['text']}")
        shown += [f"  {_option_line(item)}" for item in asked["items"]]
    if told["result"] is not None:
        over = told["result"]
        shown.append(f"over: {over['winner']} wins: {over['reason']}")
    return shown


def _item_line(item: dict[str, Any]) -> str:
    return f"{item['source']} ({item['kind']}, {item['state']}) of {item['controller']}"


def _waiting_line(one: dict[str, Any]) -> str:
    about = f", about {', '.join(one['about'])}" if one["about"] else ""
    return (
        f"{one['source']} of {one['controller']}: {one['words']} "
        f"[{one['kind']}, {one['window']}, uses: {one['uses']}{about}]"
    )


def _option_line(item: dict[str, Any]) -> str:
    return item["label"] if item["legal"] else f"{item['label']} (not now: {item['reason']})"
