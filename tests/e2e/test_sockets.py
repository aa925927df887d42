"""The wire over real loopback sockets: whole games, and peers that misbehave."""

from __future__ import annotations

import contextlib
import functools
import socket
import ssl
import struct
from pathlib import Path

import msgspec
import pytest
import trio
from websockets.frames import Opcode
from websockets.trio.client import connect

from host.rig import MemoryJournal, Raw, Rig, frame_bytes
from host.toy import ToyFactory, first_choice
from longfuse.bots.wire import Opening, play_over_wire
from longfuse.config import Config
from longfuse.host.server import serve
from longfuse_protocol import messages as m
from longfuse_protocol.client import NEVER, Ended, NotConnected, Refused, open_client
from longfuse_protocol.codec import CODECS, JSON, MSGPACK
from longfuse_protocol.views import digest

pytestmark = pytest.mark.realtime
PEM = str(Path(__file__).parents[1] / "host" / "localhost.pem")
TOY = Opening(ruleset="toy")


@contextlib.asynccontextmanager
async def open_server(**settings):
    """Run a server on a port that the system chooses."""
    factory, journal = ToyFactory(), MemoryJournal()
    config = msgspec.structs.replace(Config(port=0), **settings)
    async with trio.open_nursery() as nursery:
        running = await nursery.start(functools.partial(serve, config, factory, journal))
        yield Rig(running, None, factory, journal)
        nursery.cancel_scope.cancel()


async def play_pair(rig, opening=TOY, *, subprotocol=MSGPACK, on_table=None):
    """Let two wire bots play a game; return how each saw it."""
    played = {}
    tables_send, tables = trio.open_memory_channel(1)

    def tell(event):
        if isinstance(event, m.Joined):
            tables_send.send_nowait(event.place.info.table)

    async def bot(name, at, on_event=None):
        played[name] = await play_over_wire(
            rig.running.url,
            lambda prompt, _view: first_choice(prompt),
            name=name,
            at=at,
            subprotocol=subprotocol,
            on_event=on_event,
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(bot, "Ada", opening, tell)
        table = await tables.receive()
        if on_table is not None:
            await on_table(table)
        nursery.start_soon(bot, "Bob", table)
    tables_send.close()
    tables.close()
    return played["Ada"], played["Bob"]


class Watcher:
    """A spectator that keeps what it saw."""

    def __init__(self):
        self.frames = []
        self.over = None
        self.view = None

    async def watch(self, rig, subprotocol, table, *, task_status):
        async with open_client(rig.running.url, name="Eve", subprotocol=subprotocol) as client:
            await client.spectate(table)
            task_status.started()
            async for event in client:
                if isinstance(event, m.Events):
                    self.frames.append(event)
                elif isinstance(event, m.Over | Ended):
                    self.over = event
                    break
            self.view = client.mirror.view


@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_a_whole_game(subprotocol):
    """Two bots play to the end while two spectators watch; all four end with the game's views."""
    eve, mia = Watcher(), Watcher()
    async with open_server() as rig, trio.open_nursery() as watchers:

        async def on_table(table):
            for watcher in (eve, mia):
                await watchers.start(watcher.watch, rig, subprotocol, table)

        ada, bob = await play_pair(rig, subprotocol=subprotocol, on_table=on_table)

    game = rig.factory.games[0]
    public = game.view("spectator")
    assert game.left == 0
    assert (ada.over.winner, ada.over.reason) == (game.result.winner, "took the last")
    assert ada.over == bob.over == eve.over == mia.over
    assert (ada.digest, bob.digest) == (digest(game.view(0)), digest(game.view(1)))
    assert eve.view == mia.view == public
    assert eve.frames == mia.frames
    assert [frame.n for frame in eve.frames] == list(range(1, len(rig.journal.records) + 2))
    passed = sum(1 for _, record in rig.journal.records if record.rule)
    assert ada.decisions + bob.decisions == len(rig.journal.records) - passed
    assert passed


async def test_both_subprotocols_at_one_table():
    """Spectators of either subprotocol see the same frames of the same game."""
    eve, mia = Watcher(), Watcher()
    async with open_server() as rig, trio.open_nursery() as watchers:

        async def on_table(table):
            await watchers.start(eve.watch, rig, JSON, table)
            await watchers.start(mia.watch, rig, MSGPACK, table)

        await play_pair(rig, on_table=on_table)

    assert eve.frames == mia.frames
    assert eve.frames[-1].digest == digest(rig.factory.games[0].view("spectator"))


@contextlib.asynccontextmanager
async def open_raw(rig):
    """Connect as one who may misbehave, and have said hello."""
    async with await trio.open_tcp_stream("127.0.0.1", rig.running.port) as stream:
        raw = Raw(stream, MSGPACK)
        assert await raw.handshake() == 101
        await say(raw, m.Hello(name="Raw"))
        yield raw


async def say(raw, message):
    """Send a message in MessagePack."""
    await raw.send_frame(Opcode.BINARY, CODECS[MSGPACK].encode(message))


async def hear(raw, kind):
    """Return the next message of a kind."""
    while (frame := await raw.receive()) is not None and frame.opcode is Opcode.BINARY:
        message = CODECS[MSGPACK].server_message(bytes(frame.data), 10**7)
        if isinstance(message, kind):
            return message
    raise AssertionError(f"no {kind.__name__} came")


async def test_garbage_oversize_and_stale():
    """Garbage, oversize and stale messages are answered or close; another table does not notice."""
    settings = {"close_s": 0.2, "resume_s": 0.2}
    async with open_server(**settings) as rig, open_raw(rig) as raw, open_raw(rig) as other:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_pair, rig)
            seats = (m.SeatWish(),) * 2
            await say(raw, m.Create(command="c", ruleset="toy", seats=seats))
            table = (await hear(raw, m.Joined)).place.info.table
            await say(other, m.Join(command="j", table=table))
            await hear(raw, m.Asked)
            await raw.send_frame(Opcode.BINARY, b"\xc1garbage")
            assert (await hear(raw, m.Failed)).code == "malformed"
            await say(raw, m.Decide(command="stale", prompt=99, answer=0))
            answer = await hear(raw, m.Answered)
            assert (answer.code, answer.prompt.id) == ("stale_prompt", 1)
            await other.send_frame(Opcode.BINARY, b"x" * 20_000)
            assert await other.close_code() == 1009
            assert (await hear(raw, m.Over)).reason == "removed"

        results = sorted(game.result.reason for game in rig.factory.games)
        assert results == ["removed", "took the last"]


