"""Possible choices: whether everything that must be chosen could be (355.8).

Owns that question. It asks nobody and changes nothing: where a later choice depends on an earlier
one ("an enemy unit at the same battlefield") it looks for one that leaves something to choose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.ability import Choice, Program
from longfuse.abilities.scope import Scope, Unresolved
from longfuse.rulesets.riftbound import choosing
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


def choices_possible(duel: Duel, program: Program, scope: Scope) -> bool:
    """Whether each choice that must be made has enough to choose from."""
    try:
        return _each_by_itself(duel, program, scope)
    except Unresolved:
        return _one_after_the_other(duel, program.choices, scope)


def _each_by_itself(duel: Duel, program: Program, scope: Scope) -> bool:
    taken: dict[str, int] = {}
    for choice in program.choices:
        if choice.of != "object" or choice.least == 0:
            continue
        found = len(choosing.candidates(duel, choice, scope))
        if found < choice.least + sum(taken.get(name, 0) for name in choice.different):
            return False
        taken[choice.name] = choice.least
    return True


def _one_after_the_other(duel: Duel, choices: tuple[Choice, ...], scope: Scope) -> bool:
    if not choices:
        return True
    choice, rest = choices[0], choices[1:]
    if choice.of == "player":
        inner = (scope.with_name(choice.name, seat) for seat in duel.seats())
        return any(_one_after_the_other(duel, rest, one) for one in inner)
    if choice.of != "object":
        return _one_after_the_other(duel, rest, scope.with_name(choice.name, ()))
    if choice.least == 0 and _one_after_the_other(duel, rest, scope.with_name(choice.name, ())):
        return True
    found = choosing.candidates(duel, choice, scope)
    if len(found) < choice.least:
        return False
    sets = [found[: choice.least]] if choice.least > 1 else [(ref,) for ref in found]
    inner = (scope.with_name(choice.name, refs) for refs in sets)
    return any(_one_after_the_other(duel, rest, one) for one in inner)


def foreseen(duel: Duel, choice: Choice, scope: Scope) -> tuple[Ref, ...]:
    """What may be chosen, as far as it is known before the choices that it depends on."""
    try:
        return choosing.candidates(duel, choice, scope)
    except Unresolved:
        return ()
