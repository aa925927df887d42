"""Tokens: those that the rules name (184), and those that words describe.

Owns what a token's name or description stands for. A description is what the compiler gives:
"Name" or "Name: unit 3 Temporary" (type, Might, keywords), with "ready" or "exhausted" where the
words say so.
"""

from __future__ import annotations

from functools import lru_cache

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


@lru_cache(maxsize=512)
def definition(word: str) -> tuple[Definition, bool | None]:
    """A token's definition, and whether it enters ready (None: as its type does)."""
    name, _, description = word.partition(":")
    parts = description.split()
    ready = True if "ready" in parts else False if "exhausted" in parts else None
    parts = [part for part in parts if part not in ("ready", "exhausted")]
    if name in NAMED:
        kind, might, tags, words, abilities = NAMED[name]
    elif parts:
        kind, might, tags, words, abilities = parts[0], _might(parts), (name,), (), ()
    else:
        raise Unresolved(f"no such token: {word!r}")
    amounts = dict.fromkeys(words, 1)
    amounts |= {part: 1 for part in parts if part in keywords.IMPLEMENTED}
    made = Definition(
        name=name,
        type=kind,
        energy=0,
        power=(),
        domains=(),
        might=_might(parts) if any(part.isdigit() for part in parts) else might,
        tags=tags,
        supertypes=(),
        text="",
        abilities=abilities,
        activated=abilities,
        keyword_amounts=amounts,
        built_in=keywords.built_in(amounts),
    )
    return made, ready


def _might(parts: list[str]) -> int:
    return next((int(part) for part in parts if part.isdigit()), 0)
