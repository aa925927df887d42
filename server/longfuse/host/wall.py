"""Wall time: for what people and journals are told, and for tokens. The host's only look at it.

What is counted goes by trio's clock. A difference of two wall times is never a span: the wall's
clock runs on between the two looks, and may be set.
"""

import time

import trio


def now_ms() -> int:
    """Return the time of day, in milliseconds of the epoch."""
    return time.time_ns() // 1_000_000


def now_s() -> float:
    """Return the time of day, in seconds of the epoch, as tokens count it."""
    return time.time_ns() / 1_000_000_000


def wall_ms(at: float) -> int:
    """Return the time of day at a time of trio's clock, in milliseconds of the epoch.

    Two calls for one time may differ, by a millisecond or by what the wall's clock was set: a
    deadline that is told more than once gets its wall time once, when it is set.
    """
    return now_ms() + round((at - trio.current_time()) * 1_000)
