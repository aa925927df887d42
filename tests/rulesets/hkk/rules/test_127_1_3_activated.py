"""127.1.3: an activated delayed effect may be used only when no such counter is left."""

from __future__ import annotations

import pytest

from rulesets.hkk.cards import card, delayed, left, pings, to_t1
from rulesets.hkk.duels import a_duel

pytestmark = pytest.mark.rule("127.1.3")


def test_refused_while_one_is_left_with_the_reason() -> None:
    """The reason names the counters and the clause."""
    fuse = left(card("Bow", "item", pings(delayed(1))), delayed=1)
    duel = a_duel(board=[fuse], hand=[to_t1("Quicken", "remove counters", word="delayed")])

    assert "127.1.3" in duel.reason("Bow")
    duel.play("Quicken")
    duel.use("Bow")

    assert duel.life(1) == 19


def test_usable_in_the_phase_in_which_it_falls() -> None:
    """From then on, as often as it can be paid."""
    fuse = left(card("Bow", "item", pings(delayed(1))), delayed=1)
    duel = a_duel(board=[fuse])

    duel.to("first main", turn=0)
    duel.use("Bow")
    duel.use("Bow")

    assert duel.life(1) == 18
    used = [m.clause for m in duel.game.log.events if m.event == "ability used"]
    assert used == ["127.1.3", "127.1.3"]
