"""The sample clients: they play whole games of every ruleset, also through drops."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import trio

import longfuse_protocol
from longfuse.cli.running import open_server
from longfuse.config import Config
from longfuse.rulesets import catalogue
from longfuse_protocol.errors import CLOSES
from support.schedule import A_HANG_S

pytestmark = [pytest.mark.realtime, pytest.mark.slow]
SAMPLES = Path(longfuse_protocol.__file__).parents[1] / "samples"
LINES_MAX = 60
ENV = {**os.environ, "NO_PROXY": "*", "NODE_NO_WARNINGS": "1"}


@functools.cache
def node() -> list[str] | None:
    """How to call a node that has websockets; None if there is none."""
    if shutil.which("node") is None:
        return None
    for flags in ([], ["--experimental-websocket"]):
        asked = ["node", *flags, "-e", "process.exit(typeof WebSocket === 'function' ? 0 : 1)"]
        if subprocess.run(asked, env=ENV, capture_output=True, timeout=A_HANG_S).returncode == 0:
            return ["node", *flags]
    return None


PYTHON = [sys.executable, str(SAMPLES / "client.py")]


def javascript() -> list[str]:
    """How to call the client in JavaScript; skips the test where that cannot run."""
    found = node()
    if found is None:
        pytest.skip("there is no node with websockets here")
    return [*found, str(SAMPLES / "client.mjs")]


class Cutter:
    """A relay before a server that breaks each connection after so many bytes from the server.

    Each connection gets a little further than the one before, so that every game comes to its end.
    """

    def __init__(self, port: int, first: int) -> None:
        self._port = port
        self._bytes = first
        self.cuts = 0

    async def relay(self, client: trio.SocketStream) -> None:
        """Carry one connection, until either side ends it or it is cut."""
        left, self._bytes = self._bytes, self._bytes * 8 // 5
        async with (
            client,
            await trio.open_tcp_stream("127.0.0.1", self._port) as server,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(self._carry, client, server, None, nursery.cancel_scope)
            nursery.start_soon(self._carry, server, client, left, nursery.cancel_scope)

    async def _carry(self, source, target, left, scope) -> None:
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            while data := await source.receive_some():
                if left is not None:
                    data, left = data[:left], left - len(data)
                await target.send_all(data)
                if left is not None and left <= 0:
                    self.cuts += 1
                    break
        scope.cancel()


@contextlib.asynccontextmanager
async def open_cutter(port: int, first: int):
    """Run a relay on a port that the system chooses."""
    cutter = Cutter(port, first)
    async with trio.open_nursery() as nursery:
        serve = functools.partial(trio.serve_tcp, cutter.relay, 0, host="127.0.0.1")
        (listener,) = await nursery.start(serve)
        yield cutter, listener.socket.getsockname()[1]
        nursery.cancel_scope.cancel()


class Player:
    """One run of a sample client."""

    def __init__(self, words: list[str], port: int) -> None:
        self.words = [*words, f"ws://127.0.0.1:{port}/ws"]
        self.lines: list[str] = []
        self.code: int | None = None

    async def run(self, verb: str, name: str, *, task_status=trio.TASK_STATUS_IGNORED) -> None:
        """Run it to its end; whoever started it is given the table's id as soon as it is told."""
        process = await trio.lowlevel.open_process(
            [*self.words, verb, name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENV
        )
        out, is_told = b"", False
        try:
            async for part in process.stdout:
                out += part
                self.lines = out.decode().splitlines()
                if not is_told and b"\n" in out:
                    is_told = True
                    task_status.started(self.lines[0].removeprefix("table "))
            self.code = await process.wait()
        finally:
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()

    @property
    def end(self) -> str:
        """What it says of the end, each language's word for nothing being the same."""
        return self.lines[-1].replace("None", "null")


async def play_pair(ruleset: str, ada: Player, bob: Player) -> None:
    """Let one open a table and the other join it, and both play to the end."""
    async with trio.open_nursery() as nursery:
        table = await nursery.start(ada.run, "create", ruleset)
        nursery.start_soon(bob.run, "join", table)


def check(ada: Player, bob: Player) -> None:
    """Both were at one table, and agree on how the game ended."""
    assert (ada.code, bob.code) == (0, 0), ada.lines + bob.lines
    assert {line for line in ada.lines + bob.lines if line.startswith("table ")} == {ada.lines[0]}
    assert ada.end == bob.end
    assert ada.end.startswith("winner ")


@pytest.mark.complaint("servers 61")
@pytest.mark.parametrize("first", ["python", "javascript"])
@pytest.mark.parametrize("ruleset", catalogue.names())
async def test_they_play_each_other(ruleset, first):
    """Python against JavaScript, whichever opens the table: both end well and agree who won."""
    programs = [PYTHON, javascript()]
    if first == "javascript":
        programs.reverse()
    async with open_server(Config(port=0)) as running:
        ada, bob = (Player(words, running.port) for words in programs)
        await play_pair(ruleset, ada, bob)
        running.drain()

    check(ada, bob)
    assert len(ada.lines) == len(bob.lines) == 2


@pytest.mark.parametrize("ruleset", catalogue.names())
@pytest.mark.parametrize("language", ["python", "javascript"])
async def test_they_come_back(ruleset, language):
    """Through a network that breaks every connection, they come back and end as without it."""
    words = PYTHON if language == "python" else javascript()
    async with open_server(Config(port=0)) as running:
        async with open_cutter(running.port, first=500) as (cutter, port):
            ada, bob = Player(words, port), Player(words, port)
            await play_pair(ruleset, ada, bob)
        running.drain()

    check(ada, bob)
    assert cutter.cuts > 4
    assert len(ada.lines) + len(bob.lines) > 4  # each is told its table again when it is back


async def test_a_refusal_is_told():
    """Where there is no such table, a client says so and ends with an error."""
    async with open_server(Config(port=0)) as running:
        for words in [PYTHON, *([javascript()] if node() else [])]:
            player = Player(words, running.port)
            await player.run("join", "nowhere")
            assert player.code == 1
            assert any("refused" in line and "unknown_table" in line for line in player.lines)
        running.drain()


@pytest.mark.parametrize("name", ["client.py", "client.mjs"])
def test_they_are_short(name):
    """Each is at most 60 lines, and none of them is endless."""
    lines = (SAMPLES / name).read_text(encoding="utf-8").splitlines()

    assert len(lines) <= LINES_MAX
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("name", ["client.py", "client.mjs"])
def test_they_come_back_after_the_right_close_codes(name):
    """They connect again after what the protocol says, and after nothing else."""
    text = (SAMPLES / name).read_text(encoding="utf-8")
    named = {int(code) for code in re.findall(r"\b1\d{3}\b", text)}

    # A connection that just broke has no close frame, and so no code, in Python.
    retried = {int(code) for code, close in CLOSES.items() if close.retry}
    assert named | {1006} == retried
