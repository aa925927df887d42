"""Records: an ability that listens, as one frozen piece of state.

Owns the shape of what is installed in a game: printed abilities of objects in play and delayed
abilities alike. A record never holds a task or a callback; subscriptions are an index made from it.
The reason why it ended stays with it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from longfuse.timing.references import Ref, Seat
from longfuse.timing.windows import Window


class Reason(StrEnum):
    """Why a record ended."""

    FIRED = "fired"
    EXPIRED = "expired"
    DECLINED = "declined"
    ENDED = "ended by another"
    NOT_CREATED = "not created"
    PLAYER_LEFT = "player left"


class Source(msgspec.Struct, frozen=True):
    """A snapshot of what made a record: it is never looked up again (392).

    object: the source's stay at that time. card: its name. controller: at that time. label: the
    words of the ability, for people. item: the chain item that was resolving, if any.
    """

    object: Ref | None
    card: str
    controller: Seat
    zone: str = ""
    item: int = 0
    place: str = ""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One installed ability.

    kind: triggered, replacement, passive or link. ability: its frozen words (an `Ability` node; the
    kernel below `abilities/` does not look inside). watch: the index words it waits under, with
    `subjects` the objects it must be about (empty: any). about: the one object it is about; it ends
    with that object's stay, whatever its window says. captured: what its words meant at creation.
    uses: how often it may still act; 0 every time. points: how much it may still take off. bound:
    the object a waiting passive is tied to. taken: the amounts an effect with a limit took.
    """

    id: int
    kind: str
    delayed: bool
    controller: Seat
    source: Source
    ability: Any
    digest: str
    window: Window
    watch: tuple[str, ...]
    subjects: tuple[Ref, ...] = ()
    captured: tuple[tuple[str, Any], ...] = ()
    uses: int = 0
    points: int = 0
    bound: Ref | None = None
    about: Ref | None = None
    taken: tuple[tuple[str, int], ...] = ()
    created_mark: int = 0
    created_message: int = 0
    stamp: int = 0
    reads_state: bool = True

    def hashable(self) -> tuple[Any, ...]:
        """What of it counts for the state hash; the words by their digest."""
        return (
            self.id,
            self.kind,
            self.delayed,
            self.controller,
            self.source,
            self.digest,
            self.window,
            self.subjects,
            self.captured,
            self.uses,
            self.points,
            self.bound,
            self.about,
            self.taken,
            self.stamp,
        )

    def names(self) -> dict[str, Any]:
        """The captured values by name."""
        return dict(self.captured)


class Ended(msgspec.Struct, frozen=True):
    """A record that is over: why, and under which mark."""

    record: Record
    reason: Reason
    mark: int
