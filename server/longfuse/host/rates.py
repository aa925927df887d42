"""How much one client may ask for: so much a second, and so much at once."""

import trio


class Rate:
    """A bucket that fills with time; what a client does takes from it."""

    def __init__(self, per_s: float, burst: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._left = burst
        self._at = trio.current_time()

    def take(self, cost: float = 1) -> bool:
        """Take what one message costs, or all there may be; return False if there is less."""
        now = trio.current_time()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        cost = min(cost, self._burst)
        if self._left < cost:
            return False
        self._left -= cost
        return True
