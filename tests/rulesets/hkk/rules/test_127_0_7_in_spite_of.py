"""127.0.7: what keeps counters off a permanent does not keep off those that come on playing."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change, Cost, Gate
from longfuse.abilities.nodes import Selector
from rulesets.hkk.cards import Placed, card, creature, delayed, left, strengthens, to_t1
from rulesets.hkk.duels import Playing, a_duel

pytestmark = pytest.mark.rule("127.0.7")

_NO = Change("must not", of=Selector(kinds=("permanent",)), word="receive counters")
CLEAN = card("Clean Hands", "skill", Ability(kind="passive", changes=(_NO,)))


def _dear(count: int = 2) -> Placed:
    """A creature with a temporary cost of 3 magic points."""
    cost = Ability(
        kind="keyword",
        keyword="Temporary cost",
        cost=Cost(resources=(("magic", 3),)),
        gate=Gate("cost", count, "open"),
    )
    return creature("Hireling", 4, 4, cost)


def test_counters_come_on_playing_all_the_same() -> None:
    """Delayed-effect and temporary-cost counters alike."""
    ember = card("Slow Ember", "building", strengthens(delayed(2)))
    duel = a_duel(hand=[ember, _dear()], board=[CLEAN])

    duel.play("Slow Ember")
    duel.play("Hireling")

    assert duel.counters("Slow Ember") == {"delayed": 2}
    assert duel.counters("Hireling") == {"cost": 2}


def test_later_ones_stay_forbidden() -> None:
    """A source adds none."""
    ember = left(card("Slow Ember", "building", strengthens(delayed(2))), delayed=2)
    add = to_t1("Lengthen", "place counters", word="delayed", amount=2)
    duel = a_duel(hand=[add], board=[CLEAN, ember])

    duel.play("Lengthen", choose=["Slow Ember"])

    assert duel.counters("Slow Ember") == {"delayed": 2}


# ---------------------------------------------------------------- temporary cost: a house rule


def _asked(duel: Playing, answer: bool) -> None:
    duel.to("draw", turn=0)
    assert duel.prompt.kind == "may"
    duel.answer(answer)
    duel.to("draw", turn=0)


def test_a_temporary_cost_is_paid_while_counters_last() -> None:
    """House rule: one falls in each phase in which it is paid; then it costs nothing more."""
    duel = a_duel(board=[left(_dear(), cost=2)], magic=(5, 5))

    _asked(duel, True)
    assert duel.counters("Hireling") == {"cost": 1}
    assert duel.magic(0) == 5 + 3 - 3
    _asked(duel, True)
    assert duel.counters("Hireling") == {"cost": 0}
    duel.to("draw", turn=0)
    assert duel.zone("Hireling") == "reserve:0"


def test_who_does_not_pay_loses_it() -> None:
    """House rule: it goes to the discard."""
    duel = a_duel(board=[left(_dear(), cost=2)])

    _asked(duel, False)

    assert duel.zone("Hireling") == "discard:0"


def test_who_cannot_pay_is_not_asked() -> None:
    """House rule: the same end."""
    duel = a_duel(board=[left(_dear(), cost=2)], magic=(-3, 0))

    duel.to("draw", turn=0)

    assert duel.zone("Hireling") == "discard:0"
