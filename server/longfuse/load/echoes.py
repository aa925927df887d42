"""When a decision was seen by the other seat: decisions and frames of two streams brought together.

Numbers of different streams do not compare, but public views do: the one that a decision brings is,
in both seats' streams, the one after so many others. Owned by one game. A decision that changes
nothing public is seen by nobody else and counts nowhere; of one after which the server passes for
the seats, the first frame counts.
"""

from __future__ import annotations


class Echoes:
    """The public views of one game, as its seats come to see them."""

    def __init__(self, seats: int) -> None:
        self._last = [""] * seats
        self._count = [0] * seats
        self._is_lost = [False] * seats
        self._decided: tuple[int, float] | None = None
        self._causes: dict[int, float] = {}
        self._arrived: dict[int, float] = {}

    def decided(self, seat: int, intended: float) -> None:
        """A seat decides what it meant to decide at that moment."""
        self._decided = (seat, intended)

    def lost(self, seat: int) -> None:
        """The seat was given a whole view: how many came before is unknown from here on."""
        self._is_lost[seat] = True

    def frame(self, seat: int, shared: str, at: float) -> tuple[float, float] | None:
        """A frame arrives; return when what it shows was meant to be decided, and when it was seen,
        once the other seat's side of it is known."""
        if shared == self._last[seat] or any(self._is_lost):
            return None
        self._last[seat] = shared
        self._count[seat] += 1
        count = self._count[seat]
        if self._decided is not None and self._decided[0] == seat:
            intended = self._decided[1]
            self._decided = None  # what follows the first is the server's own doing
            arrived = self._arrived.pop(count, None)
            if arrived is not None:
                return intended, arrived
            self._causes[count] = intended
            return None
        cause = self._causes.pop(count, None)
        if cause is not None:
            return cause, at
        self._arrived[count] = at
        return None
