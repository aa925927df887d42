"""Saved games as the commands take them: read or replayed, with errors that a user can act on."""

from __future__ import annotations

import argparse
from pathlib import Path

from longfuse.cli.output import CommandError, Progress
from longfuse.journal.format import JournalError
from longfuse.journal.reader import Journal, read
from longfuse.journal.replay import Replayed


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what every command that replays a saved game takes."""
    parser.add_argument("file", type=Path, metavar="FILE", help="one saved game (.jsonl)")
    parser.add_argument(
        "--any-version",
        action="store_true",
        help="replay it though it was played with another version of the rules",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def read_journal(path: Path) -> Journal:
    """Read a saved game, as far as it was written whole; CommandError if it is none."""
    try:
        return read(path, torn=True)
    except JournalError as error:
        raise CommandError(f"{path}: {error}", 1) from error
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: OSError) -> CommandError:
    """The error for a file that cannot be opened or read."""
    return CommandError(f"{path}: {error.strerror or error}")


class Following:
    """Tells how far a replay is."""

    def __init__(self) -> None:
        self._progress: Progress | None = None

    def __call__(self, replayed: Replayed) -> None:
        """Called after each entry."""
        if self._progress is None:
            self._progress = Progress("entries replayed", len(replayed.journal.entries))
        self._progress.at(replayed.entry)

    def done(self) -> None:
        """The replay is over."""
        if self._progress is not None:
            self._progress.done()
