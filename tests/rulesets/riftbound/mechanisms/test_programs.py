"""Programs: modes in triggers, for each, counting, what was not done, cards played by effects."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import (
    Ability,
    Choice,
    Choose,
    Do,
    ForEach,
    If,
    May,
    Modes,
    Program,
)
from longfuse.abilities.nodes import Count, Each, Matches, Named, Selector, This, When, Who
from rulesets.riftbound.cards import A_UNIT, CHOSEN, does, spell, unit
from rulesets.riftbound.duels import a_duel

OWN = Selector(kinds=("unit",), control="friendly")
IN_HAND = Selector(kinds=("unit",), owner="friendly", zone="hand")


@pytest.mark.rule("355.3", "383.3")
def test_modes_of_a_triggered_ability_are_chosen_as_it_is_finalized() -> None:
    """A triggered ability's mode and its target are chosen before anybody may react."""
    deal = Program(choices=(A_UNIT,), body=(Do("deal", what=CHOSEN, amount=2),))
    draw = Program(body=(Do("draw", amount=1, who=Who("you")),))
    either = Ability(
        kind="triggered",
        when=When("card played", subject=This()),
        program=Program(body=(Modes((("Deal 2", deal), ("Draw 1", draw))),)),
    )
    duel = a_duel(hand=[unit("Ash", 2, "", either)], board=[unit("Oak", 5)])

    duel.play("Ash")
    duel.answer("Deal 2")
    duel.answer("Oak")
    assert duel.chain == ["Ash"]
    duel.pass_all()

    assert duel["Oak"].damage == 2


@pytest.mark.rule("359.3.d")
def test_for_each_object() -> None:
    """The instruction is carried out for one after the other."""
    each = ForEach(
        (Do("deal", what=Named("each"), amount=1),), objects=Each(Selector(kinds=("unit",)))
    )
    duel = a_duel(hand=[spell("Rain", "", does(each))], board=[unit("Oak"), unit("Elm", owner=1)])

    duel.play("Rain")
    duel.pass_all()

    assert (duel["Oak"].damage, duel["Elm"].damage) == (1, 1)


@pytest.mark.rule("359.3.f.2")
def test_for_each_counts_as_it_is_carried_out() -> None:
    """ "For each friendly unit" counts those that there are when it is carried out."""
    draw = ForEach((Do("draw", amount=1, who=Who("you")),), times=Count(OWN))
    duel = a_duel(hand=[spell("Tally", "", does(draw))], board=[unit("Oak"), unit("Elm")])

    duel.play("Tally")
    duel.pass_all()

    assert duel.hand(0) == 2


@pytest.mark.rule("424")
def test_that_much() -> None:
    """An amount of the event that woke the ability is known to it."""
    duel = a_duel(
        hand=[spell("Spark", "Deal 3 to a unit.")],
        board=[unit("Oak", 9, "When I take damage, draw that many.")],
    )
    duel.play("Spark", choose=["Oak"])
    duel.pass_all()

    assert duel.hand(0) == 3


@pytest.mark.rule("359.3.e.14")
def test_what_was_declined_names_nothing() -> None:
    """ "If it's a unit" about a card that nobody chose is about nothing: the rest goes on."""
    pick = Choice("p1", IN_HAND)
    may = May((Choose(pick), Do("discard", what=Named("p1"))))
    then = If(
        Matches(Named("p1"), Selector(kinds=("unit",), zone="any")),
        then=(Do("draw", amount=5, who=Who("you")),),
    )
    last = Do("draw", amount=1, who=Who("you"))
    duel = a_duel(hand=[spell("Sift", "", does(may, then, last)), unit("Oak")])

    duel.play("Sift")
    duel.pass_all()
    duel.answer(False)
    duel.pass_all()

    assert duel.hand(0) == 2


@pytest.mark.rule("356.4.b", "355.2")
def test_unit_played_by_an_effect_for_less_to_a_battlefield() -> None:
    """It still costs what the reduction leaves, and enters where the effect says."""
    field = Choice("t1", Selector(kinds=("battlefield",)))
    play = Do(
        "play",
        what=Named("p1"),
        amount=3,
        word="reduced",
        to="battlefield",
        to_objects=Named("t1"),
    )
    help_ = does(Choose(Choice("p1", IN_HAND)), play, choices=[field])
    duel = a_duel(hand=[spell("Help", "", help_), unit("Oak", 3, energy=4)], energy=(1, 0))

    duel.play("Help", choose=["Field Two"])
    duel.pass_all()
    if duel.prompt.kind == "card":
        duel.answer("Oak")
    duel.pass_showdown()

    assert duel["Oak"].place == "bf:2"
    assert duel.rules.player(0).energy == 0


@pytest.mark.rule("356.1.b.2")
def test_ignoring_a_part_of_the_cost() -> None:
    """ "Ignoring its Power cost" leaves the Energy to be paid."""
    play = does(Choose(Choice("p1", IN_HAND)), Do("play", what=Named("p1"), word="free power"))
    duel = a_duel(
        hand=[spell("Call", "", play), unit("Oak", 3, energy=1, power=["mind", "mind"])],
        energy=(1, 0),
    )
    duel.play("Call")
    duel.pass_all()
    if duel.prompt.kind == "card":
        duel.answer("Oak")

    assert duel["Oak"].place == "base:0"
    assert duel.rules.player(0).energy == 0


@pytest.mark.rule("358.4", "359.3.e.6")
def test_card_that_an_effect_cannot_play_stays_where_it_was() -> None:
    """Its cost can't be paid: the instruction is ignored, the card is still in the trash."""
    play = does(
        Do("play", what=Named("t1")),
        choices=[Choice("t1", Selector(kinds=("unit",), owner="friendly", zone="trash"))],
    )
    duel = a_duel(hand=[spell("Call", "", play)], trash=[unit("Oak", 3, energy=9)])

    duel.play("Call", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == "trash:0"
