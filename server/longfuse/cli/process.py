"""How a process that plays many games is set up. Owns the thresholds of the garbage collector."""

from __future__ import annotations

import gc

GC_THRESHOLDS = (20_000, 20, 50)
"""Games make many small records that live for one decision: rarer collections cost less. A full one
stops every table, so it comes a thousand times more rarely than a small one."""


def set_up() -> None:
    """Set the collector's thresholds, and leave what is loaded by now out of its work."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
