"""References to what a game is made of: cards, objects, seats.

Owns the one way to say "this stay of this card": `Ref(card, residency)`. A card keeps its number
for the whole game; its residency grows at each crossing that makes a new object (the ruleset says
which). Only `game/board.py` builds a new one.
"""

from __future__ import annotations

from typing import NamedTuple


class Ref(NamedTuple):
    """One object: a card's number and which of its stays this is."""

    card: int
    residency: int


Seat = int
NOBODY: Seat = -1
