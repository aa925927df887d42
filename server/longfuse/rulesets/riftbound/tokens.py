"""Tokens: those that the rules name (184), and those that words describe.

Owns what a token's name or description stands for. A description is what the compiler gives: "Name"
or "Name: might 3, Temporary" (Might, type, keywords), with "ready" or "exhausted" where the words
say so.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from longfuse.abilities.ability import Ability, Cost, Do, Program
from longfuse.abilities.nodes import This, Who
from longfuse.abilities.scope import Unresolved
from longfuse.rulesets.riftbound import keywords
from longfuse.rulesets.riftbound.definition import Definition

_GOLD = Ability(
    kind="activated",
    cost=Cost(actions=(Do("kill", what=This()), Do("exhaust", what=This()))),
    program=Program(body=(Do("add", word="any", amount=1, who=Who("you")),)),
    timing="reaction",
    text="[Reaction] Kill this, [Exhaust]: Add 1 Power of any domain.",
)

NAMED: dict[str, tuple[str, int, tuple[str, ...], tuple[str, ...], tuple[Ability, ...]]] = {
    "Recruit": ("unit", 1, ("Recruit",), (), ()),
    "Sprite": ("unit", 3, ("Fae",), ("Temporary",), ()),
    "Sand Soldier": ("unit", 2, ("Shurima",), (), ()),
    "Mech": ("unit", 3, ("Mech",), (), ()),
    "Gold": ("gear", 0, (), (), (_GOLD,)),
    "Reflection": ("unit", 0, (), (), ()),
    "Bird": ("unit", 1, ("Bird",), ("Deflect",), ()),
}
"""184.1-184.7: type, Might, tags, keywords, abilities."""


class Description(NamedTuple):
    """What words say of a token. might: None as its name has it; ready: None as its type does."""

    kind: str
    might: int | None
    ready: bool | None
    keywords: dict[str, int]


def described(description: str) -> Description:
    """Read the words behind a token's name: "might 3, ready, Tank", "gear, exhausted"."""
    kind, might, ready = "", None, None
    amounts: dict[str, int] = {}
    latest = ""
    for part in description.replace(",", " ").split():
        if part.isdigit():
            if latest in amounts:
                amounts[latest] = int(part)
            else:
                might = int(part)
        elif part in ("unit", "gear"):
            kind = part
        elif part in ("ready", "exhausted"):
            ready = part == "ready"
        elif part in keywords.IMPLEMENTED:
            amounts[part] = 1
        elif part != "might":
            raise Unresolved(f"a token can't be {part!r}")
        latest = part
    return Description(kind, might, ready, amounts)


@lru_cache(maxsize=512)
def definition(word: str) -> tuple[Definition, bool | None]:
    """A token's definition, and whether it enters ready (None: as its type does)."""
    name, _, description = word.partition(":")
    said = described(description)
    if name in NAMED:
        kind, might, tags, words, abilities = NAMED[name]
    elif description:
        kind, might, tags, words, abilities = said.kind or "unit", 0, (name,), (), ()
    else:
        raise Unresolved(f"no such token: {word!r}")
    amounts = {**dict.fromkeys(words, 1), **said.keywords}
    made = Definition(
        name=name,
        type=kind,
        energy=0,
        power=(),
        domains=(),
        might=might if said.might is None else said.might,
        tags=tags,
        supertypes=(),
        text="",
        abilities=abilities,
        activated=abilities,
        keyword_amounts=amounts,
        built_in=keywords.built_in(amounts),
    )
    return made, said.ready
