"""Run position files: `longfuse position run FILE…`.

A position file says: these cards, in these places, these decisions; then this must hold. Per file
it is told whether it holds; with --json one object, in which `files` has for each `id`, `path`,
`result` (`holds`, `fails`, `unreadable`, `error`), `step`, `expected`, `found`, `clauses` and
`errors`.

Here the exit code is 0 if all hold, 1 if some fail, 2 if a file is wrong (all its errors are
listed), 3 if a card's text cannot be compiled; of several, 2 comes before 1, and 1 before 3.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from longfuse.cli.output import Progress, print_json, print_line
from longfuse.game.positions import Outcome, run_file
from longfuse.rulesets.catalogue import load_positions

CODES = {"error": 2, "fails": 1, "unreadable": 3}
"""The exit code for each result that is not as it should be, the first that there is."""
RESULTS = ("holds", "fails", "unreadable", "error")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("action", choices=["run"], help="what to do with them")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="position files")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Run them all."""
    rulesets = load_positions()
    progress = Progress("positions run", len(arguments.files))
    outcomes: list[Outcome] = []
    for path in arguments.files:
        outcomes.append(run_file(path, rulesets))
        progress.at(len(outcomes))
    progress.done()
    counts: Counter[str] = Counter(outcome.result for outcome in outcomes)
    if arguments.json:
        print_json({"files": outcomes, **{word: counts[word] for word in RESULTS}})
    else:
        _print(outcomes)
        print_line(", ".join(f"{counts[word]} {word}" for word in RESULTS if counts[word]))
    return exit_code(counts)


def exit_code(results: Iterable[str]) -> int:
    """The code for all these results together."""
    found = set(results)
    return next((code for word, code in CODES.items() if word in found), 0)


def _print(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        print_line(f"{outcome.result:<11}{outcome.id}  {outcome.title}".rstrip())
        for error in outcome.errors:
            print_line(f"           {error}")
        if outcome.result == "fails":
            print_line(f"           step {outcome.step}: expected {_told(outcome.expected)}")
            print_line(f"           found {_told(outcome.found)}")


def _told(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
