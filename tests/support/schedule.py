"""Makes trio's task order a function of a seed, and runs async tests on virtual time.

The only place that touches trio's private names. `test_schedule.py` fails if an upgrade of trio
takes them away or stops them from working.
"""

from __future__ import annotations

import contextlib
import os
import random
import zlib
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

import trio
import trio._core._run as trio_run
from trio.testing import MockClock

A_VIRTUAL_DAY_S = 86_400
A_REAL_MINUTE_S = 60

Result = TypeVar("Result")


@contextlib.contextmanager
def seeded_schedule(seed: int) -> Iterator[None]:
    """Within the block, runs of trio shuffle their runnable tasks as the seed says."""
    allowed, state = trio_run._ALLOW_DETERMINISTIC_SCHEDULING, trio_run._r.getstate()
    trio_run._ALLOW_DETERMINISTIC_SCHEDULING = True
    trio_run._r.seed(seed)
    try:
        yield
    finally:
        trio_run._ALLOW_DETERMINISTIC_SCHEDULING = allowed
        trio_run._r.setstate(state)


def schedule_seed(test_id: str) -> int:
    """Choose a test's seed: SCHEDULE_SEED (a number, or `random`), or else one of its own.

    A test keeps its seed from run to run, so that a failure comes again, and tests differ, so
    that a suite tries many schedules.
    """
    asked = os.environ.get("SCHEDULE_SEED", "")
    if asked == "random":
        return random.SystemRandom().randrange(2**32)
    return int(asked) if asked else zlib.crc32(test_id.encode())


def run(
    test: Callable[[], Awaitable[Result]],
    *,
    seed: int,
    realtime: bool = False,
) -> Result:
    """Run an async function on a seeded schedule, and on virtual time unless told otherwise.

    A deadlock on virtual time jumps straight to the deadline and fails at once.
    """

    async def bounded() -> Result:
        with trio.fail_after(A_REAL_MINUTE_S if realtime else A_VIRTUAL_DAY_S):
            return await test()

    clock = None if realtime else MockClock(autojump_threshold=0)
    with seeded_schedule(seed):
        return trio.run(bounded, clock=clock)
