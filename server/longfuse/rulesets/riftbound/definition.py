"""Definitions: a card as the rules use it, with what its text implies worked out once.

Owns `Definition`. One is made from each compiled card and shared by all games. It holds no state.
"""

from __future__ import annotations

import msgspec

from longfuse.abilities.ability import EMPTY, Ability, Program
from longfuse.rulesets.riftbound import equipping, keywords
from longfuse.rulesets.riftbound.cards import CardDefinition


class Definition(msgspec.Struct, frozen=True, eq=False):
    """A card's printed facts.

    timing: "", "action" or "reaction". program: what a spell does. activated: abilities to use.
    extra: optional and mandatory additional costs, as keywords (Accelerate, Repeat, …).
    keyword_amounts: each keyword with its amount. own_changes: its own words that change what it
    costs. effect, might_bonus: what it gives to what it is attached to (136, 137); of a gear these
    are not among its abilities. equips: its Equip abilities.
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
    extra: tuple[Ability, ...] = ()
    effect: tuple[Ability, ...] = ()
    might_bonus: int = 0
    equips: tuple[Ability, ...] = ()


def define(card: CardDefinition) -> Definition:
    """The definition of a compiled card."""
    abilities, effect = equipping.parts(card)
    amounts: dict[str, int] = {}
    costs: dict[str, Ability] = {}
    for ability in abilities:
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
    spells = [ability for ability in abilities if ability.kind == "spell"]
    built_in = keywords.built_in(amounts)
    equips = equipping.equips(abilities)
    for ability in effect:
        # 722.1: inactive text is still there for whoever looks for a keyword.
        if ability.keyword:
            amounts.setdefault(ability.keyword, 0)
    return Definition(
        name=card.name,
        type=card.type,
        energy=card.energy,
        power=card.power,
        domains=card.domains,
        might=(card.might or 0) if card.type != "gear" else 0,
        tags=card.tags,
        supertypes=card.supertypes,
        text=card.text,
        abilities=abilities,
        timing=_timing(amounts),
        program=_joined([ability.program for ability in spells]),
        activated=(
            *(ability for ability in abilities if ability.kind == "activated"),
            *equips,
        ),
        keyword_amounts=amounts,
        keyword_costs=costs,
        built_in=built_in,
        own_changes=tuple(
            ability
            for ability in abilities
            if ability.kind == "passive" and {"hand", "chain"} & set(ability.zones)
        ),
        extra=tuple(ability for ability in abilities if ability.keyword in EXTRA_COSTS),
        effect=effect,
        might_bonus=(card.might or 0) if card.type == "gear" else 0,
        equips=equips,
    )


EXTRA_COSTS = ("Accelerate", "Repeat", "Additional Cost")
"""The keywords that are additional costs (356.2)."""


def _timing(amounts: dict[str, int]) -> str:
    if "Reaction" in amounts or "Quick-Draw" in amounts:
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
