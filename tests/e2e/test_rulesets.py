"""Whole games of every ruleset over real sockets, as players and audiences have them."""

from __future__ import annotations

import contextlib
import functools

import pytest
import trio

from e2e.test_sockets import Watcher, play_pair
from host.rig import MemoryJournal, Rig
from longfuse.actors import ActorHost
from longfuse.bots.random import RandomBot
from longfuse.bots.wire import Opening
from longfuse.cli.hosting import Games
from longfuse.config import Config
from longfuse.game.game import Game
from longfuse.host.server import serve
from longfuse.rulesets import catalogue
from longfuse_protocol.codec import JSON, MSGPACK
from longfuse_protocol.views import digest

pytestmark = [pytest.mark.realtime, pytest.mark.slow]


class Kept(Games):
    """The games of a server, kept to be looked at when they are over."""

    def __init__(self) -> None:
        super().__init__()
        self.games: list[Game] = []
        self.tasks: list[ActorHost] = []

    def create(self, *arguments):
        game = super().create(*arguments)
        self.games.append(game)
        self.tasks.append(arguments[-1])
        return game


@contextlib.asynccontextmanager
async def open_server(games: Kept):
    """Run a server that plays what ships."""
    async with trio.open_nursery() as nursery:
        start = functools.partial(serve, Config(port=0), games, MemoryJournal())
        running = await nursery.start(start)
        yield Rig(running, None, games, None)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("name", catalogue.names())
@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_two_bots_and_two_spectators(name, subprotocol, monkeypatch):
    """A game is played to its end, and all four end with the game's own views of it."""
    games, eve, mia = Kept(), Watcher(), Watcher()
    bot = RandomBot("wire", 0)
    running_tasks = set()

    def choose(prompt):
        running_tasks.update(games.tasks[0].tasks())
        return bot.choose(prompt)

    monkeypatch.setattr("e2e.test_sockets.first_choice", choose)
    async with open_server(games) as rig, trio.open_nursery() as watchers:

        async def on_table(table):
            for watcher in (eve, mia):
                await watchers.start(watcher.watch, rig, subprotocol, table)

        opening = Opening(ruleset=name)
        ada, bob = await play_pair(rig, opening, subprotocol=subprotocol, on_table=on_table)

    (game,) = games.games
    assert game.result is not None
    assert ada.over.winner == bob.over.winner == game.result.winner
    assert (ada.digest, bob.digest) == (digest(game.view(0)), digest(game.view(1)))
    assert eve.view == mia.view == game.view("spectator")
    assert eve.frames == mia.frames
    assert set(game.rules.zone_names) <= running_tasks
