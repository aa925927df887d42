"""392: a delayed ability is not tied to what made it."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.abilities.ability import (
    Ability,
    Change,
    Create,
    Do,
    Duration,
    Program,
    Rewrite,
)
from longfuse.abilities.nodes import At, Selector, This, When, Who
from rulesets.riftbound.cards import (
    A_UNIT,
    CHOSEN,
    THIS_TURN,
    Placed,
    deals,
    gear,
    kills,
    spell,
    unit,
)
from rulesets.riftbound.duels import a_duel

BONUS = "[Exhaust]: Your next spell this turn deals 1 Bonus Damage."
DRAW = Program(body=(Do("draw", amount=1, who=Who()),))


def lamp(ability: Ability, *choices: Any) -> Placed:
    """A unit that, when it is played, makes a delayed ability."""
    trigger = Ability(
        kind="triggered",
        when=When("card played", subject=This()),
        program=Program(choices=choices, body=(Create(ability),)),
    )
    return unit("Lamp", 2, "", trigger)


REMOVALS = {
    "killed": kills("Away"),
    "bounced": spell("Away", "Return a unit to its owner's hand."),
    "moved": spell("Away", "Move a friendly unit to its base."),
}


@pytest.mark.rule("392", "390.4")
def test_a_passive_lives_on_without_its_gear() -> None:
    """The gear is destroyed while the next spell is on the chain: the damage is still raised."""
    duel = a_duel(
        hand=[deals("Bolt", 3)],
        theirs=[spell("Smash", "[Reaction] Kill a gear.")],
        board=[gear("Tome", BONUS), unit("Oak", 9, owner=1)],
    )
    duel.use("Tome")
    duel.pass_all()
    duel.play("Bolt", choose=["Oak"])
    duel.play("Smash", choose=["Tome"])
    duel.pass_all()

    assert duel["Tome"].place == "trash:0"
    assert duel["Oak"].damage == 4


@pytest.mark.rule("392")
@pytest.mark.parametrize("how", ["killed", "bounced"])
def test_a_trigger_fires_without_its_source(how: str) -> None:
    """The unit that made it is gone; at the end of the turn it still comes."""
    ability = Ability(
        kind="triggered", when=At("ending", turn="this"), uses=1, program=DRAW, window=THIS_TURN
    )
    duel = a_duel(hand=[lamp(ability), REMOVALS[how]])
    duel.play("Lamp")
    duel.pass_all()
    duel.play("Away", choose=["Lamp"])
    duel.pass_all()
    assert duel.waiting == ["Lamp"]
    before = duel.hand(0)
    duel.advance("ending")
    assert duel.chain == ["Lamp"]
    duel.pass_all()

    assert duel.hand(0) == before + 1


@pytest.mark.rule("392", "390.3")
@pytest.mark.parametrize("how", ["killed", "bounced"])
def test_a_replacement_applies_without_its_source(how: str) -> None:
    """The next friendly death is replaced though the maker has left."""
    ability = Ability(
        kind="replacement",
        when=When(
            "death", subject=Selector(kinds=("unit",), control="friendly", states=("damaged",))
        ),
        uses=1,
        program=DRAW,
        rewrite=Rewrite("instead"),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[lamp(ability), REMOVALS[how], kills("Blade")], board=[unit("Oak", damage=1)]
    )
    duel.play("Lamp")
    duel.pass_all()
    duel.play("Away", choose=["Lamp"])
    duel.pass_all()
    duel.play("Blade", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == "base:0"


@pytest.mark.rule("392")
def test_its_controller_is_who_controlled_the_maker_then() -> None:
    """A later change of control of the source does not move the ability."""
    ability = Ability(
        kind="triggered",
        when=At("ending", turn="this"),
        uses=1,
        program=Program(body=(Do("points", amount=1, who=Who()),)),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[lamp(ability), spell("Wait", "Draw 1.")],
        theirs=[spell("Steal", "[Reaction] Take control of an enemy unit and recall it.")],
    )
    duel.play("Lamp")
    duel.pass_all()
    duel.play("Wait")
    duel.play("Steal", choose=["Lamp"])
    duel.pass_all()
    assert duel["Lamp"].controller == 1
    duel.end_turn()

    assert (duel.points(0), duel.points(1)) == (1, 0)


@pytest.mark.rule("392", "390.5.b")
def test_it_gives_way_where_the_window_speaks_of_the_source() -> None:
    """ "Until I leave the board" ends with the source, because the window says so."""
    ability = Ability(
        kind="passive",
        changes=(Change("might", of=CHOSEN, amount=2),),
        window=Duration("while in zone", of=This(), zone="board"),
    )
    duel = a_duel(hand=[lamp(ability, A_UNIT), kills("Away")], board=[unit("Oak", 3)])
    duel.play("Lamp", choose=["Oak"])
    duel.pass_all()
    assert duel["Oak"].might == 5
    duel.play("Away", choose=["Lamp"])
    duel.pass_all()

    assert duel["Oak"].might == 3
    assert duel.ended == [("Lamp", "expired")]


@pytest.mark.rule("392")
def test_losing_abilities_does_not_end_what_was_made() -> None:
    """A source that loses its abilities keeps nothing back from what it made earlier."""
    ability = Ability(
        kind="triggered",
        when=When("damage dealt", subject=CHOSEN),
        uses=1,
        program=DRAW,
        window=THIS_TURN,
    )
    blank = Ability(kind="passive", changes=(Change("no abilities", of=CHOSEN),), window=THIS_TURN)
    mute = Ability(kind="spell", program=Program(choices=(A_UNIT,), body=(Create(blank),)))
    duel = a_duel(
        hand=[lamp(ability, A_UNIT), spell("Mute", "", mute), deals("Spark", 1)],
        board=[unit("Oak", 5)],
    )
    duel.play("Lamp", choose=["Oak"])
    duel.pass_all()
    duel.play("Mute", choose=["Lamp"])
    duel.pass_all()
    duel.play("Spark", choose=["Oak"])
    duel.pass_all()

    assert duel.hand(0) == 1
