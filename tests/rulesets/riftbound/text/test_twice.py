"""What happened to an object twice this turn counts while it stays the same object."""

from __future__ import annotations

from longfuse.abilities.ability import Change
from longfuse.abilities.nodes import Compare, Tally, This, When
from rulesets.riftbound.text.corpus import means


def test_moved_twice_this_turn_is_a_tally_of_its_moves() -> None:
    """Read from the log, so moves from before it is asked count."""
    (ability,) = means("If I have moved twice this turn, I don't take damage.", "unit")
    assert ability.condition == Compare(Tally(When("moved", subject=This())), ">=", 2)
    assert ability.changes == (Change("must not", of=This(), word="be damaged"),)


def test_a_battlefield_that_you_control_is_its_own_condition() -> None:
    """For as long as its player controls it; other types speak of their own controller."""
    held = "While you control this battlefield, friendly units have +1 Might."
    (ability,) = means(held, "battlefield")
    assert ability.condition is not None
    assert means("While you control this, friendly units have +1 Might.", "gear") != (ability,)
