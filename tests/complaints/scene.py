"""What the complaints' tests share: networks that fail as real ones do, and servers on sockets."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable

import msgspec
import trio

from host.rig import MemoryJournal, Raw, Rig
from host.toy import ToyFactory
from longfuse.config import Config
from longfuse.host.server import serve
from longfuse_protocol import messages as m
from longfuse_protocol.client import Client, Retry, open_client
from longfuse_protocol.codec import JSON, MSGPACK
from support.listening import URL

LONG = bool(os.environ.get("LONGFUSE_LONG"))
"""Whether the heavy forms run: the counts and times of the complaints themselves."""
DEADLINE_S = 240
"""Real time that anything may take. No test measures it; one that hangs fails."""
QUICK = Retry(tries=8, within_s=60, base_s=0.1, most_s=1)
PATIENT = Retry(tries=100, within_s=500, base_s=0.1, most_s=1)
settle = trio.testing.wait_all_tasks_blocked


class Network:
    """What one player's connections go through. It can be cut, stay away, and spoil what it brings.

    spoil: is given the payload of each frame of the server, and returns what comes of it; None
    where it is lost. breaks: where the next thing that the client sends ends the connection.
    """

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.dials = 0
        self.is_up = True
        self.spoil: Callable[[bytes], bytes | None] | None = None
        self.breaks: str = ""
        """"before" it arrives, "after" it has."""
        self._wire: Wire | None = None

    async def dial(self) -> trio.abc.Stream:
        self.dials += 1
        await trio.lowlevel.checkpoint()
        if not self.is_up:
            raise OSError("there is no network")
        self._wire = Wire(self.rig.listener.dial(), self)
        return self._wire

    async def cut(self, *, stays_away: bool = False) -> None:
        """End the connection without a farewell."""
        self.is_up = not stays_away
        assert self._wire is not None
        await trio.aclose_forcefully(self._wire)
        await settle()

    def client(
        self, name: str, retry: Retry = QUICK, **how: object
    ) -> contextlib.AbstractAsyncContextManager[Client]:
        """Return a proper client behind this network, to be entered."""
        return open_client(URL, name=name, subprotocol=JSON, dial=self.dial, retry=retry, **how)


class Wire(trio.abc.Stream):
    """One connection through a network."""

    def __init__(self, stream: trio.StapledStream, network: Network) -> None:
        self._stream = stream
        self._network = network
        self._came = b""
        self._is_open = False
        """The handshake is over, and what comes are frames."""

    async def send_all(self, data: bytes) -> None:
        how, self._network.breaks = self._network.breaks, ""
        if how != "before":
            await self._stream.send_all(data)
        if how:
            self._network.is_up = False
            await trio.aclose_forcefully(self._stream)
            raise trio.BrokenResourceError("cut")

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        while True:
            data = await self._stream.receive_some()
            self._came += bytes(data)
            passed = self._take()
            if passed or not data:
                return passed

    async def aclose(self) -> None:
        await self._stream.aclose()

    def _take(self) -> bytes:
        passed = b""
        if not self._is_open:
            head, end, rest = self._came.partition(b"\r\n\r\n")
            if not end:
                return b""
            passed, self._came, self._is_open = head + end, rest, True
        while (size := _frame_size(self._came)) is not None:
            frame, self._came = self._came[:size], self._came[size:]
            passed += self._spoilt(frame)
        return passed

    def _spoilt(self, frame: bytes) -> bytes:
        if self._network.spoil is None:
            return frame
        head = 2 + {126: 2, 127: 8}.get(frame[1], 0)
        payload = self._network.spoil(frame[head:])
        if payload is None:
            return b""
        assert len(payload) == len(frame) - head, "it may change, but not grow"
        return frame[:head] + payload


def _frame_size(data: bytes) -> int | None:
    """Return how long the server's frame is that the data begins with; None if it is not whole."""
    if len(data) < 2:
        return None
    head, size = 2, data[1]
    if size in (126, 127):
        width = 2 if size == 126 else 8
        head += width
        size = int.from_bytes(data[2:head], "big")
    return head + size if len(data) >= head + size else None


# ---------------------------------------------------------------- on sockets


@contextlib.asynccontextmanager
async def open_server(**settings):
    """Run a server of the toy on a real port."""
    factory, journal = ToyFactory(), MemoryJournal()
    config = msgspec.structs.replace(Config(port=0), **settings)
    async with trio.open_nursery() as nursery:
        running = await nursery.start(functools.partial(serve, config, factory, journal))
        yield Rig(running, None, factory, journal)
        nursery.cancel_scope.cancel()


def on_sockets(rig: Rig, name: str, **how: object):
    """Return a proper client over a socket, to be entered."""
    return open_client(rig.running.url, name=name, **how)


async def raw_on_socket(port: int, subprotocol: str = MSGPACK) -> Raw:
    """Connect with an improper client."""
    return Raw(await trio.open_tcp_stream("127.0.0.1", port), subprotocol)


def reset(stream: trio.SocketStream) -> None:
    """End a connection as a crash does: with RST."""
    stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.socket.close()


@contextlib.contextmanager
def serving(*arguments: str):
    """Run `longfuse serve` as a process; give the process and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "longfuse", "serve", "--port", "0", *arguments],
        stderr=subprocess.PIPE,
        text=True,
    )
    drain = threading.Thread(target=lambda: [None for _ in process.stderr])
    try:
        line = next(line for line in process.stderr if "server_started" in line)
        drain.start()  # a log that nobody reads would hold the server up
        yield process, "ws://" + line.split("ws://")[1].split('"')[0].split("\x1b")[0].strip()
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
        process.wait(DEADLINE_S)
        if drain.is_alive():
            drain.join(DEADLINE_S)
        process.stderr.close()


def rss_bytes(pid: int | str = "self") -> int:
    """Return how much memory a process holds."""
    with open(f"/proc/{pid}/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# ---------------------------------------------------------------- seen from outside


async def hear_out(client: Client) -> list[object]:
    """Return all that the client has been told and has not looked at."""
    await settle()
    told = []
    while True:
        with trio.move_on_after(0.001) as silence:
            told.append(await anext(client))
        if silence.cancelled_caught:
            return told


def agree(*clients: Client) -> None:
    """See that these seats have one and the same game before them."""
    shared = {}
    for client in clients:
        assert not client.mirror.is_lost
        entities = client.mirror.view.entities
        for key in ("mark", "heap"):
            assert shared.setdefault(key, entities[key]) == entities[key]
    asked = [client.place.seat for client in clients if client.prompt is not None]
    assert asked == ([] if shared["mark"]["asked"] is None else [shared["mark"]["asked"]])


async def take(client: Client) -> m.Answered:
    """Answer the open prompt with its default."""
    assert client.prompt is not None
    return await client.decide(client.prompt, client.prompt.default)
