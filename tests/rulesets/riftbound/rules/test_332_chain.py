"""332-340: the chain: pending and finalized, priority, resolving."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Choice, Do, Program
from longfuse.abilities.nodes import Named, Selector, This, When, Who
from rulesets.riftbound.cards import deals, does, draws, kills, spell, unit
from rulesets.riftbound.duels import a_duel


@pytest.mark.rule("338")
def test_the_player_of_an_item_has_priority_first() -> None:
    """Whoever played it may react to it, then the other."""
    duel = a_duel(hand=[draws("Book")])
    duel.play("Book")
    assert duel.asked == (0, "priority")
    duel.pass_()

    assert duel.asked == (1, "priority")


@pytest.mark.rule("340.1")
def test_the_newest_item_resolves_first() -> None:
    """A reaction resolves before what it reacts to."""
    duel = a_duel(
        hand=[deals("Bolt", 3)],
        theirs=[spell("Shelter", "[Reaction] Give a unit +3 Might this turn.")],
        board=[unit("Oak", 3, owner=1)],
    )
    duel.play("Bolt", choose=["Oak"])
    duel.play("Shelter", choose=["Oak"])
    assert duel.chain == ["Bolt", "Shelter"]
    duel.resolve()
    assert (duel.chain, duel["Oak"].might) == (["Bolt"], 6)
    duel.pass_all()

    assert duel["Oak"].place == "base:1"


@pytest.mark.rule("340.4")
def test_players_may_react_between_resolutions() -> None:
    """After one item has resolved, the controller of the next has priority."""
    duel = a_duel(
        hand=[draws("Book"), draws("Quick", fast=True), draws("Later", fast=True)],
    )
    duel.play("Book")
    duel.play("Quick")
    duel.resolve()
    assert duel.asked == (0, "priority")
    duel.play("Later")

    assert duel.chain == ["Book", "Later"]


@pytest.mark.rule("339")
def test_a_pass_is_not_final() -> None:
    """Who passed may act again after the other has added something."""
    duel = a_duel(
        hand=[draws("Book"), draws("Quick", fast=True)], theirs=[draws("Answer", fast=True)]
    )
    duel.play("Book")
    duel.pass_(0)
    duel.play("Answer", seat=1)
    duel.pass_(1)
    duel.play("Quick", seat=0)

    assert duel.chain == ["Book", "Answer", "Quick"]


@pytest.mark.rule("331.1.a", "813")
def test_only_reactions_in_a_closed_state() -> None:
    """On a chain ordinary cards are refused with their rule."""
    duel = a_duel(hand=[draws("Book"), draws("Slow"), unit("Late")])
    duel.play("Book")

    assert "338.1.a" in duel.reason("Slow")
    assert "338.1.a" in duel.reason("Late")


@pytest.mark.rule("337.1.b")
def test_pending_items_are_finalized_oldest_first() -> None:
    """Two triggers are put on in their order, and each makes its choices in that order."""

    def sting(number: int) -> Ability:
        return Ability(
            kind="triggered",
            when=When("card played", subject=Selector(kinds=("spell",), zone="any"), player=Who()),
            program=Program(
                choices=(Choice("t1", Selector(kinds=("unit",), control="enemy")),),
                body=(Do("deal", what=Named("t1"), amount=number),),
            ),
        )

    duel = a_duel(
        hand=[draws("Book")],
        board=[
            unit("One", 1, "", sting(1)),
            unit("Two", 2, "", sting(2)),
            unit("Foe", 9, owner=1),
            unit("Rival", 9, owner=1),
        ],
    )
    duel.play("Book")
    duel.pass_all()
    assert duel.asked == (0, "order")
    duel.answer(["Two", "One"])
    sources = []
    while duel.asked[1] == "target":
        sources.append(duel.prompt.source)
        duel.decide(0)

    assert sources == ["Two", "One"]
    assert duel.chain == ["Two", "One"]


@pytest.mark.rule("337.1.c")
def test_a_unit_enters_without_passing_priority() -> None:
    """Played in an open state, it is on the board before anybody may react."""
    duel = a_duel(hand=[unit("Late")], theirs=[draws("Quick", fast=True)])
    duel.play("Late")

    assert duel.asked == (0, "main")
    assert duel["Late"].place == "base:0"


@pytest.mark.rule("383.3.d.1")
def test_the_turn_player_s_triggers_go_on_first() -> None:
    """Of simultaneous triggers of both players, the opponent's are newer and resolve first."""
    text = "When another unit dies, draw 1."
    duel = a_duel(
        hand=[kills("Blade")],
        board=[
            unit("Theirs", 1, text, owner=1),
            unit("Mine", 1, text),
            unit("Oak"),
        ],
    )
    duel.play("Blade", choose=["Oak"])
    duel.resolve()

    assert duel.chain == ["Mine", "Theirs"]


@pytest.mark.rule("359.3.e.5", "359.3.e.6")
def test_an_illegal_target_is_untouched_and_the_rest_happens() -> None:
    """The unit has gone to its base: it takes nothing, and the card is drawn."""
    duel = a_duel(
        hand=[spell("Seek", "Deal 5 to an enemy unit at a battlefield. You draw 1.")],
        theirs=[spell("Home", "[Reaction] Move a friendly unit to its base.")],
        board=[unit("Foe", 3, owner=1, place="bf:1")],
    )
    duel.play("Seek", choose=["Foe"])
    duel.play("Home", choose=["Foe"])
    duel.pass_all()

    assert (duel["Foe"].place, duel["Foe"].damage) == ("base:1", 0)
    assert duel.hand(0) == 1


@pytest.mark.rule("355.8")
def test_without_a_valid_target_it_can_t_be_played() -> None:
    """A spell whose target does not exist is not legal, with the rule as its reason."""
    duel = a_duel(hand=[deals("Bolt", 3)])

    assert not duel.offers("Bolt")
    assert "355.8" in duel.reason("Bolt")


@pytest.mark.rule("359.3.e.15")
def test_a_spell_that_leaves_the_chain_stops() -> None:
    """What would come after it has left is not carried out."""
    stops = does(Do("banish", what=This()), Do("draw", amount=1, who=Who()))
    duel = a_duel(hand=[spell("Stop", "", stops)])
    duel.play("Stop")
    duel.pass_all()

    assert duel["Stop"].place == "banishment:0"
    assert duel.hand(0) == 0


@pytest.mark.rule("388")
def test_a_reflexive_trigger_is_a_new_item() -> None:
    """ "Do this:" goes on the chain by itself and can be reacted to."""
    duel = a_duel(hand=[spell("Twice", "Draw 1. Then do this: Draw 1.")])
    duel.play("Twice")
    duel.resolve()

    assert (duel.hand(0), duel.chain) == (1, ["Twice"])
    duel.pass_all()
    assert duel.hand(0) == 2
