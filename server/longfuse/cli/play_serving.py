"""A server of one's own for one game against a bot: in this process, on loopback, kept nowhere.

Owns that a seed decides everything in it: the shuffles and the bot's choices.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from hashlib import blake2b
from pathlib import Path

import trio

from longfuse.actors import ActorHost
from longfuse.cli.hosting import BOTS, Games, NoJournals
from longfuse.config import Config
from longfuse.host import ports
from longfuse.host.server import Running, serve


class SeededGames(Games):
    """Games that all come from one seed."""

    def __init__(self, seed: str, cards: Sequence[str | Path] = ()) -> None:
        super().__init__(cards)
        self._seed = number_of(seed)

    def create(
        self,
        ruleset: str,
        seats: int,
        options: Mapping[str, object],
        seed: int,
        tasks: ActorHost,
    ) -> ports.Game:
        """A game that waits for its first entry."""
        return super().create(ruleset, seats, options, self._seed, tasks)


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
        running: Running = await nursery.start(
            partial(serve, config, SeededGames(seed, cards), NoJournals(), bots=seeded_bots(seed))
        )
        yield running
        nursery.cancel_scope.cancel()
