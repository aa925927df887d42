"""Abilities and spells on the chain: chosen, countered, given new choices, copied, taken over."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.abilities.ability import Ability, Choice, Create, Do, Duration, Program
from longfuse.abilities.nodes import At, Named, Selector, Who
from rulesets.riftbound.cards import deals, does, reaction, spell, unit
from rulesets.riftbound.duels import a_duel

PING = "When you play me, deal 2 to a unit."
ON_CHAIN = Choice("t1", Selector(kinds=("spell", "ability"), zone="chain"))


def about_chain(name: str, **node: Any) -> Any:
    """A Reaction that does one thing to a spell or ability."""
    return spell(name, "", reaction(), does(Do(what=Named("t1"), **node), choices=[ON_CHAIN]))


@pytest.mark.rule("425", "355.9.a")
def test_counter_an_ability() -> None:
    """A triggered ability on the chain is chosen and countered: it does nothing."""
    duel = a_duel(
        hand=[unit("Ash", 2, PING)],
        theirs=[spell("Hush", "[Reaction] Counter a spell or ability.")],
        board=[unit("Oak", 5)],
    )
    duel.play("Ash")
    duel.answer("Oak")

    duel.play("Hush")
    duel.pass_all()

    assert duel["Oak"].damage == 0
    assert duel.chain == []


@pytest.mark.rule("359.3.e.4")
def test_ability_that_has_resolved_is_not_a_later_one() -> None:
    """What has chosen an ability that is gone does nothing to the one that came after it."""
    duel = a_duel(
        hand=[unit("Ash", 2, PING), unit("Elm", 2, PING)],
        board=[unit("Oak", 9)],
    )
    duel.play("Ash")
    duel.answer("Oak")
    first = duel.game.store.values[("item", 2)].object
    duel.pass_all()

    duel.play("Elm")
    duel.answer("Oak")

    assert not duel.rules.is_there(first)
    assert duel.rules.targets_of(first) == ()


@pytest.mark.rule("355.9.b")
def test_counter_what_chooses_a_friendly_unit() -> None:
    """Only a spell or ability that has chosen a friendly unit may be chosen."""
    words = "[Reaction] Counter an enemy spell or ability that chooses a friendly unit or gear."
    board = [unit("Oak", 5), unit("Elm", 5, owner=1)]
    mine = a_duel(hand=[deals("Spark", 2)], theirs=[spell("No", words)], board=board)
    mine.play("Spark", choose=["Oak"])
    mine.pass_()
    assert not mine.offers("No")

    theirs = a_duel(hand=[deals("Spark", 2)], theirs=[spell("No", words)], board=board)
    theirs.play("Spark", choose=["Elm"])
    theirs.play("No")
    theirs.pass_all()

    assert theirs["Elm"].damage == 0


@pytest.mark.rule("355.5")
def test_choose_new_targets() -> None:
    """A spell's choices are made anew by whoever is allowed to."""
    duel = a_duel(
        hand=[deals("Spark", 2)],
        theirs=[about_chain("Bend", verb="choose new targets", who=Who("you"))],
        board=[unit("Oak", 5), unit("Elm", 5, owner=1)],
    )
    duel.play("Spark", choose=["Elm"])
    duel.play("Bend", choose=["Spark"])
    duel.pass_all()
    duel.answer(True)
    duel.answer("Oak")
    duel.pass_all()

    assert (duel["Oak"].damage, duel["Elm"].damage) == (2, 0)


@pytest.mark.rule("477.1.a")
def test_gain_control_of_a_spell() -> None:
    """ "You" of a spell is whoever controls it; its card still goes to its owner's trash."""
    duel = a_duel(
        hand=[spell("Study", "Draw 1.")],
        theirs=[about_chain("Steal", verb="control", who=Who("you"))],
    )
    before = duel.hand(1)

    duel.play("Study")
    duel.play("Steal", choose=["Study"])
    duel.pass_all()

    assert duel.hand(1) == before
    assert duel["Study"].place == "trash:0"
    assert duel.hand(0) == 0


