"""Events in position files: the words under which they are counted, and whom a count is about.

Owns that list. It reads a game's log and changes nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from longfuse.game.positions.words import SEATS

if TYPE_CHECKING:
    from longfuse.game.game import Game
    from longfuse.timing.messages import Happened

EVENTS: dict[str, tuple[str, ...]] = {
    "unit died": ("creature died",),
    "creature died": ("creature died",),
    "damage dealt": ("damage dealt",),
    "healed": ("healed",),
    "card drawn": ("drew",),
    "card played": ("card played",),
    "card finalized": ("card finalized",),
    "countered": ("prevented",),
    "moved": ("moved",),
    "readied": ("readied",),
    "exhausted": ("turned",),
    "counter placed": ("counter placed",),
    "counter removed": ("counter removed",),
    "control changed": ("control changed",),
    "discarded": ("discarded",),
    "token made": ("token made",),
    "ability acted": ("ability finalized", "ability used", "replaced"),
}
"""Each word with the events of the rules that it counts."""

OF_PLAYERS = frozenset(
    {"card drawn", "card played", "card finalized", "discarded", "token made", "ability acted"}
)
COUNTED = ("counter placed", "counter removed")
"""Of these every single counter counts."""


def count(game: Game, word: str) -> Counter[str | int]:
    """How often that happened since the start, by seat name and by card number."""
    found: Counter[str | int] = Counter()
    for message in game.log.events:
        if message.event in EVENTS[word]:
            _add(game, word, message, found)
    return found


def _add(game: Game, word: str, message: Happened, found: Counter[str | int]) -> None:
    times = message.amount if word in COUNTED else 1
    for ref in message.subjects[:1]:
        found[ref.card] += times
    seat = message.player
    if word not in OF_PLAYERS and message.subjects:
        seat = game.board.card(message.subjects[0]).owner
    if 0 <= seat < len(SEATS):
        found[SEATS[seat]] += times
