"""Expectations about delayed abilities: which wait, how those that are over ended.

Owns the comparing of `waiting`, `waiting_count` and `ended` with a game's records, and the names of
cards and objects as a file gives them. It changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from longfuse.game.positions import windows
from longfuse.game.positions.outcome import Mismatch
from longfuse.game.positions.words import SEATS
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.game.positions.running import Runner
    from longfuse.timing.records import Record

# ---------------------------------------------------------------- names


def card_name(runner: Runner, card: int) -> str:
    """What the file calls a card; its printed name if it has no ref."""
    for ref, number in runner.table.cards.items():
        if number == card:
            return ref
    return runner.game.board.cards[card].name


def ref_name(runner: Runner, ref: Ref | None) -> str:
    """What the file calls an object; "none" for none."""
    return card_name(runner, ref.card) if ref is not None else "none"


# ---------------------------------------------------------------- what waits, what has ended


def _records(runner: Runner) -> list[Record]:
    """The delayed abilities that wait; one that is bound to its object has been used up."""
    live = runner.game.subscriptions.waiting()
    return [record for record in live if record.bound is None]


def waiting(runner: Runner, wanted: list[Mapping[str, Any]]) -> None:
    """All that waits, in any order."""
    records = _records(runner)
    fits = _matched(wanted, records, lambda one, record: _is_record(runner, one, record))
    if not fits or len(records) != len(wanted):
        found = [_told(runner, record) for record in records]
        raise Mismatch({"waiting": wanted}, {"waiting": found})


def waiting_count(runner: Runner, wanted: int) -> None:
    """How many wait."""
    records = _records(runner)
    if len(records) != wanted:
        found = [_told(runner, record) for record in records]
        raise Mismatch({"waiting_count": wanted}, {"waiting": found})


def ended(runner: Runner, wanted: list[Mapping[str, Any]]) -> None:
    """Each must have ended so; others may have ended besides, but an empty list means none."""
    found_ends = [(end.record, str(end.reason)) for end in runner.game.installed.ended()]
    bound = [record for record in runner.game.subscriptions.waiting() if record.bound is not None]
    found_ends += [(record, "fired") for record in bound]

    def is_end(one: Mapping[str, Any], end: tuple[Record, str]) -> bool:
        return one.get("reason", end[1]) == end[1] and _is_record(runner, one, end[0])

    if not _matched(wanted, found_ends, is_end) or (not wanted and found_ends):
        found = [{**_told(runner, record), "reason": reason} for record, reason in found_ends]
        raise Mismatch({"ended": wanted}, {"ended": found})


def _matched(
    wanted: list[Mapping[str, Any]],
    found: list[Any],
    fits: Callable[[Mapping[str, Any], Any], bool],
) -> bool:
    """Whether each wanted table fits one of the found, each one another."""
    if not wanted:
        return True
    for number, one in enumerate(found):
        rest = found[:number] + found[number + 1 :]
        if fits(wanted[0], one) and _matched(wanted[1:], rest, fits):
            return True
    return False


def _is_record(runner: Runner, wanted: Mapping[str, Any], record: Record) -> bool:
    source = record.source.object
    facts = {
        "source": ref_name(runner, source) if source is not None else record.source.card,
        "controller": SEATS[record.controller],
        "kind": windows.kind_of(record),
        "uses": windows.uses_of(record),
    }
    for key, value in wanted.items():
        if key == "about":
            if value not in [ref_name(runner, ref) for ref in windows.about_of(record)]:
                return False
        elif key == "window":
            if not windows.says(str(value), record.window, _namer(runner)):
                return False
        elif key in facts and facts[key] != value:
            return False
    return True


def _told(runner: Runner, record: Record) -> dict[str, Any]:
    source = record.source.object
    return {
        "source": ref_name(runner, source) if source is not None else record.source.card,
        "controller": SEATS[record.controller],
        "kind": windows.kind_of(record),
        "about": [ref_name(runner, ref) for ref in windows.about_of(record)],
        "window": windows.phrases(record.window, _namer(runner))[0],
        "uses": windows.uses_of(record),
    }


def _namer(runner: Runner) -> windows.Namer:
    def source(number: int) -> str:
        record = runner.game.subscriptions.records.get(number)
        return ref_name(runner, record.source.object) if record is not None else "none"

    return windows.Namer(lambda ref: ref_name(runner, ref), runner.table.mark_words, source)
