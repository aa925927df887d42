"""One session of the reference client, across all the connections it takes.

`client.open_client` makes a `Client`, runs it as a task and ends it. The client dials, says hello,
hears, and dials again within its budget. It decides what is told, what is asked for by itself and
what is sent again; what is known, what waits and how a connection works is each a module's own.
"""

import contextlib
import itertools
import random
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Self

import msgspec
import trio

from longfuse_protocol import messages as m
from longfuse_protocol.client_commands import ANSWER_S, Commands
from longfuse_protocol.client_events import (
    ClientClosed,
    Dropped,
    Ended,
    Event,
    NotConnected,
    Refused,
    Resumed,
    SavedSession,
    ShuffleDoubted,
)
from longfuse_protocol.client_known import Known
from longfuse_protocol.client_line import INBOUND_BYTES_MAX, Line, Parting, Route
from longfuse_protocol.client_pending import KNOWN_AGAIN, Pending, Question, Reply, Slot
from longfuse_protocol.client_retry import Chance, Outage, Retry
from longfuse_protocol.client_shuffles import Entropy, Shuffles
from longfuse_protocol.errors import CloseCode, Code, Malformed, OutOfOrder, UnknownType
from longfuse_protocol.session import Session, State

CONNECT_S = 15.0
"""How long one try may take, from dialling to the welcome."""
EVENTS_MAX = 1_024
EVENTS_BYTES_MAX = 64 * 1_024 * 1_024
"""Of the messages that the program has not taken yet, as they came."""
UNSOUND_MAX = 3
"""After so many whole views that do not match their own digest, the client gives up."""
NONCES_FROM = 1 << 40
"""Where the client's own pings count from, so that a program can use small numbers."""

_HERE = Parting(int(CloseCode.NORMAL), "closed here", retry=False)
_SLOW = Parting(int(CloseCode.POLICY), "events were not taken fast enough", retry=False)

Tap = Callable[[m.ServerMessage], None]
"""Is shown a message before the client follows it. It raises nothing and waits for nothing."""


def untapped(message: m.ServerMessage) -> None:
    """The tap where nobody listens."""


