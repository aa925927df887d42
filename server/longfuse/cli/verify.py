"""Check that a saved game is whole and unaltered, and comes out the same when it is played again.

The first entry at which something is wrong is named, and the exit code is 1. Without a record of
your own this shows that the file is consistent with itself only.
"""

from __future__ import annotations

import argparse

import msgspec

from longfuse.cli import files
from longfuse.cli.output import print_json
from longfuse.journal.verify import verify


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    files.arguments(parser)
    parser.add_argument(
        "--unfinished",
        action="store_true",
        help="the game may still run: a file without an end is not cut off",
    )


def run(arguments: argparse.Namespace) -> int:
    """Verify and tell."""
    following = files.Following()
    try:
        verdict = verify(
            arguments.file,
            unfinished=arguments.unfinished,
            any_version=arguments.any_version,
            after=following,
        )
    except OSError as error:
        raise files.unreadable(arguments.file, error) from error
    finally:
        following.done()
    finding = verdict.finding
    if arguments.json:
        print_json({"file": str(arguments.file), "same": finding is None, **_fields(verdict)})
    elif finding is not None:
        print(f"{arguments.file}: {finding.reason}")
    else:
        ending = "and their end" if verdict.over else "of a game that is not over"
        print(f"{arguments.file}: {verdict.entries} entries {ending} come out the same")
        print(f"state {verdict.state}, digest {verdict.digest}")
    return 0 if finding is None else 1


def _fields(record: msgspec.Struct) -> dict[str, object]:
    return {name: getattr(record, name) for name in record.__struct_fields__}
