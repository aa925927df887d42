"""The interpreter: runs a program's effects in printed order.

Owns control flow: if, may, choose, for each, create, remember. Game actions are the ruleset's
verbs, reached through `Engine`. Rules are generators: what they yield (questions, marks) goes up to
the game, which sends answers down. It keeps no state: names live in the scope.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, Protocol, TypeVar

from longfuse.abilities.ability import (
    Ability,
    Choice,
    Choose,
    Cost,
    Create,
    Do,
    Effect,
    ForEach,
    If,
    May,
    Modes,
    Program,
    Remember,
    Then,
)
from longfuse.abilities.evaluate import amount, holds, objects, players
from longfuse.abilities.scope import Scope, Table, Unresolved
from longfuse.abilities.watching import names_in
from longfuse.timing.references import Seat

T = TypeVar("T")
Running = Generator[Any, Any, T]


class Engine(Table, Protocol):
    """What a ruleset gives the interpreter beyond looking: the ways to change the game."""

    def has_stopped(self, scope: Scope) -> bool:
        """Whether the rest of the instructions is not carried out any more."""

    def do(self, node: Do, scope: Scope) -> Running[None]:
        """Carry out one game action."""

    def choose(self, choice: Choice, scope: Scope) -> Running[bool]:
        """Ask a choice and name its answer; False if there was nothing to choose."""

    def may(self, seat: Seat, text: str, scope: Scope, cost: Cost | None) -> Running[bool]:
        """Ask a player whether to do it, and have the cost paid if there is one."""

    def create(self, ability: Ability, scope: Scope) -> Running[None]:
        """Install a delayed ability."""

    def remember(self, name: str, refs: tuple[Any, ...], scope: Scope) -> None:
        """Put objects into the source's link."""

    def then(self, program: Program, scope: Scope) -> Running[None]:
        """Make a reflexive trigger."""

    def pick_modes(self, node: Modes, scope: Scope) -> Running[tuple[Program, ...]]:
        """Which modes are taken (asked when the item was finalized, or now)."""


def run(effects: Iterable[Effect], scope: Scope, engine: Engine) -> Running[None]:
    """Carry out effects one after the other; an instruction about nothing is ignored."""
    for effect in effects:
        if engine.has_stopped(scope):
            return
        yield from _run_one(effect, scope, engine)


def _run_one(effect: Effect, scope: Scope, engine: Engine) -> Running[None]:
    match effect:
        case Do():
            yield from engine.do(effect, scope)
        case Create(ability=ability):
            yield from engine.create(ability, scope)
        case If(condition=condition, then=then, otherwise=otherwise):
            taken, left = (then, otherwise) if holds(condition, scope) else (otherwise, then)
            not_done(left, scope)
            yield from run(taken, scope, engine)
        case May():
            yield from _may(effect, scope, engine)
        case Choose(choice=choice):
            yield from engine.choose(choice, scope)
        case ForEach():
            yield from _for_each(effect, scope, engine)
        case Modes():
            for program in (yield from engine.pick_modes(effect, scope)):
                yield from run(program.body, scope, engine)
        case Remember(objects=which, name=name):
            engine.remember(name, objects(which, scope), scope)
        case Then(program=program):
            yield from engine.then(program, scope)
        case _:
            raise Unresolved(f"no such effect: {effect!r}")


def _may(effect: May, scope: Scope, engine: Engine) -> Running[None]:
    seats = players(effect.who, scope)
    if not seats:
        return
    agreed = yield from engine.may(seats[0], "", scope, effect.cost)
    if effect.name:
        scope.names["did " + effect.name] = agreed
    not_done(effect.otherwise if agreed else effect.body, scope)
    yield from run(effect.body if agreed else effect.otherwise, scope, engine)


def not_done(effects: tuple[Effect, ...], scope: Scope) -> None:
    """Instructions that are not carried out name nothing; what speaks of that is about nothing."""
    for name in names_in(effects) if effects else ():
        scope.names.setdefault(name, ())


def _for_each(effect: ForEach, scope: Scope, engine: Engine) -> Running[None]:
    if effect.objects is not None:
        rounds: list[tuple[str, Any]] = [("each", (ref,)) for ref in objects(effect.objects, scope)]
    elif effect.players is not None:
        rounds = [("each", seat) for seat in players(effect.players, scope)]
    else:
        rounds = [("round", number) for number in range(amount(effect.times, scope))]
    for name, value in rounds:
        scope.names[name] = value
        yield from run(effect.body, scope, engine)
