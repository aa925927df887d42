"""127.0.3: either kind of counters goes with automatic, activated and continuous abilities."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Gate
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
