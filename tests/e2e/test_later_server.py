"""Whole games against a server of later: what it says besides stops none of the clients.

Between each client and a real server stands a relay that puts a field more into every record, a
word of tomorrow into every open list, and messages of unknown types before what the server says.
Codes of refusals stay: by them a client knows what to do about them.
"""

from __future__ import annotations

import contextlib
import functools
import json

import msgpack
import pytest
import trio
from websockets.exceptions import ConnectionClosed
from websockets.trio.client import connect
from websockets.trio.server import serve

from e2e.test_samples import PYTHON, Player, check, javascript, play_pair
from longfuse.cli.running import open_server
from longfuse.config import Config
from longfuse.rulesets import catalogue
from longfuse_protocol import messages as m
from longfuse_protocol.client import open_client
from longfuse_protocol.codec import CODECS, JSON, MSGPACK
from protocol.later import STRAY, WORD, enriched
from protocol.player import Player as Program

pytestmark = [pytest.mark.realtime, pytest.mark.slow]
SPELLINGS = {JSON: (json.loads, json.dumps), MSGPACK: (msgpack.unpackb, msgpack.packb)}
GAME_S = 120


class Relay:
    """What stands between clients and a server of today."""

    def __init__(self, port: int) -> None:
        self._url = f"ws://127.0.0.1:{port}/ws"
        self.changed = 0

    async def carry(self, client) -> None:
        """Carry one connection to its end."""
        async with (
            connect(self._url, subprotocols=[client.subprotocol], max_size=None) as server,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(self._tell, server, client, nursery.cancel_scope)
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await server.send(await client.recv())
            nursery.cancel_scope.cancel()

    async def _tell(self, server, client, scope: trio.CancelScope) -> None:
        read, write = SPELLINGS[client.subprotocol]
        with contextlib.suppress(ConnectionClosed):
            while True:
                message = await server.recv()
                stray = STRAY[self.changed % len(STRAY)]
                self.changed += 1
                await client.send(write(stray))
                await client.send(write(enriched(read(message), codes=False)))
        scope.cancel()


@contextlib.asynccontextmanager
async def open_later():
    """Run a server and the relay before it; yield the relay and its port."""
    async with open_server(Config(port=0)) as running, trio.open_nursery() as nursery:
        relay = Relay(running.port)
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
        yield relay, door.listeners[0].socket.getsockname()[1]
        nursery.cancel_scope.cancel()
        running.drain()


@pytest.mark.parametrize("language", ["python", "javascript"])
@pytest.mark.parametrize("ruleset", catalogue.names())
async def test_sample_clients(ruleset: str, language: str) -> None:
    """They play to the end and agree how it went."""
    words = PYTHON if language == "python" else javascript()
    async with open_later() as (relay, port):
        ada, bob = Player(words, port), Player(words, port)
        await play_pair(ruleset, ada, bob)

    check(ada, bob)
    assert relay.changed > 100


@pytest.mark.parametrize("subprotocol", CODECS)
@pytest.mark.parametrize("ruleset", catalogue.names())
async def test_the_reference_client(ruleset: str, subprotocol: str) -> None:
    """It plays to the end, and what it knows of the table has the words that it was told."""

    tables: list[m.TableInfo] = []
    is_open = trio.Event()

    async def create() -> None:
        tables.append((await ada.create(ruleset, 2)).info)
        is_open.set()

    async def join() -> None:
        await is_open.wait()
        await bob.join(tables[0].table)

    async with open_later() as (relay, port):
        url = f"ws://127.0.0.1:{port}/ws"
        with trio.fail_after(GAME_S):
            async with (
                open_client(url, name="Ada", subprotocol=subprotocol) as ada,
                open_client(url, name="Bob", subprotocol=subprotocol) as bob,
                trio.open_nursery() as nursery,
            ):
                programs = [Program(ada, create), Program(bob, join)]
                for program in programs:
                    nursery.start_soon(program.play)

    assert all(program.is_over and program.decided for program in programs)
    assert tables[0].status == WORD
    assert {seat.kind for seat in tables[0].seats} == {WORD}
    assert relay.changed > 100
