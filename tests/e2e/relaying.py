"""A relay between clients and a real server, which sees and may change all that is said."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import msgpack
import trio
from websockets.exceptions import ConnectionClosed
from websockets.trio.client import connect
from websockets.trio.server import serve

from longfuse.cli.running import open_server
from longfuse.config import Config
from longfuse_protocol.codec import CODECS, JSON, MSGPACK

SPELLINGS = {JSON: (json.loads, json.dumps), MSGPACK: (msgpack.unpackb, msgpack.packb)}
Plain = dict[str, Any]
Change = Callable[[Plain], Iterable[Plain]]


def unchanged(message: Plain) -> Iterable[Plain]:
    """Say on what was said."""
    return (message,)


class Relay:
    """What stands between clients and a server. `tell` and `hear` see each message as plain values.

    tell: what to say to the client for each message of the server. hear: the same the other way.
    """

    def __init__(self, port: int, tell: Change, hear: Change) -> None:
        self._url = f"ws://127.0.0.1:{port}/ws"
        self._tell, self._hear = tell, hear

    async def carry(self, client) -> None:
        """Carry one connection to its end."""
        async with (
            connect(self._url, subprotocols=[client.subprotocol], max_size=None) as server,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(self._pass_on, server, client, self._tell, nursery.cancel_scope)
            nursery.start_soon(self._pass_on, client, server, self._hear, nursery.cancel_scope)

    async def _pass_on(self, source, target, change: Change, scope: trio.CancelScope) -> None:
        read, write = SPELLINGS[source.subprotocol]
        with contextlib.suppress(ConnectionClosed):
            while True:
                for message in change(read(await source.recv())):
                    await target.send(write(message))
        scope.cancel()


@contextlib.asynccontextmanager
async def open_relay(tell: Change = unchanged, hear: Change = unchanged) -> AsyncIterator[int]:
    """Run a server and the relay before it; yield the relay's port."""
    async with open_server(Config(port=0)) as running, trio.open_nursery() as nursery:
        relay = Relay(running.port, tell, hear)
        door = await nursery.start(
            functools.partial(
                serve,
                relay.carry,
                0,
                host="127.0.0.1",
                subprotocols=list(CODECS),
                compression=None,
                max_size=None,
            )
        )
        yield door.listeners[0].socket.getsockname()[1]
        nursery.cancel_scope.cancel()
        running.drain()
