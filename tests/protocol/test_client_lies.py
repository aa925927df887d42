"""A server that says anything, in any order: the reference client ends as it should, or goes on."""

import msgpack
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from longfuse_protocol import messages as m
from longfuse_protocol.client import ClientClosed, Ended, NotConnected, Refused, Retry, open_client
from longfuse_protocol.client_line import INBOUND_BYTES_MAX
from longfuse_protocol.errors import WireError
from protocol.scripted import CODEC, PLACE, PROMPT, door, frame, snapshot, welcome
from protocol.wire_values import FROM_SERVER
from support.listening import URL
from support.schedule import run

NOT_AT_A_TABLE = {m.Welcome, m.Rejected, m.Joined, m.Left, m.Tables, m.Unpaired}
AT_A_TABLE = [FROM_SERVER[kind] for kind in FROM_SERVER if kind not in NOT_AT_A_TABLE]
"""What a session at a table may hear without being over."""
BACK = CODEC.encode(welcome(PLACE, secret=""))


def told_by(*connections):
    """Return what a client tells that meets these connections, and does what it can besides.

    Each is a list of bytes, said once the client has said hello; then it breaks.
    """

    def script(said):
        async def follow(self):
            await self.hear()
            for data in said:
                await self.socket.send(data)
            await trio.sleep(100)
            await self.break_off()

        return follow

    async def scene():
        told = []
        retry = Retry(tries=len(connections))
        async with door(*map(script, connections)) as here:
            try:
                async with (
                    open_client(URL, name="Ada", dial=here.dial, retry=retry) as ada,
                    trio.open_nursery() as nursery,
                ):
                    nursery.start_soon(act, ada)
                    told += [event async for event in ada]
                    nursery.cancel_scope.cancel()
            except NotConnected as error:
                told.append(error.ended)
        return told

    return run(scene, seed=0)


async def act(ada):
    """Do what a program does, again and again, whatever comes of it."""
    while True:
        for do in (
            ada.browse,
            lambda: ada.join("t"),
            lambda: ada.decide(PROMPT, 0),
            lambda: ada.say("x"),
            ada.resync,
            ada.leave,
        ):
            try:
                await do()
            except (ClientClosed, Refused, trio.TooSlowError, WireError):
                await trio.sleep(5)


@given(said=st.lists(st.one_of(*FROM_SERVER.values()), min_size=1, max_size=6))
def test_anything_at_first(said):
    """What is no welcome is the end, with a reason; nothing but that comes out."""
    told = told_by([CODEC.encode(message) for message in said])

    assert isinstance(told[-1], Ended)
    assert [type(event) for event in told].count(Ended) == 1


@given(said=st.lists(st.one_of(AT_A_TABLE), min_size=1, max_size=12))
def test_anything_at_a_table(said):
    """Frames out of order, wrong digests, answers that nobody waits for: the last event is the end.

    It comes when the connection has broken and nobody is there, not before: nothing of this is
    out of order, and views that do not match are asked for anew.
    """
    data = [CODEC.encode(message) for message in said]
    told = told_by([CODEC.encode(welcome())], [BACK, *data], [BACK, *reversed(data)])

    assert [type(event) for event in told].count(Ended) == 1
    assert isinstance(told[-1], Ended)
    wrong_views = sum(isinstance(message, m.Snapshot) for message in said)
    if wrong_views < 2:
        assert told[-1].reason.endswith("nobody is there; given up after 3 more tries")


def deep(levels):
    """Nest a list so deep."""
    return b"\x91" * levels + b"\x90"


GOOD = snapshot(1, {"a": {}})
SAID = {
    "no bytes": b"",
    "no message": b"\xc1",
    "half a message": CODEC.encode(GOOD)[:-2],
    "a message and more": CODEC.encode(GOOD) + b"\xc0",
    "too deep": deep(100_000),
    "an entity too deep": msgpack.packb(
        {"type": "view", "n": 1, "view": {}, "digest": "", "recap": []}
    ).replace(b"\xa4view\x80", b"\xa4view\x81\xa1a\x81\xa1x" + deep(5_000)),
    "a time stamp": msgpack.packb(
        {"type": "view", "n": 1, "view": {"a": {"x": msgpack.Timestamp(1)}}, "digest": ""}
    ),
    "an extension": msgpack.packb({"type": "pong", "nonce": msgpack.ExtType(5, b"x"), "at_ms": 0}),
    "bytes for text": msgpack.packb({"type": "left", "table": b"t"}),
    "no UTF-8": b"\x82\xa4type\xa4left\xa5table\xa2\xff\xfe",
    "numbers as keys": b"\x82\xa4type\xa4left\x01\xa1t",
    "a number that is none": msgpack.packb({"type": "pong", "nonce": float("nan"), "at_ms": 0}),
}


@pytest.mark.parametrize("data", SAID.values(), ids=SAID)
def test_what_is_no_message(data):
    """It ends the client, which says that it was not understood, and does not come back."""
    told = told_by([CODEC.encode(welcome())], [BACK, data], [BACK])

    assert isinstance(told[-1], Ended)
    assert told[-1].reason.startswith("not understood: ")
    assert (told[-1].code, told[-1].retry) == (1003, False)


def test_a_message_that_is_too_large():
    """It is not taken in; the connection ends, as each does on which it comes."""
    large = CODEC.encode(m.Notice(kind="k", text="x" * INBOUND_BYTES_MAX))
    told = told_by([CODEC.encode(welcome())], [BACK, large], [BACK, large])

    assert m.Notice not in [type(event) for event in told]
    assert isinstance(told[-1], Ended)


def test_frames_that_come_again():
    """A frame that was applied is not applied twice: the whole view is asked for."""
    one = frame(1, {"a": {}}, {"a": {}})
    told = told_by([CODEC.encode(welcome())], [BACK, *[CODEC.encode(one)] * 3])

    assert [event for event in told if isinstance(event, m.Events)] == [one]
