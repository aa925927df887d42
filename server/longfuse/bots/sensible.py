"""A bot that plays sensibly: it takes what the advice for its ruleset rates highest.

Owns how ratings become answers of every shape; a generator of its own breaks ties. All it
looks at is the prompt and its seat's view, as any client has them: the same bot plays in this
process and over a websocket. What a position or an action is worth is the ruleset's to say.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from longfuse.rulesets.catalogue import Advice
from longfuse_protocol import answers
from longfuse_protocol.prompts import Answer, Prompt, Shape
from longfuse_protocol.views import View


class Watched(Protocol):
    """A game that shows each seat what it may know."""

    @property
    def open_prompt(self) -> Prompt | None:
        """What is asked now, as its seat may see it."""

    def view(self, viewer: int) -> View:
        """All that a seat may know."""


class SensibleBot:
    """One player of one game."""

    def __init__(self, advice: Advice, seed: int | str, seat: int = 0) -> None:
        self._advice = advice
        self._chance = random.Random(f"{seed}/{seat}")

    def answer(self, prompt: Prompt, view: View) -> Answer:
        """The answer whose items are rated highest."""
        ratings = self._advice.rate(prompt, view)
        if not ratings:
            return prompt.default
        return _ANSWERS[prompt.shape](self._chance, prompt, ratings)

    async def decide(self, prompt: Prompt, game: Watched) -> Answer:
        """The same, for a table that waits for its players."""
        return self.answer(prompt, game.view(prompt.seat))


class SeatedBot:
    """A bot that sits at a game in this process, for whoever asks its players by prompts alone."""

    def __init__(self, bot: SensibleBot, game: Watched) -> None:
        self._bot = bot
        self._game = game

    def choose(self, prompt: Prompt) -> Answer:
        """Answer what the game asks, as the prompt's seat sees it."""
        seen = self._game.open_prompt
        assert seen is not None, "it is asked only when something is asked"
        return self._bot.answer(seen, self._game.view(prompt.seat))


# ---------------------------------------------------------------- from ratings to answers

Ratings = Sequence[float]


def _one(chance: random.Random, prompt: Prompt, ratings: Ratings) -> Answer:
    return _ranked(chance, prompt, ratings)[0]


def _some(chance: random.Random, prompt: Prompt, ratings: Ratings) -> Answer:
    """All that are rated above 0, as far as that many may be chosen."""
    ranked = _ranked(chance, prompt, ratings)
    wanted = sum(ratings[index] > 0 for index in ranked)
    return tuple(sorted(ranked[: max(prompt.least, min(prompt.most, wanted))]))


def _order(_chance: random.Random, _prompt: Prompt, ratings: Ratings) -> Answer:
    """The highest first; equals stay in the order in which they are listed."""
    return tuple(sorted(range(len(ratings)), key=lambda index: -ratings[index]))


def _number(chance: random.Random, prompt: Prompt, ratings: Ratings) -> Answer:
    """The ratings are those of the numbers from the lowest on."""
    best = max(ratings)
    return prompt.least + chance.choice([n for n, one in enumerate(ratings) if one == best])


def _divide(chance: random.Random, prompt: Prompt, ratings: Ratings) -> Answer:
    """Each gets its least; what is left goes to the highest first, as much as it may take."""
    bounds = [answers.bounds(prompt, index) for index in range(len(prompt.items))]
    amounts = [low for low, _ in bounds]
    left = prompt.total - sum(amounts)
    for index in _ranked(chance, prompt, ratings):
        more = min(left, bounds[index][1] - amounts[index])
        amounts[index] += more
        left -= more
    return tuple(amounts)


def _ranked(chance: random.Random, prompt: Prompt, ratings: Ratings) -> list[int]:
    """The legal items, the highest first; among equals chance decides."""
    legal = [index for index, item in enumerate(prompt.items) if item.legal]
    keys = {index: (-ratings[index], chance.random()) for index in legal}
    return sorted(legal, key=lambda index: keys[index])


_ANSWERS: Mapping[Shape, Callable[[random.Random, Prompt, Ratings], Answer]] = {
    "one": _one,
    "some": _some,
    "order": _order,
    "number": _number,
    "divide": _divide,
}
