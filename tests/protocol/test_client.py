"""The reference client, against servers that follow a script."""

import pytest
import trio

from longfuse_protocol import client as client_module
from longfuse_protocol import client_line
from longfuse_protocol import messages as m
from longfuse_protocol.client import (
    Client,
    ClientClosed,
    Ended,
    NotConnected,
    Refused,
    open_client,
)
from longfuse_protocol.errors import Malformed, OutOfOrder
from longfuse_protocol.session import State
from protocol.scripted import CODEC, PROMPT, frame, server, snapshot
from support.listening import URL, until


def client(stream):
    """Return a client that talks over a stream."""
    return open_client(URL, name="Ada", stream=stream)


async def test_answers_find_their_commands():
    """Answers that come in another order than their commands reach who asked."""

    async def script(self):
        await self.seat()
        first, second = await self.hear(), await self.hear()
        late = m.Answered(command=first.command, ok=False, code="stale_prompt", reason="too late")
        await self.tell(m.Answered(command=second.command, ok=True), late)
        await trio.sleep_forever()

    outcomes = {}

    async def decide(ada, answer):
        try:
            outcomes[answer] = (await ada.decide(PROMPT, answer)).ok
        except Refused as refused:
            outcomes[answer] = refused.answer.reason

    async with server(script) as stream, client(stream) as ada:
        await ada.join("t")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(decide, ada, 1)
            nursery.start_soon(decide, ada, 2)

    assert sorted(map(str, outcomes.values())) == ["True", "too late"]


async def test_an_error_answers_its_command():
    """An error that names a command refuses it."""

    async def script(self):
        await self.seat()
        command = await self.hear()
        await self.tell(m.Failed(code="busy", text="wait a little", command=command.command))
        await trio.sleep_forever()

    async with server(script) as stream, client(stream) as ada:
        await ada.join("t")
        with pytest.raises(Refused, match="busy: wait a little"):
            await ada.concede()


async def test_an_id_that_waits_already():
    """Commands that wait are told apart by their ids: a second one with the same is refused."""

    async def script(self):
        await self.seat()
        command = await self.hear()
        await trio.sleep(1)
        await self.tell(m.Answered(command=command.command, ok=True))
        await trio.sleep_forever()

    async with server(script) as stream, client(stream) as ada, trio.open_nursery() as nursery:
        await ada.join("t")
        nursery.start_soon(ada.command, m.Concede(command="mine"))
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(ValueError, match="'mine' waits for its answer"):
            await ada.command(m.TakeBack(command="mine"))


async def test_no_answer_in_time():
    """A command that is never answered ends in TooSlowError, after the time that is said."""

    async def script(self):
        await self.seat()
        await trio.sleep_forever()

    async with server(script) as stream, client(stream) as ada:
        await ada.join("t")
        asked_at = trio.current_time()
        with pytest.raises(trio.TooSlowError):
            await ada.concede()

        assert trio.current_time() - asked_at == client_module.ANSWER_S


@pytest.mark.parametrize(("code", "retry"), [(1012, True), (1008, False), (4999, False)])
async def test_the_last_event(code, retry):
    """However the server closes, the last event says code and reason, and there are no more."""

    async def script(self):
        await self.welcome()
        await self.socket.aclose(code, "because")

    async with server(script) as stream, client(stream) as ada:
        events = [event async for event in ada]

        assert events[-1] == Ended(code, "because", retry)
        assert [type(event) for event in events] == [m.Welcome, Ended]
        with pytest.raises(ClientClosed):
            ada.send(m.Ping())


async def test_closing():
    """Leaving the block closes the connection properly, and the events end."""
    closes = []

    async def script(self):
        await self.welcome()
        await self.socket.wait_closed()
        closes.append(self.socket.close_code)

    async with server(script) as stream:
        async with client(stream) as ada:
            pass

        assert closes == [1000]
        assert [type(event) async for event in ada] == [m.Welcome, Ended]


async def test_what_was_said_last_goes_out():
    """What was sent before the end of the block still arrives."""
    heard = []

    async def script(self):
        await self.welcome()
        heard.extend([await self.hear() for _ in range(3)])
        await self.socket.wait_closed()

    async with server(script) as stream, client(stream) as ada:
        for nonce in range(3):
            ada.send(m.Ping(nonce=nonce))

    assert [ping.nonce for ping in heard] == [0, 1, 2]


async def test_a_connection_that_ends_while_leaving():
    """If the connection ends before the table says that one has left, leaving raises."""

    async def script(self):
        await self.seat()
        leave = await self.hear()
        await self.tell(m.Answered(command=leave.command, ok=True))
        await self.socket.aclose(1012, "restart")

    async with server(script) as stream, client(stream) as ada:
        await ada.join("t")
        with pytest.raises(ClientClosed):
            await ada.leave()

        assert trio.current_time() == 0


async def test_a_broken_connection():
    """A connection that breaks ends the events and the commands that wait."""

    async def script(self):
        await self.seat()
        await self.hear()
        await trio.aclose_forcefully(self.socket.stream)

    async with server(script) as stream, client(stream) as ada:
        await ada.join("t")
        with pytest.raises(ClientClosed):
            await ada.concede()
        ended = await until(ada, Ended)

    assert (ended.code, ended.retry) == (1006, True)


@pytest.mark.parametrize("data", [b"\xc1", b"\x80", CODEC.encode(m.Left(table="t"))])
async def test_nonsense_from_the_server(data):
    """A server that says what no server says ends the client, with the reason."""

    async def script(self):
        await self.welcome()
        await self.socket.send(data)
        await trio.sleep_forever()

    async with server(script) as stream, client(stream) as ada:
        ended = await until(ada, Ended)

    assert (ended.code, ended.retry) == (1003, False)
    assert ended.reason.startswith("not understood")
    assert trio.current_time() == 0


