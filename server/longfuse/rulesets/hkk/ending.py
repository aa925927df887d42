"""Ending: winning, decking, drawn games, and the interruptions that end a game.

Owns results. A game that is over unwinds with `Won`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.game.entries import Interruption, Result
from longfuse.timing.references import Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel


class Won(Exception):
    """The game is over; caught where the game began."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.reason)
        self.result = result


def check(duel: Duel) -> None:
    """Who has no life left has lost; both at the same check is a draw (a house rule)."""
    beaten = [seat for seat in duel.seats() if duel.player(seat).life <= 0]
    if len(beaten) == 2:
        raise Won(Result(None, "both players have no life left"))
    for seat in beaten:
        raise Won(Result(duel.opponent(seat), "the opponent has no life left"))


def decked(duel: Duel, seat: Seat) -> None:
    """Who has to draw from an empty deck loses (a house rule)."""
    raise Won(Result(duel.opponent(seat), "the opponent had no card left to draw"))


def win(seat: Seat, reason: str) -> None:
    """That player wins now."""
    raise Won(Result(seat, reason))


def interrupt(duel: Duel, entry: Interruption) -> Result | None:
    """What comes from outside: who concedes, is removed or runs out of time loses."""
    match entry.kind:
        case "concede" | "clock out" | "removed":
            duel.game.installed.player_left(entry.seat)
            return Result(duel.opponent(entry.seat), _REASONS[entry.kind])
        case "agreed draw":
            return Result(None, "the players agreed on a draw")
        case _:
            return Result(None, "the operator ended it")


_REASONS = {
    "concede": "the opponent conceded",
    "clock out": "the opponent ran out of time",
    "removed": "the opponent was removed",
}
