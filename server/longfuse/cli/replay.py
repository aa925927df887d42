"""Describe a saved game at one of its entries: turn, zones, chain, what waits, what is asked.

Everything is shown, hidden cards too: it is for the operator, and for games that are over. Without
--at it is the game after its last entry.
"""

from __future__ import annotations

import argparse

from longfuse.cli import files
from longfuse.cli.output import CommandError, print_json, print_lines
from longfuse.journal.describe import describe, lines
from longfuse.journal.format import JournalError
from longfuse.journal.replay import Difference, replay


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    files.arguments(parser)
    parser.add_argument(
        "--at", type=int, metavar="N", help="after entry N; 0 is the game before the first"
    )


def run(arguments: argparse.Namespace) -> int:
    """Replay and describe."""
    journal = files.read_journal(arguments.file)
    following = files.Following()
    try:
        replayed = replay(
            journal, to=arguments.at, any_version=arguments.any_version, after=following
        )
    except (Difference, JournalError) as error:
        raise CommandError(f"{arguments.file}: {error}", 1) from error
    finally:
        following.done()
    told = describe(replayed)
    if arguments.json:
        print_json(told)
    else:
        print_lines(lines(told))
    return 0
