"""Servers inside `play`: one's own for a game against a bot, or one that others can reach.

Owns that in one's own a seed decides everything: the shuffles and the bot's choices. It is on
loopback, and nothing of it is kept. What others can reach shuffles like any server.
"""

from __future__ import annotations

import socket
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import trio

from longfuse.actors import ActorHost
from longfuse.cli import running
from longfuse.cli.hosting import BOTS, Games, MemoryJournals
from longfuse.cli.output import CommandError
from longfuse.config import Config
from longfuse.game.randomness import key_of_seed
from longfuse.host import ports
from longfuse.host.server import Running, serve

ANY_HOST = ("0.0.0.0", "::")


class SeededGames(Games):
    """Games that all come from one seed, each with a number."""

    def __init__(self, seed: str, cards: Sequence[str | Path] = ()) -> None:
        super().__init__(cards)
        self._seed = seed
        self._numbers: dict[bytes, int] = {}
        """Games by the keys of their shuffles: one that is played anew is the same game."""

    def create(
        self,
        ruleset: str,
        decks: Sequence[ports.Deck],
        options: Mapping[str, Any],
        key: bytes,
        tasks: ActorHost,
    ) -> ports.Game:
        """A game that waits for its first entry; the key is the seed's and not the shuffle's."""
        number = self._numbers.setdefault(key, len(self._numbers))
        key = key_of_seed(f"{self._seed}/{number}")
        return super().create(ruleset, decks, options, key, tasks)


def seeded_bots(seed: str) -> dict[str, ports.BotFactory]:
    """The bots of a server, with a seed that is not the game's."""

    def seeded(name: str, seat: int, _: int) -> ports.Bot:
        return BOTS[name](seat, number_of(f"bot/{seed}"))

    return {name: partial(seeded, name) for name in BOTS}


def number_of(seed: str) -> int:
    """A seed in words as a number."""
    return int.from_bytes(blake2b(seed.encode(), digest_size=16).digest(), "big")


@asynccontextmanager
async def open_own_server(
    seed: str, cards: Sequence[str | Path] = ()
) -> AsyncGenerator[Running, None]:
    """A server on any free port of this machine, gone when the block is left."""
    config = Config(port=0, data="")
    async with trio.open_nursery() as nursery:
        server: Running = await nursery.start(
            partial(
                serve, config, SeededGames(seed, cards), MemoryJournals(), bots=seeded_bots(seed)
            )
        )
        yield server
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def open_shared_server(
    address: str, cards: Sequence[Path] = ()
) -> AsyncGenerator[tuple[Running, str], None]:
    """A server at HOST:PORT, with the address that others are told; gone with the block."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port[:6]) > 65_535:
        raise CommandError(f"--serve {address!r}: HOST:PORT, such as 0.0.0.0:8787")
    config = Config(host=host.strip("[]"), port=int(port), cards=tuple(map(str, cards)))
    async with running.open_server(config, drains=False) as server:
        name = socket.gethostname() if config.host in ANY_HOST else ""
        shown = f"ws://{name}:{server.port}/ws" if name else server.url
        yield server, shown
        server.drain()
