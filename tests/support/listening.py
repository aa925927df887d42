"""Connections without a network: a listener to dial in memory, and what a client hears there."""

from __future__ import annotations

import socket
from types import SimpleNamespace

import trio
import trio.testing

from longfuse_protocol.client import Client

URL = "ws://memory/ws"


class FarEnd:
    """The socket of a stream in memory, as far as a server asks who is there, and still is."""

    def __init__(self, stream: trio.StapledStream, address: str) -> None:
        self._name = (address, 40_000)
        self._number = 3
        stream.receive_stream.close_hook = self._close

    def getpeername(self) -> tuple[str, int]:
        return self._name

    def fileno(self) -> int:
        return self._number

    def _close(self) -> None:
        self._number = -1


class MemoryListener(trio.abc.Listener[trio.StapledStream]):
    """A listener whose clients arrive through `dial`."""

    def __init__(self) -> None:
        self._arriving, self._arrived = trio.open_memory_channel[trio.StapledStream](100)
        self.socket = SimpleNamespace(family=socket.AF_UNIX, getsockname=lambda: ("memory", 1))
        self.servers_end: dict[trio.StapledStream, trio.StapledStream] = {}

    async def accept(self) -> trio.StapledStream:
        return await self._arrived.receive()

    async def aclose(self) -> None:
        self._arrived.close()
        await trio.lowlevel.checkpoint()

    def dial(self, address: str = "") -> trio.StapledStream:
        """Return the client's end of a new connection, from an address or from none."""
        mine, theirs = trio.testing.memory_stream_pair()
        if address:
            theirs.socket = FarEnd(theirs, address)
        self.servers_end[mine] = theirs
        self._arriving.send_nowait(theirs)
        return mine

    def deafen(self, mine: trio.StapledStream) -> None:
        """From now on, this client takes nothing: what the server sends to it stays unsent."""
        self.servers_end[mine].send_stream.send_all_hook = trio.sleep_forever


async def until(client: Client, kind: type, *, limit: int = 200) -> object:
    """Return the client's next event of a kind."""
    for _ in range(limit):
        event = await anext(client)
        if isinstance(event, kind):
            return event
    raise AssertionError(f"no {kind.__name__} came")
