"""Lines that a player types, one at a time, without holding up the connection meanwhile.

Owns the reading of standard input. It reads the descriptor, once there is something, and not
Python's buffered stream: so no line is lost to a wait that was cancelled.
"""

from __future__ import annotations

import codecs
import os
import select
import sys
import termios
from typing import Protocol

import trio

CHUNK = 4096


class Lines(Protocol):
    """Where a player's lines come from."""

    is_live: bool
    """Somebody types: lines come when they come, and what was typed too early can be dropped."""

    async def next(self) -> str | None:
        """The next line; None when there are no more."""

    async def has_more(self) -> bool:
        """Wait until a line can be read, and leave it; False where there are no more."""

    def forget(self) -> None:
        """Drop what was typed before the player could see what it would answer."""


class TypedLines:
    """Lines of a file descriptor: a terminal, a pipe or a file."""

    def __init__(self, descriptor: int | None = None) -> None:
        self._descriptor = sys.stdin.fileno() if descriptor is None else descriptor
        self.is_live = os.isatty(self._descriptor)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._read = ""
        self._is_over = False

    async def next(self) -> str | None:
        """Read on to the end of a line."""
        if not await self.has_more():
            return None
        line, _, self._read = self._read.partition("\n")
        return line.rstrip("\r")

    async def has_more(self) -> bool:
        """Read on to the end of a line, and keep it for `next`."""
        while "\n" not in self._read and not self._is_over:
            await self._until_readable()
            data = os.read(self._descriptor, CHUNK)
            self._is_over = not data
            self._read += self._decoder.decode(data, final=self._is_over)
        return bool(self._read)

    async def _until_readable(self) -> None:
        """Wait until reading does not: what waited to be read may have been dropped meanwhile."""
        await trio.lowlevel.checkpoint()
        while not select.select([self._descriptor], [], [], 0)[0]:
            await trio.lowlevel.wait_readable(self._descriptor)

    def forget(self) -> None:
        """On a terminal, drop what waits to be read."""
        if self.is_live:
            self._read = ""
            termios.tcflush(self._descriptor, termios.TCIFLUSH)
