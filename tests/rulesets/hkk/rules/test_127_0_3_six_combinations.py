"""127.0.3: either kind of counters goes with automatic, activated and continuous abilities."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from longfuse.abilities.ability import Ability, Gate
from rulesets.hkk.cards import (
    card,
    creature,
    delayed,
    left,
    on_death,
    pings,
    strengthens,
    temporary,
    to_t1,
)
from rulesets.hkk.duels import Playing, a_duel

pytestmark = pytest.mark.rule("127.0.3")

GATES = {"delayed": delayed(1), "temporary": temporary(1)}


def _standing(ability: object, kind: str, count: int) -> Playing:
    fuse = card("Fuse", "item", ability)  # type: ignore[arg-type]
    hand = [to_t1("Blow", "destroy")]
    return a_duel(
        board=[left(fuse, **{kind: count}), creature("Wolf", 3, 3), creature("Hare")], hand=hand
    )


def _works(gate: Gate, count: int) -> bool:
    return (count > 0) == (gate.works == "open")


@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("kind", ["delayed", "temporary"])
def test_continuous(kind: str, count: int) -> None:
    """It applies on its side of the gate only."""
    duel = _standing(strengthens(GATES[kind]), kind, count)

    assert duel.damage("Wolf") == (5 if _works(GATES[kind], count) else 3)


@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("kind", ["delayed", "temporary"])
def test_automatic(kind: str, count: int) -> None:
    """It comes about on its side of the gate only."""
    duel = _standing(on_death(GATES[kind]), kind, count)

    duel.play("Blow", choose=["Hare"])

    assert duel.hand(0) == _works(GATES[kind], count)


@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("kind", ["delayed", "temporary"])
def test_activated(kind: str, count: int) -> None:
    """It may be used on its side of the gate only."""
    duel = _standing(pings(GATES[kind]), kind, count)

    assert (duel.reason("Fuse") == "") == _works(GATES[kind], count)


@pytest.mark.parametrize(
    ("ability", "kind", "in_the_phase", "by_a_source"),
    [
        (strengthens, "delayed", "127.1.1", "127.1"),
        (on_death, "delayed", "127.1.2", "127.1.2"),
        (pings, "delayed", "127.1.3", "127.1.3"),
        (strengthens, "temporary", "127.2.1", "127.2.1"),
        (on_death, "temporary", "127.2.2", "127.2.2"),
        (pings, "temporary", "127.2.2", "127.2.2"),
    ],
)
def test_what_follows_from_the_last_one_names_its_clause(
    ability: Callable[[Gate], Ability], kind: str, in_the_phase: str, by_a_source: str
) -> None:
    """The fall is by one clause, the beginning or ceasing by another."""
    fuse = left(card("Fuse", "item", ability(GATES[kind])), **{kind: 1})
    take = to_t1("Take", "remove counters", word=kind)
    falling, taking = a_duel(board=[fuse]), a_duel(board=[fuse], hand=[take])

    falling.to("draw", turn=0)
    taking.play("Take", choose=["Fuse"])

    assert _clauses(falling) == ["127.0.1", in_the_phase]
    assert _clauses(taking) == ["127.0.5", by_a_source]


def _clauses(duel: Playing) -> list[str]:
    told = ("counter removed", "last counter fell")
    return [m.clause for m in duel.game.log.events if m.event in told]
