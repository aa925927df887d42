"""R3, "lose control at end of turn": in the Ending Step by a trigger, or as "this turn" ends."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import spell, unit
from rulesets.riftbound.duels import Playing, a_duel

TAKE = "Take control of an enemy unit. Lose control of it at the end of this turn."


def taken(option: str) -> Playing:
    """An enemy unit is controlled until the end of the turn; the game stands in the Ending Step."""
    duel = a_duel(
        hand=[spell("Take", TAKE)], board=[unit("Foe", 3, owner=1)], options={"R3": option}
    )
    duel.play("Take", choose=["Foe"])
    duel.pass_all()
    assert duel["Foe"].controller == 0
    duel.advance("ending")
    return duel


@pytest.mark.rule("317.1", "390.2")
def test_ending_step_it_uses_the_chain() -> None:
    """By default it is a delayed trigger that can be reacted to."""
    duel = taken("ending step")
    assert duel.chain == ["Take"]
    assert duel["Foe"].controller == 0
    duel.pass_all()

    assert duel["Foe"].controller == 1


@pytest.mark.rule("317.2.c", "390.4")
def test_3d_it_ends_with_what_is_for_this_turn() -> None:
    """With "3d", nothing goes on the chain; control is lost in the Expiration Step."""
    duel = taken("3d")
    assert duel.chain == []
    assert duel["Foe"].controller == 0
    duel.go_on()

    assert duel["Foe"].controller == 1
    assert (duel["Foe"].place, duel.ended) == ("base:1", [("Take", "expired")])
