"""The gateway: websockets in, connections out. With its socket, all that knows websockets here.

The server runs one. The library keeps handshake, keepalive, close and framing; `gateway_socket`
has what each connection does differently. This module decides who may connect, answers plain
requests, and closes everybody at a drain; it waits for no peer, not even then.
"""

import functools
import ssl
from collections.abc import Sequence
from http import HTTPStatus
from typing import cast

import structlog
import trio
from websockets.datastructures import Headers
from websockets.exceptions import NegotiationError
from websockets.http11 import Request, Response
from websockets.trio.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from longfuse.config import Config, ConfigError
from longfuse.host.addresses import Addresses, TooManyConnections
from longfuse.host.connections import Connection
from longfuse.host.door import Door, streams_max
from longfuse.host.door_keeper import DoorKeeper
from longfuse.host.gateway_socket import GameSocket
from longfuse.host.lobby import Lobby
from longfuse.host.origins import HEADER, Origins
from longfuse.host.peers import Outgoing
from longfuse.log import websocket_logger
from longfuse_protocol.codec import CODECS, MSGPACK
from longfuse_protocol.errors import CloseCode
from longfuse_protocol.messages import Notice

log = structlog.get_logger()

PATH = "/ws"

DRAIN_TEXT = (
    "The server restarts. Games that were still played have ended, and nobody has won or lost "
    "them; they are saved. Come back in a moment to play new ones."
)


class Gateway:
    """Serves websockets until it is drained or cancelled."""

    def __init__(self, config: Config, lobby: Lobby, keeper: DoorKeeper) -> None:
        self.connections: dict[Connection, None] = {}
        self._config = config
        self._tls = _tls(config)
        self._lobby = lobby
        self._keeper = keeper
        self._server: Server | None = None
        self._streams_max = 1
        self._origins = Origins(config.trusted_proxies)
        self._addresses = Addresses(config)

    async def serve(
        self,
        listeners: Sequence[trio.SocketListener],
        *,
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Take connections from the listeners."""
        config = self._config
        self._streams_max = streams_max(config)
        doors = cast(
            "list[trio.SocketListener]",
            [Door(listener, self._is_full, self._may_enter) for listener in listeners],
        )  # as far as the library uses them
        async with trio.open_nursery() as nursery:
            self._server = await nursery.start(
                functools.partial(
                    serve,
                    self._handle,
                    listeners=doors,
                    ssl=self._tls,
                    create_connection=GameSocket,
                    subprotocols=[Subprotocol(name) for name in CODECS],
                    select_subprotocol=_subprotocol,
                    process_request=self._request,
                    server_header=None,
                    compression=None,
                    open_timeout=config.hello_s,
                    ping_interval=config.ping_s,
                    ping_timeout=config.pong_s,
                    close_timeout=config.close_s,
                    max_size=config.message_bytes_max,
                    logger=websocket_logger(),
                )
            )
            task_status.started()

    async def drain(self) -> None:
        """Take nobody in any more, tell everybody, and close. Returns when all are gone."""
        assert self._server is not None
        told = Outgoing(Notice(kind="drain", text=DRAIN_TEXT))
        for connection in self.connections:
            connection.send(told)
            connection.flush()
        await self._server.aclose(code=CloseCode.RESTART, reason="restart")

    def _is_full(self) -> bool:
        """Say whether no more streams may be open; each has a task of the library's."""
        server = self._server
        return server is not None and len(server.handler_nursery.child_tasks) >= self._streams_max

    def _may_enter(self, stream: trio.SocketStream) -> bool:
        """Say whether an address may have one more stream. A proxy's are told apart later."""
        return self._addresses.knock(self._origins.at_door(stream), stream)

    async def _handle(self, socket: ServerConnection) -> None:
        assert isinstance(socket, GameSocket)
        codec = CODECS[socket.subprotocol or MSGPACK]
        connection = Connection(
            socket, codec, self._lobby, self._keeper, self._config, socket.visit
        )
        self.connections[connection] = None
        try:
            socket.attach(connection, text=codec.text, config=self._config)
            await socket.run(lambda: not connection.is_new, self._config.hello_s)
        finally:
            del self.connections[connection]
            connection.lost(said_goodbye=socket.has_said_goodbye)

    def _request(self, socket: ServerConnection, request: Request) -> Response | None:
        """Answer plain requests, and turn away who may not connect."""
        path = request.path.partition("?")[0]
        if path == "/healthz":
            if self._lobby.is_draining:
                return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, "draining\n")
            return socket.respond(HTTPStatus.OK, "ok\n")
        if path != PATH:
            return socket.respond(HTTPStatus.NOT_FOUND, f"websockets are at {PATH}\n")
        if "?" in request.path:
            told = "no query is read here; a token or a secret goes into hello, never into a URL\n"
            return socket.respond(HTTPStatus.BAD_REQUEST, told)
        if not is_allowed_origin(request.headers, self._config.origins):
            return socket.respond(HTTPStatus.FORBIDDEN, "this origin may not connect\n")
        # Those are counted whose handshake is not over yet: it waits, and they would be forgotten.
        if self._lobby.is_draining or len(self._addresses.here) >= self._config.connections_max:
            return _later(socket, HTTPStatus.SERVICE_UNAVAILABLE, "full or restarting", 5)
        assert isinstance(socket, GameSocket)
        name = self._origins.of_request(socket.stream, request.headers.get_all(HEADER))
        try:
            socket.belongs_to(self._addresses.enter(name))
        except TooManyConnections as too_many:
            status = HTTPStatus.TOO_MANY_REQUESTS
            return _later(socket, status, too_many.reason, too_many.retry_s)
        return None


def _later(socket: ServerConnection, status: HTTPStatus, why: str, retry_s: int) -> Response:
    """Answer that nobody may connect now, and when it may be tried again."""
    response = socket.respond(status, f"{why}; try again in {retry_s} s\n")
    response.headers["Retry-After"] = str(retry_s)
    return response


def is_allowed_origin(headers: Headers, origins: Sequence[str]) -> bool:
    """Say whether a page may connect: one of this host, or one listed. Programs name no origin."""
    named = headers.get_all("Origin")
    if not named or "*" in origins:
        return True
    host = headers.get_all("Host")
    own = {f"{scheme}://{host[0]}" for scheme in ("http", "https")} if len(host) == 1 else set()
    return len(named) == 1 and (named[0] in own or named[0] in origins)


def _subprotocol(_socket: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Choose the first offered that we speak; who offers none gets the default."""
    if not offered:
        return None
    for name in offered:
        if name in CODECS:
            return name
    raise NegotiationError(f"this server speaks {', '.join(CODECS)}")


def _tls(config: Config) -> ssl.SSLContext | None:
    if not config.tls_certificate:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(config.tls_certificate, config.tls_key)
    except OSError as error:  # what is no certificate is one, too
        allowed = f"with tls_key = {config.tls_key!r}, a pair of files ({error.strerror or error})"
        raise ConfigError("tls_certificate", config.tls_certificate, allowed) from error
    return context
