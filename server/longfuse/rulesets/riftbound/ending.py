"""Ending: winning, conceding, and the interruptions that end a duel.

Owns results. `check_win` is row 1 of every cleanup; it unwinds the game with `Won`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.game.entries import Interruption, Result
from longfuse.rulesets.riftbound import looking
from longfuse.timing.references import Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


class Won(Exception):
    """The game is over; caught where the game began."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.reason)
        self.result = result


def check_win(duel: Duel) -> None:
    """323.1: at least the Victory Score, and more than the opponent."""
    for seat in duel.seats():
        mine = duel.player(seat).points
        if mine >= looking.victory_score(duel) and mine > duel.player(duel.opponent(seat)).points:
            win(duel, seat, f"{mine} points", "323.1")


def win(duel: Duel, seat: Seat, reason: str, clause: str) -> None:
    """That player wins now."""
    raise Won(Result(winner=seat, reason=reason, clause=clause))


def interrupt(duel: Duel, entry: Interruption) -> Result | None:
    """What comes from outside: who concedes, is removed or runs out of time loses."""
    match entry.kind:
        case "concede" | "clock out" | "removed":
            duel.game.installed.player_left(entry.seat)
            return Result(duel.opponent(entry.seat), _REASONS[entry.kind], "487")
        case "agreed draw":
            return Result(None, "the players agreed on a draw")
        case _:
            return Result(None, "the operator ended it")


_REASONS = {
    "concede": "the opponent conceded",
    "clock out": "the opponent ran out of time",
    "removed": "the opponent was removed",
}
