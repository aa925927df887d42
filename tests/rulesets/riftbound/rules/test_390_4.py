"""390.4: delayed passives: the next spell, this turn, until."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.abilities.ability import Ability, Change, Duration
from longfuse.abilities.nodes import Selector, When, Who
from rulesets.riftbound.cards import (
    A_UNIT,
    CHOSEN,
    THIS_TURN,
    Placed,
    creates,
    deals,
    draws,
    gear,
    kills,
    spell,
    unit,
)
from rulesets.riftbound.duels import a_duel

BONUS = "[Exhaust]: Your next spell this turn deals 1 Bonus Damage."
COUNTER = "[Reaction] Counter a spell."


def passive(*changes: Change, **fields: Any) -> Ability:
    """A passive for this turn, unless `fields` say otherwise."""
    return Ability(kind="passive", changes=changes, **{"window": THIS_TURN, **fields})


def cheaper(name: str, less: int) -> Placed:
    """A spell: the next spell you play this turn costs that much less."""
    return spell(
        name,
        "",
        creates(
            passive(
                Change("cost", amount=-less),
                uses=1,
                binds=When(
                    "card finalized", subject=Selector(kinds=("spell",), zone="chain"), player=Who()
                ),
            )
        ),
    )


# ---------------------------------------------------------------- the next spell


@pytest.mark.rule("390.4", "391", "715")
def test_the_next_spell_deals_bonus_damage_and_the_one_after_does_not() -> None:
    """It is about one spell: the first that is finalized."""
    duel = a_duel(
        hand=[deals("Bolt", 3), deals("Dart", 3)],
        board=[gear("Tome", BONUS), unit("Oak", 9, owner=1)],
    )
    duel.use("Tome")
    duel.pass_all()
    assert duel.record("Tome").uses == 1

    duel.play("Bolt", choose=["Oak"])
    duel.pass_all()
    assert duel["Oak"].damage == 4
    assert duel.ended == [("Tome", "fired")]
    duel.play("Dart", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].damage == 7


@pytest.mark.rule("390.4")
def test_a_unit_is_not_the_next_spell() -> None:
    """Playing a unit leaves the passive waiting."""
    duel = a_duel(hand=[unit("Late")], board=[gear("Tome", BONUS)])
    duel.use("Tome")
    duel.pass_all()
    duel.play("Late")

    assert duel.waiting == ["Tome"]


@pytest.mark.rule("390.4")
def test_an_opponent_s_spell_is_not_yours() -> None:
    """The opponent's reaction is neither strengthened nor counted."""
    duel = a_duel(
        hand=[draws("Book")],
        theirs=[deals("Spark", 1, fast=True)],
        board=[gear("Tome", BONUS), unit("Oak", 9)],
    )
    duel.use("Tome")
    duel.play("Spark", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].damage == 1
    assert duel.waiting == ["Tome"]


@pytest.mark.rule("390.4", "356.4")
def test_a_discount_is_shown_for_every_spell_and_used_by_one() -> None:
    """Every spell costs less until one is finalized; after that, none."""
    duel = a_duel(
        hand=[cheaper("Heron", 5), draws("Big", energy=5), draws("Huge", energy=5)], energy=(0, 0)
    )
    assert not duel.offers("Big")

    duel.play("Heron")
    duel.pass_all()
    assert duel.offers("Big")
    assert duel.offers("Huge")
    duel.play("Big")
    duel.pass_all()

    assert not duel.offers("Huge")


@pytest.mark.rule("390.4", "392", "425.1.c")
def test_a_countered_spell_has_used_it() -> None:
    """The discount was spent when the spell was finalized; countering does not give it back."""
    duel = a_duel(
        hand=[cheaper("Heron", 2), draws("Big", energy=2), draws("Other", energy=2)],
        theirs=[spell("No", COUNTER)],
    )
    duel.play("Heron")
    duel.pass_all()
    duel.play("Big")
    duel.play("No", choose=["Big"])
    duel.pass_all()

    assert duel.ended == [("Heron", "fired")]
    assert not duel.offers("Other")


