"""Running a server inside a command: its start, its end by signals, and what comes out of trio.

Owns the step from trio's groups of exceptions to what a command tells its user.
"""

from __future__ import annotations

import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

import trio

from longfuse.cli.hosting import BOTS, Games, Journals, NoJournals
from longfuse.cli.output import CommandError
from longfuse.config import Config
from longfuse.host import ports
from longfuse.host.server import Running, serve
from longfuse.journal.store import FileStore
from longfuse.journal.writer import open_writer

T = TypeVar("T")

TOLD = (OSError, CommandError, KeyboardInterrupt)
"""Errors of the outside world: they are told in a sentence, not as a traceback."""


def run(main: Callable[..., Awaitable[T]], *arguments: object) -> T:
    """Run an async command.

    Raises:
        CommandError: the system refused something that it needs, or the command cannot be done.
        KeyboardInterrupt: it was interrupted.
    """
    try:
        return trio.run(main, *arguments)
    except BaseExceptionGroup as group:
        told, rest = group.split(TOLD)
        if told is None or rest is not None:
            raise
        error = _first(told)
    except OSError as alone:
        error = alone
    if isinstance(error, OSError):
        raise CommandError(str(error)) from error
    raise error


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


@asynccontextmanager
async def open_journals(games: Games, folder: str) -> AsyncGenerator[ports.Journal, None]:
    """Journals in that folder; with "", none are kept."""
    if not folder:
        yield NoJournals()
        return
    async with open_writer(FileStore(Path(folder))) as writer:
        yield Journals(games, writer)


class Server(NamedTuple):
    """A server while it runs: where it is, and the event of its end."""

    running: Running
    finished: trio.Event


@asynccontextmanager
async def open_server(config: Config) -> AsyncGenerator[Server, None]:
    """A server that runs until it is drained; leaving the block ends it at once.

    The first SIGTERM or SIGINT drains it, the second cancels everything.
    """
    games, finished = Games(), trio.Event()

    async def work(journal: ports.Journal, *, task_status: trio.TaskStatus[Running]) -> None:
        await serve(config, games, journal, bots=BOTS, task_status=task_status)
        finished.set()

    async with open_journals(games, config.data) as journal, trio.open_nursery() as nursery:
        running: Running = await nursery.start(work, journal)
        ends = (running.drain, nursery.cancel_scope.cancel)
        await nursery.start(end_on_signals, ends)
        yield Server(running, finished)
        nursery.cancel_scope.cancel()


async def end_on_signals(
    ends: Sequence[Callable[[], None]],
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Call the first of `ends` on the first signal, the next on the next."""
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        task_status.started()
        for end in ends:
            await anext(signals)
            end()
