"""The gateway: frames of all kinds, and peers that do what no proper client does."""

import ssl
from pathlib import Path

import pytest
import trio
import trio.testing
from websockets.frames import Opcode

from host.rig import HELLO, Raw, frame_bytes, gone, hear, open_rig, say, spelt, until
from longfuse.config import Config
from longfuse.host.lobby import Lobby
from longfuse_protocol import messages as m
from longfuse_protocol.client import Ended
from longfuse_protocol.codec import JSON, MSGPACK

PEM = str(Path(__file__).parent / "localhost.pem")
BOTH = pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])


@BOTH
async def test_whole_frames(subprotocol):
    """Messages travel in frames of the subprotocol's kind, both ways."""
    async with open_rig() as rig:
        raw = rig.raw(subprotocol)
        assert await raw.handshake() == 101
        await say(raw, subprotocol, HELLO)
        await say(raw, subprotocol, m.Ping(nonce=4))

        assert isinstance(await hear(raw, subprotocol), m.Welcome)
        assert (await hear(raw, subprotocol)).nonce == 4


@BOTH
async def test_fragments(subprotocol):
    """A message in fragments, with a ping between them, comes before the one behind it."""
    async with open_rig() as rig:
        raw = rig.raw(subprotocol)
        await raw.handshake()
        opcode, data = spelt(subprotocol, HELLO)
        await raw.send_frame(opcode, data[:3], fin=False)
        await raw.send_frame(Opcode.CONT, b"", fin=False)
        await raw.send_frame(Opcode.PING, b"?")
        await raw.send_frame(Opcode.CONT, data[3:])
        await say(raw, subprotocol, m.Ping(nonce=1))

        assert isinstance(await hear(raw, subprotocol), m.Welcome)
        assert (await hear(raw, subprotocol)).nonce == 1


@BOTH
async def test_what_comes_before_the_handshake_is_done(subprotocol):
    """Frames in the same packet as the request are taken once the handshake is done, in order."""
    early = frame_bytes(*spelt(subprotocol, HELLO))
    early += frame_bytes(*spelt(subprotocol, m.Ping(nonce=2)))
    async with open_rig() as rig:
        raw = rig.raw(subprotocol)

        assert await raw.handshake(pipelined=early) == 101
        assert isinstance(await hear(raw, subprotocol), m.Welcome)
        assert (await hear(raw, subprotocol)).nonce == 2


async def test_too_much_before_the_handshake_is_done():
    """Whoever floods before the handshake is done is cut off."""
    async with open_rig() as rig:
        raw = rig.raw()
        await raw.handshake(pipelined=frame_bytes(Opcode.BINARY, b"x") * 100)

        assert await raw.close_code() is None
        await gone(rig)


async def test_too_large():
    """A message over the limit, whole or in fragments, closes with 1009."""
    async with open_rig(message_bytes_max=2_000) as rig:
        whole, parts = rig.raw(), rig.raw()
        await whole.handshake()
        await whole.send_frame(Opcode.BINARY, b"x" * 2_001)
        await parts.handshake()
        await parts.send_frame(Opcode.BINARY, b"x" * 1_500, fin=False)
        await parts.send_frame(Opcode.CONT, b"x" * 501)

        assert await whole.close_code() == 1009
        assert await parts.close_code() == 1009


async def test_a_peer_that_stays_on_the_line():
    """Whoever is closed, by us or by the library, and does not hang up is gone after close_s."""
    async with open_rig(message_bytes_max=2_000, close_s=3, ping_s=600) as rig:
        large, wrong, silent = rig.raw(), rig.raw(), rig.raw()
        for raw in (large, wrong, silent):
            await raw.handshake()
        await large.send_frame(Opcode.BINARY, b"x" * 2_001)
        await wrong.send_frame(Opcode.TEXT, b"x")
        await silent.send_frame(Opcode.CLOSE, b"\x03\xe8")
        began_at = trio.current_time()
        await gone(rig)

        assert 3 <= trio.current_time() - began_at < 3.2


async def test_a_tls_peer_that_takes_no_farewell():
    """Over TLS too, a peer that does not hang up and reads nothing is gone after close_s."""
    settings = {"tls_certificate": PEM, "tls_key": PEM, "close_s": 3, "write_s": 4}
    async with open_rig(**settings, ping_s=600) as rig:
        stream = rig.listener.dial()
        trust = ssl.create_default_context(cafile=PEM)
        raw = Raw(trio.SSLStream(stream, trust, server_hostname="localhost"), MSGPACK)
        await raw.handshake()
        await say(raw, MSGPACK, HELLO)
        assert isinstance(await hear(raw, MSGPACK), m.Welcome)
        await raw.send_frame(Opcode.TEXT, b"x")
        await trio.testing.wait_all_tasks_blocked()
        rig.listener.deafen(stream)
        began_at = trio.current_time()
        await gone(rig)

        assert 3 <= trio.current_time() - began_at < 3.2


