"""Addresses whose clients do anything: never more than there may be, and nothing is left behind."""

import contextlib
import random

import pytest
import trio
import trio.testing
from websockets.frames import Opcode

from host.rig import gone, hear, open_rig, say
from longfuse.host.addresses import REFUSED_MAX
from longfuse.host.origins import HEADER
from longfuse_protocol import messages as m
from longfuse_protocol.codec import MSGPACK

FROM = ("203.0.113.7", "2001:db8::1", "198.51.100.1", "127.0.0.1", "")
FORWARDED = ("192.0.2.1", "192.0.2.2, 10.0.0.1", "nonsense", "", "127.0.0.1")
LIMITS = {
    "connections_max": 12,
    "connections_per_address_max": 3,
    "connections_per_address_per_s": 2,
    "connections_per_address_burst": 6,
}


async def come_and_go(rig, chance, secrets):
    """Connect from somewhere, do something, and go at some time, in some way."""
    raw = rig.raw(address=chance.choice(FROM))
    with contextlib.suppress(trio.BrokenResourceError):
        what = chance.choice(["half", "noise", "only ask", "plain", *["come"] * 4])
        if what == "half":
            await raw.stream.send_all(b"GET /ws HT")
            await trio.sleep(12 * chance.random())
        elif what == "noise":
            await raw.stream.send_all(b"\x16\x03\x01" * 10)
            await trio.sleep(chance.random())
        elif what == "only ask":
            raw.protocol.send_request(raw.protocol.connect())
            await raw.stream.send_all(b"".join(raw.protocol.data_to_send()))
        elif what == "plain":
            await raw.handshake(path="/healthz")
        else:
            headers = {HEADER: chance.choice(FORWARDED)} if chance.random() < 0.5 else {}
            with trio.move_on_after(chance.choice([0, 0.001, 5])):
                await play_a_while(raw, headers, chance, secrets)
    await trio.aclose_forcefully(raw.stream)


async def play_a_while(raw, headers, chance, secrets):
    """Come in, with a session that somebody has begun or with none, and end somehow."""
    if await raw.handshake(**headers) != 101:
        return
    resume = m.Resume(secret=chance.choice(secrets)) if chance.random() < 0.5 else None
    await say(raw, MSGPACK, m.Hello(name="Raw", resume=resume))
    told = await hear(raw, MSGPACK)
    if isinstance(told, m.Welcome) and told.secret:
        secrets.append(told.secret)
    end = chance.choice(["close", "noise", "nothing"])
    if end == "close":
        await raw.send_frame(Opcode.CLOSE, b"\x03\xe8")
    elif end == "noise":
        await raw.stream.send_all(b"\xff" * 50)
    await trio.sleep(20 * chance.random())


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_clients_do(seed):
    """Limits hold at every moment; once all have gone, none is counted any more."""
    chance, secrets = random.Random(seed), ["nobody's"]
    async with open_rig(**LIMITS, hello_s=4, close_s=2, resume_s=3) as rig:
        here = rig.running._gateway._addresses
        most = 0
        async with trio.open_nursery() as crowd:
            for _ in range(150):
                crowd.start_soon(come_and_go, rig, chance, secrets)
                if chance.random() < 0.3:
                    await trio.sleep(chance.random())
                most = max(most, len(here.here))
                for address in here._known.values():
                    assert address.connections <= 3
                    assert address.open_streams() <= 3 + REFUSED_MAX
        await trio.sleep(60)
        await gone(rig)

        assert 1 < most <= 12  # how many, the schedule says
        assert not here.here
        assert not any(one.connections or one.open_streams() for one in here._known.values())
        assert await rig.raw(address=FROM[0]).handshake() == 101
