"""Running a server inside a command: its start, its end by signals, and what comes out of trio.

Owns the step from trio's groups of exceptions to what a command tells its user.
"""

from __future__ import annotations

import signal
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TypeVar

import trio

from longfuse import config
from longfuse.cli.hosting import BOTS, Games, Journals, MemoryJournals
from longfuse.cli.output import CommandError
from longfuse.config import Config, ConfigError
from longfuse.host import ports
from longfuse.host.kept_secrets import MemorySecrets, open_secrets
from longfuse.host.server import Running, serve
from longfuse.journal.store import FileStore
from longfuse.journal.writer import open_writer

T = TypeVar("T")

TOLD = (OSError, ConfigError, CommandError, KeyboardInterrupt)
"""Errors of the outside world: they are told in a sentence, not as a traceback."""


def run(main: Callable[..., Awaitable[T]], *arguments: object) -> T:
    """Run an async command.

    Raises:
        CommandError: the system refused something that it needs, a setting cannot be used, or the
            command cannot be done.
        BrokenPipeError: whoever read its output has gone.
        KeyboardInterrupt: it was interrupted.
    """
    try:
        return trio.run(main, *arguments)
    except BaseExceptionGroup as group:
        told, rest = group.split(TOLD)
        if told is None or rest is not None:
            raise
        error = first(told)
    except (OSError, ConfigError) as alone:
        error = alone
    if isinstance(error, BrokenPipeError):
        raise error  # whoever read our output has gone
    if isinstance(error, (OSError, ConfigError)):
        raise CommandError(str(error)) from error
    raise error


def settings(path: Path | None = None, **flags: object) -> Config:
    """A server's settings: the file's, if there is one, and over them what is not None.

    Raises CommandError with the name and the value of one that cannot be used.
    """
    try:
        return config.load(path, flags)
    except ConfigError as error:
        raise CommandError(str(error)) from error


def first(error: BaseException) -> BaseException:
    """The first error of a group of groups, or the error itself."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


@asynccontextmanager
async def open_journals(folder: str) -> AsyncGenerator[ports.Journal, None]:
    """Journals in that folder; with "", the last games are kept in memory."""
    if not folder:
        yield MemoryJournals()
        return
    files = FileStore(Path(folder))
    async with open_writer(files) as writer:
        yield Journals(writer, files)


def check_folder(path: Path) -> None:
    """Raise CommandError unless games can be kept there; the folder is made, if there is none."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        told = "games need a folder that this user may make, or may write to"
        raise CommandError(f"{path}: {error.strerror or error}: {told}") from error


@asynccontextmanager
async def open_server(given: Config, *, drains: bool = True) -> AsyncGenerator[Running, None]:
    """A server; leaving the block waits until it has been drained.

    The first SIGTERM or SIGINT drains it, the next cancels everything; without `drains`, the first
    one does.
    """
    games = Games(given.cards)
    games.load()
    if given.data:
        check_folder(Path(given.data))
    kept = open_secrets(Path(given.data)) if given.data else nullcontext(MemorySecrets())
    with kept as secrets:
        async with open_journals(given.data) as journal:
            with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
                async with trio.open_nursery() as nursery:
                    async with trio.open_nursery() as serving:
                        running: Running = await serving.start(
                            partial(serve, given, games, journal, bots=BOTS, secrets=secrets)
                        )
                        ends = [running.drain] if drains else []
                        nursery.start_soon(_end, signals, [*ends, nursery.cancel_scope.cancel])
                        yield running
                    nursery.cancel_scope.cancel()


async def _end(signals: AsyncIterator[int], ends: Sequence[Callable[[], None]]) -> None:
    """Call the first of `ends` on the first signal, the next on the next."""
    for end in ends:
        await anext(signals)
        end()