async def test_too_many_fragments():
    """A message in endless empty fragments closes with 1009."""
    async with open_rig() as rig:
        raw = rig.raw()
        await raw.handshake()
        await raw.send_frame(Opcode.BINARY, b"", fin=False)
        for _ in range(300):
            await raw.send_frame(Opcode.CONT, b"", fin=False)

        assert await raw.close_code() == 1009


@pytest.mark.parametrize(("subprotocol", "opcode"), [(MSGPACK, Opcode.TEXT), (JSON, Opcode.BINARY)])
async def test_the_wrong_kind_of_frame(subprotocol, opcode):
    """Text in the binary subprotocol, or bytes in the text one, closes with 1003."""
    async with open_rig() as rig:
        raw = rig.raw(subprotocol)
        await raw.handshake()
        await raw.send_frame(opcode, spelt(subprotocol, HELLO)[1])

        assert await raw.close_code() == 1003


async def test_nothing_is_done_after_a_closing_fault():
    """What comes behind a frame that closes the connection is not carried out."""
    create = m.Create(command="c", ruleset="toy", seats=(m.SeatWish(),) * 2)
    async with open_rig() as rig:
        raw = rig.raw()
        await raw.handshake()
        await say(raw, MSGPACK, HELLO)
        wrong = frame_bytes(Opcode.TEXT, b"x")
        await raw.stream.send_all(wrong + frame_bytes(*spelt(MSGPACK, create)))

        assert await raw.close_code() == 1003
        assert rig.factory.games == []


async def test_not_utf8():
    """Text that is no UTF-8 closes with 1007."""
    async with open_rig() as rig:
        raw = rig.raw(JSON)
        await raw.handshake()
        await raw.send_frame(Opcode.TEXT, b'{"type":"\xff"}')

        assert await raw.close_code() == 1007


@BOTH
async def test_three_malformed_messages(subprotocol):
    """Each malformed message is told with its field; the third closes with 1008."""
    async with open_rig() as rig:
        raw = rig.raw(subprotocol)
        await raw.handshake()
        opcode, _ = spelt(subprotocol, HELLO)
        nameless = b'{"type":"hello"}' if subprotocol == JSON else b"\x81\xa4type\xa5hello"
        errors = []
        for _ in range(3):
            await raw.send_frame(opcode, nameless)
            errors.append(await hear(raw, subprotocol))

        assert [(error.code, error.field) for error in errors] == [("malformed", "$.name")] * 3
        assert (await raw.receive()).opcode is Opcode.CLOSE
        assert (raw.protocol.close_rcvd.code, trio.current_time()) == (1008, 0)


@BOTH
async def test_a_malformed_command_is_told_with_its_id(subprotocol):
    """Who waits for the answer to a command that does not fit its schema does not wait in vain."""
    say_it = b'{"type":"say","command":"c","text":7}'
    if subprotocol != JSON:
        say_it = b"\x83\xa4type\xa3say\xa7command\xa1c\xa4text\x07"
    async with open_rig() as rig:
        raw = rig.raw(subprotocol)
        await raw.handshake()
        await raw.send_frame(spelt(subprotocol, HELLO)[0], say_it)
        error = await hear(raw, subprotocol)

        assert (error.code, error.field, error.command) == ("malformed", "$.text", "c")


async def test_malformed_messages_are_forgiven_in_time():
    """One a minute never closes a connection, however long the evening."""
    async with open_rig(ping_s=3_600) as rig:
        raw = rig.raw()
        await raw.handshake()
        await say(raw, MSGPACK, HELLO)
        await hear(raw, MSGPACK)
        for _ in range(20):
            await raw.send_frame(Opcode.BINARY, b"\xc1")
            assert (await hear(raw, MSGPACK)).code == "malformed"
            await trio.sleep(61)
        await say(raw, MSGPACK, m.Ping(nonce=7))

        assert (await hear(raw, MSGPACK)).nonce == 7


