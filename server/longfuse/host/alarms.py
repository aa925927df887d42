"""What a table must do at a time: one alarm per key, earliest first.

The table owns one. Its task waits for the next request, but not beyond `next_at`, and then does
what is due. So everything that time brings about happens in that one task, in order, and what is
cancelled is cancelled: there is no timer that could fire behind its back. It reads no clock.
"""

import math
from collections.abc import Hashable
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


class Alarms(Generic[Key]):
    """Alarms by key. There are never more than there are keys, and at most twice as many traces."""

    _TRACES_MIN = 16
    """So few cancelled alarms in the heap are not worth sweeping out."""

    def __init__(self) -> None:
        self._set: dict[Key, tuple[float, int]] = {}
        self._heap: list[tuple[float, int, Key]] = []
        """The alarms that are set, and traces of some that are not any more."""
        self._orders = count()

    def set(self, key: Key, at: float) -> None:
        """Set the key's alarm, in place of the one it may have. The key must not be None."""
        assert key is not None
        assert not math.isnan(at), key
        order = next(self._orders)
        self._set[key] = (at, order)
        heappush(self._heap, (at, order, key))
        self._sweep()

    def cancel(self, key: Key) -> None:
        """Take the key's alarm away, if it has one."""
        self._set.pop(key, None)
        self._sweep()

    def at(self, key: Key) -> float | None:
        """Return when the key's alarm is due; None if it has none."""
        known = self._set.get(key)
        return None if known is None else known[0]

    def next_at(self) -> float:
        """Return when the earliest alarm is due; infinity if there is none."""
        self._drop_traces()
        return self._heap[0][0] if self._heap else math.inf

    def due(self, now: float) -> Key | None:
        """Take the earliest alarm that is due, and return its key; None if none is.

        Of two that are due at the same time, the one that was set first.
        """
        self._drop_traces()
        if not self._heap or self._heap[0][0] > now:
            return None
        key = heappop(self._heap)[2]
        del self._set[key]
        return key

    def __len__(self) -> int:
        """Return how many are set."""
        return len(self._set)

    def _drop_traces(self) -> None:
        """Make the top of the heap an alarm that is set."""
        while self._heap and not self._is_set(self._heap[0]):
            heappop(self._heap)

    def _sweep(self) -> None:
        """Forget all traces, once there are more of them than alarms."""
        if len(self._heap) > 2 * len(self._set) + self._TRACES_MIN:
            self._heap = [entry for entry in self._heap if self._is_set(entry)]
            heapify(self._heap)

    def _is_set(self, entry: tuple[float, int, Key]) -> bool:
        at, order, key = entry
        return self._set.get(key) == (at, order)
