"""127.1.2: an automatic delayed effect comes about as its words say, after the last counter."""

from __future__ import annotations

import pytest

from rulesets.hkk.cards import (
    at_start,
    card,
    creature,
    delayed,
    in_preparation,
    left,
    on_death,
    to_t1,
)
from rulesets.hkk.duels import a_duel

pytestmark = pytest.mark.rule("127.1.2")


def test_what_happened_before_is_not_made_good() -> None:
    """A death before the fall: nothing; the fall itself: nothing; a death after it: a card."""
    fuse = left(card("Mourner", "item", on_death(delayed(1))), delayed=1)
    hand = [to_t1("Blow", "destroy"), to_t1("Stroke", "destroy")]
    duel = a_duel(board=[fuse, creature("Hare"), creature("Mouse")], hand=hand)

    duel.play("Blow", choose=["Hare"])
    assert duel.hand(0) == 1
    duel.to("draw", turn=0)
    assert duel.hand(0) == 2
    duel.to("first main", turn=0)
    duel.play("Stroke", choose=["Mouse"])
    assert duel.hand(0) == 2


@pytest.mark.parametrize(("value", "drawn"), [("next", 1), ("same", 2)])
def test_d10_at_the_start_of_the_phase(value: str, drawn: int) -> None:
    """D10: the start of the phase is past when the last counter falls; or it still counts."""
    fuse = left(card("Early Bell", "item", at_start(delayed(1))), delayed=1)
    duel = a_duel(board=[fuse], options={"D10": value})

    duel.to("draw", turn=0)
    assert duel.hand(0) == drawn
    duel.to("draw", turn=0)
    assert duel.hand(0) == drawn + 2


@pytest.mark.parametrize(("value", "drawn"), [("same", 2), ("next", 1)])
def test_d11_in_the_phase(value: str, drawn: int) -> None:
    """D11: its time is not over when the last counter falls; or what is on the list is fixed."""
    fuse = left(card("Bell", "item", in_preparation(delayed(1))), delayed=1)
    duel = a_duel(board=[fuse], options={"D11": value})

    duel.to("draw", turn=0)
    assert duel.hand(0) == drawn
    duel.to("draw", turn=0)
    assert duel.hand(0) == drawn + 2
