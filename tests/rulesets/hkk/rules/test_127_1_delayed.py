"""127.1: a delayed effect functions, or may be used, only when no such counter is left."""

from __future__ import annotations

import pytest

from rulesets.hkk.cards import card, creature, delayed, draws, left, strengthens, to_t1
from rulesets.hkk.duels import a_duel

pytestmark = pytest.mark.rule("127.1")

WOLF = creature("Wolf", 3, 3)


def test_from_play_to_ripeness() -> None:
    """Played in the third turn with two: on in the preparation phase two turns of its own later."""
    ember = card("Slow Ember", "building", strengthens(delayed(2)))
    duel = a_duel(hand=[ember], board=[WOLF])

    duel.play("Slow Ember")
    assert duel.damage("Wolf") == 3
    duel.to("draw", turn=0)
    assert (duel.counters("Slow Ember"), duel.damage("Wolf")) == ({"delayed": 1}, 3)
    duel.to("draw", turn=0)
    assert (duel.counters("Slow Ember"), duel.damage("Wolf")) == ({"delayed": 0}, 5)


@pytest.mark.parametrize(("value", "drawn"), [("any", 2), ("phase", 0)])
def test_d12_an_instruction_without_a_time_of_its_own(value: str, drawn: int) -> None:
    """D12: it happens once, when the last counter goes, however it goes; or only in the phase."""
    gift = left(card("Late Gift", "item", draws(None, delayed(3), 2)), delayed=3)
    take = to_t1("Quicken", "remove counters", word="delayed")
    duel = a_duel(board=[gift], hand=[take], options={"D12": value})

    duel.play("Quicken")
    duel.pass_all()

    assert duel.hand(0) == drawn


@pytest.mark.parametrize("value", ["any", "phase"])
def test_d12_in_the_phase_it_happens_by_either_reading(value: str) -> None:
    """Once, and not again in later phases."""
    gift = left(card("Late Gift", "item", draws(None, delayed(1), 2)), delayed=1)
    duel = a_duel(board=[gift], options={"D12": value})

    duel.to("draw", turn=0)
    assert duel.hand(0) == 3
    duel.to("draw", turn=0)
    assert duel.hand(0) == 4


def test_another_ones_last_counter_does_not_matter() -> None:
    """Each waits for its own."""
    gift = left(card("Late Gift", "item", draws(None, delayed(3), 2)), delayed=3)
    other = left(card("Fuse", "item", strengthens(delayed(3))), delayed=3)
    take = to_t1("Quicken", "remove counters", word="delayed")
    duel = a_duel(board=[gift, other], hand=[take])

    duel.play("Quicken", choose=["Fuse"])

    assert duel.hand(0) == 0
