"""Limits of each address: connections, how fast they come, games; and nobody else pays for them."""

import functools
import itertools
import ssl
from types import SimpleNamespace

import pytest
import trio
import trio.testing
from structlog.testing import capture_logs
from websockets.exceptions import InvalidStatus
from websockets.trio.client import connect

from e2e.test_sockets import open_server
from host.rig import HELLO, Raw, frame_bytes, gone, hear, open_rig, say, spelt
from host.test_gateway import PEM
from longfuse.config import Config
from longfuse.host import addresses
from longfuse.host.addresses import REFUSED_MAX, Addresses, TooManyConnections
from longfuse.host.gateway_socket import GameSocket
from longfuse.host.origins import HEADER
from longfuse_protocol import messages as m
from longfuse_protocol.codec import MSGPACK

ONE = "203.0.113.7"
OTHER = "198.51.100.1"


class Stream:
    """A stream that is open until it is closed."""

    def __init__(self):
        self.number = 3
        self.socket = SimpleNamespace(fileno=lambda: self.number)


async def refused_with(raw, **headers):
    """Return the answer that a handshake gets instead of a websocket: status, headers, text."""
    assert await raw.handshake(**headers) == 429
    return raw.response.headers, raw.response.body.decode()


async def welcome(raw, hello=HELLO, **headers):
    """Come in, and return the welcome."""
    assert await raw.handshake(**headers) == 101
    await say(raw, MSGPACK, hello)
    told = await hear(raw, MSGPACK)
    assert isinstance(told, m.Welcome)
    return told


async def heard(raw, kind):
    """Hear up to the next message of a kind, and return it."""
    while not isinstance(told := await hear(raw, MSGPACK), kind):
        assert told is not None, f"the connection ended before {kind.__name__}"
    return told


# ---------------------------------------------------------------- connections


async def test_connections_of_one_address():
    """Beyond its connections an address gets 429, until one has ended; others come in meanwhile."""
    async with open_rig(connections_per_address_max=2) as rig:
        first, second = rig.raw(address=ONE), rig.raw(address=ONE)
        await welcome(first)
        await second.handshake()
        headers, text = await refused_with(rig.raw(address=ONE))

        assert (headers["Retry-After"], text) == (
            "10",
            "your address has 2 connections, as many as it may: close one; try again in 10 s\n",
        )
        await welcome(rig.raw(address=OTHER))
        await first.stream.aclose()
        await gone(rig, connections=2)
        await welcome(rig.raw(address=ONE))
        await refused_with(rig.raw(address=ONE))


async def test_a_whole_network_of_ipv6_is_one_address():
    """Who has a /64 has no more than others."""
    async with open_rig(connections_per_address_max=2) as rig:
        for last in ("1", "2"):
            await welcome(rig.raw(address=f"2001:db8::{last}"))
        await refused_with(rig.raw(address="2001:db8::9:9:9:9"))

        await welcome(rig.raw(address="2001:db8:0:1::1"))


async def test_many_at_once_are_never_more_than_there_may_be():
    """Ten times as many as may come at one moment are let in exactly as often as may be."""
    async with open_rig(connections_per_address_max=5) as rig, trio.open_nursery() as nursery:
        codes = []

        async def come(raw):
            codes.append(await raw.handshake())

        for _ in range(5 + REFUSED_MAX):
            nursery.start_soon(come, rig.raw(address=ONE))
        await trio.testing.wait_all_tasks_blocked()

        assert sorted(codes) == [101] * 5 + [429] * REFUSED_MAX


async def test_how_fast_connections_of_one_address_come():
    """Faster than it may, an address gets 429 with when to come again; then it is let in."""
    async with open_rig(connections_per_address_per_s=1, connections_per_address_burst=2) as rig:
        for _ in range(2):
            await welcome(rig.raw(address=ONE))
        headers, text = await refused_with(rig.raw(address=ONE))

        assert headers["Retry-After"] == "1"
        assert text == "your address opens connections faster than it may; try again in 1 s\n"
        await welcome(rig.raw(address=OTHER))
        await trio.sleep(1)
        await welcome(rig.raw(address=ONE))


