"""What no proper client sends, and what proper clients of two spellings say to each other."""

import random
import typing

import pytest
import trio
from msgspec.inspect import type_info
from websockets.frames import Opcode

from complaints.scene import LONG, agree, hear_out, settle, take
from host.lines import Line, come, create
from host.rig import hear, open_rig, playing, say
from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS, JSON, MSGPACK

PIECES = 100_000 if LONG else 400
CLIENT_TAGS = sorted(type_info(kind).tag for kind in typing.get_args(m.ClientMessage))
HELLO = m.Hello(name="Raw")


def spoilt(chance, subprotocol):
    """Return bytes that were a message once: cut, changed, lengthened, nested, or just noise."""
    codec = CODECS[subprotocol]
    whole = codec.encode(chance.choice((HELLO, create(), m.Ping(nonce=7), m.Resync())))
    match chance.randrange(6):
        case 0:
            return whole[: chance.randrange(len(whole))]
        case 1:
            at = chance.randrange(len(whole))
            return whole[:at] + bytes([whole[at] ^ (1 << chance.randrange(8))]) + whole[at + 1 :]
        case 2:
            return whole + chance.randbytes(chance.randrange(1, 9))
        case 3:
            return (b"[" if codec.text else b"\x91") * chance.randrange(1, 10_000)
        case 4:
            return whole * chance.randrange(2, 200)
        case _:
            return chance.randbytes(chance.randrange(200))


@pytest.mark.complaint("servers 56")
@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_no_bytes_bring_the_server_down(subprotocol):
    """Each gets a typed error, or closes that one connection; a game goes on meanwhile."""
    chance = random.Random(56)
    sent, codes = 0, set()
    async with open_rig(sessions_burst=10**6, close_s=0.1) as rig, playing(rig) as (ada, bob):
        while sent < PIECES:
            raw = rig.raw(subprotocol)
            await raw.handshake()
            while await _is_heard(raw, subprotocol, chance):
                sent += 1
            sent += 1
            codes.add(await raw.close_code())
            await raw.stream.aclose()
            if rig.factory.games[0].result is None and sent % 5 == 0:
                await take(ada if ada.prompt else bob)
                for one in (ada, bob):
                    await hear_out(one)
        agree(ada, bob)

    assert codes <= {1003, 1007, 1008, 1009}
    assert {1003, 1008} <= codes


async def _is_heard(raw, subprotocol, chance):
    """Send something spoilt, hear all that it brings, and say whether the connection stands."""
    opcode = chance.choice((Opcode.TEXT, Opcode.BINARY))
    try:
        await raw.send_frame(opcode, spoilt(chance, subprotocol))
        await say(raw, subprotocol, m.Ping(nonce=99))
    except trio.BrokenResourceError:
        return False
    while (told := await hear(raw, subprotocol)) is not None:
        if isinstance(told, m.Pong) and told.nonce == 99:
            return True
        assert not isinstance(told, m.Failed) or (told.code and told.text)
    return False


@pytest.mark.complaint("servers 56")
async def test_no_bytes_before_the_handshake_either():
    """What is no request of a websocket ends that stream; the others do not notice."""
    chance = random.Random(65)
    async with open_rig(hello_s=1) as rig, rig.client("Ada") as ada:
        for _ in range(50):
            stream = rig.listener.dial()
            await stream.send_all(chance.randbytes(chance.randrange(1, 300)) + b"\r\n\r\n")
            await stream.send_eof()
            while await stream.receive_some():
                pass
        assert await ada.ping() >= 0


async def at_the_door(_rig, _line):
    pass


async def in_the_lobby(_rig, line):
    await line.hello(HELLO)


async def seated(rig, line):
    await in_the_lobby(rig, line)
    await line.say(create())
    await line.rest()


async def watching(rig, line):
    await in_the_lobby(rig, line)
    [ada] = await come(rig, "Ada")
    await ada.say(create())
    await line.say(m.Spectate(command="s", table=(await ada.until(m.Joined)).place.info.table))
    await line.rest()


