"""What commands print: results on standard output, everything else on standard error.

Owns the form of both. A command's result is one JSON object, or lines for people; progress of long
work is for people only, and never mixes with a result.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable

import msgspec

PROGRESS_S = 1.0


class CommandError(Exception):
    """The command cannot be done; the message is all that the user is told."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


def print_json(result: object) -> None:
    """Print a result as one object on one line."""
    print(msgspec.json.encode(result).decode())


def print_lines(lines: Iterable[str]) -> None:
    """Print a result for people."""
    for line in lines:
        print_line(line)


def print_line(text: str = "") -> None:
    """Print a line of a result for people, or several."""
    print(plain(text))


def plain(text: str) -> str:
    """Text without what a terminal obeys: files and servers of others must not write on it."""
    return "\n".join(clean(line) for line in text.split("\n"))


def clean(text: str) -> str:
    """The same for what is to stay in one line."""
    return "".join(one if one.isprintable() else " " for one in text)


def at_least_1(text: str) -> int:
    """A number of things, as a command is given it."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: a whole number, at least 1")
    return int(text)


class Progress:
    """How far long work is, told about once a second on standard error.

    On a terminal it rewrites one line; elsewhere it says nothing until the work is long.
    """

    def __init__(self, what: str, total: int) -> None:
        self._what = what
        self._total = total
        self._told = time.monotonic()
        self._rewrites = sys.stderr.isatty()
        self._is_shown = False

    def at(self, done: int) -> None:
        """So much is done."""
        now = time.monotonic()
        if now - self._told < PROGRESS_S:
            return
        self._told = now
        self._is_shown = True
        line = f"{self._what}: {done:,} of {self._total:,}"
        print(f"\r\x1b[K{line}" if self._rewrites else line, end=self._end(), file=sys.stderr)
        sys.stderr.flush()

    def done(self) -> None:
        """The work is done: the line of progress goes away."""
        if self._is_shown and self._rewrites:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _end(self) -> str:
        return "" if self._rewrites else "\n"
