"""Bots that answer a game's prompts at once, without a server.

Owns who is asked and nothing else: no views, no journal, no clock. Whoever plays the game takes
decisions one by one, and lets the tasks of an actor host that has any run in between.
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
