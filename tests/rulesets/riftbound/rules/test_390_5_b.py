"""390.5.b: about its source, the window is the source's stay in an appropriate zone."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change, Choice, Create, Duration
from longfuse.abilities.nodes import Selector, This, Who
from rulesets.riftbound.cards import CHOSEN, Placed, gear, kills, spell, unit
from rulesets.riftbound.duels import a_duel
from rulesets.riftbound.rules.linking import stronger, when_played

FRIEND = Choice("t1", Selector(kinds=("unit",), control="friendly"))
A_GEAR = Choice("t1", Selector(kinds=("gear",)))

BORROW = Ability(
    kind="passive",
    changes=(Change("controller", of=CHOSEN, who=Who()),),
    window=Duration("while in zone", of=This(), zone="board"),
)


def thief(name: str, owner: int = 0) -> Placed:
    """When it is played, take control of a gear until it leaves the board."""
    return when_played(name, 2, A_GEAR, body=(Create(BORROW),), owner=owner)


@pytest.mark.rule("390.5.b")
@pytest.mark.parametrize("away", ["killed", "bounced"])
def test_it_lasts_until_the_source_leaves_the_board(away: str) -> None:
    """The borrowed gear goes back when the thief is gone."""
    how = kills("Away") if away == "killed" else spell("Away", "Return a unit to its owner's hand.")
    duel = a_duel(hand=[thief("Thief"), how], board=[gear("Crown", owner=1)])
    duel.play("Thief", choose=["Crown"])
    duel.pass_all()
    assert (duel["Crown"].controller, duel["Crown"].place) == (0, "base:0")
    duel.play("Away", choose=["Thief"])
    duel.pass_all()

    assert (duel["Crown"].controller, duel["Crown"].place) == (1, "base:1")
    assert duel.ended == [("Thief", "expired")]


@pytest.mark.rule("390.5.b")
def test_a_turn_s_end_does_not_end_it() -> None:
    """It speaks of the source and of no time."""
    duel = a_duel(hand=[thief("Thief")], board=[gear("Crown", owner=1)])
    duel.play("Thief", choose=["Crown"])
    duel.pass_all()
    duel.end_turn()
    duel.end_turn()

    assert duel["Crown"].controller == 0


@pytest.mark.rule("390.5.b", "475")
def test_the_latest_of_two_has_it_and_the_other_after_that() -> None:
    """Two thieves on one gear: the later controls it; when it leaves, the earlier does."""
    duel = a_duel(
        hand=[thief("Thief"), kills("Blade")],
        theirs=[thief("Rogue")],
        board=[gear("Crown", owner=1)],
    )
    duel.play("Thief", choose=["Crown"])
    duel.pass_all()
    duel.end_turn()
    duel.play("Rogue", choose=["Crown"])
    duel.pass_all()
    assert duel["Crown"].controller == 1
    duel.end_turn()
    duel.play("Blade", choose=["Rogue"])
    duel.pass_all()

    assert duel["Crown"].controller == 0


@pytest.mark.rule("390.5.b", "390.5.c.2")
def test_without_a_zone_named_it_is_the_one_that_the_source_is_in() -> None:
    """ "For as long as this is there": the source triggered from the board, so the board."""
    duel = a_duel(
        hand=[when_played("Herald", 2, FRIEND, body=(Create(stronger(This())),)), kills("Blade")],
        board=[unit("Oak", 3)],
    )
    duel.play("Herald", choose=["Oak"])
    duel.pass_all()
    assert duel["Oak"].might == 5
    duel.play("Blade", choose=["Herald"])
    duel.pass_all()

    assert duel["Oak"].might == 3


@pytest.mark.rule("390.5.b", "124")
def test_the_source_s_return_does_not_revive_it() -> None:
    """Played again, the source is another object; the window is closed for good."""
    duel = a_duel(
        hand=[
            when_played("Herald", 2, FRIEND, body=(Create(stronger(This())),)),
            spell("Bounce", "Return a unit to its owner's hand."),
        ],
        board=[unit("Oak", 3), unit("Elm", 3)],
    )
    duel.play("Herald", choose=["Oak"])
    duel.pass_all()
    duel.play("Bounce", choose=["Herald"])
    duel.pass_all()
    duel.play("Herald", choose=["Elm"])
    duel.pass_all()

    assert (duel["Oak"].might, duel["Elm"].might) == (3, 5)
