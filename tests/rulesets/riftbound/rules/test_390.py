"""390: a delayed ability has a window in which it is active."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import MARK, deals, spell, unit
from rulesets.riftbound.duels import a_duel


@pytest.mark.rule("390")
def test_it_waits_from_its_creation_on() -> None:
    """A spell that makes a delayed ability leaves it waiting with its window, source and uses."""
    duel = a_duel(hand=[spell("Mark", MARK)], board=[unit("Oak", owner=1)])

    duel.play("Mark", choose=["Oak"])
    assert duel.waiting == []
    duel.pass_all()

    record = duel.record("Mark")
    assert (record.kind, record.delayed, record.controller) == ("triggered", True, 0)
    assert type(record.window).__name__ == "ThisTurn"
    assert record.uses == 1
    assert record.about == duel["Oak"].ref


@pytest.mark.rule("390")
def test_what_happened_before_does_not_count() -> None:
    """Damage taken before the mark was set does not kill."""
    duel = a_duel(hand=[deals("Spark", 1), spell("Mark", MARK)], board=[unit("Oak", owner=1)])

    duel.play("Spark", choose=["Oak"])
    duel.pass_all()
    duel.play("Mark", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == "base:1"
    assert duel.waiting == ["Mark"]


@pytest.mark.rule("390")
def test_a_printed_ability_is_not_delayed() -> None:
    """An ability printed on a unit in play listens, but does not wait as a delayed one."""
    duel = a_duel(
        hand=[spell("Mark", MARK)],
        board=[unit("Mourner", 2, "When another friendly unit dies, draw 1.")],
    )

    assert duel.waiting == []


@pytest.mark.rule("390")
def test_each_creation_is_an_ability_of_its_own() -> None:
    """Two marks on one unit wait separately."""
    duel = a_duel(hand=[spell("Mark", MARK), spell("Brand", MARK)], board=[unit("Oak", owner=1)])

    for name in ("Mark", "Brand"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()

    assert duel.waiting == ["Mark", "Brand"]
