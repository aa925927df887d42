"""The processes of a load run: a server of its own, and the workers. Started here, and ended here.

A child leads a session of its own, so that an interrupt at the terminal reaches the main process
alone, which then ends the run in order. Leaving the block ends the child: asked first, then killed.
Where the main process is killed, its children's inputs end, and they end themselves.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from signal import SIGTERM

import msgspec
import trio

from longfuse.load.pipes import Lines
from longfuse.load.plan import SEATS, Run

GRACE_S = 5.0
"""Between asking a child to end and killing it."""
ENDING_S = 2 * GRACE_S + 1.0
SERVER_UP_S = 60.0
SAID_LINES_MAX = 20
EVERYDAY = b'"level": "info"'
"""In a server's log, what is not worth telling if it dies."""
ADDRESS = re.compile(rb"wss?://[^\s\x1b\"]+")


class NoServer(Exception):
    """The server that was started has not come up; the message has what it said."""


class Child:
    """A process of ours: its output by lines, and the last of what it said on standard error."""

    def __init__(self, name: str, process: trio.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.name = name
        self.process = process
        self.stdin: trio.abc.SendStream = process.stdin
        self.lines = Lines(process.stdout)
        self.address = ""
        """The first websocket address that it said."""
        self.spoke = trio.Event()
        """It said that address, or nothing more will come."""
        self._said: deque[str] = deque(maxlen=SAID_LINES_MAX)

    @property
    def said(self) -> str:
        """What it said last on standard error."""
        return "\n".join(self._said)

    async def hear(self, stream: trio.abc.ReceiveStream) -> None:
        """Keep the last lines of its standard error, and never let it wait for a reader."""
        lines = Lines(stream)
        while (line := await lines.read()) is not None:
            if self.address and EVERYDAY in line:
                continue
            self._said.append(line.decode(errors="replace"))
            found = None if self.address else ADDRESS.search(line)
            if found is not None:
                self.address = found.group().decode()
                self.spoke.set()
        self.spoke.set()


@contextlib.asynccontextmanager
async def open_child(name: str, command: Sequence[str]) -> AsyncIterator[Child]:
    """Start a process; end it with the block."""
    process = await trio.lowlevel.open_process(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stderr is not None
    child = Child(name, process)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(child.hear, process.stderr)
            yield child
            await _end(process)
            nursery.cancel_scope.cancel()
    finally:
        with trio.move_on_after(ENDING_S, shield=True):
            await _end(process)


async def _end(process: trio.Process) -> None:
    """Ask the process to end, and kill it if it does not."""
    if process.returncode is not None:
        return
    process.send_signal(SIGTERM)
    with trio.move_on_after(GRACE_S):
        await process.wait()
    if process.returncode is None:
        process.kill()
        with trio.move_on_after(GRACE_S):
            await process.wait()


def open_worker(number: int) -> AbstractAsyncContextManager[Child]:
    """Start a worker; it waits for its share."""
    return open_child(f"worker {number}", [sys.executable, "-m", "longfuse.load.worker"])


@contextlib.asynccontextmanager
async def open_server(run: Run) -> AsyncIterator[Child]:
    """Start a server that is large enough for the run; its folder is gone afterwards. Raises
    `NoServer`."""
    with tempfile.TemporaryDirectory(prefix="longfuse-load-") as folder:
        settings = trio.Path(folder, "server.toml")
        await settings.write_text(server_settings(run), encoding="utf-8")
        command = [sys.executable, "-m", "longfuse.load.tethered", "serve", "--port", "0"]
        command += ["--config", str(settings)]
        if run.journal:
            command += ["--data", f"{folder}/games"]
        async with open_child("server", command) as child:
            with trio.move_on_after(SERVER_UP_S):
                await child.spoke.wait()
            if not child.address:
                raise NoServer(child.said or f"it said nothing in {SERVER_UP_S:.0f} s")
            yield child


def server_settings(run: Run) -> str:
    """The settings of a server for this run, in TOML: room for all, and for those who come back."""
    clients = run.tables * (SEATS + run.spectators)
    limits = {
        "connections_max": 2 * clients + 100,
        "tables_max": 2 * run.tables + 100,
        "spectators_max": 2 * run.spectators + 100,
    }
    return "".join(
        f"{key} = {value}\n" for key, value in {**limits, "log_format": '"json"'}.items()
    )


def allow_files() -> None:
    """Let this process, and those that it starts, open as many connections as they may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What a process has had of the machine's cores, in seconds."""

    cpu_s: float
    """Of all its threads, system calls included."""
    waited_s: float | None
    """For how long its main thread could have run and had no core; None if the system is silent."""

    def since(self, before: Usage) -> Usage:
        """What it has had since then."""
        waited_s = None
        if self.waited_s is not None and before.waited_s is not None:
            waited_s = self.waited_s - before.waited_s
        return Usage(cpu_s=self.cpu_s - before.cpu_s, waited_s=waited_s)


def usage_of(pid: int) -> Usage | None:
    """What a process has had so far; None where the system does not tell it."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    # The name, in brackets, may hold anything; user and system ticks are fields 14 and 15.
    user, system = stat.rpartition(")")[2].split()[11:13]
    waited_s = None
    with contextlib.suppress(OSError):  # a kernel may be built without it
        _ran, waited, _times = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()
        waited_s = int(waited) / 1e9
    return Usage(cpu_s=(int(user) + int(system)) / os.sysconf("SC_CLK_TCK"), waited_s=waited_s)
