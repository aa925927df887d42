"""Verify: is a file the unbroken record of a game that comes out the same?

Owns the verdict and its first reason. What it finds wrong is a `Finding`, never an exception,
unless the file cannot be read from its place at all. A file alone can be consistent with itself
only; a player's receipt shows whether it is the game that was played.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from longfuse.journal.format import JournalError
from longfuse.journal.reader import read
from longfuse.journal.receipts import Frames, differences
from longfuse.journal.replay import Difference, Replayed, replay
from longfuse_protocol.receipts import Receipt


class Finding(msgspec.Struct, frozen=True):
    """The first thing that is wrong. kind: "journal" (cut off, altered), "game" (differs)."""

    kind: str
    entry: int
    reason: str
    recorded: str = ""
    found: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """What was checked, and what is wrong with it, if anything is.

    finding: in the file. differences: from a receipt, in sentences. state: the hash of the last
    state. digest: of the whole journal.
    """

    finding: Finding | None
    entries: int = 0
    state: str = ""
    digest: str = ""
    over: bool = False
    differences: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether nothing is wrong."""
        return self.finding is None and not self.differences


def verify(
    path: Path,
    *,
    unfinished: bool = False,
    any_version: bool = False,
    after: Callable[[Replayed], None] | None = None,
    receipt: Receipt | None = None,
    secret: str = "",
) -> Verdict:
    """Read a file and play it again, and compare it with a receipt if there is one.

    unfinished: a game that still runs, or was aborted, need not have an end, and may stop in the
    middle of a line. secret: of its shuffles, where neither file nor receipt has it.
    """
    if receipt is not None and not receipt.secret:
        receipt = msgspec.structs.replace(receipt, secret=secret)
    try:
        journal = read(path, torn=unfinished)
    except JournalError as error:
        return Verdict(Finding("journal", error.entry, str(error)))
    found = () if receipt is None else differences(journal, receipt)
    if journal.end is None and not unfinished:
        count = len(journal.entries)
        reason = f"it is cut off after entry {count}: there is no end, as in a game that still runs"
        return Verdict(Finding("journal", count, reason), count, differences=found)
    frames = None if receipt is None else Frames(receipt)
    try:
        replayed = replay(
            journal,
            any_version=any_version,
            after=_both(after, frames),
            views=frames is not None,
            secret=secret if receipt is None else receipt.secret,
        )
    except JournalError as error:
        finding = Finding("journal", error.entry, str(error))
        return Verdict(finding, differences=found)
    except Difference as error:
        finding = Finding("game", error.entry, str(error), error.recorded, error.found)
        return Verdict(finding, differences=found)
    if frames is not None:
        found += frames.differences()
    return Verdict(
        None,
        len(journal.entries),
        replayed.game.state_hash(),
        journal.digest,
        journal.end is not None,
        found,
    )


def _both(*watching: Callable[[Replayed], None] | None) -> Callable[[Replayed], None]:
    def after(replayed: Replayed) -> None:
        for one in watching:
            if one is not None:
                one(replayed)

    return after
