"""127.2: a temporary effect functions, or may be used, only while such counters are left."""

from __future__ import annotations

import pytest

from rulesets.hkk.cards import card, creature, strengthens, temporary
from rulesets.hkk.duels import a_duel

pytestmark = pytest.mark.rule("127.2")


def test_from_play_to_its_end() -> None:
    """On at once, through the opponent's turn, and off inside the controller's next phase."""
    bloom = card("Brief Bloom", "building", strengthens(temporary(1)))
    duel = a_duel(hand=[bloom], board=[creature("Wolf", 3, 3)])

    duel.play("Brief Bloom")
    assert duel.damage("Wolf") == 5
    duel.to("end of turn", turn=1)
    assert duel.damage("Wolf") == 5
    duel.to("preparation", turn=0)
    assert duel.counters("Brief Bloom") == {"temporary": 0}
    assert duel.damage("Wolf") == 3
    assert duel.phase == "preparation"
