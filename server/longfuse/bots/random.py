"""A bot that draws every answer uniformly from all that fit its prompt.

Owns a generator of its own, keyed by seed and seat: its choices follow from these and from the
prompts alone. It never looks at the game, takes nothing back, and never concedes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from math import comb

from longfuse_protocol import answers
from longfuse_protocol.prompts import Answer, Prompt, Shape


class RandomBot:
    """One player of one game."""

    def __init__(self, seed: int | str, seat: int = 0) -> None:
        self._chance = random.Random(f"{seed}/{seat}")

    def choose(self, prompt: Prompt) -> Answer:
        """An answer that fits, each as likely as any other."""
        return _DRAWS[prompt.shape](self._chance, prompt)

    async def decide(self, prompt: Prompt, _game: object) -> Answer:
        """The same, for a table that waits for its players."""
        return self.choose(prompt)


def _one(chance: random.Random, prompt: Prompt) -> Answer:
    return chance.choice(_legal(prompt))


def _some(chance: random.Random, prompt: Prompt) -> Answer:
    legal = _legal(prompt)
    sizes = range(prompt.least, min(prompt.most, len(legal)) + 1)
    weights = [comb(len(legal), size) for size in sizes]
    (size,) = chance.choices(sizes, weights)
    return tuple(sorted(chance.sample(legal, size)))


def _order(chance: random.Random, prompt: Prompt) -> Answer:
    indices = list(range(len(prompt.items)))
    chance.shuffle(indices)
    return tuple(indices)


def _number(chance: random.Random, prompt: Prompt) -> Answer:
    return chance.randint(prompt.least, prompt.most)


def _divide(chance: random.Random, prompt: Prompt) -> Answer:
    """Item by item, each amount as likely as there are ways to divide what it leaves."""
    bounds = [answers.bounds(prompt, index) for index in range(len(prompt.items))]
    ways = _ways(bounds, prompt.total)
    left = prompt.total
    amounts: list[int] = []
    for index, (low, high) in enumerate(bounds):
        possible = range(low, min(high, left) + 1)
        weights = [ways[index + 1][left - amount] for amount in possible]
        (amount,) = chance.choices(possible, weights)
        amounts.append(amount)
        left -= amount
    return tuple(amounts)


def _ways(bounds: list[tuple[int, int]], total: int) -> list[list[int]]:
    """By item and amount left: in how many ways it and those after it can divide that amount."""
    after = [1] + [0] * total
    table = [after]
    for low, high in reversed(bounds):
        sums = [0]
        for count in after:
            sums.append(sums[-1] + count)
        after = [
            sums[max(0, left - low + 1)] - sums[max(0, left - high)] for left in range(total + 1)
        ]
        table.append(after)
    return table[::-1]


def _legal(prompt: Prompt) -> list[int]:
    return [index for index, item in enumerate(prompt.items) if item.legal]


_DRAWS: Mapping[Shape, Callable[[random.Random, Prompt], Answer]] = {
    "one": _one,
    "some": _some,
    "order": _order,
    "divide": _divide,
    "number": _number,
}