async def spectate_and_stop(raw, table):
    """Watch a table, and read no more from the socket, in which there is little room."""
    raw.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    await say(raw, m.Spectate(command="s", table=table))
    await hear(raw, m.Joined)


async def test_a_deaf_spectator():
    """A spectator that stops reading is cut off, and the game goes on to its end meanwhile."""
    heavy = Opening(ruleset="toy", options={"heap": 60, "ballast": 400_000})
    # Room for more than the few frames that a player can be behind, and for less than the game.
    limits = {"outbox_bytes_max": 4_000_000, "write_s": 3_000}
    async with open_server(**limits) as rig, open_raw(rig) as deaf:
        on_table = functools.partial(spectate_and_stop, deaf)
        ada, _bob = await play_pair(rig, heavy, on_table=on_table)

        assert ada.over.reason == "took the last"
        while rig.running.statistics()["connections"]:  # noqa: ASYNC110  nothing tells
            await trio.sleep(0.01)
        assert await deaf.close_code() is None


@pytest.mark.complaint("servers 50")
async def test_a_slow_spectator():
    """A spectator that reads late gets every frame whole and in order, however they were cut."""
    heavy = Opening(ruleset="toy", options={"heap": 60, "ballast": 200_000})
    async with (
        open_server(outbox_bytes_max=60_000_000, write_s=3_000) as rig,
        open_raw(rig) as slow,
    ):
        await play_pair(rig, heavy, on_table=functools.partial(spectate_and_stop, slow))
        entries = len(rig.journal.records)
        frames = [await hear(slow, m.Events) for _ in range(entries + 1)]

        assert [frame.n for frame in frames] == list(range(1, entries + 2))
        assert frames[-1].digest == digest(rig.factory.games[0].view("spectator"))


async def test_both_ends_send_without_pause():
    """A client that sends and reads at once, without pause, gets every answer in order."""
    limits = {"messages_burst": 100_000, "messages_per_s": 100_000}
    async with open_server(**limits) as rig, open_raw(rig) as raw:
        codec, heard = CODECS[MSGPACK], []

        async def flood():
            for start in range(0, 20_000, 500):
                pings = [codec.encode(m.Ping(nonce=start + n)) for n in range(500)]
                await raw.stream.send_all(
                    b"".join(frame_bytes(Opcode.BINARY, ping) for ping in pings)
                )

        async with trio.open_nursery() as nursery:
            nursery.start_soon(flood)
            while len(heard) < 20_000:
                heard.append((await hear(raw, m.Pong)).nonce)

        assert heard == list(range(20_000))


async def test_a_connection_that_is_reset():
    """A reset in the middle of a game removes that seat after a while, and the other wins."""
    async with open_server(resume_s=0.2) as rig, open_raw(rig) as raw:
        await say(raw, m.Create(command="c", ruleset="toy", seats=(m.SeatWish(),) * 2))
        table = (await hear(raw, m.Joined)).place.info.table
        async with open_client(rig.running.url, name="Bob") as bob:
            await bob.join(table)
            linger = struct.pack("ii", 1, 0)
            raw.stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            raw.stream.socket.close()
            async for event in bob:
                if isinstance(event, m.Over):
                    break

        assert (event.winner, event.reason) == (1, "removed")


async def test_a_drain_over_sockets():
    """A drain closes real clients with 1012 and frees the port."""
    async with open_server() as rig, open_client(rig.running.url, name="Ada", retry=NEVER) as ada:
        rig.running.drain()
        events = [event async for event in ada]

        assert events[-1] == Ended(1012, "restart", retry=True)
        with pytest.raises(NotConnected):
            async with open_client(rig.running.url, name="Bob"):
                pass


async def test_a_bot_that_answers_nonsense():
    """A bot whose answers do not fit hears of it; the server takes no harm."""
    async with open_server() as rig, open_client(rig.running.url, name="Bob") as bob:
        place = await bob.create("toy", 2, sit=1)
        with pytest.raises(Refused, match="does_not_fit"):
            await play_over_wire(
                rig.running.url, lambda *_: (5, 5), name="Ada", at=place.info.table
            )


async def test_tls():
    """With a certificate the server speaks TLS, and whole frames arrive in order there too."""
    trust = ssl.create_default_context(cafile=PEM)
    codec = CODECS[JSON]
    async with (
        open_server(tls_certificate=PEM, tls_key=PEM) as rig,
        connect(rig.running.url, ssl=trust, subprotocols=[JSON], proxy=None) as client,
    ):
        await client.send(codec.encode(m.Hello(name="Ada")).decode())
        for nonce in range(100):
            await client.send(codec.encode(m.Ping(nonce=nonce)).decode())
        heard = [codec.server_message((await client.recv()).encode(), 10**6) for _ in range(101)]

        assert rig.running.url.startswith("wss://")
        assert isinstance(heard[0], m.Welcome)
        assert [pong.nonce for pong in heard[1:]] == list(range(100))
