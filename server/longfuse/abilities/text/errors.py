"""Why a card text was refused: where reading stopped and what would have been understood there.

Owns `Failure` (one refusal, fit for JSON) and `TextError` (all refusals of one text).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Failure(msgspec.Struct, frozen=True):
    """One place of one card where the compiler stopped."""

    card: str
    line: int
    column: int
    stopped_at: str
    expected: tuple[str, ...] = ()
    nearest: str = ""

    def sentence(self) -> str:
        """The refusal as one line for people."""
        name = f"{self.card}, " if self.card else ""
        words = f"{name}line {self.line}, column {self.column}: stopped at “{self.stopped_at}”"
        if self.expected:
            words += f"; expected {', '.join(self.expected)}"
        if self.nearest:
            words += f"; understood would be: “{self.nearest}”"
        return words


class TextError(Exception):
    """A text that could not be read in full."""

    def __init__(self, errors: Iterable[Failure]) -> None:
        self.errors = list(errors)
        super().__init__("; ".join(one.sentence() for one in self.errors))


class Unclear(Exception):
    """Raised by a builder: the words parse, but what they mean is not certain or not allowed."""

    def __init__(self, at: int, expected: str) -> None:
        self.at = at
        self.expected = expected
        super().__init__(expected)
