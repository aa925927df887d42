"""The board: zones and objects as actors, and every move of a card between zones.

Owns identity: the one place where a new `Ref` is made. Each zone is an actor; each object with
behaviour is an actor in its zone, whose task is its stay. All writes to zones and objects are
messages to them. It never decides whether a card may move and publishes nothing.
"""

from __future__ import annotations

from typing import Any

import msgspec

from longfuse.actors import Actor, ActorHost, EndReason
from longfuse.game.state import Card, CardPlace, ObjectState, ZoneState
from longfuse.game.store import Store
from longfuse.timing.references import Ref, Seat

TOP = -1
"""A position: the end of a zone's order, where a deck is drawn from."""
BOTTOM = 0


class Change(msgspec.Struct, frozen=True):
    """To an object or seat: these fields get these values."""

    fields: dict[str, Any]


class Insert(msgspec.Struct, frozen=True):
    """To a zone: take in an object at a position (TOP, BOTTOM)."""

    ref: Ref
    position: int = TOP


class Remove(msgspec.Struct, frozen=True):
    """To a zone: let an object go."""

    ref: Ref


class Arrange(msgspec.Struct, frozen=True):
    """To a zone: this is your order now."""

    refs: tuple[Ref, ...]


class Restore(msgspec.Struct, frozen=True):
    """To any: this is your value (again)."""

    value: Any


class Holder:
    """The behaviour of an object or seat: it holds one value and publishes each new one."""

    __slots__ = ("key", "store", "value")

    def __init__(self, store: Store, key: Any, value: Any) -> None:
        self.store = store
        self.key = key
        self.value = value
        store.put(key, value)

    def receive(self, message: Change | Restore) -> Any:
        """Take a change; the new value is the reply."""
        if isinstance(message, Change):
            self.value = msgspec.structs.replace(self.value, **message.fields)
        else:
            self.value = message.value
        self.store.put(self.key, self.value)
        return self.value


class ZoneHolder:
    """The behaviour of a zone: it owns its contents and their order."""

    __slots__ = ("key", "store", "value")

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.key = ("zone", name)
        self.value = ZoneState(name)
        store.put(self.key, self.value)

    def receive(self, message: Insert | Remove | Arrange | Restore) -> ZoneState:
        """Take a change of contents; the new value is the reply."""
        refs = self.value.refs
        match message:
            case Insert(ref=ref, position=position):
                refs = (*refs, ref) if position == TOP else (ref, *refs)
            case Remove(ref=ref):
                at = refs.index(ref)
                refs = refs[:at] + refs[at + 1 :]
            case Arrange(refs=refs):
                pass
            case Restore(value=value):
                refs = value.refs
        self.value = ZoneState(self.value.name, refs)
        self.store.put(self.key, self.value)
        return self.value


SomeActor = Actor[Any, Any]


class Board:
    """Where every card of one game is."""

    def __init__(self, store: Store, host: ActorHost, zone_names: tuple[str, ...]) -> None:
        self.store = store
        self.host = host
        self.cards: list[Card] = []
        self.objects: dict[Ref, SomeActor] = {}
        self.zones: dict[str, SomeActor] = {}
        for name in zone_names:
            actor: SomeActor = Actor(name, ZoneHolder(store, name))
            host.start_zone(actor)
            self.zones[name] = actor

    # ------------------------------------------------------------ reading

    def zone(self, name: str) -> tuple[Ref, ...]:
        """A zone's contents in order."""
        value: ZoneState = self.store.values[("zone", name)]
        return value.refs

    def place(self, card: int) -> CardPlace:
        """Where a card is."""
        value: CardPlace = self.store.values[("card", card)]
        return value

    def is_there(self, ref: Ref) -> bool:
        """Whether that stay is the card's present one."""
        place: CardPlace | None = self.store.values.get(("card", ref.card))
        return place is not None and place.zone != "" and place.residency == ref.residency

    def card(self, ref: Ref) -> Card:
        """The card behind an object."""
        return self.cards[ref.card]

    def value(self, ref: Ref) -> Any:
        """The object's published value; None if it has no behaviour where it is, or has left."""
        return self.store.values.get(ref)

    # ------------------------------------------------------------ cards and stays

    def new_card(self, definition: Any, owner: Seat, token: bool = False) -> Card:
        """A new card, in no zone yet."""
        number = len(self.cards)
        while self.store.get(("made", number)) is not None:
            number += 1
        card = Card(number, definition, owner, token)
        self.cards.append(card)
        self.store.put(("made", number), card)
        self.store.put(("card", number), CardPlace("", 0))
        return card

    def forget_cards(self, count: int) -> None:
        """Let go of cards made in a play that was taken back."""
        del self.cards[count:]

    def arrive(self, card: int, zone: str, position: int = TOP) -> Ref:
        """Give a card that is nowhere a new stay in a zone: the only place where a Ref is made."""
        residency = self.place(card).residency + 1
        ref = Ref(card, residency)
        self.store.put(("card", card), CardPlace(zone, residency))
        self.zones[zone].ask(Insert(ref, position))
        return ref

    def next_stay(self, card: int) -> Ref:
        """The stay that a card will have in the next zone it comes to."""
        return Ref(card, self.place(card).residency + 1)

    def depart(self, ref: Ref) -> None:
        """End a stay: the zone lets it go, and its actor ends."""
        place = self.place(ref.card)
        self.zones[place.zone].ask(Remove(ref))
        self.store.put(("card", ref.card), CardPlace("", place.residency))
        self.end_object(ref, EndReason.LEFT_ZONE)

    def arrange(self, zone: str, refs: tuple[Ref, ...]) -> None:
        """Put a zone into this order."""
        self.zones[zone].ask(Arrange(refs))

    # ------------------------------------------------------------ actors

    def start_object(self, state: ObjectState) -> None:
        """Start the actor of a stay that has behaviour."""
        self._start(state.ref, state, state.zone)

    def end_object(self, ref: Ref, reason: EndReason) -> None:
        """End the actor of a stay, if it has one. When the game is over its last value stays."""
        actor = self.objects.pop(ref, None)
        if actor is not None:
            actor.end(reason)
            if reason is not EndReason.GAME_OVER:
                self.store.put(ref, None)

    def change(self, ref: Ref, **fields: Any) -> Any:
        """Tell an object its new field values; its new value is returned."""
        return self.objects[ref].ask(Change(fields))

    def _start(self, ref: Ref, state: Any, zone: str) -> None:
        name = f"{self.cards[ref.card].name}#{ref.card}.{ref.residency}"
        actor: SomeActor = Actor(name, Holder(self.store, ref, state))
        self.host.start_object(zone, actor)
        self.objects[ref] = actor

    # ------------------------------------------------------------ taking back

    def restore(self, key: Any, old: Any) -> bool:
        """Bring a zone's or object's actor back to an old value; False if `key` is neither."""
        if isinstance(key, Ref):
            self._restore_object(key, old)
            return True
        if key[0] == "zone":
            self.zones[key[1]].ask(Restore(old))
            return True
        return False

    def _restore_object(self, ref: Ref, old: Any) -> None:
        actor = self.objects.get(ref)
        if old is None:
            self.end_object(ref, EndReason.UNDONE)
        elif actor is not None:
            actor.ask(Restore(old))
        else:
            self._start(ref, old, old.zone)