async def test_two_malformed_messages_do_no_harm():
    """After two malformed messages and one out of order, the session goes on as before."""
    async with open_rig() as rig:
        raw = rig.raw()
        await raw.handshake()
        await raw.send_frame(Opcode.BINARY, b"\xc1")
        await raw.send_frame(Opcode.BINARY, b"")
        await say(raw, MSGPACK, m.Concede(command="c"))
        await say(raw, MSGPACK, HELLO)
        told = [await hear(raw, MSGPACK) for _ in range(4)]

        assert [getattr(message, "code", "") for message in told] == [
            "malformed",
            "malformed",
            "out_of_order",
            "",
        ]
        assert told[2].command == "c"
        assert isinstance(told[3], m.Welcome)


async def test_a_flood():
    """Whoever sends faster than allowed is told and closed; a neighbour is served meanwhile."""
    async with open_rig(messages_per_s=10, messages_burst=20) as rig, rig.client() as ada:
        raw = rig.raw()
        await raw.handshake()
        await say(raw, MSGPACK, HELLO)
        for _ in range(40):
            await say(raw, MSGPACK, m.Ping())
        ada.send(m.Ping(nonce=9))
        assert (await until(ada, m.Pong)).nonce == 9
        told = [await hear(raw, MSGPACK) for _ in range(12)]

        assert [type(message) for message in told[:-1]] == [m.Welcome, *[m.Pong] * 10]
        assert told[-1].code == "too_fast"
        assert await raw.close_code() == 1008


async def test_the_rate_refills():
    """Whoever keeps to the allowed rate may go on for ever."""
    async with open_rig(messages_per_s=10, messages_burst=2) as rig, rig.client() as ada:
        await trio.sleep(1)
        for nonce in range(100):
            await trio.sleep(0.1)
            ada.send(m.Ping(nonce=nonce))
            assert (await until(ada, m.Pong)).nonce == nonce


async def test_a_deaf_peer_is_cut_off_in_time():
    """A peer that takes nothing is cut off after write_s, though little waits for it."""
    async with open_rig(write_s=3, ping_s=3_000) as rig:
        stream = rig.listener.dial()
        async with rig.client(stream=stream) as ada:
            rig.listener.deafen(stream)
            began_at = trio.current_time()
            ada.send(m.Ping())
            ended = await until(ada, Ended)

            assert trio.current_time() - began_at == 3
            assert ended.code == 1006
        await gone(rig)


async def test_a_deaf_peer_is_cut_off_when_its_outbox_is_full(caplog):
    """A peer for which too much waits is cut off at once; that is no news for the operator."""
    async with open_rig(write_s=3_000, outbox_bytes_max=1_024, ping_s=3_000) as rig:
        stream = rig.listener.dial()
        async with rig.client(stream=stream) as ada:
            rig.listener.deafen(stream)
            began_at = trio.current_time()
            for _ in range(60):
                ada.send(m.Ping())
                await trio.testing.wait_all_tasks_blocked()
                if ada.ended is not None:
                    break
            await until(ada, Ended)

            assert trio.current_time() == began_at
        await gone(rig)
    assert [record.getMessage() for record in caplog.records] == []


async def test_everything_arrives_in_order_when_writing_is_slow():
    """Pongs, pings of the library and frames that pile up behind a slow write stay in order."""
    async with open_rig(ping_s=0.05, pong_s=10, outbox_bytes_max=10**6) as rig:
        stream = rig.listener.dial()
        async with rig.client(stream=stream) as ada:

            async def slowly():
                await trio.sleep(0.1)

            rig.listener.servers_end[stream].send_stream.send_all_hook = slowly
            for nonce in range(50):
                ada.send(m.Ping(nonce=nonce))
                await trio.sleep(0.01)
            heard = [(await until(ada, m.Pong)).nonce for _ in range(50)]

    assert heard == list(range(50))


async def test_a_dead_peer():
    """A peer that stops answering pings is dropped, and nothing is logged as an error."""
    async with open_rig(ping_s=20, pong_s=20, close_s=5) as rig:
        raw = rig.raw()
        await raw.handshake()
        await say(raw, MSGPACK, HELLO)
        began_at = trio.current_time()
        await gone(rig)

        assert 40 <= trio.current_time() - began_at <= 46


async def test_an_idle_peer():
    """A client that is silent for hours, but alive, stays connected."""
    async with open_rig() as rig, rig.client() as ada:
        await trio.sleep(10_000)
        ada.send(m.Ping(nonce=1))

        assert (await until(ada, m.Pong)).nonce == 1


async def test_no_hello():
    """Who connects and says no hello is closed with 1008 in time; who does stays."""
    async with open_rig(hello_s=7) as rig, rig.client() as ada:
        raw = rig.raw()
        await raw.handshake()
        began_at = trio.current_time()

        assert await raw.close_code() == 1008
        assert trio.current_time() - began_at == 7
        ada.send(m.Ping())
        await until(ada, m.Pong)


