"""What has entered one game so far, for going back where the seats agree on it.

The game's `Play` owns one. It knows which entries still stand, and at which of them a seat's last
decision of its own began; it drives no game.
"""

from typing import NamedTuple

from longfuse.game.entries import Decision, Entry, Refused
from longfuse.host.clocks import Saved
from longfuse_protocol.errors import Code


class Kept(NamedTuple):
    """One entry that stands."""

    n: int
    entry: Entry
    by_itself: bool
    """Whether a seat decided so itself, and not in the middle of a play."""
    clocks: Saved | None
    """As they stood when the prompt that it answers was asked."""


class History:
    """The entries that stand, in order."""

    def __init__(self) -> None:
        self.standing: list[Kept] = []

    def add(self, kept: Kept) -> None:
        """Add the next entry."""
        self.standing.append(kept)

    def before_last_of(self, seat: int) -> int:
        """Return how many entries stand before the seat's last decision; raise `Refused` if none.

        A play of several choices is one: it goes back to its beginning.
        """
        for place in range(len(self.standing) - 1, -1, -1):
            kept = self.standing[place]
            if isinstance(kept.entry, Decision) and kept.entry.seat == seat and kept.by_itself:
                return place
        raise Refused(Code.NOT_NOW, "you have decided nothing yet that could be taken back")

    def cut(self, standing: int) -> list[Kept]:
        """Keep so many entries; return those that are undone."""
        undone = self.standing[standing:]
        del self.standing[standing:]
        return undone
