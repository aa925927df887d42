"""127.2.1: a continuous temporary effect is over at once when the last counter goes."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change
from longfuse.abilities.nodes import Selector
from rulesets.hkk.cards import card, creature, left, strengthens, temporary, to_t1
from rulesets.hkk.duels import a_duel

pytestmark = pytest.mark.rule("127.2.1")

_LIFE = Change("life", of=Selector(kinds=("creature",), control="friendly"), amount=2)
WARD = card("Ward", "building", Ability(kind="passive", gate=temporary(1), changes=(_LIFE,)))


def test_in_the_phase() -> None:
    """Off as it falls."""
    bloom = left(card("Bloom", "building", strengthens(temporary(1))), temporary=1)
    duel = a_duel(board=[bloom, creature("Wolf", 3, 3)])

    duel.to("preparation", turn=0)

    assert duel.damage("Wolf") == 3


def test_by_a_source_with_all_that_follows_in_the_same_instant() -> None:
    """A creature that lived by it dies before the instruction that follows."""
    hurt = creature("Hare", 1, 2).at("reserve", wounds=3)
    duel = a_duel(
        board=[left(WARD, temporary=1), hurt],
        hand=[to_t1("Snuff", "remove counters", word="temporary")],
    )

    assert duel.zone("Hare") == "reserve:0"
    duel.play("Snuff", choose=["Ward"])

    assert duel.zone("Hare") == "discard:0"
    died = next(m for m in duel.game.log.events if m.event == "creature died")
    played = next(m for m in duel.game.log.events if m.event == "card played")
    assert died.ordinal < played.ordinal
