"""How the reference client reaches a server, or is told why it does not."""

import contextlib
import errno
import functools
import socket
import ssl

import pytest
import trio
import trio.testing
from websockets.trio.server import serve

from longfuse_protocol.client import (
    NEVER,
    NotConnected,
    Retry,
    open_client,
)
from protocol.scripted import (
    door,
    drop,
    told,
)
from support.listening import URL, MemoryListener


def answering(*responses):
    """Return what dials plain HTTP responses, one after the other, and then nobody."""
    left = list(responses)
    dialled_at = []

    async def dial():
        await trio.lowlevel.checkpoint()
        dialled_at.append(trio.current_time())
        if not left:
            raise OSError("nobody is there")
        mine, theirs = trio.testing.memory_stream_pair()
        await theirs.send_all(left.pop(0).replace("\n", "\r\n").encode())
        return mine

    return dial, dialled_at


@pytest.mark.parametrize("status", ["400 No", "401 No", "403 No", "404 No", "426 No"])
async def test_an_address_where_nobody_wants_it(status):
    """A plain refusal is told with what it says, and not tried again."""
    dial, dialled_at = answering(f"HTTP/1.1 {status}\nContent-Length: 4\n\nwhy\n")
    with pytest.raises(NotConnected, match=f"HTTP {status[:3]}: why") as caught:
        async with open_client(URL, name="Ada", dial=dial, retry=Retry(first=True)):
            pass

    assert not caught.value.ended.retry
    assert len(dialled_at) == 1


async def test_a_server_that_is_full():
    """It is tried again, after as long as it asks for where it asks; a date is no number."""
    dial, dialled_at = answering(
        "HTTP/1.1 503 Busy\nRetry-After: 7\nContent-Length: 0\n\n",
        "HTTP/1.1 429 Slower\nRetry-After: Tue, 01 Dec 2026 10:00:00 GMT\nContent-Length: 0\n\n",
        "HTTP/1.1 502 Gone\nRetry-After: 99999999999\nContent-Length: 0\n\n",
    )
    retry = Retry(first=True)
    with pytest.raises(NotConnected, match="HTTP 502; given up after 2 more tries") as caught:
        async with open_client(URL, name="Ada", dial=dial, retry=retry, chance=lambda: 0.0):
            pass

    assert [later - dialled_at[0] for later in dialled_at] == [0, 7, 7]
    assert caught.value.ended.retry


@contextlib.asynccontextmanager
async def another_server():
    """Run a websocket server that is none of ours; yield what dials it."""
    listener = MemoryListener()

    async def other(socket):
        await socket.recv()

    async def dial():
        await trio.lowlevel.checkpoint()
        return listener.dial()

    async with trio.open_nursery() as nursery:
        await nursery.start(functools.partial(serve, other, listeners=[listener]))
        yield dial
        nursery.cancel_scope.cancel()


async def test_what_speaks_another_protocol():
    """A websocket that is none of ours is told from one, at once."""
    async with another_server() as dial:
        with pytest.raises(NotConnected, match=r"speaks no `longfuse\.1`") as caught:
            async with open_client(URL, name="Ada", dial=dial):
                pass

    assert not caught.value.ended.retry


async def test_what_speaks_another_protocol_when_the_client_comes_back():
    """It is the end, and nothing is left to be waited for when the block ends."""
    async with another_server() as elsewhere, door(drop) as here:
        doors = iter([here.dial, elsewhere])

        async def dial():
            return await next(doors)()

        async with open_client(URL, name="Ada", dial=dial, chance=lambda: 0.0) as ada:
            ended = (await told(ada))[-1]

    assert "speaks no `longfuse.1`" in ended.reason
    assert trio.current_time() == 0


def failed(*causes, group=True):
    """Build what trio raises where none of a name's addresses answers, or TLS does not."""
    error = OSError("all attempts failed") if group else trio.BrokenResourceError()
    error.__cause__ = ExceptionGroup("all attempts failed", causes) if group else causes[0]
    return error


REFUSED = ConnectionRefusedError(errno.ECONNREFUSED, "Error connecting to ('::1', 9)")


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (failed(REFUSED, REFUSED), "Connection refused"),
        (failed(REFUSED, OSError(errno.ENETUNREACH, "")), "Connection refused, Network is unrea"),
        (OSError(errno.ETIMEDOUT, "x"), "Connection timed out"),
        (socket.gaierror(socket.EAI_NONAME, "Name not known"), "Name not known"),
        (failed(ssl.SSLError(1, "no certificate of ours"), group=False), "no certificate of ours"),
        (OSError("no way through"), "no way through"),
    ],
)
async def test_why_no_connection_can_be_had_is_told(error, why):
    """In the system's words, behind the address: neither "attempts failed" nor a number."""

    async def dial():
        await trio.lowlevel.checkpoint()
        raise error

    with pytest.raises(NotConnected) as caught:
        async with open_client(URL, name="Ada", dial=dial, retry=NEVER):
            pass
    told_why = caught.value.ended.reason
    assert told_why.startswith(f"{URL}: ")
    assert why in told_why
    assert "attempts" not in told_why
    assert "Errno" not in told_why


async def test_a_host_that_does_not_answer_is_told():
    """With its address, where the time for a try is over before a connection stands."""
    with pytest.raises(NotConnected, match=f"{URL}: no connection in time"):
        async with open_client(URL, name="Ada", dial=trio.sleep_forever, retry=NEVER):
            pass


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("cards.example", "scheme isn't ws or wss"),
        ("ws://cards.example:99999/ws", "Port out of range"),
        ("ws://cards.example:ws/ws", "Port could not be cast"),
    ],
)
async def test_an_address_that_is_none(url, told):
    """It is named with what is wrong with it, and not tried again."""
    with pytest.raises(NotConnected) as caught:
        async with open_client(url, name="Ada", retry=Retry(first=True)):
            pass

    assert url in str(caught.value)
    assert told in str(caught.value)
    assert not caught.value.ended.retry


async def test_what_speaks_no_tls():
    """What TLS has to say against the other side is told."""
    mine, theirs = trio.testing.memory_stream_pair()
    await theirs.send_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    with pytest.raises(NotConnected, match=r"\[SSL") as caught:
        async with open_client("wss://memory/ws", name="Ada", stream=mine):
            pass

    assert caught.value.ended.retry


async def test_a_connection_that_breaks_during_the_handshake():
    """A stream that takes nothing at all is no connection, and is told as that."""
    mine, theirs = trio.testing.memory_stream_pair()
    await theirs.aclose()
    with pytest.raises(NotConnected) as caught:
        async with open_client(URL, name="Ada", stream=mine):
            pass

    assert (caught.value.ended.code, caught.value.ended.retry) == (1006, True)
