"""Playing a game headless: bots answer its prompts until it is over.

Owns the loop and nothing else: no views, no journal, no clock. It drives a game on any actor host;
a caller whose host has tasks takes decisions one by one and lets the tasks run in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from longfuse.game.entries import Decision
from longfuse.game.game import Game
from longfuse_protocol.prompts import Answer, Prompt


class Chooser(Protocol):
    """Whoever answers prompts at once."""

    def choose(self, prompt: Prompt) -> Answer:
        """An answer that fits."""


def next_decision(game: Game, bots: Sequence[Chooser]) -> Decision | None:
    """What the bot that is asked decides; None where nobody is: the game is over, or held."""
    prompt = game.prompt
    if prompt is None:
        return None
    return Decision(prompt.seat, prompt.id, bots[prompt.seat].choose(prompt))


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
