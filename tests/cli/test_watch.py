"""Watching a table of a running server, from its own connection."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from journal.games import use_toy
from longfuse.cli import running, watch
from longfuse.cli.output import CommandError
from longfuse.config import Config
from longfuse.host.server import Running
from longfuse_protocol.client import Client, open_client
from longfuse_protocol.codec import JSON, MSGPACK
from longfuse_protocol.messages import SeatWish, TableChanged

pytestmark = pytest.mark.realtime

BOT = SeatWish(kind="bot", bot="random")


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is what is played here."""
    use_toy(monkeypatch)


@asynccontextmanager
async def serving() -> AsyncIterator[tuple[Running, Client]]:
    """A server, and a client that is welcome there."""
    async with running.open_server(Config(port=0)) as server:
        async with open_client(server.url, name="Ada") as client:
            yield server, client
        server.drain()


async def somebody_watches(client: Client) -> None:
    """Return when the client's table has a spectator."""
    async for event in client:
        if isinstance(event, TableChanged) and event.info.spectators:
            break


def watching(url: str, table: str | None = None, subprotocol: str = MSGPACK) -> Namespace:
    return Namespace(url=url, table=table, name="Eve", subprotocol=subprotocol)


async def test_the_newest_game_is_watched_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a table's id; the narration ends with who won."""
    async with serving() as (server, client), trio.open_nursery() as nursery:
        await client.create("toy", (SeatWish(), BOT))
        nursery.start_soon(watch._watch, watching(server.url, subprotocol=JSON))
        await somebody_watches(client)
        await client.concede()

    out = capsys.readouterr().out
    assert "toy: Ada (P1) against random (P2)" in out
    assert "random wins: conceded." in out


async def test_a_named_table_is_watched(capsys: pytest.CaptureFixture[str]) -> None:
    """Also one whose game is over already."""
    async with serving() as (server, client):
        joined = await client.create("toy", (BOT, BOT), sit=None)
        assert await watch._watch(watching(server.url, joined.info.table)) == 0

    assert " wins: " in capsys.readouterr().out


async def test_a_server_that_goes_away_is_told() -> None:
    """The connection's end is no end of a game."""
    told: list[str] = []

    async def note_error(url: str, table: str) -> None:
        try:
            await watch._watch(watching(url, table))
        except CommandError as error:
            told.append(str(error))

    async with serving() as (server, client), trio.open_nursery() as nursery:
        joined = await client.create("toy", (SeatWish(), BOT))
        nursery.start_soon(note_error, server.url, joined.info.table)
        await somebody_watches(client)
        server.drain()

    (reason,) = told
    assert reason.startswith("the connection ended before the game did (1012")
