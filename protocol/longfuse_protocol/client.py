"""The reference client: a session over a websocket, for bots, tools and tests.

    async with open_client(url, name="Ada") as client:
        await client.create("duel", 2)
        async for event in client:
            if isinstance(event, Asked):
                await client.decide(event.prompt, choose(event.prompt))

One task reads and one writes; both end with the `async with`. Every wait has a bound: commands are
answered in time or raise `TooSlowError`, both queues are limited, and closing never hangs on a
server that is deaf. The events always end with one `Ended`. The view is kept up to date and
checked; after a gap the whole of it is asked for. It does not connect again: whoever uses it
decides that by `Ended.retry`.
"""

import contextlib
import itertools
from collections.abc import AsyncIterator
from typing import Self

import msgspec
import trio
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.trio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS, MSGPACK, Codec
from longfuse_protocol.errors import CLOSES, CloseCode, WireError
from longfuse_protocol.mirror import Mirror
from longfuse_protocol.prompts import Answer, Prompt
from longfuse_protocol.session import Session, State

ANSWER_S = 30.0
CLOSE_S = 5.0
EVENTS_MAX = 1_024
OUTBOX_MAX = 64
INBOUND_BYTES_MAX = 4 * 1_024 * 1_024


class Ended(msgspec.Struct, frozen=True):
    """The last event of every client: why there are no more."""

    code: int
    reason: str
    retry: bool
    """Whether connecting again may help."""


class Refused(Exception):
    """The server refused a command; `answer` has the code, the reason and what is asked now."""

    def __init__(self, answer: m.Answered) -> None:
        super().__init__(f"{answer.code}: {answer.reason}")
        self.answer = answer


class ClientClosed(Exception):
    """The connection had ended, or ended before the answer came."""


class NotConnected(Exception):
    """No session could be opened."""


Event = m.ServerMessage | Ended


class _Slot:
    """Where the answer to one command will be."""

    def __init__(self) -> None:
        self.filled = trio.Event()
        self.answer: m.Answered | None = None


