"""Definitions: a card as the rules use it, with what its text implies worked out once.

Owns `Definition`. One is made from each compiled card and shared by all games. It holds no state.
"""

from __future__ import annotations

import msgspec

from longfuse.abilities.ability import EMPTY, Ability, Program
from longfuse.rulesets.riftbound import keywords
from longfuse.rulesets.riftbound.cards import CardDefinition


class Definition(msgspec.Struct, frozen=True, eq=False):
    """A card's printed facts.

    timing: "", "action" or "reaction". program: what a spell does. activated: abilities to use.
    extra: optional or mandatory additional costs. keyword_amounts: each keyword with its amount.
    changes_own_cost: whether its own words change what it costs.
    """

    name: str
    type: str
    energy: int
    power: tuple[str, ...]
    domains: tuple[str, ...]
    might: int
    tags: tuple[str, ...]
    supertypes: tuple[str, ...]
    text: str
    abilities: tuple[Ability, ...]
    timing: str = ""
    program: Program = EMPTY
    activated: tuple[Ability, ...] = ()
    keyword_amounts: dict[str, int] = {}
    keyword_costs: dict[str, Ability] = {}
    built_in: tuple[Ability, ...] = ()
    own_changes: tuple[Ability, ...] = ()


def define(card: CardDefinition) -> Definition:
    """The definition of a compiled card."""
    amounts: dict[str, int] = {}
    costs: dict[str, Ability] = {}
    for ability in card.abilities:
        if ability.kind == "keyword":
            number = ability.amount if isinstance(ability.amount, int) else 0
            amounts[ability.keyword] = amounts.get(ability.keyword, 0) + number
            costs.setdefault(ability.keyword, ability)
        elif ability.keyword:
            amounts.setdefault(ability.keyword, 0)
    for keyword in ("Assault", "Shield", "Deflect"):
        # "If X is omitted, it is presumed to be 1" (807.1.b.3, 814.1.b.3).
        if keyword in costs and costs[keyword].amount is None:
            amounts[keyword] = 1
    spells = [ability for ability in card.abilities if ability.kind == "spell"]
    return Definition(
        name=card.name,
        type=card.type,
        energy=card.energy,
        power=card.power,
        domains=card.domains,
        might=card.might or 0,
        tags=card.tags,
        supertypes=card.supertypes,
        text=card.text,
        abilities=card.abilities,
        timing=_timing(amounts),
        program=_joined([ability.program for ability in spells]),
        activated=tuple(ability for ability in card.abilities if ability.kind == "activated"),
        keyword_amounts=amounts,
        keyword_costs=costs,
        built_in=keywords.built_in(amounts),
        own_changes=tuple(
            ability
            for ability in card.abilities
            if ability.kind == "passive" and {"hand", "chain"} & set(ability.zones)
        ),
    )


def _timing(amounts: dict[str, int]) -> str:
    if "Reaction" in amounts:
        return "reaction"
    return "action" if "Action" in amounts else ""


def _joined(programs: list[Program]) -> Program:
    """Several instruction lines of one spell are one program, in printed order (359.3.d)."""
    if len(programs) == 1:
        return programs[0]
    return Program(
        choices=tuple(choice for program in programs for choice in program.choices),
        body=tuple(effect for program in programs for effect in program.body),
    )


def blank(name: str, kind: str = "unit", might: int = 1) -> Definition:
    """A card without text: fillers of decks and positions."""
    return Definition(name, kind, 0, (), (), might, (), (), "", ())
