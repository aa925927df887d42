"""Play on a server with many clients at once, check all that they see, and measure it.

Without --url a server is started for the run, in a process of its own, with journals. Tables of
random players decide on a fixed schedule (--rate) or after thinking (--think), begin anew when a
game ends, and are watched. Latency counts from the moment at which a decision was meant to be made.
Clients that are told to (--clients-drop) lose their connection again and again, and come back.

What the clients see is held against the protocol: a gap in a stream, a view that comes out wrong,
a command with no answer or two, a question to the wrong seat, and viewers of one game that see
different ones are violations. Any of them makes exit code 1; so does a process that dies, a server
that is gone as the run ends, and a run in which nothing was played. Ctrl-C ends the run with a
report. What each figure means, and each field of --json, tells the README of `longfuse.load`.
"""

from __future__ import annotations

import argparse
import math
import signal
import sys
from collections.abc import AsyncIterator

import trio

from longfuse.cli import running, wire_options
from longfuse.cli.calibration import calibrate
from longfuse.cli.output import CommandError, at_least_1, print_json, print_lines
from longfuse.load.plan import Run
from longfuse.load.processes import NoServer
from longfuse.load.report import lines, progress_line, report
from longfuse.load.run import Load, Outcome, Progress
from longfuse.rulesets.catalogue import names

BOTH = "both"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
CALIBRATIONS = 5
"""The least of so many loops is taken: others may be using the machine."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument(
        "--url",
        type=wire_options.address,
        metavar="URL",
        help="a server that runs already (ws://HOST:PORT/ws)",
    )
    parser.add_argument(
        "--pid",
        type=at_least_1,
        metavar="PID",
        help="with --url: the server's process, for its CPU",
    )
    parser.add_argument("--tables", type=at_least_1, default=20, metavar="N", help="tables (20)")
    parser.add_argument(
        "--spectators", type=_count, default=1, metavar="N", help="spectators of each table (1)"
    )
    parser.add_argument(
        "--seconds", type=_positive, default=10.0, metavar="S", help="how long to measure (10)"
    )
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument(
        "--rate", type=_positive, metavar="R", help="decisions a second, at all tables together"
    )
    pace.add_argument(
        "--think",
        type=_not_negative,
        default=0.5,
        metavar="S",
        help="mean seconds from a question to its answer, exponentially distributed (0.5)",
    )
    parser.add_argument(
        "--ruleset", choices=(*names(), BOTH), default=BOTH, help=f"what is played ({BOTH})"
    )
    parser.add_argument(
        "--clients-drop",
        type=_percent,
        default=0.0,
        metavar="PERCENT",
        help="how many of the clients lose their connection again and again (0)",
    )
    parser.add_argument(
        "--processes", type=at_least_1, default=2, metavar="N", help="processes of clients (2)"
    )
    parser.add_argument(
        "--seed", default="0", help="answers, thinking and drops follow from it (0)"
    )
    parser.add_argument(
        "--no-journal", action="store_true", help="a server of its own keeps no games"
    )
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")
    parser.add_argument(
        "--progress", action="store_true", help="tell how far it is, also without a terminal"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the load, print the report; 1 if something is not as it should be."""
    if arguments.pid is not None and not arguments.url:
        raise CommandError("--pid goes with --url; a server of its own is known anyway")
    plan = Run(
        tables=arguments.tables,
        spectators=arguments.spectators,
        seconds=arguments.seconds,
        rulesets=tuple(names()) if arguments.ruleset == BOTH else (arguments.ruleset,),
        rate=arguments.rate,
        think_s=arguments.think,
        drop_percent=arguments.clients_drop,
        processes=arguments.processes,
        seed=arguments.seed,
        journal=not arguments.no_journal,
    )
    if arguments.no_journal and arguments.url:
        raise CommandError("--no-journal is for a server of its own; --url's does as it was told")
    telling = Telling(arguments.progress)
    load = Load(plan, telling.show)
    before_s = _calibrated()
    try:
        outcome = running.run(_load, load, arguments.url or "", arguments.pid)
    finally:
        telling.done()
    told = report(outcome, before_s, _calibrated())
    if arguments.json:
        print_json(told)
    else:
        print_lines(lines(told))
    return 0 if told.is_clean else 1


async def _load(load: Load, url: str, pid: int | None) -> Outcome:
    """Run it; the first interrupt ends it with a report, the next one without."""
    outcome: Outcome | None = None
    try:
        with trio.open_signal_receiver(*SIGNALS) as signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_stop, signals, load, nursery.cancel_scope)
                outcome = await load.run(url, pid)
                nursery.cancel_scope.cancel()
    except* NoServer as group:
        text = f"no server could be started: {running.first(group)}"
        raise CommandError(text) from group
    if outcome is None:
        raise KeyboardInterrupt
    return outcome


async def _stop(signals: AsyncIterator[int], load: Load, scope: trio.CancelScope) -> None:
    await anext(signals)
    load.stop()
    await anext(signals)
    scope.cancel()


def _calibrated() -> float:
    return min(calibrate() for _ in range(CALIBRATIONS))


class Telling:
    """How far the run is, once a second on standard error, where somebody wants to know."""

    def __init__(self, is_asked_for: bool) -> None:
        self._rewrites = sys.stderr.isatty()
        self._tells = is_asked_for or self._rewrites
        self._last: Progress | None = None

    def show(self, progress: Progress) -> None:
        """So far it is."""
        line = progress_line(progress, self._last)
        self._last = progress
        if not self._tells:
            return
        if self._rewrites:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def done(self) -> None:
        """It is over: the line goes away."""
        if self._rewrites:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"{text}: a number")
    return number


def _positive(text: str) -> float:
    number = _number(text)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"{text}: a number above 0")
    return number


def _not_negative(text: str) -> float:
    number = _number(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text}: a number, at least 0")
    return number


def _percent(text: str) -> float:
    number = _not_negative(text)
    if number > 100:
        raise argparse.ArgumentTypeError(f"{text}: a number from 0 to 100")
    return number


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text}: a whole number, at least 0")
    return int(text)
