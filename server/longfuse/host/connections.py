"""One client's connection, above the wire: its session's state, its limits, its person.

The gateway makes one per websocket and tells it what arrives; a person sends through it. Everything
here is synchronous. Whatever goes wrong with one client is told to it, or closes its connection,
and touches nobody else. It knows nothing of sockets, and nothing of what a game means.
"""

import secrets
from collections.abc import Mapping
from typing import Protocol, TypeGuard

import structlog

from longfuse.config import Config
from longfuse.game.entries import Refused
from longfuse.host.addresses import Visit
from longfuse.host.door_keeper import DoorKeeper
from longfuse.host.lobby import Lobby
from longfuse.host.peers import Outgoing
from longfuse.host.people import Person
from longfuse.host.places import refusal
from longfuse.host.rates import Rate
from longfuse.host.wall import now_ms
from longfuse_protocol.codec import Codec
from longfuse_protocol.errors import CloseCode, Code, OutOfOrder, WireError
from longfuse_protocol.messages import (
    Browse,
    Catalogue,
    ChooseDeck,
    ClientMessage,
    Create,
    Failed,
    Hello,
    Join,
    MakeOffer,
    Pair,
    Ping,
    Pong,
    Rejected,
    Replay,
    Resync,
    Say,
    ServerMessage,
    Spectate,
    TakeBack,
    Unpair,
    Welcome,
)
from longfuse_protocol.session import Session, State

log = structlog.get_logger()

SERVER = "longfuse/1"
MALFORMED_MAX = 3
MALFORMED_FORGIVEN_S = 60
"""One malformed message is forgotten in so many seconds; so many at once close the connection."""
REJECTED_MAX = 3
COSTS: Mapping[type[ClientMessage], int] = {
    Browse: 20,
    Catalogue: 100,
    ChooseDeck: 20,
    Create: 50,
    Hello: 10,
    Join: 20,
    MakeOffer: 20,
    Pair: 20,
    Replay: 50,
    Resync: 10,
    Say: 5,
    Spectate: 10,
    TakeBack: 20,
}
"""What makes more work than most messages counts as so many of them."""


class Wire(Protocol):
    """What carries one client's messages. None of this waits."""

    def put(self, data: bytes) -> None:
        """Take a message to be sent with the next flush."""

    def flush(self) -> None:
        """Send what was put."""

    def close(self, code: int, reason: str) -> None:
        """Send what was put, then end the connection with this code."""


