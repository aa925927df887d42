"""The compiler says back what it understood; reading those words gives the same abilities."""

from __future__ import annotations

import pytest
from hypothesis import given

from longfuse.abilities.ability import Ability
from longfuse.rulesets.riftbound.text import compile_text, say
from rulesets.riftbound.text.corpus import SHIPPED, UNDERSTOOD, means
from rulesets.riftbound.text.made import any_ability


def read_again(ability: Ability, kind: str) -> tuple[Ability, ...]:
    """What the canonical words of an ability mean."""
    return tuple(one.meaning() for one in compile_text(say(ability), kind).abilities)


@pytest.mark.slow
def test_canonical_words_mean_the_same() -> None:
    """Every ability of every sentence survives being said and read."""
    lost = [
        say(ability)
        for kind, text in [*UNDERSTOOD, *SHIPPED]
        for ability in means(text, kind)
        if read_again(ability, kind) != (ability,)
    ]
    assert lost == []


@given(any_ability)
def test_any_ability_survives_being_said_and_read(ability: Ability) -> None:
    """Not only what sentences make: whatever the records can hold."""
    kind = "spell" if ability.kind == "spell" else "unit"
    assert read_again(ability, kind) == (ability,)


def test_canonical_words_name_everything() -> None:
    """Nothing is left to pronouns, and what belongs together stands in quotation marks."""
    (ability,) = means("Choose a unit. When it next takes damage this turn, kill it.")
    assert say(ability) == (
        "Choose a unit as target 1. Create for this turn, used 1 times: “When “damage dealt”"
        " happens to target 1: “Kill target 1.””."
    )


def test_saying_is_stable() -> None:
    """The words of what canonical words mean are those words."""
    (ability,) = means("Deal 2 to each of up to two units.")
    (again,) = read_again(ability, "spell")
    assert say(again) == say(ability)