@pytest.mark.rule("390.4")
def test_a_play_that_is_taken_back_does_not_use_it() -> None:
    """Taken back while its target was asked for, the spell has not been finalized."""
    duel = a_duel(
        hand=[cheaper("Heron", 2), deals("Bolt", 3, energy=2)],
        board=[unit("Oak", owner=1), unit("Elm", owner=1)],
    )
    duel.play("Heron")
    duel.pass_all()
    duel.play("Bolt")
    assert duel.asked == (0, "target")
    duel.take_back(0)

    assert duel.waiting == ["Heron"]
    assert duel.offers("Bolt")


@pytest.mark.rule("390.4")
def test_two_for_the_next_spell_are_both_about_the_same_one() -> None:
    """Both discounts are bound to the next spell, and both are used."""
    duel = a_duel(
        hand=[cheaper("Heron", 2), cheaper("Crane", 3), draws("Big", energy=5)],
    )
    duel.play("Heron")
    duel.pass_all()
    # The second maker is itself the next spell after the first.
    assert duel.waiting == ["Heron"]
    duel.play("Crane")
    duel.pass_all()

    assert duel.waiting == ["Crane"]
    assert not duel.offers("Big")


@pytest.mark.rule("390.4", "317.2.c")
def test_an_unused_one_ends_with_the_turn() -> None:
    """Nothing was played: the window of this turn closes."""
    duel = a_duel(board=[gear("Tome", BONUS)])
    duel.use("Tome")
    duel.pass_all()
    duel.end_turn()

    assert duel.ended == [("Tome", "expired")]


# ---------------------------------------------------------------- this turn


@pytest.mark.rule("390.4", "317.2.c")
def test_more_might_this_turn() -> None:
    """The Might is there until the Expiration Step."""
    duel = a_duel(hand=[spell("Rise", "Give a unit +3 Might this turn.")], board=[unit("Oak", 3)])
    duel.play("Rise", choose=["Oak"])
    duel.pass_all()
    assert duel["Oak"].might == 6

    duel.advance("ending")
    assert duel["Oak"].might == 6
    duel.go_on()

    assert duel["Oak"].might == 3


@pytest.mark.rule("390.4")
def test_a_keyword_this_turn() -> None:
    """A granted keyword is had for the turn."""
    ability = passive(Change("keyword", of=CHOSEN, word="Ganking"))
    duel = a_duel(
        hand=[spell("Wings", "", creates(ability, choices=[A_UNIT]))], board=[unit("Oak", 3)]
    )
    duel.play("Wings", choose=["Oak"])
    duel.pass_all()
    assert duel["Oak"].has("Ganking")
    duel.end_turn()

    assert not duel["Oak"].has("Ganking")


@pytest.mark.rule("390.4", "419.1")
def test_a_prohibition_this_turn() -> None:
    """ "Opponents may not play cards this turn" forbids new plays, by name, until the turn ends."""
    ability = passive(Change("must not", word="play cards", who=Who("each opponent")))
    duel = a_duel(
        hand=[spell("Hush", "", creates(ability)), draws("Book"), draws("Page")],
        theirs=[draws("Quick", fast=True)],
    )
    duel.play("Hush")
    duel.pass_all()

    duel.play("Book")
    duel.pass_()
    assert duel.asked == (1, "priority")
    assert not duel.offers("Quick")
    assert "forbidden" in duel.reason("Quick")
    duel.pass_all()
    duel.end_turn()

    assert duel.offers("Quick")


@pytest.mark.rule("390.4", "419.1")
def test_a_prohibition_does_not_touch_what_is_on_the_chain() -> None:
    """A spell that was finalized before the prohibition came resolves."""
    ability = passive(Change("must not", word="play cards", who=Who("each opponent")))
    duel = a_duel(
        hand=[draws("Book"), spell("Hush", "[Reaction]", creates(ability), REACTION)],
        theirs=[draws("Quick", fast=True)],
    )
    duel.play("Book")
    duel.play("Quick")
    duel.play("Hush")
    duel.pass_all()

    assert duel.hand(1) == 1


