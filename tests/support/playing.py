"""Playing a game headless for tests: bots answer its prompts."""

from __future__ import annotations

from collections.abc import Sequence

from longfuse.bots.play import Chooser, next_decision
from longfuse.game.entries import Decision
from longfuse.game.game import Game


def play_game(game: Game, bots: Sequence[Chooser], limit: int) -> list[Decision]:
    """Play a game that has started until nobody is asked, or for `limit` decisions; return them."""
    made: list[Decision] = []
    while len(made) < limit:
        decision = next_decision(game, bots)
        if decision is None:
            break
        game.advance(decision)
        made.append(decision)
    return made
