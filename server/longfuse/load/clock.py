"""When a run begins and ends, for all tables of one process. Times are trio's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import trio


class Clock:
    """Owned by the worker, which begins and ends the run; tables wait by it."""

    def __init__(self) -> None:
        self.begun = trio.Event()
        self.start = 0.0
        self.end = float("inf")
        self._scopes: set[trio.CancelScope] = set()

    @property
    def is_over(self) -> bool:
        """Whether the run has ended."""
        return trio.current_time() >= self.end

    def begin(self, start: float, seconds: float) -> None:
        """The run begins at this moment."""
        self.start = start
        self._set_end(start + seconds)
        self.begun.set()

    def stop(self, now: float) -> None:
        """The run ends now, if it has not ended before."""
        if now < self.end:
            self._set_end(now)

    async def ended(self) -> None:
        """Wait until the run has ended."""
        with self.until_end():
            await trio.sleep_forever()

    @contextmanager
    def until_end(self) -> Iterator[None]:
        """Leave the block when the run ends, at the latest."""
        scope = trio.CancelScope(deadline=self.end)
        self._scopes.add(scope)
        try:
            with scope:
                yield
        finally:
            self._scopes.discard(scope)

    def _set_end(self, end: float) -> None:
        self.end = end
        for scope in self._scopes:
            scope.deadline = end