class Connection:
    """One client. It lives as long as its websocket, and is a person's line from its hello on."""

    def __init__(
        self,
        wire: Wire,
        codec: Codec,
        lobby: Lobby,
        keeper: DoorKeeper,
        config: Config,
        visit: Visit,
    ) -> None:
        self.id = secrets.token_hex(6)
        self.codec: Codec | None = codec
        self.person: Person | None = None
        self.is_ended = False
        self._codec = codec
        self._wire = wire
        self._lobby = lobby
        self._keeper = keeper
        self._config = config
        self._visit = visit
        self._rate = Rate(config.messages_per_s, config.messages_burst)
        self._session = Session()
        self._malformed = Rate(1 / MALFORMED_FORGIVEN_S, MALFORMED_MAX - 1)
        self._rejected = 0
        self._log = log.bind(connection=self.id)

    @property
    def is_new(self) -> bool:
        """Say whether the client has yet to say a hello that is taken."""
        return self._session.state is State.NEW

    # What the gateway calls

    def received(self, data: bytes) -> None:
        """Take one message from the client."""
        if self.is_ended:
            return
        try:
            self._take(data)
        except Exception:  # noqa: BLE001  the boundary of one connection: its fault ends it alone
            self._log.exception("connection_failed")
            self.end(CloseCode.FAULT, "a fault of the server")
        self._wire.flush()

    def lost(self, *, said_goodbye: bool = False) -> None:
        """Hear that the websocket is gone. The person may come back with another.

        said_goodbye: the client has closed with 1000; who has no place then will not come back.
        """
        self.is_ended = True
        if self.person is not None:
            self._log.info("connection_lost", session=self.person.id, said_goodbye=said_goodbye)
            self._keeper.lost(self.person, self, said_goodbye=said_goodbye)
            self._lobby.lost(self.person)

    def end(self, code: CloseCode, reason: str) -> None:
        """Close the connection after what was sent."""
        if not self.is_ended:
            self.is_ended = True
            self._log.info("connection_ended", code=int(code), reason=reason)
            self._wire.close(code, reason)

    # What the person's side of the server calls

    def send(self, outgoing: Outgoing) -> None:
        """Send a message; one that does not belong in the session ends the connection."""
        if self.is_ended:
            return
        try:
            self._session.step(outgoing.message)
        except OutOfOrder:
            self._log.exception("message_out_of_order")
            self.end(CloseCode.FAULT, "a fault of the server")
            return
        self._wire.put(outgoing.spelt(self._codec))

    def flush(self) -> None:
        """Let go what was sent in this step."""
        self._wire.flush()

    def welcome(self, person: Person) -> Welcome:
        """Return what the client is told when the person takes this connection."""
        expires = person.expires_s
        secret, person.secret = person.secret, ""
        return Welcome(
            session=person.id,
            secret=secret,
            name=person.name,
            user=person.user,
            server=SERVER,
            message_bytes_max=self._config.message_bytes_max,
            at_ms=now_ms(),
            resume_s=round(self._config.resume_s),
            expires_ms=None if expires is None else round(expires * 1_000),
        )

    # The session

    def _take(self, data: bytes) -> None:
        if not self._rate.take():
            self._too_fast()
            return
        try:
            message = self._codec.client_message(data, self._config.message_bytes_max)
        except WireError as error:
            self._tell(
                Failed(code=error.code, text=error.text, field=error.field, command=error.command)
            )
            if not self._malformed.take():
                self.end(CloseCode.POLICY, "too many malformed messages")
            return
        cost = min(COSTS.get(type(message), 1), self._config.messages_burst)
        if cost > 1 and not self._rate.take(cost - 1):
            self._too_fast()
            return
        try:
            self._session.step(message)
        except OutOfOrder as error:
            command = getattr(message, "command", "")
            self._tell(Failed(code=error.code, text=error.text, command=command))
            return
        if isinstance(message, Hello):
            self._greet(message)
        elif isinstance(message, Ping):
            self._tell(Pong(nonce=message.nonce, at_ms=now_ms()))
        else:
            assert self.person is not None, "no other message belongs before the welcome"
            self._handle(self.person, message)

    def _too_fast(self) -> None:
        self._tell(Failed(code=Code.TOO_FAST, text="too many messages"))
        self.end(CloseCode.POLICY, "too many messages")

    def _greet(self, hello: Hello) -> None:
        try:
            person = self._keeper.let_in(hello, self)
        except Refused as refused:
            self._rejected += 1
            retry = self._keeper.retry_s if refused.code == Code.TOO_FAST else None
            self._tell(Rejected(code=refused.code, text=refused.reason, retry_s=retry))
            if self._rejected >= REJECTED_MAX:
                self.end(CloseCode.POLICY, "too many hellos that were refused")
            return
        self.person = person
        if hello.resume is not None:
            self._visit.came_back()
        self._log.info(
            "session_opened",
            session=person.id,
            name=person.name,
            user=person.user,
            client=hello.client,
            resumes=hello.resume is not None,
        )
        if hello.resume is not None and person.table is not None:
            person.table.back(person, self, hello.resume.stream, hello.resume.n)
        else:
            self._lobby.resumed(person)
            person.attach(self)
            self._tell(self.welcome(person))

    def _handle(self, person: Person, message: ClientMessage) -> None:
        if _may_begin_game(message) and (wait_s := self._visit.begin_game()):
            text = f"too many games begin from your address; try again in {wait_s} s"
            self._tell(refusal(message.command, Code.TOO_FAST, text))
            return
        match message:
            case Browse():
                self._tell(self._lobby.tables(person))
            case Catalogue() | Replay():
                self._ask(person, message)
            case Create() | Join() | Spectate() | Pair() | Unpair():
                self._enter(person, message)
            case Hello() | Ping():
                raise AssertionError(f"{type(message).__name__} is handled before")
            case _:
                if person.table is None:  # the seat was lost while this was under way
                    text = "you have no place at a table any more"
                    command = getattr(message, "command", "")
                    self._tell(Failed(code=Code.OUT_OF_ORDER, text=text, command=command))
                else:
                    person.table.request(person, message)

    def _ask(self, person: Person, question: Catalogue | Replay) -> None:
        try:
            if isinstance(question, Replay):
                self._lobby.replay(person, self, question)
            else:
                self._tell(self._lobby.cards(question))
        except Refused as refused:
            code = Code(refused.code)
            self._tell(Failed(code=code, text=refused.reason, command=question.command))

    def _enter(self, person: Person, wish: Create | Join | Spectate | Pair | Unpair) -> None:
        try:
            self._lobby.enter(person, wish)
        except Refused as refused:
            self._tell(refusal(wish.command, Code(refused.code), refused.reason))

    def _tell(self, message: ServerMessage) -> None:
        self.send(Outgoing(message))


def _may_begin_game(message: ClientMessage) -> TypeGuard[Create | Join | Pair | MakeOffer]:
    is_rematch = isinstance(message, MakeOffer) and message.kind == "rematch"
    return is_rematch or isinstance(message, Create | Join | Pair)
