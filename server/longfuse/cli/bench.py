"""Measure the kernel: what an ask, a publication and a decision cost, and what a game weighs.

Times are CPU time, each the median of five rounds in which all measures take turns. Machines differ
and drift, so each time also comes as a ratio to a fixed loop that is run before and after it
(`…_calibration_ppm`: millionths of the loop; `decisions_per_calibration`: decisions in the time of
one loop). A decision is one entered by a bot with the next prompt's options listed and the state
hashed, views off, the bot's thinking apart. KB per game is the growth of resident memory over games
held in their middle, with all their tasks; half of them have been shown to seats and spectators.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from statistics import median

from longfuse.cli import process, ruleset_option
from longfuse.cli.bench_games import Recorded
from longfuse.cli.bench_kernel import Publishing, ask_s
from longfuse.cli.bench_memory import hold
from longfuse.cli.calibration import calibrate
from longfuse.cli.local import ruleset_named
from longfuse.cli.output import Progress, at_least_1, print_json

WAITING = (10, 1_000, 10_000)
FEW, MANY = WAITING[0], WAITING[-1]

Measure = Callable[[], float]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    ruleset_option.argument(parser, "whose games")
    parser.add_argument("--rounds", type=at_least_1, default=5, metavar="N", help="rounds (5)")
    parser.add_argument(
        "--games", type=at_least_1, default=6, metavar="N", help="games a round (6)"
    )
    parser.add_argument(
        "--held", type=at_least_1, default=200, metavar="N", help="games held (200)"
    )
    parser.add_argument("--json", action="store_true", help="print one flat JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    process.set_up()
    ruleset = ruleset_named(arguments.ruleset)
    games = [Recorded(ruleset, number) for number in range(arguments.games)]
    decisions = sum(len(game.decisions) for game in games)
    held = hold(games, arguments.held)
    rounds = _rounds(_measures(games, decisions), arguments.rounds)
    figures = {
        **_figures(rounds),
        "decisions": decisions,
        "held_games": held.games,
        "kb_per_game": round(held.kb_per_game, 1),
        "kb_per_game_views_off": round(held.kb_per_game_views_off, 1),
        "gc_full_collection_ms": round(held.gc_pause_ms, 1),
    }
    if arguments.json:
        print_json(figures)
    else:
        for name, value in figures.items():
            print(f"{name:<40}{value:>14,}")
    return 0


def _measures(games: list[Recorded], decisions: int) -> dict[str, Measure]:
    """Each measure by name: a call that returns CPU seconds of one operation."""
    publishing = {waiting: Publishing(waiting) for waiting in WAITING}

    def deciding(waiting: int) -> Measure:
        return lambda: sum(game.seconds(waiting) for game in games) / decisions

    return {
        "ask": ask_s,
        **{f"publish_{n}_waiting": publishing[n].publish_s for n in WAITING},
        "decision": deciding(0),
        f"decision_{FEW}_waiting": deciding(FEW),
        f"decision_{MANY}_waiting": deciding(MANY),
    }


class Timed:
    """One measure in one round: its seconds, and those of the fixed loop around it."""

    def __init__(self, measure: Measure) -> None:
        before = calibrate()
        self.seconds = measure()
        self.calibration = (before + calibrate()) / 2

    @property
    def ratio(self) -> float:
        """How many loops it takes."""
        return self.seconds / self.calibration


def _rounds(measures: Mapping[str, Measure], count: int) -> list[dict[str, Timed]]:
    progress = Progress("measures taken", count * len(measures))
    rounds: list[dict[str, Timed]] = []
    for number in range(count):
        rounds.append({})
        for name, measure in measures.items():
            rounds[-1][name] = Timed(measure)
            progress.at(number * len(measures) + len(rounds[-1]))
    progress.done()
    return rounds


def _figures(rounds: list[dict[str, Timed]]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for name in rounds[0]:
        timed = [one[name] for one in rounds]
        figures[f"{name}_us"] = round(median(one.seconds for one in timed) * 1e6, 3)
        figures[f"{name}_calibration_ppm"] = round(median(one.ratio for one in timed) * 1e6, 3)
    for name in (name for name in rounds[0] if name.startswith("decision")):
        timed = [one[name] for one in rounds]
        what = name.replace("decision", "decisions")
        figures[f"{what}_per_cpu_s"] = round(1 / median(one.seconds for one in timed), 1)
        figures[f"{what}_per_calibration"] = round(1 / median(one.ratio for one in timed), 1)
    for name in ("publish", "decision"):
        many, few = f"{name}_{MANY}_waiting", f"{name}_{FEW}_waiting"
        ratios = [one[many].ratio / one[few].ratio for one in rounds]
        figures[f"{name}_{MANY}_to_{FEW}_waiting_ratio"] = round(median(ratios), 3)
    loops = [timed.calibration for one in rounds for timed in one.values()]
    figures["calibration_ms"] = round(median(loops) * 1e3, 3)
    return figures