@pytest.mark.rule("472.1.b", "419")
def test_copy_of_a_spell() -> None:
    """A copy does the same once more; it is not played, and no card is left of it."""
    duel = a_duel(
        hand=[deals("Spark", 2), about_chain("Echo", verb="copy item", who=Who("you"))],
        board=[unit("Oak", 9)],
    )
    duel.play("Spark", choose=["Oak"])
    duel.play("Echo", choose=["Spark"])
    duel.pass_all()

    assert duel["Oak"].damage == 4
    assert duel.count("card played", "Spark") == 1
    assert len(duel.game.board.zone("trash:0")) == 2


@pytest.mark.rule("472.1.b")
def test_copy_with_new_choices() -> None:
    """The copy's player may choose anew; the original keeps its target."""
    duel = a_duel(
        hand=[
            deals("Spark", 2),
            about_chain("Echo", verb="copy item", who=Who("you"), word="new choices"),
        ],
        board=[unit("Oak", 9), unit("Elm", 9)],
    )
    duel.play("Spark", choose=["Oak"])
    duel.play("Echo", choose=["Spark"])
    duel.pass_all()
    duel.answer(True)
    duel.answer("Elm")
    duel.pass_all()

    assert (duel["Oak"].damage, duel["Elm"].damage) == (2, 2)


@pytest.mark.rule("392", "820.1.d")
def test_copy_has_paid_for_nothing() -> None:
    """The copy of a repeated spell is carried out once."""
    duel = a_duel(
        hand=[
            spell("Bolt", "[Repeat] :rb_energy_1:\nDeal 1 to a unit."),
            about_chain("Echo", verb="copy item", who=Who("you")),
        ],
        board=[unit("Oak", 9)],
        energy=(1, 0),
    )
    duel.play("Bolt", choose=["Oak", "Oak"], pay=True)
    duel.play("Echo", choose=["Bolt"])
    duel.pass_all()

    assert duel["Oak"].damage == 3


@pytest.mark.rule("392")
def test_delayed_ability_made_by_a_copy() -> None:
    """It works though nothing is left of the copy: its source is a snapshot."""
    later = Ability(
        kind="triggered",
        when=At("ending", turn="this"),
        uses=1,
        program=Program(body=(Do("draw", amount=1, who=Who("you")),)),
        window=Duration("this turn"),
    )
    duel = a_duel(
        hand=[
            spell("Fuse", "", does(Create(later))),
            about_chain("Echo", verb="copy item", who=Who("you")),
        ]
    )
    duel.play("Fuse")
    duel.play("Echo", choose=["Fuse"])
    duel.pass_all()
    assert duel.waiting == ["Fuse", "Fuse"]

    duel.end_turn()

    assert duel.hand(0) == 2


@pytest.mark.rule("472.1.b.1", "472.1.b.3")
def test_unit_becomes_a_copy() -> None:
    """It has the other's name, Might and text and its own damage; elsewhere it is itself again."""
    become = does(
        Do("copy", what=Named("t1"), to_objects=Named("t2")),
        choices=[
            Choice("t1", Selector(kinds=("unit",))),
            Choice("t2", Selector(kinds=("unit",))),
        ],
    )
    duel = a_duel(
        hand=[
            spell("Mask", "", become),
            spell("Mask Two", "", become),
            spell("Back", "Return a unit to its owner's hand."),
        ],
        board=[unit("Oak", 3, damage=1), unit("Elm", 5, "[Tank]", owner=1), unit("Ash", 1)],
    )
    duel.play("Mask", choose=["Oak", "Elm"])
    duel.pass_all()
    oak = duel["Oak"]
    assert (duel.rules.card_name(oak.ref), oak.might, oak.damage) == ("Elm", 5, 1)
    assert oak.has("Tank")

    duel.play("Mask Two", choose=["Ash", "Elm"])
    duel.pass_all()
    assert duel["Ash"].might == 5

    duel.play("Back", choose=["Oak"])
    duel.pass_all()
    assert duel.rules.card_name(duel["Oak"].ref) == "Oak"
