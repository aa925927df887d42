"""What a load run is to do, and which of its processes does what: all of it follows from the seed.

Pure records and the one function that deals them out. A table's clients have numbers: its seats
come first, then its spectators. Times are in seconds from the moment at which the run begins.
"""

from __future__ import annotations

import random

import msgspec

SEATS = 2
DROP_EVERY_S = 5.0
"""The mean time between two drops of a client that is to drop."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for."""

    tables: int
    spectators: int
    """Per table."""
    seconds: float
    rulesets: tuple[str, ...]
    """The tables take turns with them."""
    rate: float | None = None
    """Decisions a second at all tables together, on a fixed schedule; None: by thinking."""
    think_s: float = 0.0
    """Without a rate: the mean time between a question and its answer."""
    drop_percent: float = 0.0
    """How many of all clients lose their connection again and again."""
    processes: int = 1
    journal: bool = True
    """Whether a server of the run's own keeps its games."""
    seed: str = "0"


class TablePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to happen at one table, game after game."""

    number: int
    ruleset: str
    spectators: int
    seed: str
    first_s: float = 0.0
    every_s: float | None = None
    """With a rate: its decisions are due at `first_s` and every so often after that."""
    think_s: float = 0.0
    drops: tuple[tuple[float, ...], ...] = ()
    """By client: when its connection is cut."""


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """What one process does."""

    number: int
    url: str
    seconds: float
    tables: tuple[TablePlan, ...]


def divide(run: Run, url: str) -> tuple[Share, ...]:
    """Deal the tables out to at most so many processes; each gets some of every ruleset."""
    drops = _drops(run)
    every_s = None if run.rate is None else run.tables / run.rate
    plans = [
        TablePlan(
            number=number,
            ruleset=run.rulesets[number % len(run.rulesets)],
            spectators=run.spectators,
            seed=f"{run.seed}/{number}",
            first_s=0.0 if run.rate is None else number / run.rate,
            every_s=every_s,
            think_s=run.think_s,
            drops=tuple(drops[number]),
        )
        for number in range(run.tables)
    ]
    turns = [number // len(run.rulesets) % run.processes for number in range(run.tables)]
    return tuple(
        Share(
            number=process,
            url=url,
            seconds=run.seconds,
            tables=tuple(plan for plan, turn in zip(plans, turns, strict=True) if turn == process),
        )
        for process in sorted(set(turns))
    )


def _drops(run: Run) -> list[list[tuple[float, ...]]]:
    """By table and client, the moments of its drops."""
    chance = random.Random(f"{run.seed}/drops")
    per_table = SEATS + run.spectators
    clients = range(run.tables * per_table)
    share = run.drop_percent / 100
    count = min(len(clients), max(1, round(len(clients) * share))) if share > 0 else 0
    chosen = set(chance.sample(clients, count))
    moments = [_moments(chance, run.seconds) if one in chosen else () for one in clients]
    return [moments[start : start + per_table] for start in range(0, len(clients), per_table)]


def _moments(chance: random.Random, seconds: float) -> tuple[float, ...]:
    """The first one soon enough for a short run, the others at random."""
    moments = [chance.uniform(0, min(seconds, DROP_EVERY_S))]
    while (following := moments[-1] + chance.expovariate(1 / DROP_EVERY_S)) < seconds:
        moments.append(following)
    return tuple(moments)
