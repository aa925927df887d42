"""The server as a whole: how it ends."""

import functools

import pytest
import trio
from structlog.testing import capture_logs

from host.rig import HELLO, MemoryJournal, MemoryListener, gone, hear, open_rig, playing, say, until
from host.toy import ToyFactory
from longfuse.config import Config
from longfuse.game.entries import Interruption
from longfuse.host.server import serve
from longfuse_protocol import messages as m
from longfuse_protocol.client import Ended
from longfuse_protocol.codec import MSGPACK


async def test_drain():
    """Everybody is told of a drain and closed with 1012, and may come back."""
    async with open_rig() as rig, playing(rig) as (ada, bob), rig.client("Eve") as eve:
        began_at = trio.current_time()
        rig.running.drain()
        for client in (ada, bob, eve):
            assert (await until(client, m.Notice)).kind == "drain"
            assert await until(client, Ended) == Ended(1012, "restart", retry=True)

        assert trio.current_time() == began_at


async def test_a_drain_removes_nobody():
    """Connections that end because of a drain cost nobody the game: it has no winner."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        await ada.decide(ada.prompt, 0)
        rig.running.drain()
        await until(ada, Ended)
        await until(bob, Ended)
        await gone(rig, tables=0)

        kept = [record.entry for _, record in rig.journal.records]
        assert kept[1:] == [Interruption("ended by operator")]
        assert rig.factory.games[0].result.winner is None


async def test_entries_under_way_while_draining():
    """Entries that were asked for when the drain begins come first, are kept and answered."""
    async with open_rig(grace_s=10) as rig, playing(rig) as (ada, bob):
        rig.journal.append_s = 1
        ada.send(m.Decide(command="x", prompt=1, answer=0))
        await trio.testing.wait_all_tasks_blocked()
        bob.send(m.Decide(command="y", prompt=2, answer=1))
        await trio.testing.wait_all_tasks_blocked()
        rig.running.drain()
        answers = [await until(client, m.Answered) for client in (ada, bob)]
        await gone(rig, tables=0)

        assert [(told.command, told.ok) for told in answers] == [("x", True), ("y", True)]
        assert [record.command for _, record in rig.journal.records] == ["x", "y", ""]


async def test_nothing_new_while_draining():
    """While the server drains, no table is opened."""
    async with open_rig(close_s=5) as rig:
        raw = rig.raw()
        await raw.handshake()
        await say(raw, MSGPACK, HELLO)
        await hear(raw, MSGPACK)
        rig.running._lobby.drain()
        await say(raw, MSGPACK, m.Create(command="c", ruleset="toy", seats=(m.SeatWish(),) * 2))

        assert (await hear(raw, MSGPACK)).code == "draining"
        await say(raw, MSGPACK, m.Join(command="j", table="t"))
        assert (await hear(raw, MSGPACK)).code == "draining"
        assert await rig.raw().handshake() == 503
        stream = rig.listener.dial()
        await stream.send_all(b"GET /healthz HTTP/1.1\r\nHost: memory\r\n\r\n")
        assert (await stream.receive_some()).startswith(b"HTTP/1.1 503")


@pytest.mark.parametrize(("deaf", "settings"), [(True, {"write_s": 60}), (False, {"close_s": 60})])
async def test_the_grace_has_an_end(deaf, settings):
    """A peer that reads nothing, or does not answer the close, is cut off after grace_s."""
    listener = MemoryListener()
    config = Config(grace_s=3, ping_s=600, pong_s=600, **settings)
    async with trio.open_nursery() as nursery:

        async def run(task_status):  # noqa: ASYNC128 - serve() says when it has started
            await serve(
                config,
                ToyFactory(),
                MemoryJournal(),
                listeners=[listener],
                task_status=task_status,
            )
            ended_at.append(trio.current_time())

        ended_at = []
        running = await nursery.start(run)
        stream = listener.dial()
        request = b"GET /ws HTTP/1.1\r\nHost: memory\r\nUpgrade: websocket\r\n"
        request += b"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        await stream.send_all(request + b"Sec-WebSocket-Version: 13\r\n\r\n")
        await stream.receive_some()
        if deaf:
            listener.deafen(stream)
        began_at = trio.current_time()
        running.drain()
        await trio.sleep(2.9)
        assert ended_at == []

    assert ended_at == [began_at + 3]


async def test_cancelling():
    """Cancelling a server ends it at once and removes nobody from a game."""
    journal, listener = MemoryJournal(), MemoryListener()
    async with trio.open_nursery() as nursery:
        await nursery.start(
            functools.partial(serve, Config(), ToyFactory(), journal, listeners=[listener])
        )
        began_at = trio.current_time()
        await trio.sleep(1)
        nursery.cancel_scope.cancel()

    assert trio.current_time() == began_at + 1
    assert journal.records == []


async def test_what_the_operator_is_told():
    """Each change in the life of server, session and table is one line; none tells a secret."""
    with capture_logs() as lines:
        async with open_rig() as rig:
            async with playing(rig, heap=2) as (ada, bob):
                told = [ada.session_saved().secret, bob.session_saved().secret]
                await ada.decide(ada.prompt, 1)
                await until(bob, m.Over)
            await gone(rig, tables=0)
            rig.running.drain()
            await trio.sleep(1)

    events = [line["event"] for line in lines]
    assert sorted(events) == sorted(
        [
            "server_started",
            *["session_opened"] * 2,
            "table_opened",
            "game_started",
            "game_over",
            *["connection_lost"] * 2,
            "table_closed",
            "server_draining",
            "server_stopped",
        ]
    )
    [secret] = rig.journal.closed.values()
    assert all(told)
    assert not any(one in str(lines) for one in (*told, secret))


async def test_bots_stop_for_a_drain():
    """A game of bots ends at a drain, without being suspended."""
    async with open_rig() as rig, rig.client("Ada") as ada:
        bots = (m.SeatWish(kind="bot", bot="default"),) * 2
        rig.journal.append_s = 1
        lingering = rig.raw()
        await lingering.handshake()
        await ada.create("toy", bots, sit=None)
        await trio.sleep(2.5)
        rig.running.drain()
        notices = [event async for event in ada if isinstance(event, m.Notice)]
        await gone(rig, tables=0)

        assert [notice.kind for notice in notices] == ["drain"]
        assert len(rig.journal.records) == 4
        assert len(rig.journal.closed) == 1
