"""The plain values that a game of any ruleset has: cards, zones, objects, chain items, counters.

Owns their shapes. A ruleset adds fields by subclassing `ObjectState` and `SeatState`. All are
frozen: an actor changes its value by publishing a new one.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from longfuse.timing.records import Source
from longfuse.timing.references import Ref, Seat


class Definition(Protocol):
    """What a ruleset says about a card: at least a name and its abilities."""

    @property
    def name(self) -> str:
        """The card's name."""

    @property
    def abilities(self) -> tuple[Any, ...]:
        """Its printed abilities."""


class Card(msgspec.Struct, frozen=True):
    """A thing that keeps its identity through the game: a card of a deck, or a token."""

    id: int
    definition: Any
    owner: Seat
    token: bool = False

    @property
    def name(self) -> str:
        """The card's printed name."""
        return str(self.definition.name)

    def hashable(self) -> tuple[Any, ...]:
        """A card counts by its name and owner."""
        return (self.id, self.definition.name, self.owner, self.token)


class CardPlace(msgspec.Struct, frozen=True):
    """Where a card is now: its zone, and which stay this is."""

    zone: str
    residency: int


class ZoneState(msgspec.Struct, frozen=True):
    """A zone's contents in order (a deck's top is the last)."""

    name: str
    refs: tuple[Ref, ...] = ()


class ObjectState(msgspec.Struct, frozen=True, kw_only=True):
    """One stay of a card in a zone, as its actor publishes it.

    controller: the base controller (the effects that change it are records). place: where in the
    zone, for a zone that has places ("base:0", "bf:1"). stamp: grows with each entering.
    """

    ref: Ref
    owner: Seat
    controller: Seat
    zone: str
    place: str = ""
    stamp: int = 0


class SeatState(msgspec.Struct, frozen=True, kw_only=True):
    """What a ruleset keeps for a player; the kernel knows the name that events are told with."""

    seat: Seat
    name: str = ""

    def hashable(self) -> tuple[Any, ...]:
        """Everything but the name: who plays does not change the game."""
        return tuple(getattr(self, field) for field in self.__struct_fields__ if field != "name")


class ChainItem(msgspec.Struct, frozen=True, kw_only=True):
    """A card or ability on its way to happen.

    kind: "spell", "ability" or a permanent type. card: the card's stay on the chain, for cards.
    object: its stay on the chain, of a card or of what stands for an ability there. ability: what
    it will do. names: choices and captured values so far. message: the id of the message that woke
    a trigger; event: that message itself. record: the record it came from. paid: additional costs
    taken. facts: frozen costs. cause: the id of the message that made the item.
    """

    id: int
    kind: str
    controller: Seat
    card: Ref | None
    object: Ref | None = None
    ability: Any
    source: Source
    state: str = "pending"
    names: tuple[tuple[str, Any], ...] = ()
    event: Any = None
    record: Any = None
    paid: tuple[str, ...] = ()
    facts: tuple[tuple[str, Any], ...] = ()
    cause: int = 0
    instructed: bool = False

    def hashable(self) -> tuple[Any, ...]:
        """What of it counts for the state hash."""
        return (
            self.id,
            self.kind,
            self.controller,
            self.object,
            self.source,
            self.state,
            self.names,
            self.paid,
            self.facts,
            self.event.id if self.event else 0,
            self.record.id if self.record else 0,
        )


class Counters(msgspec.Struct, frozen=True):
    """The game's running numbers: part of the state, so that a taken-back play takes them back."""

    message: int = 0
    batch: int = 0
    ordinal: int = 0
    record: int = 0
    item: int = 0
    stamp: int = 0
    prompt: int = 0
    """Prompts count on through a taking back: a prompt's number is never used twice."""


class Snapshot(msgspec.Struct, frozen=True):
    """An object as it was when it left, for conditions and effects that look back."""

    state: Any
    values: tuple[tuple[str, Any], ...] = ()

    def value(self, name: str) -> Any:
        """A remembered value (a number of the object) by its name; None if it was not kept."""
        return next((value for known, value in self.values if known == name), None)
