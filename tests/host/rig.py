"""A whole server over in-memory streams: the real stack, no sockets, virtual time."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncIterator

import msgspec
import pytest
import trio
import trio.testing
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from host.toy import ToyBot, ToyFactory
from longfuse.config import Config
from longfuse.host.kept_secrets import Secrets
from longfuse.host.ports import Header, Record, Saved
from longfuse.host.server import Running, serve
from longfuse.host.wall import now_ms
from longfuse_protocol import messages as m
from longfuse_protocol.client import Client, Refused, open_client
from longfuse_protocol.codec import CODECS, MSGPACK
from support.listening import URL, MemoryListener, until

HELLO = m.Hello(name="Raw")


class MemoryJournal:
    """A journal that keeps everything in a list, can be slow, and can fail."""

    def __init__(self) -> None:
        self.headers: list[Header] = []
        self.records: list[tuple[str, Record]] = []
        self.closed: dict[str, str] = {}
        self.abandoned: list[str] = []
        self.opened_games: list[str] = []
        self.append_s = 0.0
        self.fails = False

    async def open(self, header: Header) -> None:
        await trio.lowlevel.checkpoint()
        if self.fails:
            raise OSError("the disk is full")
        self.headers.append(header)

    async def append(self, game: str, record: Record, _playing: object) -> None:
        await trio.sleep(self.append_s)
        if self.fails:
            raise OSError("the disk is full")
        self.records.append((game, record))

    async def close(self, game: str, secret: str, _playing: object) -> None:
        await trio.lowlevel.checkpoint()
        self.closed[game] = secret

    def abandon(self, game: str) -> None:
        self.abandoned.append(game)

    async def opened(self, game: str) -> None:
        await trio.lowlevel.checkpoint()
        self.opened_games.append(game)

    async def find(self, game: str) -> Saved | None:
        await trio.lowlevel.checkpoint()
        if game not in self.closed:
            return None
        [header] = [one for one in self.headers if one.game == game]
        entries = tuple(record.entry for name, record in self.records if name == game)
        return Saved(header=header, entries=entries, secret=self.closed[game], over_ms=now_ms())


class Raw:
    """A client that speaks frames and bytes, for doing what no proper client does."""

    def __init__(self, stream: trio.abc.Stream, subprotocol: str | None) -> None:
        self.stream = stream
        names = [Subprotocol(subprotocol)] if subprotocol else None
        self.protocol = ClientProtocol(parse_uri(URL), subprotocols=names, max_size=None)
        self.frames: list[Frame] = []
        self.response: Response | None = None

    async def handshake(self, *, pipelined: bytes = b"", path: str = "", **headers: str) -> int:
        """Send the request, and with it whatever is pipelined; return the response's status.

        0: the stream was closed without one.
        """
        request = self.protocol.connect()
        for name, value in headers.items():
            request.headers[name] = value
        if path:
            request.path = path
        self.protocol.send_request(request)
        await self.stream.send_all(b"".join(self.protocol.data_to_send()) + pipelined)
        while not (events := self.protocol.events_received()):
            if not await self._receive():
                return 0
        self.frames.extend(event for event in events[1:] if isinstance(event, Frame))
        self.response = events[0]
        return self.response.status_code

    async def send_frame(self, opcode: Opcode, data: bytes, *, fin: bool = True) -> None:
        await self.stream.send_all(frame_bytes(opcode, data, fin=fin))

    async def receive(self) -> Frame | None:
        """Return the next data or close frame; None at the end."""
        while True:
            while self.frames:
                frame = self.frames.pop(0)
                if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CLOSE):
                    return frame
            if not await self._receive():
                return None
            self.frames.extend(self.protocol.events_received())
            if answers := b"".join(self.protocol.data_to_send()):
                with contextlib.suppress(trio.BrokenResourceError):
                    await self.stream.send_all(answers)

    async def close_code(self) -> int | None:
        """Read until the end and return the close code that came."""
        while await self.receive() is not None:
            pass
        return self.protocol.close_rcvd.code if self.protocol.close_rcvd else None

    async def _receive(self) -> bool:
        try:
            data = await self.stream.receive_some()
        except trio.BrokenResourceError:
            data = b""
        if not data:
            return False
        self.protocol.receive_data(data)
        return True


def frame_bytes(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    """Return a client's frame as it is on the wire."""
    return Frame(opcode, data, fin).serialize(mask=True)


