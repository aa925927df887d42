"""Advice: a position as its seat sees it, light enough to imagine changes to.

Owns `Table` and what it is made of, and how they are read from a view. Nothing here is the game:
it is what a player with the same view could write down on paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from longfuse.rulesets.riftbound.advice_cards import Known, known
from longfuse.rulesets.riftbound.state import base, is_battlefield
from longfuse_protocol.views import View

VICTORY_SCORE = 8

LOOKS_MAX = 1200
"""How much one decision imagines, moves and effects; it bounds its time, whatever the table."""


class Mark(NamedTuple):
    """A waiting ability as far as it bears on a piece, or on the table.

    kind: "doom" (dies of any damage), "save" (its next death is replaced), "prevent" (so many
    points of damage), "shield" (all of the next damage), "times", "plus" (damage changed), "bounty"
    (worth something when it dies), "hurt" (when it is damaged), "attack" (so much Might more while
    it attacks), "conquer" (worth something when a battlefield is conquered), "play" (worth
    something when a card of the kinds `words` is played), "boost" (so much more damage by it),
    "enter" (such a card enters ready). id: which ability; above 0 for one that is only imagined,
    below for one of the seat's that waits, 0 for others. number: how much, seen from the seat.
    """

    kind: str
    id: int = 0
    number: float = 0.0
    words: tuple[str, ...] = ()


class Piece:
    """A unit or gear on the board."""

    def __init__(self, key: str, card: Known, *, mine: bool, place: str) -> None:
        definition = card.definition
        self.key = key
        self.known = card
        self.name = definition.name
        self.kind = definition.type
        self.mine = mine
        self.place = place
        self.might = definition.might
        self.base = 0.5 + 0.3 * len(definition.abilities)
        """What it is worth besides its numbers."""
        if self.kind != "unit":
            self.base = 1.6 + 0.4 * definition.energy
        self.damage = 0
        self.exhausted = True
        self.stunned = False
        self.keywords: frozenset[str] = frozenset(definition.keyword_amounts)
        self.assault = definition.keyword_amounts.get("Assault", 0)
        self.shield = definition.keyword_amounts.get("Shield", 0)
        self.is_temporary = "Temporary" in self.keywords
        self.fixed: frozenset[str] = frozenset()
        """What it must not do: "move", "attack", "be chosen", …"""
        self.marks: tuple[Mark, ...] = ()

    def copy(self) -> Piece:
        """The same, to be changed."""
        other = Piece.__new__(Piece)
        other.__dict__.update(self.__dict__)
        return other

    @property
    def worth(self) -> float:
        """What it is worth to its side, in units of Might."""
        if self.kind != "unit":
            return self.base
        found = self.base + self.might + 0.5 * (self.assault + self.shield)
        return 0.5 * found if self.is_temporary else found

    @property
    def lethal(self) -> int:
        """The damage that would kill it."""
        return max(1, self.might - self.damage)

    def mark(self, mark: Mark) -> None:
        """Put a mark on it."""
        self.marks = (*self.marks, mark)


class Held(NamedTuple):
    """A card that could be played: in hand, or where it may be played from."""

    key: str
    known: Known
    energy: int
    power: tuple[str, ...]


class Link(NamedTuple):
    """An item of the chain."""

    source: str
    mine: bool
    kind: str
    key: str | None
    targets: tuple[str, ...]
    known: Known | None
    finalized: bool


class Table:
    """The position, from one seat."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.my_turn = False
        self.phase = ""
        self.turn = 0
        self.pieces: dict[str, Piece] = {}
        self.fields: dict[str, int | None] = {}
        """By place, the seat that controls the battlefield."""
        self.field_keys: dict[str, str] = {}
        self.points = [0, 0]
        """The seat's own, the other's."""
        self.scored: frozenset[str] = frozenset()
        self.energy = 0
        self.spent = 0
        """The seat's exhausted runes: in its own turn, what it has paid so far."""
        self.unwanted: frozenset[str] = frozenset()
        """Cards in hand that are known not to be worth playing now."""
        self.power: Counter[str] = Counter()
        self.hand: tuple[Held, ...] = ()
        self.cards = [0, 0]
        """In hand: the seat's own, the other's."""
        self.combat = ""
        """The place of the combat going on."""
        self.attacking = False
        self.chain: tuple[Link, ...] = ()
        self.marks: tuple[Mark, ...] = ()
        self.looks = [LOOKS_MAX]
        """How much may still be imagined from here; all copies share it."""

    def copy(self) -> Table:
        """The same, to be changed; its pieces are copied, too."""
        other = Table.__new__(Table)
        other.__dict__.update(self.__dict__)
        other.pieces = {key: piece.copy() for key, piece in self.pieces.items()}
        other.fields = dict(self.fields)
        other.points = list(self.points)
        other.cards = list(self.cards)
        return other

    def look(self) -> None:
        """Something is imagined, which costs the more the more is there."""
        self.looks[0] -= 5 + len(self.pieces)

    def units_at(self, place: str, *, mine: bool) -> list[Piece]:
        """One side's units at a place."""
        return [
            piece
            for piece in self.pieces.values()
            if piece.place == place and piece.mine == mine and piece.kind == "unit"
        ]

    def home(self, piece: Piece) -> str:
        """The base that a piece is recalled to."""
        return base(self.seat if piece.mine else 1 - self.seat)

    def affords(self, energy: int, power: tuple[str, ...]) -> bool:
        """Whether that could be paid, about: which rune serves for what is not worked out."""
        if energy > self.energy or len(power) > sum(self.power.values()):
            return False
        needed = Counter(domain for domain in power if domain != "any")
        return all(
            self.power[domain] + self.power["any"] >= many for domain, many in needed.items()
        )


