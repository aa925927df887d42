"""What has entered one game so far, for going back where the seats agree on it.

The game's `Play` owns one. It knows which entries still stand, at which of them a seat's last
decision began, and what was shown after each; it drives no game.
"""

from typing import NamedTuple

from longfuse.game.entries import Decision, Entry, Interruption, Refused, TakeBack
from longfuse.host.clocks import Saved
from longfuse_protocol.errors import Code


class Kept(NamedTuple):
    """One entry that stands."""

    n: int
    entry: Entry
    by_itself: bool
    """Whether it stands by itself: not in the middle of a play."""
    clocks: Saved | None
    """As they stood when the prompt that it answers was asked."""
    digests: tuple[str, ...] = ()
    """Of what everybody saw after it, by stream."""


class History:
    """The entries that stand, in order."""

    def __init__(self) -> None:
        self.standing: list[Kept] = []
        self.first_digests: tuple[str, ...] = ()
        """Of what everybody saw before the first entry."""

    def digests(self, standing: int) -> tuple[str, ...]:
        """Return the digests of what everybody saw after so many of the entries that stand."""
        return self.standing[standing - 1].digests if standing else self.first_digests

    def add(self, kept: Kept) -> None:
        """Add the next entry."""
        self.standing.append(kept)

    def before_last_of(self, seat: int) -> int:
        """Return how many entries stand before the seat's last decision; raise `Refused` if none.

        A play of several choices is one: it goes back to its beginning. A play that the seat took
        back while it was open is none. One that the seat's settings made is one: if it were not,
        the others would see in how far it goes back what the settings have made. Nothing goes back
        to before a seat has left: nobody is there to be asked in its place.
        """
        taken_back = 0
        for place in range(len(self.standing) - 1, -1, -1):
            kept = self.standing[place]
            if isinstance(kept.entry, Interruption):
                raise Refused(Code.NOT_NOW, "a seat has left the game since your last decision")
            if isinstance(kept.entry, TakeBack) and kept.entry.seat == seat:
                taken_back += 1
            elif isinstance(kept.entry, Decision) and kept.entry.seat == seat and kept.by_itself:
                if not taken_back:
                    return place
                taken_back -= 1
        raise Refused(Code.NOT_NOW, "you have decided nothing yet that could be taken back")

    def cut(self, standing: int) -> list[Kept]:
        """Keep so many entries; return those that are undone."""
        undone = self.standing[standing:]
        del self.standing[standing:]
        return undone
