"""One process of a load run: it plays its share of the tables and reports through its pipes.

Started as `python -m longfuse.load.worker` by `processes`, which owns it. It reads its share, opens
the tables, says so, waits to be told when to begin, and ends with a tally. It ends early when it is
told to, or when its input does. It says nothing else on standard output.
"""

from __future__ import annotations

import gc
import os
import time

import trio

from longfuse.load.clock import Clock
from longfuse.load.meter import Meter
from longfuse.load.pipes import (
    Beat,
    Done,
    Go,
    Lines,
    Opened,
    Stop,
    read_share,
    read_to_worker,
    write,
)
from longfuse.load.plan import Share
from longfuse.load.table import Table

OPENING_AT_ONCE = 16
"""Tables that one worker opens at a time: a crowd at the door is not what is measured."""
BEAT_S = 1.0
LOOK_S = 0.2
"""Between two looks at whether the server is there, after the end."""
ENDING_S = 15.0
"""For answers that are under way at the end, and for closing."""
GC_THRESHOLDS = (20_000, 20, 50)
"""A full collection here would look like a slow server."""


class Worker:
    """One share of a run."""

    def __init__(self, share: Share) -> None:
        self._share = share
        self._clock = Clock()
        self._meter = Meter()
        self._tables = [Table(plan, share.url, self._clock, self._meter) for plan in share.tables]
        self._patience = trio.CancelScope()
        """Around all that is played, its last answers included."""
        self._cpu_s = 0.0

    async def run(self, orders: Lines, reports: trio.abc.SendStream) -> None:
        """Open, begin when told, play, report."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._obey, orders)
            nursery.start_soon(self._report, reports)
            nursery.start_soon(self._give_up)
            with self._patience:
                await self._play(reports)
            nursery.cancel_scope.cancel()
        await write(reports, Done(self._meter.tally(self._cpu_s)))

    async def _play(self, reports: trio.abc.SendStream) -> None:
        gate = trio.CapacityLimiter(OPENING_AT_ONCE)
        async with trio.open_nursery() as tables:
            for table in self._tables:
                tables.start_soon(table.run, gate)
            tables.start_soon(self._end)
            for table in self._tables:
                await table.opened.wait()
            await write(reports, Opened(sum(table.is_open for table in self._tables)))

    async def _obey(self, orders: Lines) -> None:
        while (line := await orders.read()) is not None:
            match read_to_worker(line):
                case Go(at):
                    await self._begin(trio.current_time() + at - time.monotonic())
                case Stop():
                    self._stop()
        self._stop()  # who has started this process is gone

    async def _begin(self, start: float) -> None:
        await trio.sleep_until(start)
        self._meter.is_on = True
        self._cpu_s = -time.process_time()
        self._clock.begin(start, self._share.seconds)

    def _stop(self) -> None:
        """End the run here, whether or not it has begun."""
        now = trio.current_time()
        if not self._clock.begun.is_set():
            self._clock.begin(now, 0.0)
        self._clock.stop(now)

    async def _end(self) -> None:
        """Cut off what is not done some time after the end."""
        await self._clock.begun.wait()
        await self._clock.ended()
        self._cpu_s += time.process_time()
        self._patience.deadline = trio.current_time() + ENDING_S

    async def _give_up(self) -> None:
        """Wait for no answers after the end where nobody is there to give any."""
        await self._clock.begun.wait()
        await self._clock.ended()
        while True:
            await trio.sleep(LOOK_S)
            if all(table.is_done or table.is_cut_off for table in self._tables):
                self._patience.cancel()

    async def _report(self, reports: trio.abc.SendStream) -> None:
        await self._clock.begun.wait()
        while True:
            await trio.sleep(BEAT_S)
            meter = self._meter
            beat = Beat(
                decisions=meter.decisions.total(),
                games_over=meter.games_over,
                errors=meter.errors.total(),
                violations=meter.violations,
            )
            await write(reports, beat)


async def main() -> None:
    """Do what the standard input says."""
    orders = Lines(trio.lowlevel.FdStream(os.dup(0)))
    async with trio.lowlevel.FdStream(os.dup(1)) as reports:
        line = await orders.read()
        if line is None:
            return
        await Worker(read_share(line)).run(orders, reports)


if __name__ == "__main__":
    gc.set_threshold(*GC_THRESHOLDS)
    trio.run(main)
