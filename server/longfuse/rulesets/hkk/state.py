"""The plain values of a game of hkk: permanents with their counters, players, what goes on.

Owns the fields that the kernel does not know. All frozen; actors publish new ones.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from longfuse.game.state import ObjectState, SeatState
from longfuse.timing.references import Ref, Seat

LIFE = 20
MAGIC_MAX = 20


class Permanent(ObjectState, frozen=True, kw_only=True):
    """A card or token in play (or one elsewhere that has an ability there).

    type: what it is. passive: it is turned. wounds: the damage on it. counters: how many of each
    kind are on it; a kind that it never had is not there. entered_with: the kinds with which it
    entered, which is not the same as having none left (127.0.4). attached_to: what an enchantment
    is put on. entered, played: in which turn. control_stamp: when its base controller was last set.
    copy_of: the card whose text it has instead of its own.
    """

    type: str
    passive: bool = False
    wounds: int = 0
    counters: tuple[tuple[str, int], ...] = ()
    entered_with: tuple[str, ...] = ()
    attached_to: Ref | None = None
    entered: int = 0
    played: int = 0
    control_stamp: int = 0
    copy_of: int | None = None

    def count(self, kind: str) -> int:
        """How many counters of a kind are on it."""
        return next((number for known, number in self.counters if known == kind), 0)

    def with_count(self, kind: str, number: int) -> tuple[tuple[str, int], ...]:
        """Its counters with another number of one kind; the order of kinds is that of arrival."""
        if any(known == kind for known, _ in self.counters):
            return tuple((known, number if known == kind else n) for known, n in self.counters)
        return (*self.counters, (kind, number))


class Player(SeatState, frozen=True, kw_only=True):
    """A player's numbers. turns: turns begun. skips: preparation phases that will be skipped."""

    life: int = LIFE
    magic: int = 0
    turns: int = 0
    skips: int = 0


class Attack(NamedTuple):
    """A creature that attacks: a creature of the guard post, or the other player (None)."""

    attacker: Ref
    target: Ref | None


class Combat(msgspec.Struct, frozen=True):
    """The combat going on: who attacks, and the attacks in the order declared."""

    attacker: Seat
    attacks: tuple[Attack, ...] = ()


def place(word: str, seat: Seat) -> str:
    """A place of the board: a seat's reserve, guard post or table."""
    return f"{word}:{seat}"


def word_of(at: str) -> str:
    """The word for a place."""
    return at.partition(":")[0]
