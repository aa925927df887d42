"""Outcomes: what became of a position file, and the ways in which a step can go wrong.

Owns their shapes. Nothing here reads a file or plays.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

ResultWord = Literal["holds", "fails", "unreadable", "error"]


class Outcome(msgspec.Struct, frozen=True):
    """What became of one file.

    id: its own, or its path where it has none. step: the step that did not hold ("3", in a repeat
    "3.1"). expected, found: at that step. clauses: what the file says decides it. errors: all that
    is wrong with the file, or with the texts of its cards.
    """

    id: str
    result: ResultWord
    step: str = ""
    expected: Any = None
    found: Any = None
    clauses: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    title: str = ""
    path: str = ""


class Mismatch(Exception):
    """A step did not go as the file says."""

    def __init__(self, expected: Any, found: Any) -> None:
        super().__init__(f"expected {expected!r}, found {found!r}")
        self.expected = expected
        self.found = found


class Refusal(Exception):
    """The game does not offer an action or an answer.

    word: one of `words.BECAUSE`. reason: the game's own words. also: words that are as true.
    """

    def __init__(self, word: str, reason: str, also: tuple[str, ...] = ()) -> None:
        super().__init__(f"{word}: {reason}")
        self.word = word
        self.reason = reason
        self.words = (word, *also)


class FileErrors(Exception):
    """A file is wrong: everything that is wrong with it."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = errors


class CardErrors(Exception):
    """A card's fields are wrong: everything that is wrong with them."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = errors


class CardUnreadable(Exception):
    """A card's text can't be compiled."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = errors


def refusal_of(reason: str) -> Refusal:
    """The refusal for the reason that a prompt's item gives: its first word says which kind."""
    word, _, rest = reason.partition(": ")
    return Refusal(word if rest else "state", rest or reason)
