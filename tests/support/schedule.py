"""Makes trio's task order and chance a function of a seed, and runs async tests on virtual time.

The only place that touches trio's private names. `test_schedule.py` fails if an upgrade of trio
takes them away or stops them from working.
"""

from __future__ import annotations

import contextlib
import os
import random
import zlib
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace
from typing import TypeVar
from unittest import mock

import trio
import trio._core._run as trio_run
from trio.testing import MockClock

from longfuse.host import wall

MIDNIGHT_S = 1_700_000_000
A_VIRTUAL_DAY_S = 86_400
A_HANG_S = 300
"""No test takes as long on the real clock, however slow the machine is: it fails, it hangs."""

Result = TypeVar("Result")


@contextlib.contextmanager
def virtual_wall(clock: trio.abc.Clock) -> Iterator[None]:
    """Within the block the host's wall clock goes with this one: it is midnight as it begins."""
    began = clock.current_time()

    def time_ns() -> int:
        return MIDNIGHT_S * 10**9 + round((clock.current_time() - began) * 1_000) * 1_000_000

    with mock.patch.object(wall, "time", SimpleNamespace(time_ns=time_ns)):
        yield


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


@contextlib.contextmanager
def seeded_chance(seed: int) -> Iterator[None]:
    """Within the block, ids, secrets and waits that are drawn at random follow from the seed."""
    state = random.getstate()
    random.seed(seed)
    # What `secrets` and every other SystemRandom draw from.
    with mock.patch.object(random, "_urandom", random.Random(seed).randbytes):
        try:
            yield
        finally:
            random.setstate(state)


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
    """Run an async function, all chance seeded, and on virtual time unless told otherwise.

    A deadlock on virtual time jumps straight to the deadline and fails at once.
    """

    async def bounded() -> Result:
        with trio.fail_after(A_HANG_S if realtime else A_VIRTUAL_DAY_S):
            return await test()

    with seeded_schedule(seed), seeded_chance(seed):
        if realtime:
            return trio.run(bounded)
        clock = MockClock(autojump_threshold=0)
        with virtual_wall(clock):
            return trio.run(bounded, clock=clock)