async def test_a_gap_asks_for_the_whole_view():
    """After a missed frame the client asks by itself, and its view is right again."""

    async def script(self):
        await self.seat()
        await self.tell(frame(1, {"a": {}}, {"a": {}}), frame(3, {"c": {}}, {"c": {}}))
        assert isinstance(await self.hear(), m.Resync)
        whole = {"a": {}, "b": {}, "c": {}}
        await self.tell(snapshot(3, whole))
        await self.tell(frame(4, {"a": None}, {"b": {}, "c": {}}), m.Asked(n=4, prompt=PROMPT))
        await trio.sleep_forever()

    async with server(script) as stream, client(stream) as ada:
        await ada.join("t")
        await until(ada, m.Asked)

        assert ada.mirror.view.entities == {"b": {}, "c": {}}
        assert (ada.mirror.n, ada.mirror.is_lost, ada.prompt) == (4, False, PROMPT)


async def test_events_that_nobody_takes():
    """A program that takes no events is ended, rather than its memory filled."""

    async def script(self):
        await self.welcome()
        for _ in range(client_module.EVENTS_MAX + 1):
            await self.tell(m.Pong(nonce=0, at_ms=0))
        await trio.sleep_forever()

    async with server(script) as stream, client(stream) as ada:
        await trio.sleep(1)
        ended = await until(ada, Ended, limit=client_module.EVENTS_MAX + 2)

    assert ended.reason == "events were not taken fast enough"


async def test_large_events_that_nobody_takes():
    """What waits is bounded in bytes, too; what is taken counts no more."""
    large = m.Notice(kind="k", text="x" * (client_module.EVENTS_BYTES_MAX // 20))

    async def script(self):
        await self.welcome()
        for _ in range(30):
            await self.tell(large)
        await self.hear()
        await self.tell(*[large] * 30)
        await trio.sleep_forever()

    async with server(script) as stream, client(stream) as ada:
        for _ in range(30):
            await until(ada, m.Notice)
        ada.send(m.Ping())
        await trio.sleep(1)
        told = [event async for event in ada]

    assert told[-1].reason == "events were not taken fast enough"
    assert [type(event) for event in told[:-1]] == [m.Notice] * 19


async def test_a_deaf_server():
    """A server that reads nothing can hold up neither sending nor leaving."""

    async def script(self):
        await self.welcome()
        await trio.sleep_forever()

    async with server(script) as stream, client(stream) as ada:
        # From here on, nothing that the client sends arrives.
        stream.send_stream.send_all_hook = trio.sleep_forever
        began_at = trio.current_time()
        ada.send(m.Ping())
        with pytest.raises(ClientClosed):
            for _ in range(client_line.OUTBOX_MAX + 1):
                ada.send(m.Ping())
        ended = await until(ada, Ended)

        assert ended.code in (1006, 1000)
        assert trio.current_time() - began_at <= client_line.CLOSE_S + 1
    assert trio.current_time() - began_at <= 3 * client_line.CLOSE_S


async def test_what_the_server_would_not_take_is_not_sent():
    """Messages that break a limit or the session's order are refused here, and change nothing."""
    heard = []

    async def script(self):
        await self.welcome()
        heard.append(await self.hear())
        await trio.sleep_forever()

    async with server(script) as stream, client(stream) as ada:
        with pytest.raises(OutOfOrder):
            await ada.concede()
        with pytest.raises(Malformed):
            await ada.join("")
        with pytest.raises(Malformed):
            await ada.create("toy", 99)
        assert ada.state is State.LOBBY
        ada.send(m.Ping(nonce=5))
        await trio.testing.wait_all_tasks_blocked()

    assert heard == [m.Ping(nonce=5)]


async def test_no_session():
    """A server that is not there, is none of ours or never welcomes raises NotConnected."""

    async def silent(self):
        await trio.sleep_forever()

    async def closing(self):
        await self.socket.aclose(1012, "restart")

    async with server(silent) as stream:
        with pytest.raises(NotConnected, match="no welcome in time"):
            async with client(stream):
                pass
    async with server(closing) as stream:
        began_at = trio.current_time()
        with pytest.raises(NotConnected, match="restart"):
            async with client(stream):
                pass
        assert trio.current_time() == began_at
    mine, theirs = trio.testing.memory_stream_pair()
    await theirs.send_all(b"HTTP/1.1 404 Not Found\r\n\r\n")
    with pytest.raises(NotConnected):
        async with client(mine):
            pass


async def test_errors_of_the_block_come_out_as_they_are():
    """What the block raises is not wrapped in a group, and the connection is closed behind it."""

    async def script(self):
        await self.welcome()
        await trio.sleep_forever()

    kept: list[Client] = []
    async with server(script) as stream:
        with pytest.raises(KeyError):
            async with client(stream) as ada:
                kept.append(ada)
                raise KeyError("mine")

    assert kept[0].ended is not None


async def test_cancelling_the_block():
    """Cancelling whoever uses a client ends it at once."""

    async def script(self):
        await self.welcome()
        await trio.sleep_forever()

    async with server(script) as stream:
        began_at = trio.current_time()
        with trio.move_on_after(3) as scope:
            async with client(stream) as ada:
                await until(ada, Ended)

        assert scope.cancelled_caught
        assert trio.current_time() - began_at == 3
