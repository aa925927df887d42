"""Those who do not read, those who all come at once, and those who never say who they are."""

import socket

import pytest
import trio

from complaints.scene import (
    DEADLINE_S,
    LONG,
    Network,
    on_sockets,
    open_server,
    raw_on_socket,
    rss_bytes,
    settle,
)
from host.lines import Line, Somebody, come, decide, seated, token, token_settings
from host.rig import gone, hear, open_rig, say
from longfuse_protocol import messages as m
from longfuse_protocol.client import Ended, Resumed, Retry
from longfuse_protocol.codec import MSGPACK

READERS = 100 if LONG else 12
HEAP = 400 if LONG else 40
BALLAST = 200_000
"""Bytes of each frame: so the buffers of the system are full soon."""


async def paused(rig, table):
    """Watch a table, and from then on read nothing."""
    raw = await raw_on_socket(rig.running.port)
    await raw.handshake()
    await say(raw, MSGPACK, m.Hello(name="Paused"))
    await say(raw, MSGPACK, m.Spectate(command="s", table=table))
    while not isinstance(await hear(raw, MSGPACK), m.Joined):
        pass
    return raw


@pytest.mark.realtime
@pytest.mark.slow
@pytest.mark.complaint("servers 47", "servers 49")
async def test_readers_that_pause():
    """The game goes on to its end as if they were not there, memory stays what it was, and they
    are cut off."""
    # Room for the few frames that a player can be behind who reads as fast as the machine can.
    limits = {"outbox_bytes_max": 1_000_000, "write_s": 2}
    async with (
        open_server(**limits) as rig,
        on_sockets(rig, "Ada") as ada,
        on_sockets(rig, "Bob") as bob,
    ):
        options = {"heap": HEAP, "ballast": BALLAST}
        table = (await ada.create("toy", 2, options=options)).info.table
        deaf = [await paused(rig, table) for _ in range(READERS)]
        await bob.join(table)
        before = rss_bytes()
        with trio.fail_after(DEADLINE_S * (5 if LONG else 1)):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_play, ada)
                nursery.start_soon(_play, bob)
            while rig.running.statistics()["connections"] > 2:  # noqa: ASYNC110  nothing tells
                await trio.sleep(0.01)
        grown = rss_bytes() - before

        assert rig.factory.games[0].left == 0
        assert grown < READERS * 1_000_000 + 50_000_000
        for raw in deaf:
            assert await raw.close_code() is None  # nothing could be said to it
            await raw.stream.aclose()


async def _play(client):
    async for event in client:
        if isinstance(event, m.Asked):
            await client.decide(event.prompt, event.prompt.default)
        if isinstance(event, m.Over):
            return


@pytest.mark.realtime
@pytest.mark.complaint("servers 47")
async def test_small_frames_do_not_wait_for_each_other():
    """What the server writes leaves at once: TCP_NODELAY is set on each connection."""
    async with open_server() as rig, on_sockets(rig, "Ada"), on_sockets(rig, "Bob"):
        sockets = [one._wire.stream.socket for one in rig.running._gateway.connections]

        assert len(sockets) == 2
        assert all(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in sockets)


@pytest.mark.complaint("servers 50")
async def test_no_frame_is_dropped_for_who_is_slow():
    """A seat that takes nothing is cut off, not served with holes; back again, it gets them all."""
    async with open_rig(write_s=2, resume_s=60) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        game = rig.factory.games[0]
        rig.listener.deafen(ada.line._raw.stream)
        await ada.say(decide(game.open_prompt, "d1"))
        await settle()
        await bob.say(decide(game.open_prompt, "d2"))
        await bob.until(m.Presence)
        known = ada.n
        await ada.come_back()
        numbers = [one.n for one in await ada.rest() if isinstance(one, m.Events)]

        assert numbers == list(range(known + 1, game._entries + 2))
        assert len(numbers) >= 2


@pytest.mark.complaint("servers 52")
async def test_a_burst_of_returns_is_no_flood():
    """Forty lose the connection at once and come back at once, where only five new ones a second
    may come: none of them is refused. A new one is, and told when to try again."""
    async with open_rig(sessions_burst=5, sessions_per_s=5, resume_s=60, ping_s=3_600) as rig:
        people = []
        for number in range(40):
            people += await come(rig, f"P{number}")
            await trio.sleep(0.3)
        for one in people:
            await one.cut()
        new = Line(rig)
        told = [await Line(rig).open(m.Hello(name=f"New {number}")) for number in range(8)]
        welcomes = [await one.come_back() for one in people]
        refused = [one for one in told if isinstance(one, m.Rejected)]

        assert [one.name for one in welcomes] == [one.name for one in people]
        assert {(one.code, one.retry_s) for one in refused} == {("too_fast", 1.0)}
        await trio.sleep(1)
        assert isinstance(await new.open(m.Hello(name="New")), m.Welcome)


@pytest.mark.complaint("servers 53")
async def test_everybody_comes_back_after_a_restart():
    """Sixty clients lose one server, and the next takes five a second: all are back in a bounded
    time, with a bounded number of tries."""
    networks, back = [], []

    async def stay(network, name):
        async with network.client(name, anew=True, retry=Retry()) as client:
            async for event in client:
                assert not isinstance(event, Ended), event
                if isinstance(event, Resumed):
                    assert event.anew
                    back.append(trio.current_time())
                    return

    async with open_rig(sessions_per_s=5, sessions_burst=5) as after:
        async with open_rig() as before, trio.open_nursery() as nursery:
            for number in range(60):
                networks.append(Network(before))
                nursery.start_soon(stay, networks[-1], f"P{number}")
            await trio.sleep(1)
            assert before.running.statistics()["sessions"] == 60
            before.running.drain()
            for network in networks:
                network.is_up = False
            await trio.sleep(5)
            down_at = trio.current_time()
            for network in networks:
                network.rig, network.is_up = after, True
        assert len(back) == 60
        assert max(back) - down_at < 100
        assert sum(network.dials for network in networks) < 60 * 13
        assert min(back) > down_at


@pytest.mark.complaint("servers 55")
async def test_connections_that_never_say_who_they_are():
    """They are closed in time, at whichever step they stopped; who is welcome stays."""
    async with open_rig(hello_s=10) as rig, rig.client("Ada") as ada:
        silent = [rig.raw() for _ in range(10)]
        for raw in silent[:5]:
            await raw.handshake()
        came_at = trio.current_time()
        codes = [await raw.close_code() for raw in silent]

        assert codes == [1008] * 5 + [None] * 5
        assert trio.current_time() - came_at < 20
        assert await ada.ping() >= 0
        await gone(rig, connections=1)


@pytest.mark.complaint("servers 55")
async def test_many_connections_of_one_account(tmp_path):
    """A ninth of one user closes the first, with a code that it does not come back after."""
    async with open_rig(**token_settings(tmp_path)) as rig:
        signed = token("u1", name="Ada")
        sessions = [Somebody(rig, "Ada", token=signed) for _ in range(9)]
        for one in sessions:
            await one.come()

        assert await sessions[0].line.close_code() == 4001
        assert [await one.rest() for one in sessions[1:]] == [[]] * 8
