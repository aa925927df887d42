"""What a game weighs: so many are held in their middle, each with its whole task tree.

Owns the measure: the growth of resident memory over them, with what their seats and spectators
have been shown, and without. Also how long the garbage collector stops everything at worst while
they are there.
"""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path
from typing import NamedTuple

import trio

from longfuse.actors import open_task_tree
from longfuse.cli.bench_games import Recorded
from longfuse.game.eyes import Viewer

VIEWERS: tuple[Viewer, ...] = (0, 1, "spectator")
_STATM = Path("/proc/self/statm")


class Held(NamedTuple):
    """What was measured. games: how many were held in the end."""

    games: int
    kb_per_game: float
    kb_per_game_views_off: float
    gc_pause_ms: float


def hold(games: list[Recorded], count: int) -> Held:
    """Hold `count` games without views and as many with them, the recorded ones in turn."""
    return trio.run(_hold, games, count)


async def _hold(games: list[Recorded], count: int) -> Held:
    async with trio.open_nursery() as nursery:
        unseen = await _growth(nursery, games, count, False)
        # The first ones stay: memory that they gave back would hide what the others take.
        shown = await _growth(nursery, games, count, True)
        pause_s = _full_collection_s()
        nursery.cancel_scope.cancel()
    return Held(2 * count, shown / 1_000, unseen / 1_000, pause_s * 1_000)


async def _growth(nursery: trio.Nursery, games: list[Recorded], count: int, shown: bool) -> float:
    """Bytes that each of so many games adds."""
    await _held_in(nursery, games[0], shown)
    before = _resident_bytes()
    for number in range(count):
        await _held_in(nursery, games[number % len(games)], shown)
    return (_resident_bytes() - before) / count


async def _held_in(nursery: trio.Nursery, recorded: Recorded, shown: bool) -> None:
    held = trio.Event()
    nursery.start_soon(_hold_one, recorded, shown, held)
    await held.wait()


async def _hold_one(recorded: Recorded, shown: bool, held: trio.Event) -> None:
    async with open_task_tree() as host:
        game = recorded.begin(host, views=shown)
        for decision in recorded.decisions[: len(recorded.decisions) // 2]:
            game.advance(decision)
            game.state_hash()
            await trio.lowlevel.checkpoint()
        for viewer in VIEWERS if shown else ():
            game.frames(viewer)
        held.set()
        await trio.sleep_forever()


def _resident_bytes() -> int:
    return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def _full_collection_s() -> float:
    began = time.perf_counter()
    gc.collect()
    return time.perf_counter() - began
