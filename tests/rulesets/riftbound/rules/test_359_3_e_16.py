"""359.3.e.16: a delayed ability whose window is already over is not created."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change, Choice, Create, Do, Duration, Program
from longfuse.abilities.nodes import At, Selector, This, Who
from rulesets.riftbound.cards import A_UNIT, CHOSEN, THIS_TURN, creates, gear, reaction, spell, unit
from rulesets.riftbound.duels import a_duel
from rulesets.riftbound.rules.linking import when_played

DRAW = Program(body=(Do("draw", amount=1, who=Who()),))
AT_END = Ability(
    kind="triggered", when=At("ending", turn="this"), uses=1, program=DRAW, window=THIS_TURN
)
BORROW = Ability(
    kind="passive",
    changes=(Change("controller", of=CHOSEN, who=Who()),),
    window=Duration("while in zone", of=This(), zone="board"),
)


@pytest.mark.rule("359.3.e.16", "317.1")
def test_at_the_end_of_this_turn_made_in_the_ending_step() -> None:
    """The Ending Step has begun: that moment of this turn does not come again."""
    maker = Ability(
        kind="triggered",
        when=At("ending", turn="this"),
        uses=1,
        program=Program(body=(Create(AT_END),)),
        window=THIS_TURN,
    )
    duel = a_duel(hand=[spell("Fuse", "", creates(maker))])
    duel.play("Fuse")
    duel.pass_all()
    duel.advance("ending")
    duel.pass_all()

    assert ("Fuse", "not created") in duel.ended
    assert duel.waiting == []


@pytest.mark.rule("359.3.e.16")
def test_until_i_leave_whose_source_has_left_before() -> None:
    """The source was returned in reaction: the gear does not change hands even for a moment."""
    thief = when_played("Thief", 2, Choice("t1", Selector(kinds=("gear",))), body=(Create(BORROW),))
    duel = a_duel(
        hand=[thief],
        theirs=[spell("Away", "[Reaction] Return a unit to its owner's hand.")],
        board=[gear("Crown", owner=1)],
    )
    duel.play("Thief", choose=["Crown"])
    duel.play("Away", choose=["Thief"])
    duel.pass_all()

    assert duel.ended == [("Thief", "not created")]
    assert duel.count("control changed") == 0
    assert duel["Crown"].controller == 1


@pytest.mark.rule("359.3.e.16")
def test_this_combat_outside_of_a_combat() -> None:
    """No combat is going on, so there is no such window."""
    ability = Ability(
        kind="passive",
        changes=(Change("might", of=CHOSEN, amount=2),),
        window=Duration("this combat"),
    )
    duel = a_duel(
        hand=[spell("Fuse", "", creates(ability, choices=[A_UNIT]))], board=[unit("Oak", 3)]
    )
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].might == 3
    assert duel.ended == [("Fuse", "not created")]


@pytest.mark.rule("359.3.e.16", "359.3.e.14")
def test_about_a_unit_that_has_gone() -> None:
    """The target left in reaction: the instruction about it is ignored, and nothing waits."""
    duel = a_duel(
        hand=[spell("Rise", "Give a unit +3 Might this turn.")],
        theirs=[spell("Away", "[Reaction] Return a unit to its owner's hand.")],
        board=[unit("Oak", 3)],
    )
    duel.play("Rise", choose=["Oak"])
    duel.play("Away", choose=["Oak"])
    duel.pass_all()

    assert duel.waiting == []


@pytest.mark.rule("359.3.e.16", "359.3.e.2")
def test_about_a_unit_that_changed_sides() -> None:
    """A spell on a friendly unit that is stolen in response makes no ability about it."""
    text = "Choose a friendly unit. When it dies this turn, draw 1."
    duel = a_duel(
        hand=[spell("Fuse", text)],
        theirs=[spell("Steal", "[Reaction] Take control of an enemy unit and recall it.")],
        board=[unit("Oak", 3)],
    )
    duel.play("Fuse", choose=["Oak"])
    duel.play("Steal", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].controller == 1
    assert duel.waiting == []


@pytest.mark.rule("359.3.e.16")
def test_while_you_control_it_after_it_was_lost() -> None:
    """A window that hangs on control is not open for what somebody else controls."""
    ability = Ability(
        kind="passive",
        changes=(Change("might", of=CHOSEN, amount=2),),
        window=Duration("while controlled", of=CHOSEN, who=Who()),
    )
    duel = a_duel(
        hand=[spell("Fuse", "", creates(ability, choices=[A_UNIT]), reaction())],
        board=[unit("Foe", 3, owner=1)],
    )
    duel.play("Fuse", choose=["Foe"])
    duel.pass_all()

    assert duel["Foe"].might == 3
    assert duel.ended == [("Fuse", "not created")]


@pytest.mark.rule("359.3.e.16", "390.2")
def test_the_next_such_moment_is_not_too_late() -> None:
    """ "At the end of the next turn" and the like wait for a later one instead."""
    later = Ability(kind="triggered", when=At("ending", turn="next"), uses=1, program=DRAW)
    maker = Ability(
        kind="triggered",
        when=At("ending", turn="this"),
        uses=1,
        program=Program(body=(Create(later),)),
        window=THIS_TURN,
    )
    duel = a_duel(hand=[spell("Fuse", "", creates(maker))])
    duel.play("Fuse")
    duel.pass_all()
    duel.advance("ending")
    duel.pass_all()

    assert duel.waiting == ["Fuse"]
