"""When a table's next decision is meant to be made. Latency is counted from that moment.

Counting from it, and not from when the decision could be sent, keeps a slow server's waiting time
in the figures. Pure: whoever plays tells the time, and waits.
"""

from __future__ import annotations

import math
import random
from typing import Protocol

from longfuse.load.plan import TablePlan


class Pace(Protocol):
    """The moments of one table's decisions."""

    def intended(self, asked_at: float) -> float:
        """Take the moment of the next decision; its question came at `asked_at`."""

    def skip_to(self, now: float) -> None:
        """Leave out what was due while the table had no game: that is counted apart."""

    def overdue(self, now: float) -> int:
        """How many decisions were due before `now` and have not been taken."""


class Schedule:
    """A decision every so often, whether or not the server keeps up."""

    def __init__(self, first: float, every: float) -> None:
        self._first = first
        self._every = every
        self._next = 0

    def intended(self, asked_at: float) -> float:
        """Take the next moment of the schedule; it may have passed long ago."""
        moment = self._first + self._next * self._every
        self._next += 1
        return moment

    def skip_to(self, now: float) -> None:
        """Go on with the first moment that is not over yet."""
        self._next = max(self._next, math.ceil((now - self._first) / self._every))

    def overdue(self, now: float) -> int:
        """How many moments are past and were not taken."""
        return max(0, math.ceil((now - self._first) / self._every) - self._next)


class Thinking:
    """A decision so long after its question as somebody thinks: exponentially distributed."""

    def __init__(self, mean_s: float, seed: str) -> None:
        self._mean_s = mean_s
        self._chance = random.Random(f"{seed}/think")

    def intended(self, asked_at: float) -> float:
        """Think from when the question came."""
        if not self._mean_s:
            return asked_at
        return asked_at + self._chance.expovariate(1 / self._mean_s)

    def skip_to(self, now: float) -> None:
        """Nothing is due before it is asked for."""

    def overdue(self, now: float) -> int:
        """Nothing is due before it is asked for."""
        return 0


def pace_of(plan: TablePlan, start: float) -> Pace:
    """The pace of a table in a run that begins at `start`."""
    if plan.every_s is None:
        return Thinking(plan.think_s, plan.seed)
    return Schedule(start + plan.first_s, plan.every_s)
