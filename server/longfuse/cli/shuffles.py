"""List the shuffles of a server: every game by its number, and how it ended.

A server that dealt a game and did not like the deal could hide it only by a hole in the count.
Holes and whatever else can't be right are told, and the exit code is 1. The list names no secrets;
with --secret, the secret of one game that has ended is printed, for its players.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from longfuse.cli.files import unreadable
from longfuse.cli.output import CommandError, print_json, print_lines
from longfuse.host.secret_ledger import FILE, FOLDER, Account, Shuffle, account, secret_of_ended


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("data", type=Path, metavar="DATA", help="a server's data folder")
    parser.add_argument(
        "--secret", metavar="GAME", help="print the secret of this game, if it has ended"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Read the ledger and tell."""
    try:
        if arguments.secret is not None:
            return _tell_secret(arguments.data, arguments.secret, as_json=arguments.json)
        found = account(arguments.data)
    except (FileNotFoundError, NotADirectoryError) as error:
        text = f"{arguments.data}: this is no data folder of a server: it has no {FOLDER}/{FILE}"
        raise CommandError(text) from error
    except OSError as error:
        raise unreadable(arguments.data / FOLDER / FILE, error) from error
    if arguments.json:
        print_json({"data": str(arguments.data), "shuffles": found.shuffles, "wrong": found.wrong})
    else:
        print_lines(_lines(found))
    return 1 if found.wrong else 0


def _tell_secret(data: Path, game: str, *, as_json: bool) -> int:
    secret = secret_of_ended(data, game)
    if secret is None:
        told = (
            f"{game}: no game of this id has ended here, so no secret is told; "
            "one that was left when the server stopped ends when the server starts again"
        )
        raise CommandError(told, 1)
    if as_json:
        print_json({"game": game, "secret": secret})
    else:
        print_lines([secret])
    return 0


def _lines(found: Account) -> Iterator[str]:
    for one in found.shuffles:
        yield f"{one.counter:>6}  {_time(one.opened_ms)}  {one.game}  {_ending(one)}"
    ended = sum(one.ended_ms is not None for one in found.shuffles)
    many = len(found.shuffles)
    yield f"{many} shuffle{'' if many == 1 else 's'}, {ended} ended"
    yield from found.wrong


def _ending(one: Shuffle) -> str:
    return "open" if one.ended_ms is None else f"{one.why} ({_time(one.ended_ms)})"


def _time(ms: int) -> str:
    try:
        return datetime.fromtimestamp(ms / 1_000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    except (OverflowError, ValueError, OSError):  # a ledger that somebody has altered
        return f"{ms} ms"
