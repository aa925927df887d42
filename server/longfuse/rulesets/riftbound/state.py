"""The plain values of a duel: permanents, battlefields, players, what a chain item fixed.

Owns the riftbound fields that the kernel does not know. All frozen; actors publish new ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from longfuse.game.state import ObjectState, SeatState
from longfuse.timing.references import NOBODY, Ref, Seat


class Permanent(ObjectState, frozen=True, kw_only=True):
    """A unit, gear, rune or legend on the board (or a hidden card).

    type: what it is. designation: "attacker", "defender" or "". entered/moved: the turn in which it
    entered the board or last moved. control_stamp: when the base controller was last set; an older
    effect on control has lost to it. copy_of: the card whose text it has instead of its own.
    """

    type: str
    damage: int = 0
    exhausted: bool = False
    buffs: int = 0
    stunned: bool = False
    designation: str = ""
    attached_to: Ref | None = None
    facedown: bool = False
    control_stamp: int = 0
    entered: int = 0
    moved: int = 0
    played: int = 0
    copy_of: int | None = None


class Battlefield(ObjectState, frozen=True, kw_only=True):
    """A battlefield and its control (187). Its own place is the place of what is there.

    contested_by: who applied Contested (NOBODY: not contested). staged: "", "showdown" or "combat".
    """

    type: str = "battlefield"
    contested_by: Seat = NOBODY
    staged: str = ""


class Player(SeatState, frozen=True, kw_only=True):
    """A player's numbers.

    energy, power: the rune pool; power by domain, "any" for Power of any domain. finalized: cards
    finalized this turn (Legion). scored: places scored this turn. turns: turns begun.
    """

    points: int = 0
    energy: int = 0
    power: tuple[tuple[str, int], ...] = ()
    xp: int = 0
    finalized: int = 0
    scored: tuple[str, ...] = ()
    turns: int = 0


HIDDEN_AT = "hidden at"
"""The battlefield where a card that is played from facedown was hidden: a fact of its chain item
and of its having been played, and the name for it in a scope (811.1.d).
"""


class Showdown(msgspec.Struct, frozen=True):
    """The showdown going on (341), a combat or not.

    attacker, defender: the seats, in a combat. focus: who has it. passes: how many have passed in a
    row. recalled: the attackers were recalled after the damage (466.1.a.2).
    """

    place: str
    combat: bool
    contester: Seat
    focus: Seat
    attacker: Seat = NOBODY
    defender: Seat = NOBODY
    passes: int = 0
    recalled: bool = False


class Split(NamedTuple):
    """The board's objects by type, in the board's order.

    refs, types: what it was made from: the order, and when a type last changed. users: those that
    have activated abilities printed on them.
    """

    refs: tuple[Ref, ...]
    by_type: dict[str, tuple[Ref, ...]]
    types: int = 0
    users: tuple[Ref, ...] = ()

    def of(self, kind: str) -> tuple[Ref, ...]:
        """The objects of a type."""
        return self.by_type.get(kind, ())


def split_by_type(
    refs: tuple[Ref, ...], values: dict[Any, Any], types: int, users: tuple[Ref, ...]
) -> Split:
    """Sort the board's objects by their type."""
    found: dict[str, list[Ref]] = {}
    for ref in refs:
        found.setdefault(values[ref].type, []).append(ref)
    by_type = {kind: tuple(members) for kind, members in found.items()}
    return Split(refs, by_type, types, users)


def base(seat: Seat) -> str:
    """The place of a seat's base."""
    return f"base:{seat}"


def is_battlefield(place: str) -> bool:
    """Whether a place is a battlefield."""
    return place.startswith("bf:")


def kind_of_place(place: str) -> str:
    """The word for a place in facts and words: base, battlefield, legend, facedown."""
    return "battlefield" if is_battlefield(place) else place.partition(":")[0]
