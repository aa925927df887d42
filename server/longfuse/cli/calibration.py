"""The calibration loop: a fixed amount of work, by which figures of different machines compare.

Owns that amount, which must never change: old figures would lose their meaning.
"""

from __future__ import annotations

import time

ROUNDS = 100_000


def calibrate() -> float:
    """CPU seconds that the fixed loop takes now: integers, a table, a method call."""
    began = time.process_time()
    table: dict[int, int] = {}
    number = 1
    for step in range(ROUNDS):
        number = (number * 1_103_515_245 + 12_345 + step) & 0x7FFF_FFFF
        table[number & 1_023] = table.get(number & 511, 0) ^ step
    return time.process_time() - began
