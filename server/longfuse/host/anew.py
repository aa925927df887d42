"""Playing a game anew from its entries: to go back in it, or to show it again.

It drives a game that its caller has made, entry by entry, and lets other tables have their turn
meanwhile. It keeps nothing, compares nothing and tells nobody.
"""

from collections.abc import Iterable, Sequence

import trio

from longfuse.game.entries import Entry
from longfuse.host.ports import Game

ENTRIES_AT_ONCE = 4
"""Entries that are played without letting others have their turn."""


async def play_anew(game: Game, names: Sequence[str], entries: Iterable[Entry]) -> None:
    """Bring a game from before its introduction to after these entries, which once fitted it.

    names: of those who sit there. Its frames are not taken: that would cost more than to play it.
    """
    game.introduce(names)
    for count, entry in enumerate(entries, 1):
        game.advance(entry)
        await breathe(count)


async def breathe(count: int) -> None:
    """Let others have their turn, every few entries."""
    if count % ENTRIES_AT_ONCE == 0:
        await trio.lowlevel.checkpoint()


def rewound(seat: int, names: Sequence[str]) -> dict[str, object]:
    """Return the event that tells everybody of a decision taken back by agreement."""
    return {
        "n": 0,
        "event": "rewound",
        "text": f"{names[seat]} takes the last decision back, by agreement.",
        "objects": [],
        "player": seat,
        "amount": 0,
        "clause": "",
        "cause": 0,
    }
