"""R2, a spell's own zone in 390.5.c.2: the chain, or the zone that it was played from."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Create, Do, Program
from longfuse.abilities.nodes import This, When, Who
from rulesets.riftbound.cards import does, spell
from rulesets.riftbound.duels import Playing, a_duel
from rulesets.riftbound.rules.linking import while_there

DRAWN = Ability(
    kind="triggered",
    when=When("drew", player=Who()),
    program=Program(body=(Do("points", amount=1, who=Who()),)),
    window=while_there(This()),
)


def played(option: str) -> Playing:
    """A spell has made an ability about its own stay, and then drawn a card."""
    makes_and_draws = does(Create(DRAWN), Do("draw", amount=1, who=Who()))
    duel = a_duel(hand=[spell("Song", "", makes_and_draws)], options={"R2": option})
    duel.play("Song")
    duel.pass_all()
    return duel


@pytest.mark.rule("390.5.c.2", "390.5.b")
def test_chain_it_lasts_while_the_spell_is_on_the_chain() -> None:
    """By default it sees what the spell itself does, and ends as the spell leaves the chain."""
    duel = played("chain")

    assert duel.points(0) == 1
    assert duel.ended == [("Song", "expired")]


@pytest.mark.rule("390.5.c.2", "359.3.e.16")
def test_origin_the_spell_is_not_there_any_more() -> None:
    """With "origin", the zone it was played from is already left: it comes too late."""
    duel = played("origin")

    assert duel.points(0) == 0
    assert duel.ended == [("Song", "not created")]
