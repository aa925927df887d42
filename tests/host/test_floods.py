"""Floods of all kinds: they are bounded, they are ended, and they harm nobody else."""

import contextlib
import functools
import resource

import pytest
import trio
import trio.testing
from websockets.frames import Opcode

from e2e.test_sockets import open_server
from host.lines import answers, seated
from host.rig import HELLO, frame_bytes, gone, open_rig, say, until
from longfuse.config import Config
from longfuse.host.door import streams_max
from longfuse.host.gateway_socket import LATE_FRAMES_MAX
from longfuse_protocol import messages as m
from longfuse_protocol.client import open_client
from longfuse_protocol.codec import CODECS, MSGPACK


async def test_a_flood_of_pings():
    """Control frames are limited too: the flood is closed, and what it takes is not piled up."""
    async with open_rig(messages_per_s=10, messages_burst=20) as rig, rig.client() as ada:
        raw = rig.raw()
        await raw.handshake()
        await say(raw, MSGPACK, HELLO)
        await raw.stream.send_all(frame_bytes(Opcode.PING, b"x" * 125) * 30)
        ada.send(m.Ping(nonce=9))

        assert (await until(ada, m.Pong)).nonce == 9
        assert await raw.close_code() == 1008


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.BINARY])
async def test_a_flood_after_the_farewell(opcode):
    """Who goes on and on after being told goodbye is not waited for."""
    async with open_rig(messages_burst=1, messages_per_s=1, close_s=3_000) as rig:
        raw = rig.raw()
        await raw.handshake()
        began_at = trio.current_time()
        flood = frame_bytes(opcode, b"") * 1_000
        with contextlib.suppress(trio.BrokenResourceError):
            for _ in range(LATE_FRAMES_MAX // 1_000 + 2):
                await raw.stream.send_all(flood)
        await gone(rig)

        assert trio.current_time() - began_at < 1


@pytest.mark.parametrize(
    "message",
    [
        m.Browse(),
        m.Resync(),
        m.ChooseDeck(command="c", deck="Main\n"),
        m.MakeOffer(command="o", kind="rematch"),
        m.TakeBack(command="t"),
    ],
    ids=lambda message: type(message).__name__,
)
async def test_what_makes_much_work_counts_more(message):
    """A flood of the dearest messages ends much sooner than one of pings."""
    async with open_rig(messages_burst=100, messages_per_s=1) as rig:
        raw = rig.raw()
        await raw.handshake()
        await say(raw, MSGPACK, HELLO)
        for _ in range(12):
            await say(raw, MSGPACK, message)

        assert await raw.close_code() == 1008


async def test_streams_that_never_shake_hands():
    """They are bounded, for each takes a file; beyond that, who comes is closed at once."""
    async with open_rig(connections_max=1, hello_s=5) as rig:
        waiting = [rig.listener.dial() for _ in range(30)]
        await trio.testing.wait_all_tasks_blocked()
        closed = []
        for stream in waiting:
            with trio.move_on_after(0.1):
                closed.append(await _is_closed(stream))
        assert closed == [True] * 13

        await trio.sleep(6)
        async with rig.client():
            pass


@pytest.mark.parametrize(
    ("limits", "asked_for", "allowed"),
    [
        ((20_000, 20_000), None, 2_500),
        ((1_024, 20_000), (2_564, 20_000), 2_500),
        ((1_024, 2_100), (2_100, 2_100), 2_036),
        ((1_024, 1_024), (1_024, 1_024), 960),
        ((50, 50), (50, 50), 1),
    ],
)
def test_streams_leave_files_to_the_journals(limits, asked_for, allowed, monkeypatch):
    """The process asks for the files that it needs, and takes in fewer where it gets fewer."""
    asked = []
    monkeypatch.setattr(resource, "getrlimit", lambda _which: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _which, new: asked.append(new))

    assert streams_max(Config(connections_max=2_000)) == allowed
    assert asked == ([] if asked_for is None else [asked_for])


def test_files_that_cannot_be_had(monkeypatch):
    """Then the limit stays as it is."""

    def refuse(_which, _new):
        raise OSError("no")

    monkeypatch.setattr(resource, "getrlimit", lambda _which: (1_024, 20_000))
    monkeypatch.setattr(resource, "setrlimit", refuse)

    assert streams_max(Config(connections_max=2_000)) == 960


async def browsed(ada, crowd):
    """Return how many bytes the list of tables has that somebody is told in one step."""
    for other in crowd:
        await other.create("toy", 2)
    ada.send(m.Browse())
    return len(CODECS[MSGPACK].encode(await until(ada, m.Tables)))


async def test_one_step_may_bring_more_than_may_wait():
    """Who takes what it is sent is not cut off for one large answer, nor for the next."""
    async with open_rig(outbox_bytes_max=1_024) as rig, contextlib.AsyncExitStack() as clients:
        ada, *crowd = [await clients.enter_async_context(rig.client(f"P{n}")) for n in range(5)]

        assert await browsed(ada, crowd) > 1_024
        ada.send(m.Browse())
        await until(ada, m.Tables)


@pytest.mark.realtime
async def test_one_step_may_bring_more_over_a_real_socket():
    """So it is where a step is written at once."""
    with trio.fail_after(30):
        async with open_server(outbox_bytes_max=1_024) as rig, contextlib.AsyncExitStack() as all:
            dial = functools.partial(open_client, rig.running.url)
            clients = [await all.enter_async_context(dial(name=f"P{n}")) for n in range(5)]

            assert await browsed(*clients[:1], clients[1:]) > 1_024


async def test_a_second_large_step_is_too_much_for_who_takes_nothing():
    """A deaf peer is sent one step, however large; what follows counts as before."""
    async with open_rig(outbox_bytes_max=1_024, write_s=3_000, ping_s=3_000) as rig:
        stream = rig.listener.dial()
        async with contextlib.AsyncExitStack() as clients:
            ada, *crowd = [await clients.enter_async_context(rig.client(f"P{n}")) for n in range(5)]
            assert await browsed(ada, crowd) > 1_024
            deaf = await clients.enter_async_context(rig.client("Deaf", stream=stream))
            rig.listener.deafen(stream)
            deaf.send(m.Browse())
            await trio.testing.wait_all_tasks_blocked()
            assert deaf.ended is None
            deaf.send(m.Browse())
            await trio.testing.wait_all_tasks_blocked()

            assert deaf.ended is not None


@pytest.mark.parametrize("between", [False, True])
async def test_saying_ready_again_and_again(between):
    """It is told to the others once: a flood of it reaches nobody who might be slow."""
    terms = m.Terms(best_of=3) if between else m.Terms(ready_s=60)
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms)
        if between:
            await ada.say(m.Concede(command="concede"))
            await bob.until(m.ReadyCheck)
        await ada.say(*[m.Ready(command=f"r{number}") for number in range(5)])
        own, others = await ada.rest(), await bob.rest()

        assert sum(answer.ok for answer in answers(own) if answer.command[0] == "r") == 5
        assert [one.ready for one in others if type(one) is m.ReadyCheck] == [(True, False)]


async def test_accepting_again_and_again():
    """What is offered is told once, and again when something of it has changed."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        offer = m.MakeOffer(command="o", kind="draw")
        accept = [m.Respond(command=f"a{n}", kind="draw", accept=True) for n in range(5)]
        await ada.say(offer, *accept, offer)
        told = [one for one in await bob.rest() if type(one) is m.Offers]
        await ada.say(m.Respond(command="no", kind="draw", accept=False))
        ended = [one for one in await bob.rest() if type(one) is m.Offers]

        assert [one.offers[0].accepted for one in told] == [(0,)]
        assert [(one.offers, one.ended[0].how) for one in ended] == [((), "withdrawn")]


async def _is_closed(stream):
    try:
        return await stream.receive_some() == b""
    except trio.BrokenResourceError:
        return True