class Rig:
    """A running server and ways to reach it."""

    def __init__(
        self,
        running: Running,
        listener: MemoryListener,
        factory: ToyFactory,
        journal: MemoryJournal,
    ) -> None:
        self.running = running
        self.listener = listener
        self.factory = factory
        self.journal = journal

    def client(
        self,
        name: str = "Ada",
        subprotocol: str = MSGPACK,
        stream: trio.StapledStream | None = None,
    ) -> contextlib.AbstractAsyncContextManager[Client]:
        """Return a proper client, to be entered."""
        stream = stream or self.listener.dial()
        return open_client(URL, name=name, subprotocol=subprotocol, stream=stream)

    def raw(self, subprotocol: str | None = MSGPACK, address: str = "") -> Raw:
        """Return an improper one."""
        return Raw(self.listener.dial(address), subprotocol)


@contextlib.asynccontextmanager
async def open_rig(secrets: Secrets | None = None, **settings: object) -> AsyncIterator[Rig]:
    """Run a server with these settings until the block ends."""
    listener, factory, journal = MemoryListener(), ToyFactory(), MemoryJournal()
    bots = {
        manner: lambda _seat, _seed, manner=manner: ToyBot(manner)
        for manner in ("default", "wrong", "broken")
    }
    config = msgspec.structs.replace(Config(resume_s=5), **settings)
    async with trio.open_nursery() as nursery:
        running = await nursery.start(
            functools.partial(
                serve,
                config,
                factory,
                journal,
                bots=bots,
                secrets=secrets,
                listeners=[listener],
            )
        )
        yield Rig(running, listener, factory, journal)
        nursery.cancel_scope.cancel()


async def gone(rig: Rig, *, connections: int = 0, tables: int = 1_000) -> None:
    """Wait until no more than so many connections, and tables, are left."""
    for _ in range(1_000):
        left = rig.running.statistics()
        if left["connections"] <= connections and left["tables"] <= tables:
            return
        await trio.sleep(0.1)
    raise AssertionError(f"still there: {left}")


def spelt(subprotocol, message):
    """Return a message and the kind of frame that carries it."""
    codec = CODECS[subprotocol]
    return (Opcode.TEXT if codec.text else Opcode.BINARY), codec.encode(message)


async def say(raw, subprotocol, message):
    """Send a message as one whole frame."""
    await raw.send_frame(*spelt(subprotocol, message))


async def hear(raw, subprotocol):
    """Return the next message; None if a close frame or the end comes instead."""
    frame = await raw.receive()
    if frame is None or frame.opcode is Opcode.CLOSE:
        return None
    codec = CODECS[subprotocol]
    assert (frame.opcode is Opcode.TEXT) is codec.text
    return codec.server_message(bytes(frame.data), 10**6)


@contextlib.asynccontextmanager
async def playing(rig, *, subprotocol=MSGPACK, **options):
    """Seat Ada and Bob at a new table; Ada is asked first."""
    async with rig.client("Ada", subprotocol) as ada, rig.client("Bob", subprotocol) as bob:
        place = await ada.create("toy", 2, options=options)
        await bob.join(place.info.table)
        await until(ada, m.Asked)
        await until(bob, m.Events)
        yield ada, bob


async def refused(command):
    """Return the refusal that a command gets."""
    with pytest.raises(Refused) as caught:
        await command
    return caught.value.answer


async def play_out(ada, bob):
    """Play to the end with whatever is asked first; return how it ended for both."""
    asked = {0: ada, 1: bob}
    while ada.prompt or bob.prompt:
        seat = 0 if ada.prompt else 1
        await asked[seat].decide(asked[seat].prompt, asked[seat].prompt.default)
        await trio.testing.wait_all_tasks_blocked()
    return await until(ada, m.Over), await until(bob, m.Over)
