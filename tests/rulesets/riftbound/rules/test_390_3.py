"""390.3: delayed replacements, at a time or "the Nth time"."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Do, Program, Rewrite
from longfuse.abilities.nodes import Selector, When, Who
from rulesets.riftbound.cards import (
    A_UNIT,
    CHOSEN,
    SAVE,
    SHIELD,
    THIS_TURN,
    creates,
    deals,
    kills,
    spell,
    unit,
)
from rulesets.riftbound.duels import a_duel

SMITE = "Deal 3 to a unit. If that unit would die this turn, it is banished instead."


@pytest.mark.rule("390.3", "370.1")
def test_the_next_death_is_replaced_once() -> None:
    """The first death is replaced and uses it up; the second is a death."""
    duel = a_duel(hand=[spell("Save", SAVE), kills("Blade"), kills("Knife")], board=[unit("Oak")])
    duel.play("Save", choose=["Oak"])
    duel.pass_all()

    duel.play("Blade", choose=["Oak"])
    duel.pass_all()
    assert (duel["Oak"].place, duel["Oak"].exhausted) == ("base:0", True)
    assert duel.ended == [("Save", "fired")]
    duel.play("Knife", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == "trash:0"


@pytest.mark.rule("390.3", "370.1")
def test_a_replaced_death_never_happened() -> None:
    """Nothing that waits for a death sees one that was replaced."""
    duel = a_duel(
        hand=[spell("Save", SAVE), kills("Blade")],
        board=[unit("Oak"), unit("Mourner", 2, "When another friendly unit dies, draw 1.")],
    )
    duel.play("Save", choose=["Oak"])
    duel.pass_all()
    duel.play("Blade", choose=["Oak"])
    duel.pass_all()

    assert duel.count("unit died") == 0
    assert duel.hand(0) == 0


@pytest.mark.rule("390.3")
def test_a_death_within_this_turn_is_replaced_each_time_until_it_ends() -> None:
    """ "If it would die this turn" is about a time, not about a number of deaths."""
    duel = a_duel(hand=[spell("Smite", SMITE)], board=[unit("Oak", 3, owner=1)])
    duel.play("Smite", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == "banishment:1"


@pytest.mark.rule("390.3", "317.2.c")
def test_its_time_ends_with_the_turn() -> None:
    """Next turn the unit dies as usual."""
    duel = a_duel(
        hand=[spell("Smite", SMITE)], theirs=[kills("Blade")], board=[unit("Oak", 5, owner=1)]
    )
    duel.play("Smite", choose=["Oak"])
    duel.pass_all()
    duel.end_turn()
    duel.play("Blade", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == "trash:1"


@pytest.mark.rule("390.3", "437.7")
def test_preventing_is_a_delayed_replacement() -> None:
    """The next damage is prevented in full, and only that."""
    duel = a_duel(
        hand=[spell("Shield", SHIELD), deals("Bolt", 3), deals("Spark", 1)], board=[unit("Oak", 5)]
    )
    duel.play("Shield", choose=["Oak"])
    duel.pass_all()
    assert duel.record("Shield").kind == "replacement"

    duel.play("Bolt", choose=["Oak"])
    duel.pass_all()
    assert duel["Oak"].damage == 0
    duel.play("Spark", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].damage == 1


@pytest.mark.rule("390.3", "437.3")
def test_a_prevent_value_is_used_up_point_by_point() -> None:
    """ "The next 3 damage" covers a packet of 2 and one point of the next."""
    text = "Choose a unit. Prevent the next 3 damage that would be dealt to it this turn."
    duel = a_duel(
        hand=[spell("Ward", text), deals("Spark", 2), deals("Ember", 2)], board=[unit("Oak", 5)]
    )
    duel.play("Ward", choose=["Oak"])
    duel.pass_all()
    assert duel.record("Ward").points == 3

    duel.play("Spark", choose=["Oak"])
    duel.pass_all()
    assert (duel["Oak"].damage, duel.record("Ward").points) == (0, 1)
    duel.play("Ember", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].damage == 1
    assert duel.ended == [("Ward", "fired")]


@pytest.mark.rule("390.3", "383.1.b")
def test_the_second_time_leaves_the_first_alone() -> None:
    """ "The second time it would take damage this turn, prevent it" lets the first and third by."""
    ability = Ability(
        kind="replacement",
        when=When("damage", subject=CHOSEN, nth=2),
        uses=1,
        rewrite=Rewrite("prevent"),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[
            spell("Ward", "", creates(ability, choices=[A_UNIT])),
            *(deals(f"Spark {n}", 1) for n in (1, 2, 3)),
        ],
        board=[unit("Oak", 5)],
    )
    duel.play("Ward", choose=["Oak"])
    duel.pass_all()

    damage = []
    for number in (1, 2, 3):
        duel.play(f"Spark {number}", choose=["Oak"])
        duel.pass_all()
        damage.append(duel["Oak"].damage)

    assert damage == [1, 1, 2]


@pytest.mark.rule("390.3", "355.10.c")
def test_the_next_friendly_death_may_be_of_a_unit_that_came_later() -> None:
    """It names no unit, so one that was not there when it was made is saved as well."""
    text = (
        "When you play me, this turn the next time one of your units would die, "
        "return it to its owner's hand instead."
    )
    duel = a_duel(hand=[unit("Warden", 2, text), unit("Late", 2), kills("Blade")])
    duel.play("Warden")
    duel.pass_all()
    duel.play("Late")

    duel.play("Blade", choose=["Late"])
    duel.pass_all()

    assert duel["Late"].place == "hand:0"
    assert duel.waiting == []


@pytest.mark.rule("390.3", "369.3")
def test_the_next_unit_enters_ready() -> None:
    """A replacement of entering changes how the next unit comes, not the one after it."""
    ability = Ability(
        kind="replacement",
        when=When("enter", subject=Selector(kinds=("unit",), control="friendly", zone="any")),
        uses=1,
        rewrite=Rewrite("change", facts=(("exhausted", False),)),
        window=THIS_TURN,
    )
    duel = a_duel(hand=[spell("Dawn", "", creates(ability)), unit("First"), unit("Second")])
    duel.play("Dawn")
    duel.pass_all()
    duel.play("First")
    duel.play("Second")

    assert (duel["First"].exhausted, duel["Second"].exhausted) == (False, True)


@pytest.mark.rule("390.3", "370.1.a")
def test_a_replacement_may_add_to_the_amount() -> None:
    """ "Damage to it is doubled this turn" rewrites every damage in its time."""
    ability = Ability(
        kind="replacement",
        when=When("damage", subject=CHOSEN),
        rewrite=Rewrite("times", amount=2),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[
            spell("Trap", "", creates(ability, choices=[A_UNIT])),
            deals("Spark", 1),
            deals("Bolt", 3),
        ],
        board=[unit("Oak", 9)],
    )
    for name in ("Trap", "Spark", "Bolt"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()

    assert duel["Oak"].damage == 8
    assert duel.waiting == ["Trap"]


@pytest.mark.rule("390.3")
def test_a_draw_may_be_replaced() -> None:
    """A replacement about a player: the next card that you would draw is a point instead."""
    ability = Ability(
        kind="replacement",
        when=When("draw", player=Who()),
        uses=1,
        program=Program(body=(Do("points", amount=1, who=Who()),)),
        rewrite=Rewrite("instead"),
        window=THIS_TURN,
    )
    duel = a_duel(hand=[spell("Fuse", "", creates(ability)), spell("Book", "Draw 2.")])
    duel.play("Fuse")
    duel.pass_all()
    duel.play("Book")
    duel.pass_all()

    assert (duel.points(0), duel.hand(0)) == (1, 1)
