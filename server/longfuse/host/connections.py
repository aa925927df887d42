"""One client's connection, above the wire: its session, its limits, its place at a table.

The gateway makes one per websocket and tells it what arrives; a table sends through it. Everything
here is synchronous. Whatever goes wrong with one client is told to it, or closes its connection,
and touches nobody else. It knows nothing of sockets, and nothing of what a game means.
"""

import secrets
from collections.abc import Mapping
from typing import Protocol, assert_never

import structlog

from longfuse.config import Config
from longfuse.game.entries import Refused
from longfuse.host.lobby import Lobby
from longfuse.host.peers import Outgoing
from longfuse.host.rates import Rate
from longfuse.host.tables import Table
from longfuse_protocol.codec import Codec
from longfuse_protocol.errors import CloseCode, Code, OutOfOrder, WireError
from longfuse_protocol.messages import (
    Answered,
    Browse,
    ClientMessage,
    Concede,
    Create,
    Decide,
    Failed,
    Hello,
    Join,
    Leave,
    Ping,
    Pong,
    Resync,
    ServerMessage,
    Spectate,
    TakeBack,
    Welcome,
)
from longfuse_protocol.session import Session, State

log = structlog.get_logger()

SERVER = "longfuse/1"
MALFORMED_MAX = 3
COSTS: Mapping[type[ClientMessage], int] = {Browse: 20, Create: 50, Resync: 10}
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
    """One client. It lives as long as its websocket."""

    def __init__(self, wire: Wire, codec: Codec, lobby: Lobby, config: Config) -> None:
        self.id = secrets.token_hex(6)
        self.name = ""
        self.codec: Codec | None = codec
        self.is_ended = False
        self._codec = codec
        self._wire = wire
        self._lobby = lobby
        self._bytes_max = config.message_bytes_max
        self._rate = Rate(config.messages_per_s, config.messages_burst)
        self._session = Session()
        self._table: Table | None = None
        self._malformed = 0
        self._log = log.bind(session=self.id)

    @property
    def is_new(self) -> bool:
        """Say whether the client has not said hello."""
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

    def lost(self) -> None:
        """Hear that the websocket is gone: give the place at the table up."""
        self.is_ended = True
        if not self.is_new:
            self._log.info("session_closed")
        table, self._table = self._table, None
        if table is not None:
            table.gone(self)

    def end(self, code: CloseCode, reason: str) -> None:
        """Close the connection after what was sent."""
        if not self.is_ended:
            self.is_ended = True
            self._log.info("connection_ended", code=int(code), reason=reason)
            self._wire.close(code, reason)

    # What tables call

    def send(self, outgoing: Outgoing) -> None:
        """Send a message; one that does not belong in the session ends the connection."""
        if self.is_ended:
            return
        try:
            state = self._session.step(outgoing.message)
        except OutOfOrder:
            self._log.exception("message_out_of_order")
            self.end(CloseCode.FAULT, "a fault of the server")
            return
        if state is State.LOBBY:
            self._table = None
        self._wire.put(outgoing.spelt(self._codec))

    def flush(self) -> None:
        """Let go what was sent in this step."""
        self._wire.flush()

    # The session

    def _take(self, data: bytes) -> None:
        if not self._rate.take():
            self._too_fast()
            return
        try:
            message = self._codec.client_message(data, self._bytes_max)
        except WireError as error:
            self._malformed += 1
            self._tell(Failed(code=error.code, text=error.text, field=error.field))
            if self._malformed >= MALFORMED_MAX:
                self.end(CloseCode.POLICY, "too many malformed messages")
            return
        cost = COSTS.get(type(message), 1)
        if cost > 1 and not self._rate.take(cost - 1):
            self._too_fast()
            return
        try:
            self._session.step(message)
        except OutOfOrder as error:
            command = getattr(message, "command", "")
            self._tell(Failed(code=error.code, text=error.text, command=command))
        else:
            self._handle(message)

    def _too_fast(self) -> None:
        self._tell(Failed(code=Code.TOO_FAST, text="too many messages"))
        self.end(CloseCode.POLICY, "too many messages")

    def _handle(self, message: ClientMessage) -> None:
        match message:
            case Hello():
                self._greet(message)
            case Browse():
                self._tell(self._lobby.tables())
            case Ping():
                self._tell(Pong(nonce=message.nonce))
            case Create():
                self._create(message)
            case Join() | Spectate():
                self._enter(message)
            case Leave() | Decide() | TakeBack() | Concede() | Resync():
                assert self._table is not None
                self._table.request(self, message)
            case _:
                assert_never(message)

    def _greet(self, hello: Hello) -> None:
        self.name = hello.name
        self._log.info("session_opened", name=hello.name, client=hello.client)
        self._tell(
            Welcome(
                session=self.id,
                name=hello.name,
                server=SERVER,
                message_bytes_max=self._bytes_max,
            )
        )

    def _create(self, wish: Create) -> None:
        try:
            self._table = self._lobby.create(self, wish)
        except Refused as refused:
            self._refuse(wish.command, refused.code, refused.reason)

    def _enter(self, wish: Join | Spectate) -> None:
        table = self._lobby.find(wish.table)
        if table is None:
            self._refuse(wish.command, Code.UNKNOWN_TABLE, f"there is no table {wish.table!r}")
            return
        self._table = table
        table.request(self, wish)

    def _refuse(self, command: str, code: str, reason: str) -> None:
        self._tell(Answered(command=command, ok=False, code=code, reason=reason))

    def _tell(self, message: ServerMessage) -> None:
        self.send(Outgoing(message))