async def test_who_is_refused_does_not_wait_longer():
    """A refusal takes nothing: however often an address tries, it is let in at the same time."""
    async with open_rig(connections_per_address_per_s=1, connections_per_address_burst=3) as rig:
        for _ in range(3):
            await welcome(rig.raw(address=ONE))
        for _ in range(2):
            await refused_with(rig.raw(address=ONE))
        await trio.sleep(1)

        await welcome(rig.raw(address=ONE))


@pytest.mark.complaint("servers 52")
async def test_who_comes_back_is_no_new_connection():
    """A crowd behind one address that is cut off together comes back together, and then others."""
    async with open_rig(
        connections_per_address_per_s=1, connections_per_address_burst=4, resume_s=60
    ) as rig:
        crowd = [rig.raw(address=ONE) for _ in range(4)]
        secrets = [(await welcome(raw)).secret for raw in crowd]
        for raw in crowd:
            await raw.stream.aclose()
        await gone(rig)
        await trio.sleep(4)
        for secret in secrets:
            hello = m.Hello(name="Raw", resume=m.Resume(secret=secret))
            await welcome(rig.raw(address=ONE), hello)

        await welcome(rig.raw(address=ONE))


async def test_coming_back_has_a_rate_of_its_own():
    """Whoever comes back over and over is stopped, too."""
    async with open_rig(
        connections_per_address_per_s=1, connections_per_address_burst=4, resume_s=60
    ) as rig:
        secret = (await welcome(rig.raw(address=ONE))).secret
        hello = m.Hello(name="Raw", resume=m.Resume(secret=secret))
        times = 0
        while await (raw := rig.raw(address=ONE)).handshake() == 101:
            await say(raw, MSGPACK, hello)
            await hear(raw, MSGPACK)
            times += 1

        assert times == 3 + 4


async def test_a_wrong_secret_counts_as_new():
    """Only who really comes back is let in besides."""
    async with open_rig(connections_per_address_per_s=1, connections_per_address_burst=2) as rig:
        for _ in range(2):
            raw = rig.raw(address=ONE)
            await raw.handshake()
            await say(raw, MSGPACK, m.Hello(name="Raw", resume=m.Resume(secret="guessed")))
            assert (await hear(raw, MSGPACK)).code == "unknown_session"

        await refused_with(rig.raw(address=ONE))


# ---------------------------------------------------------------- before the request


async def test_streams_that_say_nothing_are_bounded():
    """An address that opens streams and keeps silent gets so many, and the others are closed."""
    async with open_rig(connections_per_address_max=2, hello_s=5) as rig:
        silent = [rig.listener.dial(ONE) for _ in range(2 + REFUSED_MAX + 3)]
        await trio.testing.wait_all_tasks_blocked()
        closed = [rig.listener.servers_end[one].socket.fileno() < 0 for one in silent]

        assert closed == [False] * (2 + REFUSED_MAX) + [True] * 3
        await welcome(rig.raw(address=OTHER))
        await trio.sleep(6)
        await welcome(rig.raw(address=ONE))


async def test_streams_that_come_too_fast_are_closed():
    """Much faster than connections may come, streams are closed before they cost a handshake."""
    async with open_rig(connections_per_address_per_s=1, connections_per_address_burst=2) as rig:
        codes = [await rig.raw(address=ONE).handshake() for _ in range(9)]

        assert codes == [101] * 2 + [429] * 4 + [0] * 3
        await welcome(rig.raw(address=OTHER))


async def test_over_tls():
    """Under TLS an address is the one of the stream below."""
    async with open_rig(tls_certificate=PEM, tls_key=PEM, connections_per_address_max=1) as rig:
        trust = ssl.create_default_context(cafile=PEM)
        codes = []
        for _ in range(2):
            stream = trio.SSLStream(rig.listener.dial(ONE), trust, server_hostname="localhost")
            codes.append(await Raw(stream, MSGPACK).handshake())

        assert codes == [101, 429]


