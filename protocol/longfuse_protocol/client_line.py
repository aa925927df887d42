"""One connection of the reference client, from dialling to its end, and why it ended.

The client makes a `Line` for each try and runs it. One task reads and one writes; both end with
`run`, which leaves no task and no open stream, whether it returns or is cancelled. Every wait has a
bound: a server that is silent for two heartbeats, or takes nothing, is given up.
"""

import errno
import os
import ssl as tls
from collections.abc import Awaitable, Callable

import msgspec
import trio
from websockets.exceptions import (
    ConnectionClosed,
    InvalidStatus,
    InvalidURI,
    WebSocketException,
)
from websockets.http11 import Response
from websockets.trio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from longfuse_protocol.codec import Codec
from longfuse_protocol.errors import CLOSES, CloseCode, WireError

WRITE_S = 5.0
CLOSE_S = 5.0
HEARTBEAT_S = 15.0
OUTBOX_MAX = 128
INBOUND_BYTES_MAX = 4 * 1_024 * 1_024

TOO_MANY_REQUESTS = 429
TOLD_MAX = 200
"""Most characters of what a server says why it is none."""

Dial = Callable[[], Awaitable[trio.abc.Stream]]
"""Opens a stream to the server."""


class Route(msgspec.Struct, frozen=True):
    """How a server is reached: by its address alone, or over a stream that `dial` opens."""

    url: str
    codec: Codec
    dial: Dial | None = None
    ssl: tls.SSLContext | None = None


class Parting(msgspec.Struct, frozen=True):
    """Why a connection has ended, or never stood."""

    code: int
    reason: str
    retry: bool
    """Whether connecting again may help."""
    retry_s: float = 0.0
    """How long to wait first, at least."""
    rejected: str = ""


