"""The interpreter: printed order, if, may, for each, stopping."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from longfuse.abilities.ability import Do, Effect, ForEach, If, May, Modes, Program
from longfuse.abilities.interpreter import run
from longfuse.abilities.nodes import Did, Named, NamedAmount
from longfuse.abilities.scope import Scope
from longfuse.timing.records import Source
from longfuse.timing.references import Ref


class Table:
    """Two seats."""

    def seats(self) -> tuple[int, ...]:
        return (0, 1)


class Engine:
    """Notes what it is told to do."""

    def __init__(self, agrees: bool = True, stops_after: int = 99) -> None:
        self.done: list[Any] = []
        self.agrees = agrees
        self.stops_after = stops_after

    def has_stopped(self, _scope: Scope) -> bool:
        return len(self.done) >= self.stops_after

    def do(self, node: Do, scope: Scope) -> Generator[Any, Any, None]:
        value = scope.names.get("each", scope.names.get("round"))
        self.done.append(node.verb if value is None else (node.verb, value))
        yield from ()

    def may(self, _seat: int, _text: str, _scope: Scope, _cost: Any) -> Generator[Any, Any, bool]:
        yield from ()
        return self.agrees

    def pick_modes(self, node: Modes, _scope: Scope) -> Generator[Any, Any, tuple[Program, ...]]:
        yield from ()
        return (node.options[1][1],)


def carry_out(*effects: Effect, engine: Engine | None = None, **names: Any) -> list[Any]:
    """What the engine was told, in order."""
    engine = engine or Engine()
    scope = Scope(Table(), 0, Source(None, "Fuse", 0), names=names)  # type: ignore[arg-type]
    for _ in run(effects, scope, engine):  # type: ignore[arg-type]
        pass
    return engine.done


def test_effects_come_in_printed_order() -> None:
    """One after the other."""
    assert carry_out(Do("one"), Do("two")) == ["one", "two"]


@pytest.mark.parametrize(("did", "expected"), [(True, ["then"]), (False, ["else"])])
def test_if_is_looked_at_when_it_is_reached(did: bool, expected: list[str]) -> None:
    """One branch or the other."""
    node = If(Did("d1"), then=(Do("then"),), otherwise=(Do("else"),))

    assert carry_out(node, **{"did d1": did}) == expected


@pytest.mark.parametrize(("agrees", "expected"), [(True, ["body"]), (False, ["else"])])
def test_may_asks(agrees: bool, expected: list[str]) -> None:
    """And remembers whether it was done."""
    node = May(body=(Do("body"),), name="m", otherwise=(Do("else"),))
    after = If(Did("m"), then=(Do("did it"),))
    done = carry_out(node, after, engine=Engine(agrees))

    assert done == [*expected, *(["did it"] if agrees else [])]


def test_for_each_object_and_for_a_number() -> None:
    """The body once for each."""
    refs = (Ref(1, 1), Ref(2, 1))
    each = ForEach(body=(Do("hit"),), objects=Named("them"))
    assert carry_out(each, them=refs) == [("hit", (refs[0],)), ("hit", (refs[1],))]

    times = ForEach(body=(Do("draw"),), times=NamedAmount("n"))
    assert carry_out(times, n=2) == [("draw", 0), ("draw", 1)]


def test_modes_run_the_chosen_ones() -> None:
    """The others do nothing."""
    modes = Modes(options=(("a", Program(body=(Do("a"),))), ("b", Program(body=(Do("b"),)))))

    assert carry_out(modes) == ["b"]


def test_what_has_stopped_does_nothing_more() -> None:
    """The rest is not carried out, not even within a loop."""
    times = ForEach(body=(Do("draw"),), times=5)

    assert len(carry_out(times, Do("end"), engine=Engine(stops_after=2))) == 2