@pytest.mark.parametrize("offered", ["chess.2", MSGPACK])
async def test_a_handshake_that_fails_holds_no_place(offered):
    """Neither a refused subprotocol nor a peer that goes at once counts any longer."""
    async with open_rig(connections_per_address_max=1) as rig:
        for _ in range(3):
            raw = rig.raw(offered, address=ONE)
            if offered == MSGPACK:
                request = raw.protocol.connect()
                raw.protocol.send_request(request)
                await raw.stream.send_all(b"".join(raw.protocol.data_to_send()))
            else:
                assert await raw.handshake() == 400
            await raw.stream.aclose()
            await gone(rig)
            await trio.testing.wait_all_tasks_blocked()

        await welcome(rig.raw(address=ONE))


async def test_who_has_gone_before_the_answer_holds_no_place(monkeypatch):
    """A request that is looked at only after its connection has ended leaves nothing behind."""
    handshake = GameSocket.handshake

    async def late(self, *how):
        await self.stream_closed.wait()
        await handshake(self, *how)

    async with open_rig(connections_per_address_max=1) as rig:
        with monkeypatch.context() as slow:
            slow.setattr(GameSocket, "handshake", late)
            raw = rig.raw(address=ONE)
            raw.protocol.send_request(raw.protocol.connect())
            await raw.stream.send_all(b"".join(raw.protocol.data_to_send()))
            await raw.stream.aclose()
            await trio.testing.wait_all_tasks_blocked()

        await welcome(rig.raw(address=ONE))


async def test_who_is_cut_off_holds_no_place():
    """A connection that the server cuts is none of its address' any more."""
    async with open_rig(connections_per_address_max=1, hello_s=2, close_s=2) as rig:
        raw = rig.raw(address=ONE)
        await raw.handshake()
        assert await raw.close_code() == 1008
        flood = rig.raw(address=ONE)
        await flood.handshake(pipelined=frame_bytes(*spelt(MSGPACK, HELLO)) * 100)
        await gone(rig)

        await welcome(rig.raw(address=ONE))


# ---------------------------------------------------------------- behind a proxy


async def test_clients_of_a_proxy_are_told_apart():
    """Behind a trusted proxy each client has its own limit, whatever it writes before itself."""
    async with open_rig(connections_per_address_max=1, trusted_proxies=("10.0.0.2",)) as rig:
        for address in (ONE, OTHER):
            header = {"X-Forwarded-For": f"192.0.2.9, {address}"}
            await welcome(rig.raw(address="10.0.0.2"), **header)
            await refused_with(rig.raw(address="10.0.0.2"), **header)
        await refused_with(rig.raw(address="10.0.0.2"), **{"X-Forwarded-For": ONE})


async def test_who_is_no_proxy_cannot_be_somebody_else():
    """A client that writes the header itself counts for its own address."""
    async with open_rig(connections_per_address_max=1, trusted_proxies=("10.0.0.2",)) as rig:
        await welcome(rig.raw(address=ONE), **{"X-Forwarded-For": "192.0.2.1"})
        await refused_with(rig.raw(address=ONE), **{"X-Forwarded-For": "192.0.2.2"})


@pytest.mark.parametrize("address", ["", "127.0.0.1", "::1", "10.0.0.2"])
async def test_who_is_not_limited(address):
    """This machine's own programs, and what a proxy asks for itself, have no such limits."""
    async with open_rig(
        connections_per_address_max=1,
        connections_per_address_burst=1,
        trusted_proxies=("10.0.0.2",),
    ) as rig:
        for _ in range(20):
            await welcome(rig.raw(address=address))


@pytest.mark.realtime
async def test_over_real_sockets():
    """Behind a proxy on this machine its clients are limited; this machine's own are not."""
    with trio.fail_after(30):
        async with open_server(connections_per_address_max=1) as rig:
            dial = functools.partial(connect, rig.running.url, proxy=None)
            header = {HEADER: ONE}
            async with dial(additional_headers=header), dial(), dial():
                with pytest.raises(InvalidStatus) as refused:
                    async with dial(additional_headers=header):
                        pass
                async with dial(additional_headers={HEADER: OTHER}):
                    pass

    assert refused.value.response.status_code == 429
    assert refused.value.response.headers["Retry-After"] == "10"