class Line:
    """One connection. `put` and `cut` wait for nothing."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._socket: ClientConnection | None = None
        self._scope = trio.CancelScope()
        self._closing = trio.CancelScope()
        self._parting: Parting | None = None
        self._late = ""
        """Why the connection is given up when the time is over that `hurry` has set."""
        self._outbox, self._to_write = trio.open_memory_channel[bytes](OUTBOX_MAX)
        self._written = trio.Event()
        """Nothing more will be sent."""

    def put(self, data: bytes) -> bool:
        """Take a message to be sent; return False, and give the connection up, if it is stuck."""
        try:
            self._outbox.send_nowait(data)
        except trio.WouldBlock:
            self.cut(Parting(int(CloseCode.LOST), "the server does not read", retry=True))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        else:
            return True
        return False

    def cut(self, parting: Parting) -> None:
        """End the connection at once, for this reason."""
        if self._parting is None:
            self._parting = parting
        self._outbox.close()
        self._scope.cancel()

    def hurry(self, within_s: float, why: str) -> None:
        """Give the connection up after so many seconds, for this reason, unless it settles."""
        self._late = why
        self._scope.deadline = trio.current_time() + within_s

    def settle(self) -> None:
        """Hear that what was waited for has come."""
        self._scope.deadline = float("inf")

    async def close(self) -> None:
        """Send what was put and close in good order, or after a while in any."""
        if self._socket is not None:
            with trio.move_on_after(CLOSE_S) as self._closing:
                self._outbox.close()
                await self._written.wait()
                await self._socket.aclose()

    async def run(
        self, patience_s: float, opened: Callable[[], None], hear: Callable[[bytes], None]
    ) -> Parting:
        """Connect, and hear until the end. `settle` must come within so many seconds.

        `opened` is called once the connection stands, `hear` for each message; neither waits.
        """
        parting = None
        self.hurry(patience_s, f"{self._route.url}: no connection in time")
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    parting = await self._talk(nursery, opened, hear)
                    nursery.cancel_scope.cancel()
        finally:
            self._outbox.close()
            self._to_write.close()
            self._socket = None
            self._closing.cancel()  # there is nothing to wait for any more
        return self._parting or parting or Parting(int(CloseCode.LOST), self._late, retry=True)

    async def _talk(
        self,
        nursery: trio.Nursery,
        opened: Callable[[], None],
        hear: Callable[[bytes], None],
    ) -> Parting:
        try:
            socket = self._socket = await self._connect(nursery)
        except InvalidURI as error:
            return Parting(int(CloseCode.LOST), str(error), retry=False)
        except ValueError as error:  # an address with a port that is none, ours or a redirect's
            text = f"no connection to {self._route.url} can be made: {error}"
            return Parting(int(CloseCode.LOST), text, retry=False)
        except InvalidStatus as error:
            return _turned_away(self._route.url, error.response)
        except (OSError, WebSocketException, trio.BrokenResourceError) as error:
            text = f"{self._route.url}: {_told(error)}"
            return Parting(int(CloseCode.LOST), text, retry=True)
        try:
            if socket.subprotocol != self._route.codec.subprotocol:
                text = f"{self._route.url}: what answers there speaks no `longfuse.1`"
                return Parting(int(CloseCode.PROTOCOL), text, retry=False)
            nursery.start_soon(self._write, socket)
            self._late = "no welcome in time"
            opened()
            return await self._read(socket, hear)
        finally:
            await trio.aclose_forcefully(socket.stream)

    async def _connect(self, nursery: trio.Nursery) -> ClientConnection:
        route = self._route
        stream = None if route.dial is None else await route.dial()
        return await connect(
            route.url,
            stream=stream,
            ssl=route.ssl,
            subprotocols=[Subprotocol(route.codec.subprotocol)],
            compression=None,
            user_agent_header=None,
            proxy=None,
            open_timeout=None,  # the deadline of `run` counts
            ping_interval=HEARTBEAT_S,
            ping_timeout=HEARTBEAT_S,
            close_timeout=CLOSE_S,
            max_size=INBOUND_BYTES_MAX,
        ).connect(nursery)

    async def _read(self, socket: ClientConnection, hear: Callable[[bytes], None]) -> Parting:
        try:
            while True:
                hear(await socket.recv(decode=False))
        except ConnectionClosed as closed:
            if closed.rcvd is None:
                return Parting(int(CloseCode.LOST), "the connection broke", retry=True)
            meaning = CLOSES.get(closed.rcvd.code)
            retry = meaning is not None and meaning.retry
            return Parting(closed.rcvd.code, closed.rcvd.reason, retry)
        except WireError as error:
            return Parting(int(CloseCode.WRONG_FRAME), f"not understood: {error.text}", retry=False)

    async def _write(self, socket: ClientConnection) -> None:
        """Send what there is. A server that takes nothing for too long is given up."""
        try:
            async for data in self._to_write:
                with trio.fail_after(WRITE_S):
                    await socket.send(data, text=self._route.codec.text)
        except trio.TooSlowError:
            self.cut(Parting(int(CloseCode.LOST), "the server does not read", retry=True))
        except ConnectionClosed:
            pass  # the reader sees why
        finally:
            self._written.set()


def _told(error: BaseException) -> str:
    """Say why there is no connection, in the system's own words where it has any.

    trio tells why the addresses of a name were tried in vain, and what TLS has to say, as of a
    certificate, in the cause alone.
    """
    cause = error.__cause__
    if isinstance(cause, BaseExceptionGroup):
        return ", ".join(dict.fromkeys(map(_told, cause.exceptions)))
    if isinstance(error, OSError) and not isinstance(error, tls.SSLError):
        if error.errno is not None and error.errno in errno.errorcode:
            return os.strerror(error.errno)  # what trio makes of it names the address once more
        return error.strerror or str(error)
    return str(error) or str(cause or "") or type(error).__name__


def _turned_away(url: str, response: Response) -> Parting:
    """Say why there is no connection where a plain answer came: a full server, a wrong address."""
    status = response.status_code
    told = response.headers.get_all("Retry-After")
    after_s = float(told[0]) if told and told[0].isdecimal() else 0.0  # else it is a date
    body = response.body.decode(errors="replace").strip()[:TOLD_MAX]
    text = f"{url}: HTTP {status}{': ' if body else ''}{body}"
    retry = status >= 500 or status == TOO_MANY_REQUESTS
    return Parting(int(CloseCode.LOST), text, retry, after_s)
