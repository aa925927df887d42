"""127.0.5: suitable sources take counters off, in anybody's turn."""

from __future__ import annotations

import pytest

from rulesets.hkk.cards import (
    card,
    creature,
    delayed,
    draws,
    left,
    strengthens,
    temporary,
    to_t1,
)
from rulesets.hkk.duels import a_duel

pytestmark = pytest.mark.rule("127.0.5")

WOLF = creature("Wolf", 3, 3)


def test_all_of_them_in_the_opponents_turn() -> None:
    """The delayed effect begins there and then (127.1; 127.1.1 is the ordinary case only)."""
    fuse = left(card("Fuse", "building", strengthens(delayed(3))), delayed=3)
    duel = a_duel(board=[fuse, WOLF], hand=[to_t1("Quicken", "remove counters", word="delayed")])

    duel.to("after exchange", turn=1)
    duel.pass_()
    duel.play("Quicken", choose=["Fuse"])

    assert duel.game.now.owner == 1
    assert duel.counters("Fuse") == {"delayed": 0}
    assert duel.damage("Wolf") == 5


def test_some_of_them() -> None:
    """As many as the source says, and never more than there are."""
    fuse = left(card("Fuse", "building", strengthens(delayed(3))), delayed=3)
    some = to_t1("Hasten", "remove counters", word="delayed", amount=2)
    more = to_t1("Hurry", "remove counters", word="delayed", amount=5)
    duel = a_duel(board=[fuse, WOLF], hand=[some, more])

    duel.play("Hasten", choose=["Fuse"])
    assert duel.counters("Fuse") == {"delayed": 1}
    duel.play("Hurry", choose=["Fuse"])
    assert duel.counters("Fuse") == {"delayed": 0}
    assert duel.count("counter removed", amount=1) == 1


def test_a_temporary_effect_is_cut_short() -> None:
    """The other kind is not touched by a source that names one."""
    both = card("Fuse", "building", strengthens(temporary(3)), draws(None, delayed(2)))
    take = to_t1("Snuff", "remove counters", word="temporary")
    duel = a_duel(board=[left(both, temporary=3, delayed=2), WOLF], hand=[take])

    assert duel.damage("Wolf") == 5
    duel.play("Snuff", choose=["Fuse"])

    assert duel.counters("Fuse") == {"temporary": 0, "delayed": 2}
    assert duel.damage("Wolf") == 3
