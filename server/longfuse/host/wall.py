"""Wall time, for what people and journals are told. What is counted goes by trio's clock."""

import time

import trio


def now_ms() -> int:
    """Return the time of day, in milliseconds of the epoch."""
    return time.time_ns() // 1_000_000


def wall_ms(at: float) -> int:
    """Return the time of day at a time of trio's clock, in milliseconds of the epoch."""
    return now_ms() + round((at - trio.current_time()) * 1_000)
