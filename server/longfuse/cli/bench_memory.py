"""What a game weighs: so many are held in their middle, each with its whole task tree.

Owns the measure: the growth of resident memory over them, each having been shown to its seats and
its spectators. Also how long the garbage collector stops everything at worst while they are there.
"""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path

import trio

from longfuse.actors import open_task_tree
from longfuse.cli.bench_games import Recorded
from longfuse.game.views import Viewer

VIEWERS: tuple[Viewer, ...] = (0, 1, "spectator")
_STATM = Path("/proc/self/statm")


class Held:
    """What was measured."""

    def __init__(self, kb_per_game: float, gc_pause_ms: float) -> None:
        self.kb_per_game = kb_per_game
        self.gc_pause_ms = gc_pause_ms


def hold(games: list[Recorded], count: int) -> Held:
    """Hold `count` games, the recorded ones in turn."""
    return trio.run(_hold, games, count)


async def _hold(games: list[Recorded], count: int) -> Held:
    async with trio.open_nursery() as nursery:
        await _held_in(nursery, games[0])
        before = _resident_bytes()
        for number in range(count):
            await _held_in(nursery, games[number % len(games)])
        kb_per_game = (_resident_bytes() - before) / count / 1_000
        pause_ms = _full_collection_s() * 1_000
        nursery.cancel_scope.cancel()
    return Held(kb_per_game, pause_ms)


async def _held_in(nursery: trio.Nursery, recorded: Recorded) -> None:
    held = trio.Event()
    nursery.start_soon(_hold_one, recorded, held)
    await held.wait()


async def _hold_one(recorded: Recorded, held: trio.Event) -> None:
    async with open_task_tree() as host:
        game = recorded.begin(host, views=True)
        for decision in recorded.decisions[: len(recorded.decisions) // 2]:
            game.advance(decision)
            await trio.lowlevel.checkpoint()
        for viewer in VIEWERS:
            game.frames(viewer)
        held.set()
        await trio.sleep_forever()


def _resident_bytes() -> int:
    return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def _full_collection_s() -> float:
    began = time.perf_counter()
    gc.collect()
    return time.perf_counter() - began
