"""Verify: is a file the unbroken record of a game that comes out the same?

Owns the verdict and its first reason. What it finds wrong is a `Finding`, never an exception,
unless the file cannot be read from its place at all.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from longfuse.journal.format import JournalError
from longfuse.journal.reader import read
from longfuse.journal.replay import Difference, Replayed, replay


class Finding(msgspec.Struct, frozen=True):
    """The first thing that is wrong. kind: "journal" (cut off, altered), "game" (differs)."""

    kind: str
    entry: int
    reason: str
    recorded: str = ""
    found: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """What was checked, and the first thing wrong with it, if anything is.

    state: the hash of the last state. digest: of the whole journal.
    """

    finding: Finding | None
    entries: int = 0
    state: str = ""
    digest: str = ""
    over: bool = False


def verify(
    path: Path,
    *,
    unfinished: bool = False,
    any_version: bool = False,
    after: Callable[[Replayed], None] | None = None,
) -> Verdict:
    """Read a file and play it again. unfinished: a game that still runs need not have an end."""
    try:
        journal = read(path)
        if journal.end is None and not unfinished:
            count = len(journal.entries)
            reason = f"it is cut off after entry {count}: there is no end"
            return Verdict(Finding("journal", count, reason), count)
        replayed = replay(journal, any_version=any_version, after=after)
    except JournalError as error:
        return Verdict(Finding("journal", error.entry, str(error)))
    except Difference as error:
        found = Finding("game", error.entry, str(error), error.recorded, error.found)
        return Verdict(found)
    return Verdict(
        None,
        len(journal.entries),
        replayed.game.state_hash(),
        journal.digest,
        journal.end is not None,
    )
