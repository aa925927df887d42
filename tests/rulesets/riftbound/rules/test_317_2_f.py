"""317.2: the Expiration Step, with its rows and its restart."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change, Choice, Create, Do, Program
from longfuse.abilities.nodes import At, Selector, When, Who
from rulesets.riftbound.cards import A_UNIT, CHOSEN, THIS_TURN, creates, deals, spell, unit
from rulesets.riftbound.duels import a_duel

RISE = Ability(kind="passive", changes=(Change("might", of=CHOSEN, amount=2),), window=THIS_TURN)


@pytest.mark.rule("317.2.b")
def test_all_units_are_healed() -> None:
    """Both sides' damage is gone, everywhere."""
    duel = a_duel(board=[unit("Oak", 5, damage=2), unit("Foe", 5, owner=1, place="bf:1", damage=3)])
    duel.end_turn()

    assert (duel["Oak"].damage, duel["Foe"].damage) == (0, 0)


@pytest.mark.rule("317.2.c")
def test_healing_comes_before_this_turn_ends() -> None:
    """A unit that lives only by this turn's Might is healed before it loses it."""
    duel = a_duel(
        hand=[spell("Rise", "Give a unit +3 Might this turn."), deals("Bolt", 4)],
        board=[unit("Oak", 3)],
    )
    for name in ("Rise", "Bolt"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()
    assert (duel["Oak"].damage, duel["Oak"].might) == (4, 6)
    duel.end_turn()

    assert (duel["Oak"].place, duel["Oak"].damage, duel["Oak"].might) == ("base:0", 0, 3)


@pytest.mark.rule("317.2.c")
def test_all_that_is_for_this_turn_ends_together() -> None:
    """Effects of both players and of every kind end in the same row."""
    duel = a_duel(
        hand=[
            spell("Rise", "Give a unit +3 Might this turn."),
            spell("Mark", "Choose a unit. When it next takes damage this turn, kill it."),
        ],
        board=[unit("Oak", 3)],
    )
    for name in ("Rise", "Mark"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()
    duel.end_turn()

    ends = duel.game.installed.ended()
    assert [str(end.reason) for end in ends] == ["expired", "expired"]
    assert len({end.mark for end in ends}) == 1


@pytest.mark.rule("317.2.f", "317.1")
def test_what_is_made_in_the_ending_step_ends_in_the_same_turn() -> None:
    """A "this turn" effect made by an end-of-turn trigger ends in this turn's Expiration Step."""
    maker = Ability(
        kind="triggered",
        when=At("ending", turn="this"),
        uses=1,
        program=Program(choices=(A_UNIT,), body=(Create(RISE),)),
        window=THIS_TURN,
    )
    duel = a_duel(hand=[spell("Fuse", "", creates(maker))], board=[unit("Oak", 3)])
    duel.play("Fuse")
    duel.pass_all()
    duel.advance("ending")
    duel.pass_all()

    assert duel.game.now.owner == 1
    assert duel["Oak"].might == 3


@pytest.mark.rule("317.2.f")
def test_the_step_restarts_after_anything_went_through_the_chain() -> None:
    """A trigger in the Expiration Step makes a "this turn" effect: the step comes again."""
    on_heal = Ability(
        kind="triggered",
        when=When("healed", subject=Selector(kinds=("unit",))),
        program=Program(
            choices=(Choice("t1", Selector(kinds=("unit",), control="friendly")),),
            body=(Create(RISE), Do("channel", amount=1, who=Who())),
        ),
    )
    duel = a_duel(board=[unit("Oak", 5, "", on_heal, damage=1)])
    duel.end_turn()

    assert duel.count("channeled") == 3
    assert (duel["Oak"].might, duel.waiting) == (5, [])
    assert duel.ended == [("Oak", "expired")]


@pytest.mark.rule("317.2.f", "317.2.b")
def test_damage_dealt_in_the_expiration_step_is_healed_by_the_restart() -> None:
    """A trigger there deals damage; healing comes again."""
    on_heal = Ability(
        kind="triggered",
        when=When("healed", subject=Selector(kinds=("unit",), control="friendly")),
        program=Program(
            choices=(Choice("t1", Selector(kinds=("unit",), control="enemy")),),
            body=(Do("deal", what=CHOSEN, amount=1),),
        ),
    )
    duel = a_duel(board=[unit("Oak", 5, "", on_heal, damage=1), unit("Foe", 5, owner=1)])
    duel.end_turn()

    assert duel.count("damage dealt", "Foe") == 1
    assert duel["Foe"].damage == 0


@pytest.mark.rule("317.1.a")
def test_an_end_of_turn_condition_is_looked_at_once() -> None:
    """An ability that comes in the Ending Step does not trigger in it."""
    bell = "At the end of your turn, draw 1."
    maker = Ability(
        kind="triggered",
        when=At("ending", turn="this"),
        uses=1,
        program=Program(
            choices=(Choice("t1", Selector(kinds=("unit",), zone="trash")),),
            body=(Do("play", what=CHOSEN, word="free"),),
        ),
        window=THIS_TURN,
    )
    duel = a_duel(hand=[spell("Fuse", "", creates(maker))], trash=[unit("Bell", 1, bell)])
    duel.play("Fuse")
    duel.pass_all()
    duel.advance("ending")
    while duel.game.now.owner == 0:
        if duel.prompt.kind == "priority":
            duel.pass_()
        else:
            duel.decide(0)

    assert duel["Bell"].place.startswith("base")
    assert duel.hand(0) == 0
