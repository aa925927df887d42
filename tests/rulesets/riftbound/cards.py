"""Cards for rule tests: of text where a wording is understood, else of nodes.

Each test's cards have names of their own; they are free unless a cost is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from longfuse.abilities.ability import Ability, Choice, Create, Duration, Program
from longfuse.abilities.nodes import Named, Selector
from longfuse.rulesets.riftbound.cards import CardDefinition, make_card
from longfuse.rulesets.riftbound.definition import Definition, define


@dataclass(frozen=True)
class Placed:
    """A card and where it starts. fields: of its value on the board (damage, exhausted …)."""

    definition: Definition
    owner: int = 0
    place: str = ""
    controller: int | None = None
    fields: Mapping[str, Any] | None = None


def spell(name: str, text: str = "", *abilities: Ability, **printed: Any) -> Placed:
    """A spell, free unless `printed` says what it costs."""
    return Placed(card(name, "spell", text, *abilities, **printed))


def unit(
    name: str,
    might: int = 3,
    text: str = "",
    *abilities: Ability,
    owner: int = 0,
    place: str = "",
    controller: int | None = None,
    damage: int = 0,
    exhausted: bool = False,
    stunned: bool = False,
    **printed: Any,
) -> Placed:
    """A unit, for a hand or for the board (in its base unless `place` names a battlefield)."""
    fields = {"damage": damage, "exhausted": exhausted, "stunned": stunned}
    definition = card(name, "unit", text, *abilities, might=might, **printed)
    return Placed(definition, owner, place, controller, fields)


def gear(
    name: str, text: str = "", *abilities: Ability, owner: int = 0, place: str = "", **printed: Any
) -> Placed:
    """A gear, for a hand or a base."""
    return Placed(card(name, "gear", text, *abilities, **printed), owner, place, None, {})


def legend(name: str, text: str = "", *abilities: Ability, owner: int = 0) -> Placed:
    """A legend in its player's Legend Zone."""
    return Placed(card(name, "legend", text, *abilities), owner, f"legend:{owner}", None, {})


def battlefield(name: str, text: str = "", *abilities: Ability) -> Definition:
    """A battlefield, for `a_duel(battlefields=[…])`."""
    return card(name, "battlefield", text, *abilities)


def card(name: str, kind: str, text: str = "", *abilities: Ability, **printed: Any) -> Definition:
    """A definition, of text or of abilities given as nodes (where no wording is understood yet)."""
    if not abilities:
        return _compiled(name, kind, text, tuple(sorted(_hashable(printed).items())))
    return define(
        CardDefinition(name=name, type=kind, text=text, abilities=abilities, **_hashable(printed))
    )


def _hashable(printed: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in printed.items()}


@lru_cache(maxsize=1024)
def _compiled(name: str, kind: str, text: str, printed: tuple[tuple[str, Any], ...]) -> Definition:
    fields = {key: list(v) if isinstance(v, tuple) else v for key, v in printed}
    return define(make_card({"name": name, "type": kind, "text": text, **fields}))


def does(*body: Any, choices: Sequence[Any] = ()) -> Ability:
    """What a spell does, as nodes."""
    return Ability(kind="spell", program=Program(choices=tuple(choices), body=body))


def reaction() -> Ability:
    """The keyword Reaction, for a spell made of nodes."""
    return Ability(kind="keyword", keyword="Reaction")


def creates(ability: Ability, *, choices: Sequence[Any] = ()) -> Ability:
    """A spell that makes a delayed ability and does nothing else."""
    return does(Create(ability), choices=choices)


# ---------------------------------------------------------------- words that many nodes share

A_UNIT = Choice("t1", Selector(kinds=("unit",)))
CHOSEN = Named("t1")
THIS_TURN = Duration("this turn")

MARK = "Choose a unit. When it next takes damage this turn, kill it."
SAVE = (
    "[Reaction] Choose a friendly unit. The next time that unit would die this turn, "
    "instead heal and exhaust it, then recall it."
)
SHIELD = (
    "[Reaction] Choose a unit. The next time it would be dealt damage this turn, "
    "prevent all of that damage."
)


def deals(name: str, number: int, *, fast: bool = False, **printed: Any) -> Placed:
    """A spell that deals damage to a unit, with Reaction if `fast`."""
    return spell(name, f"{'[Reaction] ' if fast else ''}Deal {number} to a unit.", **printed)


def kills(name: str, *, fast: bool = False) -> Placed:
    """A spell that kills a unit, with Reaction if `fast`."""
    return spell(name, f"{'[Reaction] ' if fast else ''}Kill a unit.")


def draws(name: str, *, fast: bool = False, **printed: Any) -> Placed:
    """A spell that draws a card, with Reaction if `fast`."""
    return spell(name, f"{'[Reaction] ' if fast else ''}Draw 1.", **printed)
