"""Players: the bots by name, for commands that let them play.

Owns the names and how a bot is made for one seat of one game; a server makes its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from longfuse.bots.play import Chooser
from longfuse.bots.random import RandomBot
from longfuse.bots.sensible import SeatedBot, SensibleBot
from longfuse.cli.output import CommandError
from longfuse.game.game import Game
from longfuse.rulesets.catalogue import Advice, Ruleset, load_advice
from longfuse_protocol.prompts import Answer, Prompt
from longfuse_protocol.views import View

NAMES = ("random", "sensible")

Answering = Callable[[Prompt, View], Answer]
"""How a bot plays anywhere: from the prompt and its seat's view."""


@lru_cache(maxsize=8)
def _advice(ruleset: str) -> Advice:
    return load_advice(ruleset)


def answering(name: str, ruleset: Ruleset, seed: str, seat: int) -> Answering:
    """A bot for one seat, wherever the game is."""
    if name == "random":
        bot = RandomBot(seed, seat)
        return lambda prompt, _view: bot.choose(prompt)
    return SensibleBot(_advice(ruleset.NAME), seed, seat).answer


def seated(name: str, ruleset: Ruleset, game: Game, seed: str, seat: int) -> Chooser:
    """A bot at a game in this process; a sensible one needs its views."""
    if name == "random":
        return RandomBot(seed, seat)
    return SeatedBot(SensibleBot(_advice(ruleset.NAME), seed, seat), game)


def pair_of(text: str) -> tuple[str, str]:
    """Two names of bots, as a command is given them."""
    names = tuple(text.split(","))
    unknown = [name for name in names if name not in NAMES]
    if unknown or len(names) != 2:
        raise CommandError(f"--bots: two of {', '.join(NAMES)}, like sensible,random")
    return names[0], names[1]
