"""Repeat: a spell's instructions once more for each Repeat cost that was paid (820).

Owns the choices of the further executions: they are made with the others, under the same names with
a number behind them, and each execution sees its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from longfuse.abilities.ability import Choice, Program
from longfuse.abilities.scope import Scope
from longfuse.abilities.watching import walk
from longfuse.game.questions import Steps
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import choosing

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


@lru_cache(maxsize=1024)
def own_names(program: Program) -> dict[str, None]:
    """The names that a program's choices give, in order."""
    choices = (one.name for one in walk(program) if isinstance(one, Choice))
    return dict.fromkeys(("modes", *choices))


def afresh(program: Program, scope: Scope) -> Scope:
    """The scope of one more execution, before its choices are made."""
    own = own_names(program)
    names = {name: value for name, value in scope.names.items() if name not in own}
    return Scope(
        scope.table,
        scope.controller,
        scope.source,
        names=names,
        message=scope.message,
        record=scope.record,
        item=scope.item,
    )


def choose(duel: Duel, program: Program, scope: Scope, number: int) -> Steps[None]:
    """820.2: the choices of the further execution of that number; they may be the same or not."""
    inner = afresh(program, scope)
    yield from choosing.choose_all(duel, program, inner)
    for name in own_names(program):
        if name in inner.names:
            scope.names[f"{name}@{number}"] = inner.names[name]


def executions(item: ChainItem, program: Program, scope: Scope) -> Iterator[Scope]:
    """The scopes of a spell's executions in order: the first, and one for each Repeat paid."""
    times = item.paid.count("Repeat")
    further = [_scope(program, scope, number + 1) for number in range(times)]
    yield scope
    yield from further


def _scope(program: Program, scope: Scope, number: int) -> Scope:
    inner = afresh(program, scope)
    for name in own_names(program):
        value = scope.names.get(f"{name}@{number}")
        if value is not None:
            inner.names[name] = value
    return inner
