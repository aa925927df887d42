"""Playing a game headless: bots answer its prompts until it is over.

Owns the loop and nothing else: no views, no journal, no clock. It drives a game on any actor host;
a caller whose host has tasks uses `decisions` and lets them run in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from longfuse.game.entries import Decision
from longfuse.game.game import Game
from longfuse_protocol.prompts import Answer, Prompt


class Chooser(Protocol):
    """Whoever answers prompts at once."""

    def choose(self, prompt: Prompt) -> Answer:
        """An answer that fits."""


def decisions(game: Game, bots: Sequence[Chooser]) -> Iterator[Decision]:
    """Play a game that has started; each decision is given out before it is entered.

    A caller that stops taking leaves the game where it is, that decision not entered.
    """
    while game.result is None and game.prompt is not None:
        prompt = game.prompt
        decision = Decision(prompt.seat, prompt.id, bots[prompt.seat].choose(prompt))
        yield decision
        game.advance(decision)


def play_game(game: Game, bots: Sequence[Chooser], limit: int) -> list[Decision]:
    """Play a game that has started to its end, or for `limit` decisions; return those entered."""
    made: list[Decision] = []
    for decision in decisions(game, bots):
        if len(made) == limit:
            break
        made.append(decision)
    return made