# ---------------------------------------------------------------- reading a view


def read(view: View, seat: int) -> Table:
    """The position that a seat's view shows; what waits is put on it by `advice_waiting`."""
    table = Table(seat)
    entities = view.entities
    mark = entities["mark"]
    table.my_turn = mark["player"] == seat
    table.phase = str(mark["phase"])
    table.turn = int(str(mark["turn"]))
    for number, one in enumerate((seat, 1 - seat)):
        table.points[number] = int(str(entities[f"seat:{one}"]["points"]))
        table.cards[number] = int(str(entities[f"zone:hand:{one}"]["count"]))
    own: Mapping[str, Any] = entities[f"seat:{seat}"]
    table.scored = frozenset(own["scored"])
    table.energy = own["energy"]
    table.power = Counter(own["power"])
    for key in _objects(entities, "zone:board"):
        _read_object(table, key, entities[key])
    _read_hand(table, entities)
    _read_chain(table, entities)
    showdown: Mapping[str, Any] | None = entities.get("showdown")
    if showdown is not None and showdown["combat"]:
        table.combat = showdown["place"]
        table.attacking = any(
            entities[piece.key].get("designation") == "attacker"
            for piece in table.units_at(table.combat, mine=True)
        )
    return table


def _objects(entities: Mapping[str, Mapping[str, Any]], zone: str) -> list[str]:
    return list(entities[zone]["objects"]) if zone in entities else []


def _read_object(table: Table, key: str, entity: Mapping[str, Any]) -> None:
    kind = entity["type"]
    if kind == "battlefield":
        table.fields[entity["place"]] = entity["controller"]
        table.field_keys[key] = entity["place"]
    elif kind == "rune":
        if entity["controller"] == table.seat:
            table.energy += not entity["exhausted"]
            table.spent += entity["exhausted"]
            table.power[str(entity["card"]).partition(" ")[0].lower()] += 1
    elif "controller" in entity:
        table.pieces[key] = _piece(table, key, entity)


def _piece(table: Table, key: str, entity: Mapping[str, Any]) -> Piece:
    mine = entity["controller"] == table.seat
    piece = Piece(key, known(entity), mine=mine, place=entity["place"])
    piece.exhausted = entity["exhausted"]
    if piece.kind == "unit":
        piece.keywords = frozenset(entity["keywords"])
        piece.assault = max(piece.assault, "Assault" in piece.keywords)
        piece.shield = max(piece.shield, "Shield" in piece.keywords)
        designation = entity["designation"]
        extra = piece.assault if designation == "attacker" else piece.shield
        piece.might = entity["might"] - (extra if designation else 0)
        piece.damage = entity["damage"]
        piece.stunned = entity["stunned"]
        piece.is_temporary = "Temporary" in piece.keywords
    return piece


def _read_hand(table: Table, entities: Mapping[str, Mapping[str, Any]]) -> None:
    keys = _objects(entities, f"zone:hand:{table.seat}")
    keys += _objects(entities, f"zone:champion:{table.seat}")
    table.hand = tuple(held(key, entities[key]) for key in keys)


def held(key: str, entity: Mapping[str, Any]) -> Held:
    """A card that could be played, as a view shows it."""
    return Held(key, known(entity), entity["energy"], tuple(entity["power"]))


def _read_chain(table: Table, entities: Mapping[str, Mapping[str, Any]]) -> None:
    links = []
    for item in entities["chain"]["items"]:
        fields = entities[item]
        key = fields["object"]
        links.append(
            Link(
                fields["source"],
                fields["controller"] == table.seat,
                fields["kind"],
                key,
                tuple(fields["targets"]),
                known(entities[key]) if key in entities else None,
                fields["state"] == "finalized",
            )
        )
    table.chain = tuple(links)


def at_battlefield(piece: Piece) -> bool:
    """Whether it is at a battlefield."""
    return is_battlefield(piece.place)
