"""Check that a saved game is whole and unaltered, and comes out the same when it is played again.

The first entry at which something is wrong is named, and the exit code is 1. Without a receipt this
shows that the file is consistent with itself only; with the receipt that a player's client has kept
it shows that this is the game which that player has played, and that nobody stacked a deck.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import msgspec

from longfuse.cli import files
from longfuse.cli.output import CommandError, print_json, print_lines
from longfuse.game.words import seat_words
from longfuse.journal.verify import Verdict, verify
from longfuse_protocol import receipts
from longfuse_protocol.receipts import Receipt


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    files.arguments(parser)
    parser.add_argument(
        "--unfinished",
        action="store_true",
        help="the game may still run: a file without an end is not cut off",
    )
    parser.add_argument(
        "--receipt", type=Path, metavar="FILE", help="what a player's client has kept of the game"
    )
    parser.add_argument(
        "--secret",
        default="",
        metavar="HEX",
        help="of its shuffles, if it was told elsewhere: an aborted game's file has none",
    )


def run(arguments: argparse.Namespace) -> int:
    """Verify and tell."""
    receipt = None if arguments.receipt is None else _receipt(arguments.receipt)
    following = files.Following()
    try:
        verdict = verify(
            arguments.file,
            unfinished=arguments.unfinished,
            any_version=arguments.any_version,
            after=following,
            receipt=receipt,
            secret=arguments.secret,
        )
    except OSError as error:
        raise files.unreadable(arguments.file, error) from error
    finally:
        following.done()
    if arguments.json:
        against = "itself" if receipt is None else str(arguments.receipt)
        told = {"file": str(arguments.file), "same": verdict.is_same, "against": against}
        print_json({**told, **_fields(verdict)})
    else:
        print_lines(f"{arguments.file}: {line}" for line in _told(verdict, receipt))
    return 0 if verdict.is_same else 1


def _receipt(path: Path) -> Receipt:
    try:
        return receipts.read(path.read_bytes())
    except ValueError as error:
        raise CommandError(f"{path}: {error}") from error
    except OSError as error:
        raise files.unreadable(path, error) from error


def _told(verdict: Verdict, receipt: Receipt | None) -> Iterator[str]:
    if verdict.finding is not None:
        yield verdict.finding.reason
    else:
        ending = "and their end" if verdict.over else "of a game that is not over"
        yield f"{verdict.entries} entries {ending} come out the same"
        yield f"state {verdict.state}, digest {verdict.digest}"
    if receipt is None:
        if verdict.finding is None:
            yield "consistent with itself only; a player's --receipt shows whether it was played so"
    elif verdict.differences:
        yield f"it is not shown to be the game of {_named(receipt.seat)}'s receipt:"
        yield from verdict.differences
    elif verdict.finding is None:
        yield f"it is the game of {_named(receipt.seat)}'s receipt, shuffled as it was committed to"
        if seats := receipt.seats_without_nonce():
            yield f"without a nonce of their own: {', '.join(map(_named, seats))}"


def _named(seat: int) -> str:
    """A seat as receipts count it, and as whoever played there is called in a game."""
    return f"seat {seat} ({seat_words(seat)})"


def _fields(record: msgspec.Struct) -> dict[str, object]:
    return {name: getattr(record, name) for name in record.__struct_fields__}
