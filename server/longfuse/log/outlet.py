"""Where the log's lines go: to a descriptor that may be read slowly, or by nobody.

Owns the lines that wait, and the thread that writes them. Whoever logs never waits: what finds no
room is left out and counted, and how many were is told once there is room again. `setup` makes one
and closes it when the program ends.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
from collections import deque
from collections.abc import Callable

WAITING_BYTES_MAX = 4 * 1_024 * 1_024
CLOSE_S = 2.0
"""So long the end of the program waits for whoever reads the log."""


class Outlet:
    """A text file for loggers, which write and flush whole lines; any thread may."""

    def __init__(
        self,
        descriptor: int,
        tell_dropped: Callable[[int], None],
        *,
        waiting_bytes_max: int = WAITING_BYTES_MAX,
    ) -> None:
        """tell_dropped: logs how many lines were left out; called by the thread that writes."""
        self._descriptor = descriptor
        self._tell_dropped = tell_dropped
        self._bytes_max = waiting_bytes_max
        self._lines: deque[bytes] = deque()
        """Those that wait; the first is being written."""
        self._bytes = 0
        self._dropped = 0
        self._is_broken = False
        """Whoever read has gone for good."""
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()

    def write(self, text: str) -> int:
        """Take a line, or leave it out; return the length of the text, as any file does."""
        line = text.encode(errors="backslashreplace")
        with self._changed:
            if self._is_broken:
                return len(text)
            if self._lines and self._bytes + len(line) > self._bytes_max:
                self._dropped += 1
                return len(text)
            self._lines.append(line)
            self._bytes += len(line)
            if self._thread is None:
                # A daemon: a thread that waits for a reader must not keep the program.
                self._thread = threading.Thread(target=self._run, name="log", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return len(text)

    def flush(self) -> None:
        """Do nothing: lines are written as soon as they can be."""

    def close(self, within_s: float = CLOSE_S) -> None:
        """Wait until all is written, at most so long. What is left then stays unwritten."""
        with self._changed:
            self._changed.wait_for(lambda: not self._lines and not self._dropped, within_s)

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._write(self._next())
                self._written()
        with self._changed:
            self._is_broken = True
            self._lines.clear()
            self._dropped = 0
            self._changed.notify_all()

    def _next(self) -> bytes:
        with self._changed:
            self._changed.wait_for(lambda: self._lines)
            return self._lines[0]

    def _write(self, line: bytes) -> None:
        left = memoryview(line)
        while left:
            try:
                left = left[os.write(self._descriptor, left) :]
            except BlockingIOError:  # somebody shares it who does not wait
                select.select([], [self._descriptor], [])

    def _written(self) -> None:
        """The first line is out. Once none waits, tell of those that found no room."""
        with self._changed:
            self._bytes -= len(self._lines.popleft())
            dropped = 0 if self._lines else self._dropped
        if dropped:
            self._tell_dropped(dropped)
        with self._changed:
            self._dropped -= dropped
            self._changed.notify_all()