class Client(Commands):
    """One session. Made by `open_client`, and usable until `Ended` was told."""

    def __init__(
        self,
        route: Route,
        hello: m.Hello,
        retry: Retry,
        *,
        anew: bool = False,
        receipts: Path | None = None,
        tap: Tap = untapped,
        chance: Chance = random.random,
        entropy: Entropy = secrets.token_bytes,
    ) -> None:
        self.ended: Ended | None = None
        self._route = route
        self._codec = route.codec
        self._hello = hello
        self._retry = retry
        self._anew = anew
        self._outage = Outage(retry, chance)
        self._secret = hello.resume.secret if hello.resume is not None else ""
        self._tap = tap
        self._shuffles = Shuffles(entropy, receipts)
        self._known = Known()
        self._session = Session()
        self._pending = Pending()
        self._line = Line(route)
        self._drops = 0
        self._welcome_at: float | None = None
        """Since when the connection stands; None while it does not."""
        self._retry_s = 0.0
        self._is_closing = False
        self._is_new = False
        """The old session was gone: the next welcome is to a new one."""
        self._is_settled = False
        """What was asked for before the connection was lost has been sent again."""
        self._barrier: int | None = None
        self._asked_whole = False
        self._opened = trio.Event()
        self._news = trio.Event()
        self._bytes_max = m.MESSAGE_BYTES_MAX
        self._prefix = entropy(6).hex()
        self._ids = itertools.count(1)
        self._nonces = itertools.count(NONCES_FROM)
        self._events, self._told = trio.open_memory_channel[tuple[Event, int]](EVENTS_MAX)
        self._waiting_bytes = 0
        self._encode(hello)  # what is wrong with it is told before anything is dialled

    # ------------------------------------------------------------ what to do

    @property
    def state(self) -> State:
        """Where the session is; NEW while the connection is lost."""
        return self._session.state

    @property
    def is_connected(self) -> bool:
        """Say whether the server hears what is sent."""
        return self._welcome_at is not None

    def session_saved(self) -> SavedSession:
        """Return what another process needs to go on with this session, as of now."""
        stream, n = self._known.seen()
        return SavedSession(self._secret, stream, n)

    def send(self, message: m.ClientMessage) -> None:
        """Send a message without waiting.

        Raises `WireError`, and sends nothing, if the server would not take it as it is;
        `ClientClosed` if there is no connection.
        """
        self._transmit(message, self._encode(message))

    def new_id(self) -> str:
        """Return a command id that nobody else uses in this session, before or after."""
        return f"{self._prefix}-{next(self._ids)}"

    async def ping(self) -> float:
        """Return how long a message takes to the server and back, in seconds."""
        nonce = next(self._nonces)
        sent_at = trio.current_time()
        self.send(m.Ping(nonce=nonce))
        await self._on_this_line(lambda: self._known.pong >= nonce)
        return trio.current_time() - sent_at

    async def _ask(self, question: Question) -> Reply:
        slot = Slot(question, self._encode(question), self._known.game)
        if self._pending.is_full:
            raise ClientClosed("too many commands wait for their answers")
        if self._pending.get(question.command) is not None:
            raise ValueError(f"the command {question.command!r} waits for its answer: use another")
        if not self._may_wait(question):
            self._require_connection()
        self._pending.add(slot)
        try:
            may_wait = self._may_wait(question)
            if self.is_connected and (self._is_settled or not may_wait):
                try:
                    self._send_slot(slot)
                except ClientClosed:  # the line has just been cut: it is sent on the next
                    if not may_wait:
                        raise
            with trio.fail_after(ANSWER_S):
                await slot.filled.wait()
        finally:
            self._pending.remove(slot)
        if slot.reply is None:
            raise ClientClosed(slot.failure)
        if isinstance(slot.reply, m.Answered) and not slot.reply.ok:
            raise Refused(slot.reply, is_local=slot.is_local)
        return slot.reply

    def _may_wait(self, question: Question) -> bool:
        """Say whether a question may be asked while there is no connection."""
        return self.ended is None and isinstance(question, KNOWN_AGAIN)

    async def _until(self, condition: Callable[[], bool], within_s: float) -> None:
        with trio.fail_after(within_s):
            while not condition():
                if self.ended is not None:
                    raise ClientClosed("the connection has ended")
                await self._news.wait()

    def _encode(self, message: m.ClientMessage) -> bytes:
        data = self._codec.encode(message)
        self._codec.client_message(data, self._bytes_max)
        return data

    def _require_connection(self) -> None:
        if self.ended is not None:
            raise ClientClosed("the connection has ended")
        if not self.is_connected:
            raise ClientClosed("the connection is lost, and is being taken up again")

    def _transmit(self, message: m.ClientMessage, data: bytes) -> None:
        self._require_connection()
        self._session.step(message)
        if not self._line.put(data):
            raise ClientClosed("the server does not read")

    def _send_slot(self, slot: Slot) -> None:
        self._transmit(slot.question, slot.data)
        slot.is_sent = True

    # ------------------------------------------------------------ what happens

    def __aiter__(self) -> Self:
        """Iterate over what the server tells; the last event is `Ended`."""
        return self

    async def __anext__(self) -> Event:
        """Return the next event."""
        try:
            event, size = await self._told.receive()
        except trio.EndOfChannel:
            self._told.close()
            assert self.ended is not None
            return self.ended
        except trio.ClosedResourceError:
            raise StopAsyncIteration from None
        self._waiting_bytes -= size
        return event

    def _tell(self, event: Event, size: int = 0) -> bool:
        """Tell the program; return False, and end the client, if it takes no events."""
        try:
            if self._waiting_bytes + size > EVENTS_BYTES_MAX:
                raise trio.WouldBlock
            self._events.send_nowait((event, size))
        except trio.WouldBlock:
            self._line.cut(_SLOW)
            return False
        self._waiting_bytes += size
        return True

    def _take(self, data: bytes) -> None:
        # What a later server says besides is skipped: nothing is missed that there was before.
        with contextlib.suppress(UnknownType):
            self._hear(self._codec.server_message(data, INBOUND_BYTES_MAX), len(data))

    def _hear(self, message: m.ServerMessage, size: int) -> None:
        self._tap(message)
        self._session.step(message)
        try:
            may_tell = self._known.hear(message, trio.current_time())
        except (TypeError, ValueError, RecursionError) as error:
            raise Malformed(f"a view that cannot be written as it should: {error}") from error
        match message:
            case m.Welcome():
                self._welcomed(message)
                may_tell = False
            case m.Rejected():
                self._rejected(message)
                may_tell = False
            case m.Pong(nonce=nonce) if nonce == self._barrier:
                self._settle()
                may_tell = False
            case m.Answered() | m.Cards() | m.Replayed():
                self._reply(message)
            case m.Failed(command=command) if command:
                refusal = m.Answered(
                    command=command, ok=False, code=message.code, reason=message.text
                )
                self._reply(refusal)
            case m.Asked(prompt=prompt) if self._pending.decides(prompt):
                may_tell = False  # it has been answered, and the answer is under way
            case m.Snapshot() if self._known.mirror.is_lost:
                self._asked_whole = False  # it was not right: another is asked for
            case m.Commitment() | m.NonceHashes() | m.Nonces() | m.Revealed():
                self._shuffle(message)
            case _:
                pass
        if may_tell:
            self._tell(message, size)
            if isinstance(message, m.Events | m.Snapshot | m.Over):
                self._doubt(self._known.played, self._shuffles.follow(message))
        self._ask_for_whole()
        self._tell_waiting()

    def _tell_waiting(self) -> None:
        self._news.set()
        self._news = trio.Event()

    def _reply(self, reply: Reply) -> None:
        slot = self._pending.get(reply.command)
        if slot is None or not slot.takes(reply):
            return
        if isinstance(slot.question, m.Decide) and isinstance(reply, m.Answered):
            self._known.answered(slot.question, reply)
        slot.fill(reply)

    def _ask_for_whole(self) -> None:
        """Ask for the whole view once, if what is here is not right; it must come in time."""
        is_wanted = self._known.mirror.is_lost and self.state in (State.SEATED, State.WATCHING)
        if self._known.unsound >= UNSOUND_MAX:
            text = "the views that the server sends do not match their own digests"
            self._line.cut(Parting(int(CloseCode.WRONG_FRAME), text, retry=False))
        elif is_wanted and not self._asked_whole:
            self._asked_whole = True
            self._line.hurry(ANSWER_S, "the server does not send the whole view")
            self._try_to_send(m.Resync())
        elif self._asked_whole and not is_wanted:
            self._asked_whole = False
            self._line.settle()

    def _shuffle(self, message: m.Commitment | m.NonceHashes | m.Nonces | m.Revealed) -> None:
        place = self._known.place
        if place is None or place.seat is None or not self._hello.shuffles:
            return
        answer, wrong = self._shuffles.hear(message, place.seat, self._known.mirror.n)
        self._doubt(message.game, wrong)
        if answer is not None and self.state is State.SEATED:
            self._try_to_send(answer)

    def _doubt(self, game: str, wrong: tuple[str, ...]) -> None:
        if wrong:
            self._tell(ShuffleDoubted(game, wrong))

    # ------------------------------------------------------------ the connection

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Connect, and keep connected until the end; run by `open_client` as a task of its own."""
        parting = _HERE
        try:
            task_status.started()
            parting = await self._keep_connected()
        finally:
            self._end(parting)

    async def opened(self) -> None:
        """Wait until the session stands; raise `NotConnected` if there is to be none."""
        await self._opened.wait()
        if self.ended is not None and self.welcome is None:
            raise NotConnected(self.ended, self._retry_s)

    async def close(self) -> None:
        """End the connection in good order."""
        self._is_closing = True
        await self._line.close()

    async def _keep_connected(self) -> Parting:
        while True:
            patience_s = min(CONNECT_S, self._outage.left_s(trio.current_time()))
            parting = await self._line.run(patience_s, self._greet, self._take)
            lasted_s = self._drop(parting)
            if not self._may_dial_again(parting):
                return parting
            now = trio.current_time()
            self._outage.lost(now, lasted_s)
            tries = self._outage.tries
            wait_s = self._outage.next_wait_s(now, parting.retry_s)
            if wait_s is None:
                return _given_up(parting, tries)
            if not self._tell(Dropped(parting.code, parting.reason, tries, wait_s)):
                return _SLOW
            await trio.sleep(wait_s)
            self._line = Line(self._route)

    def _may_dial_again(self, parting: Parting) -> bool:
        may = self.welcome is not None or self._retry.first
        return may and parting.retry and not self._is_closing

    def _drop(self, parting: Parting) -> float:
        """Take in that the connection is lost; return how long it had stood, in seconds."""
        since, self._welcome_at = self._welcome_at, None
        self._session = Session()
        self._is_settled = False
        self._barrier = None
        self._asked_whole = False
        self._drops += 1
        self._retry_s = parting.retry_s
        self._known.drop()
        self._pending.drop()
        self._tell_waiting()
        return 0.0 if since is None else trio.current_time() - since

    def _greet(self) -> None:
        resume = None
        if self._secret:
            stream, n = self._known.seen()
            resume = m.Resume(secret=self._secret, stream=stream, n=n)
        hello = m.Hello(
            name=self._hello.name,
            client=self._hello.client,
            token=self._hello.token,
            resume=resume,
            shuffles=self._hello.shuffles,
        )
        self._session.step(hello)
        self._line.put(self._codec.encode(hello))

    def _welcomed(self, welcome: m.Welcome) -> None:
        self._line.settle()
        self._welcome_at = trio.current_time()
        self._bytes_max = welcome.message_bytes_max
        self._secret = welcome.secret or self._secret
        if not self._opened.is_set():
            self._opened.set()
            self._tell(welcome)
        else:
            self._tell(Resumed(self._outage.tries, welcome.place, self._is_new))
        self._is_new = False
        self._shuffles.resume(self._known.played)
        self._pending.enter(welcome.place)
        if self._pending:
            self._barrier = next(self._nonces)
            self._try_to_send(m.Ping(nonce=self._barrier))
        else:
            self._is_settled = True

    def _rejected(self, rejected: m.Rejected) -> None:
        if rejected.code == Code.UNKNOWN_SESSION and self._secret and self._anew:
            self._secret = ""
            self._is_new = True
            self._greet()
            return
        parting = Parting(
            int(CloseCode.POLICY),
            f"the server refuses: {rejected.text}",
            retry=rejected.retry_s is not None,
            retry_s=rejected.retry_s or 0.0,
            rejected=rejected.code,
        )
        self._line.cut(parting)

    def _settle(self) -> None:
        """Send again what was under way, now that what was missed has come."""
        self._barrier = None
        self._is_settled = True
        for slot in self._pending.to_send(self._known.game, self._known.prompt):
            try:
                self._send_slot(slot)
            except (OutOfOrder, ClientClosed) as error:
                slot.fail(str(error))

    def _end(self, parting: Parting) -> None:
        self.ended = Ended(parting.code, parting.reason, parting.retry, parting.rejected)
        self._welcome_at = None
        self._events.close()
        self._shuffles.end()
        self._pending.end()
        self._opened.set()
        self._tell_waiting()


def _given_up(parting: Parting, tries: int) -> Parting:
    reason = f"{parting.reason}; given up after {tries} more tries" if tries else parting.reason
    return msgspec.structs.replace(parting, reason=reason)
