"""Entries: all that can enter a game, and how a game refuses one.

Owns their shapes. There is no other way to influence a game. Beside them stands what only journals
have: a game that the seats agreed to take back a step is played anew.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from longfuse_protocol.prompts import Answer


class Decision(msgspec.Struct, frozen=True, tag="decision"):
    """A seat's answer to the open prompt."""

    seat: int
    prompt: int
    answer: Answer


class TakeBack(msgspec.Struct, frozen=True, tag="take back"):
    """A seat takes back its own open play."""

    seat: int


class Interruption(msgspec.Struct, frozen=True, tag="interruption"):
    """What ends or changes a game from outside its prompts."""

    kind: Literal["concede", "clock out", "removed", "ended by operator", "agreed draw"]
    seat: int = -1


Entry = Decision | TakeBack | Interruption


class Rewind(msgspec.Struct, frozen=True, tag="rewind"):
    """A seat takes its last decision back, as the others have agreed.

    It enters no game: whoever drives one makes it anew, up to the entry with the number `to` (0:
    the start). What lies between is undone; random values drawn again come out the same.
    """

    seat: int
    to: int


Recorded = Entry | Rewind
"""What a journal has."""


class Result(msgspec.Struct, frozen=True):
    """How a game ended: the winner's seat (None: nobody), and why, with the clause that says so."""

    winner: int | None
    reason: str
    clause: str = ""


class Refused(Exception):
    """The entry does not fit; nothing has changed.

    code: a word for programs (stale, seat, shape, illegal, over, no play, suspended).
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class GameFault(Exception):
    """A rule or a card raised: a defect of ours. The game is suspended; its journal stands."""

    def __init__(self, where: str, cause: BaseException) -> None:
        super().__init__(f"fault in {where}: {cause!r}")
        self.where = where