@pytest.mark.complaint("servers 58")
@pytest.mark.parametrize("where", [at_the_door, in_the_lobby, seated, watching])
@pytest.mark.parametrize("tag", CLIENT_TAGS)
async def test_every_message_is_checked_alike(tag, where):
    """A message of any type with a field that it does not have, anywhere: an error that names what
    is wrong; it is not carried out, and the next one is heard."""
    async with open_rig() as rig:
        line = Line(rig)
        await line._raw.handshake()
        await where(rig, line)
        wrong = f'{{"type":"{tag}","command":"c","no_such_field":1}}'.encode()
        await line._raw.send_frame(Opcode.TEXT, wrong)
        await line.say(m.Ping(nonce=1))
        told = await line.rest()

        assert [type(one) for one in told] == [m.Failed, m.Pong]
        assert told[0].code == "malformed"
        assert told[0].text
        assert rig.running.statistics()["tables"] == (where in (seated, watching))


@pytest.mark.complaint("servers 59")
@pytest.mark.parametrize("bytes_max", [1_024, 16_384])
async def test_a_message_that_is_too_large_is_told_the_limit(bytes_max):
    """The welcome says how large a message may be; one byte more closes with 1009 and says so."""
    async with open_rig(message_bytes_max=bytes_max) as rig:
        raw = rig.raw(JSON)
        await raw.handshake()
        await say(raw, JSON, HELLO)
        welcome = await hear(raw, JSON)
        fits = b'{"type":"ping"}'.ljust(welcome.message_bytes_max)
        await raw.send_frame(Opcode.TEXT, fits)
        pong = await hear(raw, JSON)
        await raw.send_frame(Opcode.TEXT, fits + b" ")
        code = await raw.close_code()

        assert welcome.message_bytes_max == bytes_max
        assert isinstance(pong, m.Pong)
        assert code == 1009
        assert str(bytes_max) in raw.protocol.close_rcvd.reason.replace(",", "")


VALUES = {
    "flag": True,
    "large": 2**53 - 1,
    "small": -(2**53 - 1),
    "edges": 2**31,
    "byte": -129,
    "text": 'Őrtorony "ß" 😀 \\ \t \u2028 \u007f',
    "empty": "",
    "long": "é" * 2_000,
}


@pytest.mark.complaint("servers 61")
@pytest.mark.parametrize("maker", [MSGPACK, JSON])
async def test_both_spellings_say_the_same(maker):
    """Values of each kind, from a client of one spelling, come out the same in both."""
    async with open_rig() as rig:
        lines = {name: rig.raw(name) for name in (MSGPACK, JSON)}
        for name, raw in lines.items():
            await raw.handshake()
            await say(raw, name, m.Hello(name="Ödön 😀" if name == maker else "Bob"))
            assert isinstance(await hear(raw, name), m.Welcome)
        await say(lines[maker], maker, create(options=VALUES))
        await settle()
        infos = []
        for name, raw in lines.items():
            await say(raw, name, m.Browse())
            while not isinstance(told := await hear(raw, name), m.Tables):
                pass
            infos += told.tables
        assert [info.options for info in infos] == [VALUES] * 2
        assert {info.seats[0].name for info in infos} == {"Ödön 😀"}


@pytest.mark.complaint("servers 61")
async def test_two_spellings_at_one_table():
    """One plays in JSON and one in MessagePack: their boards and digests are the same."""
    async with open_rig() as rig, rig.client("Ada", JSON) as ada, rig.client("Bob") as bob:
        await bob.join((await ada.create("toy", 2)).info.table)
        for _ in range(30):
            for one in (ada, bob):
                await hear_out(one)
            agree(ada, bob)
            if not (ada.prompt or bob.prompt):
                break
            await take(ada if ada.prompt else bob)
        assert rig.factory.games[0].result is not None
