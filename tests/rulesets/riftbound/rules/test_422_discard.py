"""422: discarding."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import spell, unit
from rulesets.riftbound.duels import a_duel


@pytest.mark.rule("422.1.b")
def test_a_card_sees_its_own_discarding() -> None:
    """ "When you discard me" triggers from the hand, once the card is in the trash."""
    duel = a_duel(
        hand=[spell("Drop", "Discard 1."), unit("Owl", 2, "When you discard me, draw 1.")]
    )
    duel.play("Drop")
    duel.pass_all()
    assert (duel["Owl"].place, duel.count("drew")) == ("trash:0", 1)


@pytest.mark.rule("422.1.b")
def test_what_is_discarded_may_be_played_from_where_it_is() -> None:
    """It is the card in the trash that its own words speak of."""
    owl = unit("Owl", 2, "When you discard me, you may pay 1 to play me.")
    duel = a_duel(hand=[spell("Drop", "Discard 1."), owl], energy=(1, 0))
    duel.play("Drop")
    duel.pass_all()
    assert duel.asked == (0, "may")


@pytest.mark.rule("385.2")
def test_other_triggers_of_a_card_in_hand_wait_for_the_board() -> None:
    """Only its own discarding is seen from there."""
    owl = unit("Owl", 2, "When you play a unit, draw 1.")
    duel = a_duel(hand=[unit("Wren", 1), owl])
    duel.play("Wren")
    duel.pass_all()
    assert duel.count("drew") == 0
