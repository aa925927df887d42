"""When a lost connection is tried again: a budget of tries and seconds, and waits with full jitter.

The client owns one `Outage` and tells it the time; nothing here waits or dials.
"""

import math
from collections.abc import Callable

import msgspec

Chance = Callable[[], float]
"""Gives a number from 0 up to 1, evenly."""


class Retry(msgspec.Struct, frozen=True, kw_only=True):
    """How often, and for how long, a lost connection is tried again."""

    tries: int = 12
    within_s: float = 120.0
    """Counted from the loss of the connection."""
    base_s: float = 0.25
    """The first wait is up to this long, each further one up to twice as long as the one before."""
    most_s: float = 15.0
    steady_s: float = 30.0
    """A connection that lasts less long does not renew the budget: else one that is lost again and
    again would be tried for ever."""
    first: bool = False
    """Whether the very first connection is tried again, too."""

    def wait_s(self, tries: int, chance: Chance) -> float:
        """Return how long to wait after so many tries: evenly from nothing to the limit."""
        return chance() * min(self.most_s, math.ldexp(self.base_s, min(tries, 64)))


NEVER = Retry(tries=0)


class Outage:
    """What has been spent since the connection was lost."""

    def __init__(self, retry: Retry, chance: Chance) -> None:
        self.tries = 0
        self._retry = retry
        self._chance = chance
        self._until = math.inf

    def lost(self, now: float, lasted_s: float) -> None:
        """Hear that a connection was lost that had lasted so long; 0 if it never stood."""
        if lasted_s >= self._retry.steady_s:
            self.tries, self._until = 0, math.inf
        if self._until == math.inf:
            self._until = now + self._retry.within_s

    def next_wait_s(self, now: float, least_s: float) -> float | None:
        """Return how long to wait before the next try, or None when the budget is spent.

        least_s: what the server asks for; what is no time, it has not asked for.
        """
        wait_s = max(0.0, least_s) + self._retry.wait_s(self.tries, self._chance)
        if self.tries >= self._retry.tries or now + wait_s >= self._until:
            return None
        self.tries += 1
        return wait_s

    def left_s(self, now: float) -> float:
        """Return how long a try may take."""
        return self._until - now
