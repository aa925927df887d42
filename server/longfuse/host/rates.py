"""How much one client may ask for: so much a second, and so much at once."""

import trio


class Rate:
    """A bucket that fills with time; what a client does takes from it."""

    __slots__ = ("_at", "_burst", "_left", "_per_s")

    def __init__(self, per_s: float, burst: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._left = burst
        self._at = trio.current_time()

    def take(self, cost: float = 1) -> bool:
        """Take what one message costs, or all there may be; return False if there is less."""
        cost = min(cost, self._burst)
        if self._fill() < cost:
            return False
        self._left -= cost
        return True

    def give(self, cost: float = 1) -> None:
        """Give back what was taken for something that is not to count."""
        self._left = min(self._burst, self._fill() + cost)

    def wait_s(self) -> float:
        """Return in how many seconds there will be enough for one; 0 if there is."""
        return max(0.0, (1 - self._fill()) / self._per_s)

    def _fill(self) -> float:
        """Let it fill up to now, and return how much there is."""
        now = trio.current_time()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        return self._left
