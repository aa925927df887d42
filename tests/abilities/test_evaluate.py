"""Reading words: players, objects, amounts, conditions, events."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.abilities.evaluate import amount, happens, holds, named, objects, players
from longfuse.abilities.nodes import (
    AllOf,
    AnyOf,
    Arithmetic,
    Compare,
    ControllerOf,
    Did,
    Named,
    NamedAmount,
    NamedPlayer,
    Not,
    OwnerOf,
    Paid,
    Same,
    Selector,
    This,
    TurnOf,
    When,
    Who,
)
from longfuse.abilities.scope import Scope, Unresolved
from longfuse.timing.messages import Happened
from longfuse.timing.records import Source
from longfuse.timing.references import Ref

OAK, ELM = Ref(1, 1), Ref(2, 1)


class Table:
    """Two objects: Oak, controlled and owned by seat 0; Elm owned by 0, controlled by 1."""

    def seats(self) -> tuple[int, ...]:
        return (1, 0)

    def turn_player(self) -> int:
        return 1

    def controller_of(self, ref: Ref) -> int:
        return 0 if ref == OAK else 1

    def owner_of(self, _ref: Ref) -> int:
        return 0

    def is_kind(self, _ref: Ref, word: str) -> bool:
        return word in ("card", "unit")


def scope(message: Happened | None = None, source: Ref | None = OAK, **names: Any) -> Scope:
    """The scope of an ability of seat 0."""
    return Scope(Table(), 0, Source(source, "Oak", 0), names=names, message=message)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("node", "seats"),
    [
        (None, (0,)),
        (Who("you"), (0,)),
        (Who("opponent"), (1,)),
        (Who("each player"), (1, 0)),
        (Who("turn player"), (1,)),
        (ControllerOf(Named("t1")), (1,)),
        (OwnerOf(Named("t1")), (0,)),
        (NamedPlayer("chosen"), (1,)),
    ],
)
def test_players(node: Any, seats: tuple[int, ...]) -> None:
    """Roles are seen from the ability's controller, in turn order."""
    assert players(node, scope(t1=(ELM,), chosen=1)) == seats


def test_objects_by_name_and_source() -> None:
    """A name may stand for one or several; the source for itself, or for nothing."""
    assert objects(Named("t1"), scope(t1=(OAK, ELM))) == (OAK, ELM)
    assert objects(Named("t1"), scope(t1=ELM)) == (ELM,)
    assert objects(This(), scope()) == (OAK,)
    assert objects(This(), scope(source=None)) == ()


def test_names_of_the_message() -> None:
    """Its subject, source, player, others and facts."""
    message = Happened(
        event="hit", subjects=(OAK, ELM), source=ELM, player=1, amount=3, facts={"to": "base"}
    )
    asked = scope(message)

    assert named("event", asked) == OAK
    assert named("event.source", asked) == ELM
    assert named("event.player", asked) == 1
    assert named("event.others", asked) == (ELM,)
    assert named("event.amount", asked) == 3
    assert named("event.to", asked) == "base"


def test_a_name_that_means_nothing_is_a_defect() -> None:
    """It is raised, never passed over."""
    with pytest.raises(Unresolved, match="t9"):
        objects(Named("t9"), scope())


@pytest.mark.parametrize(
    ("node", "number"),
    [
        (None, 0),
        (4, 4),
        (NamedAmount("n"), 5),
        (NamedAmount("gone"), 0),
        (Arithmetic("plus", 2, 3), 5),
        (Arithmetic("minus", 2, 3), 0),
        (Arithmetic("times", 2, 3), 6),
        (Arithmetic("half up", 5), 3),
        (Arithmetic("half down", 5), 2),
        (Arithmetic("most", 2, 3), 3),
        (Arithmetic("least", 2, 3), 2),
    ],
)
def test_amounts(node: Any, number: int) -> None:
    """What is null counts as nothing; nothing goes below nothing."""
    assert amount(node, scope(n=5, gone=None)) == number


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (Compare(2, "<", 3), True),
        (Compare(3, "<=", 2), False),
        (Compare(2, "==", 2), True),
        (Compare(2, "!=", 2), False),
        (Compare(2, ">", 3), False),
        (Compare(3, ">=", 3), True),
        (Did("d1"), True),
        (Did("d2"), False),
        (Paid("Extra"), True),
        (Paid("Other"), False),
        (TurnOf(Who("opponent")), True),
        (TurnOf(Who("you")), False),
        (Same(Who("turn player"), Who("opponent")), True),
        (Not(Did("d2")), True),
        (AllOf((Did("d1"), Did("d2"))), False),
        (AnyOf((Did("d1"), Did("d2"))), True),
    ],
)
def test_conditions(node: Any, expected: bool) -> None:
    """Each holds or not."""
    names = {"did d1": True, "paid": ("Extra",)}

    assert holds(node, scope(**names)) == expected


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        (When("hit"), True),
        (When("hit", subject=Named("t1")), True),
        (When("hit", subject=Named("t2")), False),
        (When("hit", subject=Selector(kinds=("unit",), control="friendly")), True),
        (When("hit", subject=Selector(kinds=("gear",))), False),
        (When("hit", source=Selector(kinds=("unit",), control="enemy")), True),
        (When("hit", player=Who("you")), False),
        (When("hit", player=Who("opponent")), True),
        (When("hit", facts=(("to", "base"),)), True),
        (When("hit", facts=(("to", "field"),)), False),
    ],
)
def test_events(when: When, expected: bool) -> None:
    """Subject, source, player and facts must all be as the words say."""
    message = Happened(event="hit", subjects=(OAK,), source=ELM, player=1, facts={"to": "base"})

    assert happens(when, message, scope(message, t1=(OAK,), t2=(ELM,))) == expected
