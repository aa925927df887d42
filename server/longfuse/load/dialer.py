"""A connection that counts its bytes and can be cut, as a network does it.

A `Dialer` belongs to one client: it dials for it, again after every drop, and cuts what it dialled.
The client learns of a cut as of any broken connection.
"""

from __future__ import annotations

import socket
import struct
from urllib.parse import SplitResult, urlsplit

import trio

ABORT = struct.pack("ii", 1, 0)
"""SO_LINGER with no time to linger: closing sends a reset and drops what was not sent."""
PORTS = {"ws": 80, "wss": 443}


class Counted(trio.abc.Stream):
    """A TCP stream, and how many bytes went through it."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.received = 0
        self.sent = 0
        self._stream = stream
        self._is_cut = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send; broken once the line is cut."""
        try:
            await self._stream.send_all(data)
        except trio.ClosedResourceError as error:
            raise self._broken(error) from error
        self.sent += len(data)

    async def wait_send_all_might_not_block(self) -> None:
        """As of any stream."""
        try:
            await self._stream.wait_send_all_might_not_block()
        except trio.ClosedResourceError as error:
            raise self._broken(error) from error

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        """Receive; broken once the line is cut."""
        try:
            data = await self._stream.receive_some(max_bytes)
        except trio.ClosedResourceError as error:
            raise self._broken(error) from error
        self.received += len(data)
        return data

    async def aclose(self) -> None:
        """Close."""
        await self._stream.aclose()

    def cut(self) -> None:
        """Break the connection now: the other side gets a reset."""
        self._is_cut = True
        self._stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)
        self._stream.socket.close()

    def _broken(self, error: trio.ClosedResourceError) -> Exception:
        return trio.BrokenResourceError("cut") if self._is_cut else error


class Dialer:
    """Where a client's connections come from: one after the other, to the same server."""

    def __init__(self, url: str) -> None:
        self._address: SplitResult = urlsplit(url)
        self._lines: list[Counted] = []

    @property
    def received(self) -> int:
        """Bytes on all lines so far."""
        return sum(line.received for line in self._lines)

    @property
    def sent(self) -> int:
        """Bytes on all lines so far."""
        return sum(line.sent for line in self._lines)

    async def dial(self) -> trio.abc.Stream:
        """Connect, without TLS yet; raise OSError if that cannot be done."""
        host = self._address.hostname or ""
        port = self._address.port or PORTS.get(self._address.scheme, 0)
        stream = await trio.open_tcp_stream(host, port)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line = Counted(stream)
        self._lines.append(line)
        return line

    def cut(self) -> bool:
        """Break the newest line; False if there is none."""
        if not self._lines:
            return False
        self._lines[-1].cut()
        return True
