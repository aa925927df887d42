"""Games of each real ruleset as their people saw them, over the whole server, played by chance."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import trio

from complaints.scene import settle
from host.rig import MemoryJournal
from longfuse.bots.random import RandomBot
from longfuse.cli.hosting import Games
from longfuse.config import Config
from longfuse.host.server import serve
from longfuse_protocol import messages as m
from longfuse_protocol.client import Client, Refused, open_client
from longfuse_protocol.prompts import Prompt
from support.listening import URL, MemoryListener

RULESETS = ("riftbound", "hkk")
DECISIONS = 150
SEEDS = range(4)


class Dealt(Games):
    """Deals the same whenever it is asked to."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._seed = seed

    def create(self, ruleset, decks, options, key, tasks):
        return super().create(ruleset, decks, options, bytes([self._seed] * 32), tasks)


class Heard(NamedTuple):
    """What each was told: two players, and Eve, who watches."""

    by: Mapping[str, list[m.ServerMessage]]

    def prompts(self) -> Iterator[tuple[Prompt, dict[str, dict[str, object]]]]:
        """Return what the players were asked, each with the view that it was asked about."""
        for name in ("Ada", "Bob"):
            view: dict[str, object] = {}
            for message in self.by[name]:
                if isinstance(message, m.Snapshot):
                    view = dict(message.view)
                elif isinstance(message, m.Events):
                    view.update(message.changes)
                elif isinstance(message, m.Asked):
                    yield message.prompt, {key: one for key, one in view.items() if one}

    def frames(self, name: str) -> list[m.Events]:
        return [message for message in self.by[name] if isinstance(message, m.Events)]


_PLAYED: dict[str, list[Heard]] = {}


async def games_of(ruleset: str) -> list[Heard]:
    """Return some games; they are played once."""
    if ruleset not in _PLAYED:
        _PLAYED[ruleset] = [await _play(ruleset, seed) for seed in SEEDS]
    return _PLAYED[ruleset]


async def _play(ruleset: str, seed: int) -> Heard:
    listener, heard = MemoryListener(), {"Ada": [], "Bob": [], "Eve": []}

    def client(name: str):
        return open_client(URL, name=name, stream=listener.dial(), tap=heard[name].append)

    async with trio.open_nursery() as nursery:
        start = functools.partial(
            serve, Config(), Dealt(seed), MemoryJournal(), listeners=[listener]
        )
        await nursery.start(start)
        async with client("Ada") as ada, client("Bob") as bob, client("Eve") as eve:
            table = (await ada.create(ruleset, 2)).info.table
            await eve.spectate(table)
            await bob.join(table)
            for one in (ada, bob, eve):
                nursery.start_soon(_listen, one)
            bots = [RandomBot(f"{ruleset} {seed} {seat}") for seat in (0, 1)]
            for _ in range(DECISIONS):
                await settle()
                asked = ada if ada.prompt else bob
                if asked.prompt is None:
                    break
                try:
                    await asked.decide(asked.prompt, bots[asked.prompt.seat].choose(asked.prompt))
                except Refused as refused:
                    assert refused.answer.code == "refused"  # noqa: PT017  a rule, not the wire
        nursery.cancel_scope.cancel()
    return Heard(heard)


async def _listen(client: Client) -> None:
    async for _ in client:
        pass