class Client:
    """One session. Made by `open_client`, and usable until `Ended` was told."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.welcome: m.Welcome | None = None
        self.place: m.Joined | None = None
        """The place at a table that this session has, or had last."""
        self.mirror = Mirror()
        """The view from that place."""
        self.prompt: Prompt | None = None
        """What this seat was asked last, until something happened since."""
        self.ended: Ended | None = None
        self._session = Session()
        self._greeted = trio.Event()
        self._left = trio.Event()
        self._bytes_max = m.MESSAGE_BYTES_MAX
        self._commands = itertools.count(1)
        self._waiting: dict[str, _Slot] = {}
        self._outbox, self._to_write = trio.open_memory_channel[bytes](OUTBOX_MAX)
        self._events, self._told = trio.open_memory_channel[m.ServerMessage](EVENTS_MAX)

    @property
    def state(self) -> State:
        """Where the session is."""
        return self._session.state

    # What to do

    async def create(
        self,
        ruleset: str,
        seats: int | tuple[m.SeatWish, ...],
        *,
        sit: int | None = 0,
        options: m.Options | None = None,
    ) -> m.Joined:
        """Open a table and take a seat at it, or with None watch it."""
        wishes = (m.SeatWish(),) * seats if isinstance(seats, int) else seats
        wish = m.Create(
            command=self.new_id(), ruleset=ruleset, seats=wishes, sit=sit, options=options or {}
        )
        return await self._enter(wish)

    async def join(self, table: str, seat: int | None = None) -> m.Joined:
        """Take a seat at a table."""
        return await self._enter(m.Join(command=self.new_id(), table=table, seat=seat))

    async def spectate(self, table: str) -> m.Joined:
        """Watch a table."""
        return await self._enter(m.Spectate(command=self.new_id(), table=table))

    async def leave(self) -> None:
        """Leave the table."""
        self._left = trio.Event()
        await self.command(m.Leave(command=self.new_id()))
        with trio.fail_after(ANSWER_S):
            await self._left.wait()
        if self.ended is not None:
            raise ClientClosed("the connection ended while leaving")

    async def decide(self, prompt: Prompt, answer: Answer) -> m.Answered:
        """Answer a prompt."""
        return await self.command(m.Decide(command=self.new_id(), prompt=prompt.id, answer=answer))

    async def take_back(self) -> m.Answered:
        """Take back the play that is open."""
        return await self.command(m.TakeBack(command=self.new_id()))

    async def concede(self) -> m.Answered:
        """Give the game up."""
        return await self.command(m.Concede(command=self.new_id()))

    async def command(self, command: m.Command) -> m.Answered:
        """Send a command and return its answer; raise `Refused`, `ClientClosed` or `TooSlowError`.

        When it is cancelled or late, only the waiting ends: the command may still be carried out.
        """
        slot = self._waiting[command.command] = _Slot()
        try:
            self.send(command)
            with trio.fail_after(ANSWER_S):
                await slot.filled.wait()
        finally:
            del self._waiting[command.command]
        if slot.answer is None:
            raise ClientClosed("the connection ended before the answer came")
        if not slot.answer.ok:
            raise Refused(slot.answer)
        return slot.answer

    def send(self, message: m.ClientMessage) -> None:
        """Send a message without waiting.

        Raises `WireError`, and sends nothing, if the server would not take it as it is.
        """
        data = self.codec.encode(message)
        self.codec.client_message(data, self._bytes_max)
        if self.ended is not None:
            raise ClientClosed("the connection has ended")
        self._session.step(message)
        try:
            self._outbox.send_nowait(data)
        except (trio.WouldBlock, trio.BrokenResourceError, trio.ClosedResourceError):
            self._outbox.close()
            raise ClientClosed("the server does not read") from None

    def new_id(self) -> str:
        """Return a command id that this session has not used."""
        session = self.welcome.session if self.welcome is not None else ""
        return f"{session}-{next(self._commands)}"

    async def _enter(self, wish: m.Create | m.Join | m.Spectate) -> m.Joined:
        await self.command(wish)
        assert self.place is not None
        return self.place

    # What happens

    def __aiter__(self) -> Self:
        """Iterate over what the server tells; the last event is `Ended`."""
        return self

    async def __anext__(self) -> Event:
        """Return the next event."""
        try:
            return await self._told.receive()
        except trio.EndOfChannel:
            self._told.close()
            assert self.ended is not None
            return self.ended
        except trio.ClosedResourceError:
            raise StopAsyncIteration from None

    def _hear(self, message: m.ServerMessage) -> None:
        match message:
            case m.Welcome():
                self.welcome = message
                self._bytes_max = message.message_bytes_max
                self._greeted.set()
            case m.Joined():
                self.place = message
                self.mirror = Mirror()
                self.prompt = None
            case m.Left():
                self.prompt = None
                self._left.set()
            case m.Snapshot():
                self.mirror.take_whole(message)
                self.prompt = None
            case m.Events():
                self.prompt = None
                if not self.mirror.follow(message) and self.state is not State.LEAVING:
                    self.send(m.Resync())
            case m.Asked():
                self.prompt = message.prompt
            case m.Over():
                self.prompt = None
            case m.Answered():
                self._answer(message)
            case m.Failed() if message.command:
                refused = m.Answered(
                    command=message.command, ok=False, code=message.code, reason=message.text
                )
                self._answer(refused)
            case _:
                pass

    def _answer(self, answer: m.Answered) -> None:
        slot = self._waiting.get(answer.command)
        if slot is not None:
            slot.answer = answer
            slot.filled.set()

    # What `open_client` runs

    async def greet(self, name: str, program: str) -> None:
        """Say hello and wait for the welcome; raise `NotConnected` if none comes."""
        self.send(m.Hello(name=name, client=program))
        with trio.move_on_after(ANSWER_S):
            await self._greeted.wait()
        if self.welcome is None:
            raise NotConnected(self.ended.reason if self.ended else "no welcome in time")

    async def read(self, socket: ClientConnection) -> None:
        """Hear until the connection ends, and say how it ended, whatever happens."""
        code, reason = int(CloseCode.NORMAL), "closed here"
        try:
            while True:
                data = await socket.recv(decode=False)
                message = self.codec.server_message(data, INBOUND_BYTES_MAX)
                self._session.step(message)
                self._hear(message)
                self._events.send_nowait(message)
        except ConnectionClosed as closed:
            if closed.rcvd is not None:
                code, reason = closed.rcvd.code, closed.rcvd.reason
            else:
                code, reason = int(CloseCode.LOST), "the connection broke"
        except WireError as error:
            code, reason = int(CloseCode.WRONG_FRAME), f"not understood: {error.text}"
        except trio.WouldBlock:
            code, reason = int(CloseCode.POLICY), "events were not taken fast enough"
        except ClientClosed as error:
            code, reason = int(CloseCode.LOST), str(error)
        finally:
            self._end(code, reason)

    def _end(self, code: int, reason: str) -> None:
        meaning = CLOSES.get(code)
        self.ended = Ended(code, reason, retry=meaning is not None and meaning.retry)
        self._outbox.close()
        self._events.close()
        self._greeted.set()
        self._left.set()
        for slot in self._waiting.values():
            slot.filled.set()

    async def write(self, socket: ClientConnection) -> None:
        """Send what there is. A server that takes nothing for too long ends the connection."""
        with contextlib.suppress(ConnectionClosed):
            async for data in self._to_write:
                with trio.move_on_after(CLOSE_S) as late:
                    await socket.send(data, text=self.codec.text)
                if late.cancelled_caught:
                    break
        await trio.aclose_forcefully(socket.stream)


@contextlib.asynccontextmanager
async def open_client(
    url: str,
    *,
    name: str,
    program: str = "",
    subprotocol: str = MSGPACK,
    stream: trio.abc.Stream | None = None,
) -> AsyncIterator[Client]:
    """Connect, say hello, and yield the client once it is welcome; close in the end.

    Raises `NotConnected`. With a stream, it talks over that and does not dial. Errors of the block
    come out as they are, not in a group: the tasks inside are an implementation detail.
    """
    client = Client(CODECS[subprotocol])
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        try:
            socket = await _dial(nursery, url, subprotocol, stream)
            nursery.start_soon(client.read, socket)
            nursery.start_soon(client.write, socket)
            await client.greet(name, program)
            yield client
            with trio.move_on_after(CLOSE_S):
                await socket.aclose()
        except Exception as error:  # noqa: BLE001  raised again, outside the nursery
            failure = error
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure


async def _dial(
    nursery: trio.Nursery, url: str, subprotocol: str, stream: trio.abc.Stream | None
) -> ClientConnection:
    try:
        return await connect(
            url,
            stream=stream,
            subprotocols=[Subprotocol(subprotocol)],
            compression=None,
            user_agent_header=None,
            proxy=None,
            open_timeout=CLOSE_S,
            max_size=INBOUND_BYTES_MAX,
        ).connect(nursery)
    except (OSError, InvalidHandshake, InvalidURI, trio.BrokenResourceError) as error:
        raise NotConnected(f"{url}: {error}") from error
