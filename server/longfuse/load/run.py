"""A whole run: the server, if it is ours; the workers; when they begin and end; what they report.

Owns the processes for as long as it lasts. Every wait is bounded: a worker that dies or is late
is an error in the outcome, and the others go on.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Callable

import msgspec
import trio

from longfuse.load.meter import Tally, merge
from longfuse.load.pipes import Beat, Done, Go, Opened, Stop, read_from_worker, write
from longfuse.load.plan import Run, Share, divide
from longfuse.load.processes import (
    Child,
    Usage,
    allow_files,
    open_server,
    open_worker,
    usage_of,
)
from longfuse.load.worker import ENDING_S

OPENING_S = 300.0
"""For all tables to be opened."""
REPORTING_S = ENDING_S + 30.0
"""For a worker to report and end, after the end of the run."""
AHEAD_S = 0.1
"""Between telling the workers when to begin and that moment."""
PROGRESS_S = 1.0


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a run is."""

    seconds: float
    """Since its beginning; 0 while tables are being opened."""
    is_over: bool = False
    """Nothing more is decided; the last answers are waited for."""
    opened: int = 0
    decisions: int = 0
    games_over: int = 0
    errors: int = 0
    violations: int = 0


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a run."""

    run: Run
    server: str
    """Whose server it was."""
    seconds: float
    """How long it was measured: less than asked for if it was ended early."""
    tally: Tally
    workers: int
    failures: tuple[str, ...] = ()
    """Processes that died or did not report."""
    usage: Usage | None = None
    """The server's while it was measured; None if unknown."""


class Load:
    """One run. `run` does it; `stop` ends it early."""

    def __init__(self, run: Run, show: Callable[[Progress], None]) -> None:
        self._run = run
        self._show = show
        self._beats: dict[str, Beat] = {}
        self._opened: dict[str, int] = {}
        self._tallies: dict[str, Tally] = {}
        self._failures: list[str] = []
        self._silent: set[str] = set()
        """Workers that have ended, or closed their output."""
        self._workers = 0
        self._began = float("inf")
        self._stopped = trio.Event()
        self._is_over = False
        self._news = trio.Event()

    def stop(self) -> None:
        """End the run now, with a report."""
        self._stopped.set()

    async def run(self, url: str, pid: int | None) -> Outcome:
        """Do it, on that server or with "" on one of its own. Raises `NoServer`, `OSError`."""
        allow_files()
        async with self._server(url, pid) as (address, server):
            shares = divide(self._run, address)
            self._workers = len(shares)
            async with contextlib.AsyncExitStack() as stack:
                workers = [
                    await stack.enter_async_context(open_worker(share.number)) for share in shares
                ]
                seconds, usage = await self._measure(workers, shares, server)
        return Outcome(
            run=self._run,
            server=url or f"its own, {'with' if self._run.journal else 'without'} journals",
            seconds=seconds,
            tally=merge(self._tallies.values()),
            workers=len(shares),
            failures=tuple(self._failures),
            usage=usage,
        )

    @contextlib.asynccontextmanager
    async def _server(self, url: str, pid: int | None) -> AsyncIterator[tuple[str, int | None]]:
        if url:
            yield url, pid
            return
        async with open_server(self._run) as child, trio.open_nursery() as nursery:
            nursery.start_soon(self._mourn, child)
            yield child.address, child.process.pid
            nursery.cancel_scope.cancel()

    async def _mourn(self, server: Child) -> None:
        """End the run if its own server has ended: nothing more can be measured."""
        code = await server.process.wait()
        self._failures.append(f"the server has ended with code {code}: {server.said}")
        self.stop()

    async def _measure(
        self, workers: list[Child], shares: tuple[Share, ...], server: int | None
    ) -> tuple[float, Usage | None]:
        """Return how many seconds were measured, and what the server had of the CPU meanwhile."""
        async with trio.open_nursery() as nursery:
            for worker, share in zip(workers, shares, strict=True):
                nursery.start_soon(self._follow, worker, share)
            nursery.start_soon(self._tell_progress)
            with trio.move_on_after(OPENING_S):
                await self._until(lambda: len(self._opened) == len(workers))
            if not any(self._opened.values()):
                self.stop()  # nothing can be measured here
            began = self._began = trio.current_time() + AHEAD_S
            await self._tell(workers, Go(time.monotonic() + AHEAD_S))
            with trio.move_on_at(began):
                await self._stopped.wait()
            before = _usage_of(server)
            with trio.move_on_at(began + self._run.seconds):
                await self._stopped.wait()
            seconds = max(0.0, trio.current_time() - began)
            self._is_over = True
            after = _usage_of(server)
            if self._stopped.is_set():
                await self._tell(workers, Stop())
            with trio.move_on_after(REPORTING_S):
                await self._until(lambda: False)
            nursery.cancel_scope.cancel()
        for worker in workers:
            if worker.name not in self._tallies:
                told = worker.said or "it said nothing"
                self._failures.append(f"{worker.name} has not reported: {told}")
        return seconds, None if before is None or after is None else after.since(before)

    async def _until(self, done: Callable[[], bool]) -> None:
        """Wait until it is so, or no worker has more to say."""
        while not done() and len(self._silent) < self._workers:
            self._news = trio.Event()
            await self._news.wait()

    async def _tell(self, workers: list[Child], order: Go | Stop) -> None:
        for worker in workers:
            # One that is gone or hangs has no report in the end, and that is told.
            with contextlib.suppress(OSError, trio.BrokenResourceError, trio.TooSlowError):
                await write(worker.stdin, order)

    async def _follow(self, worker: Child, share: Share) -> None:
        """Give a worker its share, and hear what it reports until it has ended.

        One that has reported ends by itself. To end it in the middle of that would leave half done
        what its process does last.
        """
        with contextlib.suppress(OSError, trio.BrokenResourceError, trio.TooSlowError):
            await write(worker.stdin, share)
        while (line := await worker.lines.read()) is not None:
            match read_from_worker(line):
                case Opened(tables):
                    self._opened[worker.name] = tables
                case Beat() as beat:
                    self._beats[worker.name] = beat
                case Done(tally):
                    self._tallies[worker.name] = tally
            self._news.set()
        self._silent.add(worker.name)
        self._news.set()

    async def _tell_progress(self) -> None:
        while True:
            beats = self._beats.values()
            self._show(
                Progress(
                    seconds=max(0.0, trio.current_time() - self._began),
                    is_over=self._is_over,
                    opened=sum(self._opened.values()),
                    decisions=sum(beat.decisions for beat in beats),
                    games_over=sum(beat.games_over for beat in beats),
                    errors=sum(beat.errors for beat in beats),
                    violations=sum(beat.violations for beat in beats),
                )
            )
            await trio.sleep(PROGRESS_S)


def _usage_of(server: int | None) -> Usage | None:
    return None if server is None else usage_of(server)
