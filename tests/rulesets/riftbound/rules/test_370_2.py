"""370.2: a replacement applies once to an event and to what stands in for it."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Do, Program, Rewrite
from longfuse.abilities.nodes import Named, Selector, This, When
from rulesets.riftbound.cards import (
    A_UNIT,
    CHOSEN,
    SHIELD,
    THIS_TURN,
    creates,
    deals,
    kills,
    spell,
    unit,
)
from rulesets.riftbound.duels import a_duel


@pytest.mark.rule("370.2")
def test_doubling_doubles_once() -> None:
    """The doubled damage is not doubled again by the same effect."""
    ability = Ability(
        kind="replacement",
        when=When("damage", subject=CHOSEN),
        rewrite=Rewrite("times", amount=2),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[spell("Trap", "", creates(ability, choices=[A_UNIT])), deals("Spark", 1)],
        board=[unit("Oak", 9)],
    )
    duel.play("Trap", choose=["Oak"])
    duel.pass_all()
    duel.play("Spark", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].damage == 2


@pytest.mark.rule("370.2")
def test_two_of_them_each_apply_once() -> None:
    """Two doublings of one damage make it fourfold."""
    ability = Ability(
        kind="replacement",
        when=When("damage", subject=CHOSEN),
        rewrite=Rewrite("times", amount=2),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[
            spell("Trap", "", creates(ability, choices=[A_UNIT])),
            spell("Snare", "", creates(ability, choices=[A_UNIT])),
            deals("Spark", 1),
        ],
        board=[unit("Oak", 9)],
    )
    for name in ("Trap", "Snare", "Spark"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()

    assert duel["Oak"].damage == 4


@pytest.mark.rule("370.2")
def test_one_shield_covers_one_packet() -> None:
    """Two shields, one damage: one of them is used and the other waits on."""
    duel = a_duel(
        hand=[spell("Shield", SHIELD), spell("Ward", SHIELD), deals("Bolt", 3)],
        board=[unit("Oak", 5)],
    )
    for name in ("Shield", "Ward", "Bolt"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()
        if duel.asked[1] == "order":
            duel.decide((0, 1))

    assert duel["Oak"].damage == 0
    assert len(duel.waiting) == 1


@pytest.mark.rule("370.2")
def test_two_packets_use_two_shields() -> None:
    """A spell that deals 3 and then 3 meets one shield each time."""
    duel = a_duel(
        hand=[
            spell("Shield", SHIELD),
            spell("Ward", SHIELD),
            spell("Volley", "Deal 3 to a unit. Deal 3 to it."),
        ],
        board=[unit("Oak", 5)],
    )
    for name in ("Shield", "Ward", "Volley"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()
        if duel.asked[1] == "order":
            duel.decide((0, 1))

    assert duel["Oak"].damage == 0
    assert duel.waiting == []


@pytest.mark.rule("370.2")
def test_two_savers_that_die_for_one_another() -> None:
    """The book's loop: each applies once to the death and what stands in for it; then one dies."""
    saver = Ability(
        kind="replacement",
        when=When("death", subject=Selector(kinds=("unit",), control="friendly")),
        program=Program(body=(Do("kill", what=This()), Do("heal", what=Named("event")))),
        rewrite=Rewrite("instead"),
    )
    duel = a_duel(
        hand=[kills("Blade")],
        board=[unit("One", 1, "", saver), unit("Two", 1, "", saver)],
    )
    duel.play("Blade", choose=["One"])
    duel.pass_all()
    assert duel.asked == (0, "order")
    duel.decide((0, 1))
    while duel.asked[1] == "order":
        duel.decide((0, 1))

    places = sorted([duel["One"].place, duel["Two"].place])
    assert places == ["base:0", "trash:0"]


@pytest.mark.rule("370.2")
def test_damage_caused_by_damage_is_another_event() -> None:
    """It is counted over what stands in for an event, not over what it causes."""
    ability = Ability(
        kind="replacement",
        when=When("damage", subject=Selector(kinds=("unit",))),
        rewrite=Rewrite("plus", amount=1),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[
            spell("Oil", "", creates(ability)),
            spell("Volley", "Deal 1 to a unit. Deal 1 to it."),
        ],
        board=[unit("Oak", 9)],
    )
    duel.play("Oil")
    duel.pass_all()
    duel.play("Volley", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].damage == 4
