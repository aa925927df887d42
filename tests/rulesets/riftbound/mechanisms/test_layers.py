"""Layers: traits, abilities, arithmetic, until nothing changes (468-475); abilities given."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import (
    Ability,
    Change,
    Choice,
    Cost,
    Create,
    Do,
    Duration,
    Program,
)
from longfuse.abilities.nodes import Named, Selector, This, When, Who
from rulesets.riftbound.cards import (
    A_UNIT,
    CHOSEN,
    THIS_TURN,
    creates,
    does,
    kills,
    reaction,
    spell,
    unit,
)
from rulesets.riftbound.duels import a_duel

CHAMPION = "While I'm [Mighty], I have [Deflect], [Ganking], and [Shield]."
OTHERS = Selector(kinds=("unit",), control="friendly", another=True)
BUFF = does(Do("buff", what=CHOSEN), choices=[A_UNIT])
DRAWS = Ability(
    kind="triggered",
    when=When("attacked", subject=This()),
    program=Program(body=(Do("draw", amount=1, who=Who("you")),)),
)


@pytest.mark.rule("471.3")
def test_abilities_that_hang_on_might_are_looked_at_again() -> None:
    """A buff makes it Mighty; Mighty, it has the keywords, and Shield counts when it defends."""
    duel = a_duel(
        hand=[unit("Foe", 1, owner=0)],
        theirs=[spell("Cheer", "", reaction(), BUFF)],
        board=[unit("Fiora", 4, CHAMPION, owner=1, place="bf:1"), unit("Oak", 3)],
    )
    assert not duel["Fiora"].has("Ganking")

    duel.move(["Oak"], to="bf:1")
    duel.pass_()
    assert duel["Fiora"].might == 4
    duel.play("Cheer", choose=["Fiora"])
    duel.pass_all()

    assert duel["Fiora"].might == 6
    assert duel.rules.is_state(duel["Fiora"].ref, "mighty")
    assert duel["Fiora"].has("Deflect")


@pytest.mark.rule("472.2.b")
def test_ability_given_for_a_turn() -> None:
    """A unit has the ability that a spell gave it while the window is open, and no longer."""
    give = Ability(
        kind="passive", changes=(Change("ability", of=CHOSEN, ability=DRAWS),), window=THIS_TURN
    )
    duel = a_duel(
        hand=[spell("Oath", "", creates(give, choices=[A_UNIT]))],
        board=[unit("Oak", 9), unit("Elm", 1, owner=1, place="bf:1")],
    )
    duel.play("Oath", choose=["Oak"])
    duel.pass_all()

    duel.move(["Oak"], to="bf:1")
    duel.pass_showdown()
    assert duel.hand(0) == 1

    duel.end_turn()
    assert not duel.game.store.get(("granted",))


@pytest.mark.rule("472.2.b", "471.1")
def test_ability_given_by_a_permanent_comes_and_goes_with_it() -> None:
    """ "Other friendly units have …": those that come later have it too, until the giver leaves."""
    aura = Ability(kind="passive", changes=(Change("ability", of=OTHERS, ability=DRAWS),))
    duel = a_duel(
        hand=[unit("Elm", 5), kills("Axe")],
        board=[unit("Chief", 1, "", aura), unit("Foe", 1, owner=1, place="bf:1")],
    )
    duel.play("Elm")
    given = dict(duel.game.store.get(("granted",)))
    assert [ref.card for _, _, ref in given] == [duel["Elm"].ref.card]

    duel.play("Axe", choose=["Chief"])
    duel.pass_all()

    records = duel.game.subscriptions.records.values()
    assert not any(record.source.object == duel["Elm"].ref for record in records)


@pytest.mark.rule("816", "472.2.a")
def test_given_temporary_kills() -> None:
    """A keyword that is given does what a printed one does."""
    give = Ability(
        kind="passive",
        changes=(Change("keyword", of=CHOSEN, word="Temporary"),),
        window=Duration("game"),
    )
    duel = a_duel(hand=[spell("Fade", "", creates(give, choices=[A_UNIT]))], board=[unit("Oak", 3)])
    duel.play("Fade", choose=["Oak"])
    duel.pass_all()

    duel.end_turn()
    duel.end_turn()

    assert duel["Oak"].place == "trash:0"


@pytest.mark.rule("472.2.a", "381")
def test_given_activated_ability_is_used() -> None:
    """What is given to a unit is used like its own, at that unit's cost."""
    tap = Ability(
        kind="activated",
        cost=Cost(actions=(Do("exhaust", what=This()),)),
        program=Program(body=(Do("draw", amount=1, who=Who("you")),)),
        text="Exhaust: draw 1.",
    )
    aura = Ability(kind="passive", changes=(Change("ability", of=OTHERS, ability=tap),))
    duel = a_duel(board=[unit("Chief", 1, "", aura), unit("Elm", 2)])

    duel.use("Elm")
    duel.pass_all()

    assert duel.hand(0) == 1
    assert duel["Elm"].exhausted
    assert not duel["Chief"].exhausted


@pytest.mark.rule("472.1.c")
def test_given_tag() -> None:
    """A tag that an effect gives counts like a printed one."""
    mech = Ability(kind="passive", changes=(Change("tags", of=OTHERS, word="Mech"),))
    count = "I have +1 Might for each friendly Mech."
    duel = a_duel(board=[unit("Forge", 1, "", mech), unit("Elm", 2), unit("Oak", 1, count)])

    assert duel["Oak"].might == 3


@pytest.mark.rule("472.1.a.1", "472.3.d")
def test_set_might_comes_before_arithmetic() -> None:
    """Might that is set is changed by increases and decreases, whatever came first."""
    plus = Ability(
        kind="passive", changes=(Change("might", of=CHOSEN, amount=2),), window=THIS_TURN
    )
    becomes = Ability(
        kind="passive",
        changes=(Change("might", of=Named("t1"), amount=4, set=True),),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[
            spell("Grow", "", creates(plus, choices=[A_UNIT])),
            spell("Shape", "", does(Create(becomes), choices=[Choice("t1", A_UNIT.selector)])),
        ],
        board=[unit("Oak", 1)],
    )
    for name in ("Grow", "Shape"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()

    assert duel["Oak"].might == 6