@BOTH
async def test_a_client_that_closes(subprotocol):
    """A client's close frame is answered in kind, and its place is free at once."""
    async with open_rig() as rig:
        raw = rig.raw(subprotocol)
        await raw.handshake()
        await raw.send_frame(Opcode.CLOSE, b"\x03\xe8")

        assert await raw.close_code() == 1000
        await gone(rig)


async def test_a_fault_of_one_connection(monkeypatch):
    """A defect met by one client's message closes that client with 1011, and nobody else."""

    def broken(_self):
        raise RuntimeError("a defect")

    async with open_rig() as rig, rig.client("Ada") as ada, rig.client("Bob") as bob:
        monkeypatch.setattr(Lobby, "tables", broken)
        ada.send(m.Browse())
        ended = await until(ada, Ended)
        bob.send(m.Ping())

        assert (ended.code, ended.retry) == (1011, True)
        assert "defect" not in ended.reason
        await until(bob, m.Pong)


async def test_no_subprotocol():
    """Who offers no subprotocol gets the default; who offers only others is refused with 400."""
    async with open_rig() as rig:
        raw, other = rig.raw(None), rig.raw("chess.2")
        assert await raw.handshake() == 101
        await say(raw, MSGPACK, HELLO)

        assert isinstance(await hear(raw, MSGPACK), m.Welcome)
        assert await other.handshake() == 400


@pytest.mark.parametrize(
    ("origin", "allowed", "status"),
    [
        ("http://memory", (), 101),
        ("https://memory", (), 101),
        ("https://evil.example", (), 403),
        ("http://memory.evil.example", (), 403),
        ("null", (), 403),
        ("https://play.example", ("https://play.example",), 101),
        ("https://evil.example", ("https://play.example",), 403),
        ("https://evil.example", ("*",), 101),
    ],
)
async def test_origins(origin, allowed, status):
    """A web page may connect from this host or from an origin that is listed, and no other."""
    async with open_rig(origins=allowed) as rig:
        assert await rig.raw().handshake(Origin=origin) == status


async def test_full():
    """Beyond connections_max, others are turned away with 503 until somebody goes."""
    async with open_rig(connections_max=1) as rig:
        async with rig.client():
            assert await rig.raw().handshake() == 503
        await gone(rig)
        assert await rig.raw().handshake() == 101


async def test_many_at_once_where_few_may_come():
    """Of many that shake hands at one moment as many are let in as there may be, and no more."""
    async with open_rig(connections_max=5) as rig, trio.open_nursery() as nursery:
        codes = []

        async def come(raw):
            codes.append(await raw.handshake())

        for _ in range(20):
            nursery.start_soon(come, rig.raw())
        await trio.testing.wait_all_tasks_blocked()

        assert sorted(codes) == [101] * 5 + [503] * 15


@pytest.mark.parametrize(
    ("path", "answer"), [("/healthz", b"200 OK"), ("/healthz?x=1", b"200 OK"), ("/", b"404 Not")]
)
async def test_plain_requests(path, answer):
    """/healthz answers a plain request; any other path says where websockets are."""
    async with open_rig() as rig:
        stream = rig.listener.dial()
        await stream.send_all(f"GET {path} HTTP/1.1\r\nHost: memory\r\n\r\n".encode())
        response = b""
        async for chunk in stream:
            response += chunk

        assert response.startswith(b"HTTP/1.1 " + answer)
        assert response.endswith(b"ok\n" if b"200" in answer else b"websockets are at /ws\n")


async def test_a_secret_in_the_address():
    """Addresses are kept in logs: what comes with a query is refused, and told where it belongs."""
    async with open_rig() as rig:
        raw = rig.raw()
        status = await raw.handshake(path="/ws?token=abc")

        assert status == 400


@pytest.mark.parametrize("data", [b"", b"\x16\x03\x01", b"GET /ws HTTP/1.1\r\n\r\n", b"\n" * 9_999])
async def test_no_websocket_at_all(data):
    """Bytes that are no handshake end in time and leave nothing behind."""
    async with open_rig(hello_s=5) as rig:
        stream = rig.listener.dial()
        if data:
            await stream.send_all(data)
        with trio.fail_after(6):
            async for _ in stream:
                pass

        assert rig.running.statistics()["connections"] == 0
        async with rig.client():
            pass


def test_defaults_fit_together():
    """A client that sends by the protocol's limits is within those of a server left as it is."""
    config = Config()

    assert config.message_bytes_max == m.MESSAGE_BYTES_MAX < config.outbox_bytes_max
