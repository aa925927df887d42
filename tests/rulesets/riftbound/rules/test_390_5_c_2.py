"""390.5.c.2: else the zone is where the ability came from, or where the affected object is."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change, Choice, Create, Do, Program
from longfuse.abilities.nodes import Named, Selector, This, When, Who
from rulesets.riftbound.cards import CHOSEN, creates, kills, spell, unit
from rulesets.riftbound.duels import Playing, a_duel
from rulesets.riftbound.rules.linking import stronger, while_there

A_UNIT = Choice("t1", Selector(kinds=("unit",)))
IN_TRASH = Choice("t1", Selector(kinds=("unit",), zone="trash"))


@pytest.mark.rule("390.5.c.2")
def test_an_object_that_stays_on_the_board_is_bound_to_the_board() -> None:
    """Affected in the base, it keeps the ability at a battlefield: all board zones count as one."""
    duel = a_duel(
        hand=[spell("Fuse", "", creates(stronger(), choices=[A_UNIT]))], board=[unit("Oak", 3)]
    )
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()
    duel.move(["Oak"], "bf:1")
    duel.pass_showdown()

    assert (duel["Oak"].place, duel["Oak"].might) == ("bf:1", 5)


@pytest.mark.rule("390.5.c.2")
def test_an_object_affected_in_the_trash_is_bound_to_the_trash() -> None:
    """It is about a card where that lies; taken out of the trash, it is over."""
    ability = Ability(
        kind="triggered",
        when=When("conquered", player=Who()),
        uses=1,
        program=Program(body=(Do("return", what=CHOSEN),)),
        window=while_there(),
    )
    duel = a_duel(
        hand=[spell("Fuse", "", creates(ability, choices=[IN_TRASH]))],
        trash=[unit("Ghost")],
        board=[unit("Scout")],
    )
    duel.play("Fuse", choose=["Ghost"])
    duel.pass_all()
    assert getattr(duel.record("Fuse").window, "zone", "") == "trash"
    duel.move(["Scout"], "bf:1")
    duel.pass_showdown()

    assert duel["Ghost"].place == "hand:0"


def haunted() -> Playing:
    """A card in the trash has triggered there: while it is there, Oak has +2 Might."""
    haunt = Ability(
        kind="triggered",
        when=When("card played", subject=Selector(kinds=("spell",), zone="any"), player=Who()),
        program=Program(
            choices=(A_UNIT,),
            body=(
                Create(
                    Ability(
                        kind="passive",
                        changes=(Change("might", of=CHOSEN, amount=2),),
                        window=while_there(This()),
                    )
                ),
            ),
        ),
        zones=("trash",),
    )
    raise_it = Ability(
        kind="spell",
        program=Program(choices=(IN_TRASH,), body=(Do("return", what=Named("t1")),)),
    )
    duel = a_duel(
        hand=[spell("Song", "Draw 1."), spell("Raise", "", raise_it), kills("Blade")],
        trash=[unit("Ghost", 2, "", haunt)],
        board=[unit("Oak", 3)],
    )
    duel.play("Song")
    duel.pass_all()
    if duel.asked[1] == "target":
        duel.answer("Oak")
        duel.pass_all()
    return duel


@pytest.mark.rule("390.5.c.2", "390.5.b")
def test_a_source_that_triggered_from_the_trash_is_bound_to_the_trash() -> None:
    """Its appropriate zone is not the board: it works while the source lies in the trash."""
    duel = haunted()

    assert duel["Oak"].might == 5
    assert getattr(duel.record("Ghost").window, "zone", "") == "trash"


@pytest.mark.rule("390.5.c.2", "390.5.b")
def test_taken_out_of_the_trash_it_has_ended() -> None:
    """The source left the zone from which it triggered."""
    duel = haunted()
    duel.play("Raise", choose=["Ghost"])
    duel.resolve()

    assert duel["Oak"].might == 3
    assert ("Ghost", "expired") in duel.ended
