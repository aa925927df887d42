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
    "unit died": ("unit died",),
    "damage dealt": ("damage dealt",),
    "healed": ("healed",),
    "card drawn": ("drew",),
    "card played": ("card played",),
    "card finalized": ("card finalized",),
    "countered": ("countered",),
    "moved": ("moved",),
    "recalled": ("recalled",),
    "conquered": ("conquered",),
    "held": ("held",),
    "point gained": ("points gained",),
    "buffed": ("buffed",),
    "readied": ("readied",),
    "exhausted": ("exhausted",),
    "counter placed": ("buffed",),
    "counter removed": ("buff spent",),
    "control changed": ("control changed",),
    "banished": ("banished",),
    "recycled": ("recycled",),
    "discarded": ("discarded",),
    "token made": ("token made",),
    "ability acted": ("ability finalized", "ability activated", "replaced"),
}
"""Each word with the events of the rules that it counts."""

OF_PLAYERS = frozenset(
    {"card drawn", "card played", "card finalized", "conquered", "held", "point gained",
     "discarded", "token made", "ability acted"}
)  # fmt: skip
"""What a player does or what happens to one; the others happen to objects, and count for owners."""


def count(game: Game, word: str) -> Counter[str | int]:
    """How often that happened since the start, by seat name and by card number."""
    found: Counter[str | int] = Counter()
    for message in game.log.events:
        if message.event in EVENTS[word]:
            _add(game, word, message, found)
    return found


def _add(game: Game, word: str, message: Happened, found: Counter[str | int]) -> None:
    times = message.amount if word == "point gained" else 1
    for card in {ref.card for ref in message.subjects}:
        found[card] += times
    seat = message.player
    if word not in OF_PLAYERS and message.subjects:
        seat = game.board.card(message.subjects[0]).owner
    if 0 <= seat < len(SEATS):
        found[SEATS[seat]] += times
