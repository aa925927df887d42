"""127.1.1: a continuous delayed effect functions at once as the last counter falls."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change
from longfuse.abilities.nodes import Each, Selector
from rulesets.hkk.cards import card, creature, delayed, in_preparation, left, strengthens
from rulesets.hkk.duels import a_duel

pytestmark = pytest.mark.rule("127.1.1")


def test_on_inside_the_phase() -> None:
    """Before anything else of that phase: what comes after it in the list sees it."""
    fuse = left(card("Fuse", "building", strengthens(delayed(1))), delayed=1)
    duel = a_duel(board=[fuse, creature("Wolf", 3, 3), card("Bell", "item", in_preparation())])

    duel.to("draw", turn=0)
    assert duel.prompt.kind == "first"
    duel.decide(0)

    assert duel.game.now.phase in ("preparation", "draw")
    assert duel.damage("Wolf") == 5


def test_its_consequences_come_in_the_same_instant() -> None:
    """A creature that loses its life by it is gone before the next phase."""
    weak = Ability(
        kind="passive",
        gate=delayed(1),
        changes=(Change("life", of=Each(Selector(kinds=("creature",))), amount=-2),),
    )
    blight = left(card("Blight", "building", weak), delayed=1)
    duel = a_duel(board=[blight, creature("Hare", 1, 2), creature("Wolf", 3, 3)])

    duel.to("draw", turn=0)

    assert duel.zone("Hare") == "discard:0"
    assert duel.zone("Wolf") == "reserve:0"
    died = next(m for m in duel.game.log.events if m.event == "creature died")
    drew = next(m for m in duel.game.log.events if m.event == "drew" and m.player == 0)
    assert died.ordinal < drew.ordinal
