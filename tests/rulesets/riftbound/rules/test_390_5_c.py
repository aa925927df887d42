"""390.5.c: the appropriate zone follows from the linked ability that generated it."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Choice, Create, Do
from longfuse.abilities.nodes import Selector
from rulesets.riftbound.cards import CHOSEN, does, spell, unit
from rulesets.riftbound.duels import Playing, a_duel
from rulesets.riftbound.rules.linking import stronger

A_UNIT = Choice("t1", Selector(kinds=("unit",)))


def linked_to(verb: str) -> Playing:
    """A spell has done something to Oak and made an ability about it, without naming a zone."""
    body = ((Do(verb, what=CHOSEN),) if verb else ()) + (Create(stronger()),)
    fuse = Ability(kind="spell", program=does(*body, choices=[A_UNIT]).program)
    duel = a_duel(hand=[spell("Fuse", "", fuse)], board=[unit("Oak", 3)])
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()
    return duel


@pytest.mark.rule("390.5.c", "390.5.c.1")
@pytest.mark.parametrize(
    ("verb", "zone"),
    [("banish", "banishment"), ("kill", "trash"), ("return", "hand"), ("", "board")],
)
def test_the_zone_is_implied(verb: str, zone: str) -> None:
    """Where the instruction has put the object, or where it is if it was not put anywhere."""
    duel = linked_to(verb)
    window = duel.record("Fuse").window

    assert getattr(window, "zone", "") == zone
    assert getattr(window, "object", None) == duel["Oak"].ref


@pytest.mark.rule("390.5.c")
def test_two_abilities_of_one_spell_may_have_different_zones() -> None:
    """One made before the banishing is about the unit on the board, and ends with that stay."""
    before_and_after = does(
        Create(stronger()), Do("banish", what=CHOSEN), Create(stronger()), choices=[A_UNIT]
    )
    duel = a_duel(hand=[spell("Fuse", "", before_and_after)], board=[unit("Oak", 3)])
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()

    assert duel.ended == [("Fuse", "expired")]
    assert getattr(duel.record("Fuse").window, "zone", "") == "banishment"
