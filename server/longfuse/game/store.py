"""The store: every plain value of one game, under one key each.

Owns the published values of all actors, records and counters; the state hash, kept up
incrementally; and the savepoint of an open play. Actors and the game write; views, passives and the
hash read. What is not in the store is either derived from it or does not belong to the game.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec

Key = Any
"""A tuple or a Ref: ("zone", name), ("seat", 0), ("record", 7), Ref(4, 2) …"""

_MODULUS = 1 << 128
_encode = msgspec.msgpack.Encoder().encode


class Savepoint:
    """The values as they were when a play began, kept as each is first written over."""

    __slots__ = ("before", "seat")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.before: dict[Key, Any] = {}


class Store:
    """Immutable values by key. A write replaces a value; None is absence."""

    __slots__ = ("_dirty", "_parts", "_total", "savepoint", "values", "version")

    def __init__(self) -> None:
        self.values: dict[Key, Any] = {}
        self.version = 0
        self.savepoint: Savepoint | None = None
        self._dirty: dict[Key, None] = {}
        self._parts: dict[Key, int] = {}
        self._total = 0

    def get(self, key: Key) -> Any:
        """The value under `key`, or None."""
        return self.values.get(key)

    def put(self, key: Key, value: Any) -> None:
        """Write a value; None removes it."""
        old = self.values.get(key)
        if old is value:
            return
        if self.savepoint is not None and key not in self.savepoint.before:
            self.savepoint.before[key] = old
        if value is None:
            del self.values[key]
        else:
            self.values[key] = value
        self.version += 1
        self._dirty[key] = None

    def digest(self) -> str:
        """The state hash: a 128-bit sum of the digests of all values."""
        total = self._total
        for key in self._dirty:
            total -= self._parts.pop(key, 0)
            value = self.values.get(key)
            if value is not None:
                part = _digest(key, value)
                self._parts[key] = part
                total += part
        self._dirty.clear()
        self._total = total % _MODULUS
        return f"{self._total:032x}"


def _digest(key: Key, value: Any) -> int:
    content = value.hashable() if hasattr(value, "hashable") else value
    data = _encode((key, content))
    return int.from_bytes(blake2b(data, digest_size=16).digest(), "big")
