"""Cards for hkk tests, made of ability nodes: short ways to say what a card does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from longfuse.abilities.ability import Ability, Change, Choice, Cost, Do, Gate, Program
from longfuse.abilities.nodes import At, Each, Named, Selector, This, When, Who
from longfuse.rulesets.hkk.definition import Definition, define

YOURS = Selector(kinds=("creature",), control="friendly")
YOU = Who("you")


@dataclass(frozen=True)
class Placed:
    """A card somewhere. place: the word for where it is in play. fields: of its value there."""

    definition: Definition
    owner: int = 0
    place: str = ""
    controller: int | None = None
    fields: tuple[tuple[str, Any], ...] = ()
    token: bool = False

    def at(self, place: str, **fields: Any) -> Placed:
        """The same card somewhere else, with fields of its value."""
        found = (*self.fields, *fields.items())
        return Placed(self.definition, self.owner, place, self.controller, found, self.token)


def delayed(count: int) -> Gate:
    """ "Delayed effect X"."""
    return Gate("delayed", count, "closed")


def temporary(count: int) -> Gate:
    """ "Temporary effect X"."""
    return Gate("temporary", count, "open")


def strengthens(gate: Gate | None = None, amount: int = 2) -> Ability:
    """Continuous: your creatures get more damage."""
    return Ability(kind="passive", gate=gate, changes=(Change("damage", of=YOURS, amount=amount),))


def draws(when: Any, gate: Gate | None = None, amount: int = 1) -> Ability:
    """Automatic: draw cards."""
    body = (Do("draw", who=YOU, amount=amount),)
    return Ability(kind="triggered", when=when, gate=gate, program=Program(body=body))


def on_death(gate: Gate | None = None) -> Ability:
    """Automatic: when a creature dies, draw a card."""
    return draws(When("creature died"), gate)


def at_start(gate: Gate | None = None) -> Ability:
    """Automatic: at the start of your preparation phase, draw a card."""
    return draws(At("preparation", YOU), gate)


def in_preparation(gate: Gate | None = None) -> Ability:
    """Automatic: in your preparation phase, draw a card."""
    return draws(At("in preparation", YOU), gate)


def pings(gate: Gate | None = None, timing: Any = "reaction") -> Ability:
    """Activated: 1 magic point: the opponent loses 1 life."""
    body = (Do("hurt", who=Who("opponent"), amount=1),)
    cost = Cost(resources=(("magic", 1),))
    return Ability(
        kind="activated", gate=gate, cost=cost, timing=timing, program=Program(body=body)
    )


def suppresses(of: Any, word: str = "") -> Ability:
    """Continuous: the abilities of some objects do not function."""
    return Ability(kind="passive", changes=(Change("no abilities", of=of, word=word),))


def on_play(*body: Any) -> Ability:
    """An on-play ability."""
    when = When("card played", subject=This())
    return Ability(kind="triggered", when=when, program=Program(body=body))


def card(name: str, type: str = "building", *abilities: Ability, **fields: Any) -> Placed:
    """A card of seat 0."""
    owner = fields.pop("owner", 0)
    return Placed(define(name, type, abilities=tuple(abilities), **fields), owner)


def creature(
    name: str, damage: int = 2, life: int = 2, *abilities: Ability, owner: int = 0, **fields: Any
) -> Placed:
    """A creature."""
    definition = define(
        name, "creature", damage=damage, life=life, abilities=tuple(abilities), **fields
    )
    return Placed(definition, owner)


def instant(name: str, *body: Any, choices: tuple[Choice, ...] = (), owner: int = 0) -> Placed:
    """A free instant with one program."""
    ability = Ability(kind="spell", program=Program(choices, tuple(body)))
    return Placed(define(name, "instant", abilities=(ability,)), owner)


def one(kind: str = "permanent", zone: str = "board", **fields: Any) -> Choice:
    """Choose one object, under t1."""
    return Choice("t1", Selector(kinds=(kind,), zone=zone, **fields))


T1 = Named("t1")


def left(placed: Placed, **counters: int) -> Placed:
    """The same card in play, that has entered with counters and has so many left."""
    found = tuple(counters.items())
    word = "reserve" if placed.definition.type == "creature" else "table"
    return placed.at(word, counters=found, entered_with=tuple(counters))


def to_t1(
    name: str, verb: str, *, kind: str = "permanent", owner: int = 0, **fields: Any
) -> Placed:
    """An instant that does something to one object."""
    return instant(name, Do(verb, what=T1, **fields), choices=(one(kind),), owner=owner)


ALL_CREATURES = Each(Selector(kinds=("creature",)))
