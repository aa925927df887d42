"""Subscriptions: which records wait for what, as an index made from the records.

Owns the index by (word, subject), by object and by window key. One per game, driven by the game
alone. It never runs an ability and never decides whether a match counts: it finds candidates in
creation order, at a cost that depends on how many match, not on how many wait.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from longfuse.timing.calendar import Now
from longfuse.timing.records import Record
from longfuse.timing.references import Ref, Seat
from longfuse.timing.windows import Key, closes, keys

K = TypeVar("K")


class Subscriptions:
    """The live records of one game, found by what wakes them and by what ends them."""

    def __init__(self, turn_end: str) -> None:
        """turn_end: the mark at which the ruleset ends "this turn"."""
        self.turn_end = turn_end
        self.records: dict[int, Record] = {}
        self.versions: dict[str, int] = {}
        self.live: dict[str, int] = {}
        """How many records wait under each word now: a cheap test for hot paths."""
        self.delayed = 0
        self._waiting: dict[tuple[str, Ref | None], dict[int, Record]] = {}
        self._windows: dict[Key, dict[int, Record]] = {}
        self._about: dict[Ref, dict[int, Record]] = {}
        self.serial = 0
        """A number that changes whenever any record comes, goes or changes."""

    # ------------------------------------------------------------ installing

    def install(self, record: Record) -> None:
        """File a record, or its new value, under its words and its window's keys."""
        old = self.records.get(record.id)
        if old is not None:
            self._unfile(old)
        self.records[record.id] = record
        self.delayed += record.delayed
        for word in record.watch:
            self.live[word] = self.live.get(word, 0) + 1
        for place in _places(record):
            self._waiting.setdefault(place, {})[record.id] = record
        for key in self._keys(record):
            self._windows.setdefault(key, {})[record.id] = record
        for subject in record.subjects:
            self._about.setdefault(subject, {})[record.id] = record
        self._touch(record)

    def remove(self, record_id: int) -> Record | None:
        """Take a record out of the index; None if it is not installed."""
        record = self.records.get(record_id)
        if record is not None:
            self._unfile(record)
            self._touch(record)
        return record

    def _unfile(self, record: Record) -> None:
        del self.records[record.id]
        self.delayed -= record.delayed
        for word in record.watch:
            self.live[word] -= 1
        for place in _places(record):
            _drop(self._waiting, place, record.id)
        for key in self._keys(record):
            _drop(self._windows, key, record.id)
        for subject in record.subjects:
            _drop(self._about, subject, record.id)

    def _touch(self, record: Record) -> None:
        self.serial += 1
        for word in record.watch:
            self.versions[word] = self.serial

    # ------------------------------------------------------------ finding

    def matching(self, word: str, subjects: tuple[Ref, ...] = ()) -> list[Record]:
        """The records that wait for `word` about any of `subjects` or about anything, oldest
        first.
        """
        found = self._waiting.get((word, None), {})
        if not subjects:
            return list(found.values())
        merged: dict[int, Record] = {}
        for subject in subjects:
            exact = self._waiting.get((word, subject))
            if exact:
                merged.update(exact)
        if not merged:
            return list(found.values()) if len(found) < 2 else [found[i] for i in sorted(found)]
        merged.update(found)
        return [merged[i] for i in sorted(merged)]

    def about(self, ref: Ref) -> list[Record]:
        """The records that wait for something about that very object, oldest first."""
        found = self._about.get(ref)
        return [found[number] for number in sorted(found)] if found else []

    def waits(self, word: str) -> bool:
        """Whether any record waits for that word about anything; a cheap test for hot paths."""
        return (word, None) in self._waiting

    def closing(self, key: Key, now: Now, controller: Seat | None = None) -> list[Record]:
        """The records whose window closes because of `key`, oldest first."""
        filed = self._windows.get(key)
        if not filed:
            return []
        return [
            filed[number]
            for number in sorted(filed)
            if self._closes(filed[number], key, now, controller)
        ]

    def _keys(self, record: Record) -> tuple[Key, ...]:
        found = keys(record.window, self.turn_end)
        if record.about is None or Key("left", record.about) in found:
            return found
        return (*found, Key("left", record.about))

    def _closes(self, record: Record, key: Key, now: Now, controller: Seat | None) -> bool:
        if key.word == "left" and key.about == record.about:
            return True
        return closes(record.window, key, now, self.turn_end, controller)

    def version(self, word: str) -> int:
        """A number that changes whenever a record with that word comes, goes or changes."""
        return self.versions.get(word, 0)

    def waiting(self) -> list[Record]:
        """The delayed records, oldest first."""
        return [record for _, record in sorted(self.records.items()) if record.delayed]


def _places(record: Record) -> Iterable[tuple[str, Ref | None]]:
    subjects: tuple[Ref | None, ...] = record.subjects or (None,)
    return [(word, subject) for word in record.watch for subject in subjects]


def _drop(table: dict[K, dict[int, Record]], key: K, number: int) -> None:
    bucket = table[key]
    del bucket[number]
    if not bucket:
        del table[key]