# ---------------------------------------------------------------- games


async def test_games_that_begin_from_one_address():
    """Whoever begins games faster than its address may is told when to come again, and stays."""
    create = m.Create(command="c", ruleset="toy", seats=(m.SeatWish(),) * 2)
    async with open_rig(games_per_address_per_s=1, games_per_address_burst=2) as rig:
        one, same, other = (rig.raw(address=at) for at in (ONE, ONE, OTHER))
        for raw in (one, same, other):
            await welcome(raw)
        for raw in (one, same):
            await say(raw, MSGPACK, create)
            assert isinstance(await hear(raw, MSGPACK), m.Joined)
        await say(one, MSGPACK, m.Leave(command="l"))
        await heard(one, m.Left)
        for wish in (create, m.Join(command="c", table="t"), m.Pair(command="c", ruleset="toy")):
            await say(one, MSGPACK, wish)
            answer = await hear(one, MSGPACK)
            assert (answer.ok, answer.command, answer.code) == (False, "c", "too_fast")
            assert answer.reason == "too many games begin from your address; try again in 1 s"
        await say(other, MSGPACK, create)
        assert isinstance(await hear(other, MSGPACK), m.Joined)
        await trio.sleep(1)
        await say(one, MSGPACK, create)

        assert isinstance(await hear(one, MSGPACK), m.Joined)


async def test_rematches_with_a_bot_are_bounded():
    """Whoever concedes and plays again, over and over, is stopped; its offers of else are not."""
    seats = (m.SeatWish(), m.SeatWish(kind="bot", bot="default"))
    async with open_rig(games_per_address_per_s=1, games_per_address_burst=5) as rig:
        raw = rig.raw(address=ONE)
        await welcome(raw)
        await say(raw, MSGPACK, m.Create(command="c", ruleset="toy", seats=seats))

        async def answer_to(message):
            await say(raw, MSGPACK, message)
            return await heard(raw, m.Answered)

        await heard(raw, m.Answered)
        for number in itertools.count(1):
            await answer_to(m.Concede(command=f"concede {number}"))
            answer = await answer_to(m.MakeOffer(command=f"again {number}", kind="rematch"))
            if not answer.ok:
                break

        assert (number, answer.code, len(rig.journal.headers)) == (5, "too_fast", 5)
        assert (await answer_to(m.MakeOffer(command="o", kind="open replay"))).ok


# ---------------------------------------------------------------- what is remembered


async def test_no_more_addresses_are_remembered_than_there_may_be(monkeypatch):  # noqa: ASYNC124  trio's clock is read
    """The one that has been quiet longest is forgotten, and never one that has something open."""
    monkeypatch.setattr(addresses, "KEPT_MIN", 10)
    limits = {"connections_per_address_max": 1, "connections_per_address_burst": 10_000}
    known = Addresses(Config(connections_max=2, **limits))
    busy, quiet = known.enter("busy"), known.enter("quiet")
    open_stream, closed_stream = Stream(), Stream()
    known.knock("open", open_stream)
    known.knock("closed", closed_stream)
    quiet.leave()
    closed_stream.number = -1
    for number in range(1_000):
        known.enter("often").leave()
        known.enter(f"other {number}").leave()

        assert len(known) <= 10
        assert "often" in known._known
    with pytest.raises(TooManyConnections):
        known.enter("busy")
    assert {"busy", "open"} <= set(known._known)
    assert not {"quiet", "closed"} & set(known._known)
    busy.leave()


async def test_a_limited_address_is_logged_once():  # noqa: ASYNC124  trio's clock is read
    """However often it is refused, the operator is told once, until it is let in again."""
    known = Addresses(Config(connections_per_address_max=1))
    with capture_logs() as logs:
        for _ in range(3):
            visit = known.enter(ONE)
            for _ in range(5):
                with pytest.raises(TooManyConnections):
                    known.enter(ONE)
            visit.leave()
            visit.leave()

    assert (
        logs
        == [
            {
                "event": "address_limited",
                "log_level": "warning",
                "address": ONE,
                "too_many": "connections",
            }
        ]
        * 3
    )