REACTION = Ability(kind="keyword", keyword="Reaction")


@pytest.mark.rule("390.4")
def test_can_t_move_this_turn() -> None:
    """A unit that may not move is not offered the standard move."""
    ability = passive(Change("must not", of=CHOSEN, word="move"))
    duel = a_duel(
        hand=[spell("Root", "", creates(ability, choices=[A_UNIT]))], board=[unit("Oak", 3)]
    )
    duel.play("Root", choose=["Oak"])
    duel.pass_all()

    (move,) = [option for option in duel.prompt.items if option.label == "Move units"]
    assert (move.legal, move.reason[:16]) == (False, "forbidden: Root:")


# ---------------------------------------------------------------- until


@pytest.mark.rule("390.4")
def test_until_the_start_of_your_next_turn() -> None:
    """It lasts through the opponent's turn and ends as the controller's begins."""
    ability = passive(
        Change("might", of=CHOSEN, amount=2), window=Duration("until start of turn", who=Who())
    )
    duel = a_duel(
        hand=[spell("Ward", "", creates(ability, choices=[A_UNIT]))], board=[unit("Oak", 3)]
    )
    duel.play("Ward", choose=["Oak"])
    duel.pass_all()
    duel.end_turn()
    assert (duel.game.now.owner, duel["Oak"].might) == (1, 5)
    duel.advance("awaken")

    assert (duel.game.now.owner, duel["Oak"].might) == (0, 3)


@pytest.mark.rule("390.4")
def test_until_the_end_of_your_next_turn() -> None:
    """This turn's end does not count, nor the opponent's."""
    ability = passive(
        Change("might", of=CHOSEN, amount=2), window=Duration("until end of turn", who=Who())
    )
    duel = a_duel(
        hand=[spell("Ward", "", creates(ability, choices=[A_UNIT]))], board=[unit("Oak", 3)]
    )
    duel.play("Ward", choose=["Oak"])
    duel.pass_all()

    mights = []
    for _ in range(3):
        duel.end_turn()
        mights.append(duel["Oak"].might)

    assert mights == [5, 5, 3]


@pytest.mark.rule("390.4", "392")
def test_your_is_fixed_when_it_is_made() -> None:
    """ "Until your next turn" means the maker's, whoever controls the unit by then."""
    ability = passive(
        Change("might", of=CHOSEN, amount=2), window=Duration("until start of turn", who=Who())
    )
    duel = a_duel(
        hand=[spell("Ward", "", creates(ability, choices=[A_UNIT]))],
        theirs=[spell("Steal", "Take control of an enemy unit and recall it.")],
        board=[unit("Oak", 3)],
    )
    duel.play("Ward", choose=["Oak"])
    duel.pass_all()
    duel.end_turn()
    duel.play("Steal", choose=["Oak"])
    duel.pass_all()
    assert (duel["Oak"].controller, duel["Oak"].might) == (1, 5)
    duel.advance("awaken")

    assert duel["Oak"].might == 3


@pytest.mark.rule("390.4", "390.5.a")
def test_it_is_about_the_unit_and_not_about_the_card() -> None:
    """A unit that was killed and played again does not have what the old one was given."""
    duel = a_duel(
        hand=[
            spell("Rise", "Give a unit +3 Might this turn."),
            spell("Bounce", "Return a unit to its owner's hand."),
            kills("Blade"),
        ],
        board=[unit("Oak", 3)],
    )
    duel.play("Rise", choose=["Oak"])
    duel.pass_all()
    duel.play("Bounce", choose=["Oak"])
    duel.pass_all()
    assert duel.ended == [("Rise", "expired")]
    duel.play("Oak")

    assert duel["Oak"].might == 3
