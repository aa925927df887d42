"""Definitions: a card as the rules use it, with what its text implies worked out once.

Owns `Definition` and what a card may not say. One is made from each compiled card and shared by all
games. It holds no state.
"""

from __future__ import annotations

import msgspec

from longfuse.abilities.ability import EMPTY, Ability, Program
from longfuse.abilities.nodes import This, When
from longfuse.rulesets.hkk import vocabulary

FALL = "last counter fell"


class DefinitionError(Exception):
    """A card that can't be; `reasons` says all that is wrong."""

    def __init__(self, name: str, reasons: list[str]) -> None:
        super().__init__(f"{name}: {'; '.join(reasons)}")
        self.reasons = reasons


class Definition(msgspec.Struct, frozen=True, eq=False):
    """A card's printed facts.

    gates: the counters that it gets when it is played (127.0.0), each kind with its number.
    program: what a spell does, or what an enchantment is put on. activated: abilities to use.
    upkeep: what its temporary cost is. keywords: those it has.
    """

    name: str
    type: str
    cost: int = 0
    damage: int = 0
    life: int = 0
    tags: tuple[str, ...] = ()
    text: str = ""
    abilities: tuple[Ability, ...] = ()
    gates: tuple[tuple[str, int], ...] = ()
    program: Program = EMPTY
    activated: tuple[Ability, ...] = ()
    upkeep: Ability | None = None
    keywords: tuple[str, ...] = ()

    @property
    def is_permanent(self) -> bool:
        """Whether it stays in play."""
        return self.type not in ("spell", "instant", "ability")


def define(
    name: str,
    type: str,
    *,
    cost: int = 0,
    damage: int = 0,
    life: int = 0,
    tags: tuple[str, ...] = (),
    text: str = "",
    abilities: tuple[Ability, ...] = (),
) -> Definition:
    """The definition of a card. Raises DefinitionError for one that can't be (D6, D18)."""
    wrong = problems(type, abilities)
    if wrong:
        raise DefinitionError(name, wrong)
    spells = [ability for ability in abilities if ability.kind == "spell"]
    rest = tuple(_at_the_fall(ability) for ability in abilities)
    return Definition(
        name=name,
        type=type,
        cost=cost,
        damage=damage,
        life=life,
        tags=tags,
        text=text,
        abilities=rest,
        gates=gates_of(abilities),
        program=_joined([ability.program for ability in spells]),
        activated=tuple(ability for ability in rest if ability.kind == "activated"),
        upkeep=next((one for one in abilities if one.keyword == "Temporary cost"), None),
        keywords=tuple(one.keyword for one in abilities if one.kind == "keyword"),
    )


def gates_of(abilities: tuple[Ability, ...]) -> tuple[tuple[str, int], ...]:
    """The counters that abilities with a gate bring."""
    return tuple((one.gate.counter, one.gate.count) for one in abilities if one.gate is not None)


def problems(type: str, abilities: tuple[Ability, ...]) -> list[str]:
    """What a card may not say."""
    found: list[str] = []
    kinds = [kind for kind, _ in gates_of(abilities)]
    for ability in abilities:
        gate = ability.gate
        if gate is None:
            continue
        if gate.counter not in vocabulary.COUNTERS:
            found.append(f"there are no {gate.counter} counters")
        if gate.count < 1:
            found.append(f"X is {gate.count}; it is 1 at least (D18)")
        if gate.counter == "temporary" and ability.kind == "triggered" and ability.when is None:
            found.append("a temporary automatic effect must say when it happens (127.2.2)")
    found += [
        f"two abilities with {kind} counters (D6)"
        for kind in vocabulary.COUNTERS
        if kinds.count(kind) > 1
    ]
    if kinds and type in ("spell", "instant"):
        found.append(f"a {type} does not stay in play, where its counters would be")
    return found


def _at_the_fall(ability: Ability) -> Ability:
    """D12: a delayed effect that only instructs acts when the last counter falls."""
    if ability.kind != "triggered" or ability.gate is None or ability.when is not None:
        return ability
    when = When(FALL, subject=This(), facts=(("kind", ability.gate.counter),))
    return msgspec.structs.replace(ability, when=when)


def _joined(programs: list[Program]) -> Program:
    """Several instructions of one spell are one program, in printed order."""
    if len(programs) == 1:
        return programs[0]
    return Program(
        choices=tuple(choice for program in programs for choice in program.choices),
        body=tuple(effect for program in programs for effect in program.body),
    )


def blank(name: str, type: str = "creature", damage: int = 1, life: int = 1) -> Definition:
    """A card without text: fillers of decks and positions."""
    return Definition(name, type, 0, damage, life)
