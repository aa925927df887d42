"""All tables of a process end together, also when the end is moved."""

from __future__ import annotations

import trio
import trio.testing

from longfuse.load.clock import Clock


async def test_a_run_ends_when_it_was_to() -> None:
    """Whoever waits by the clock goes on then, also who waited before it began."""
    clock = Clock()
    ended = []

    async def wait() -> None:
        await clock.ended()
        ended.append(trio.current_time())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        start = trio.current_time()
        clock.begin(start, 10.0)
        nursery.start_soon(wait)
        await trio.sleep(5)
        assert (ended, clock.is_over) == ([], False)

    assert ended == [start + 10.0] * 2
    assert clock.is_over


async def test_a_run_can_end_early_and_not_late() -> None:
    """An interrupt ends every wait at once; one after the end changes nothing."""
    clock = Clock()
    start = trio.current_time()
    clock.begin(start, 10.0)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(clock.ended)
        await trio.sleep(4)
        clock.stop(trio.current_time())

    assert trio.current_time() == clock.end == start + 4
    clock.stop(start + 20)
    assert clock.end == start + 4
