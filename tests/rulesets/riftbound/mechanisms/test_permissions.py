"""Permissions: where, when and from where cards may be played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from longfuse.abilities.ability import Ability, Change
from longfuse.abilities.nodes import Selector, Who
from rulesets.riftbound.cards import draws, gear, spell, unit
from rulesets.riftbound.duels import a_duel


def may(word: str, selector: Selector | None = None) -> Ability:
    """A passive that allows its controller something."""
    return Ability(kind="passive", changes=(Change("may", of=selector, word=word, who=Who("you")),))


@pytest.mark.rule("355.2.b")
def test_unit_that_may_be_played_to_an_open_battlefield() -> None:
    """Its own words let it enter where no opposing unit is, and nowhere else."""
    duel = a_duel(
        hand=[unit("Scout", 3, "You may play me to an open battlefield.")],
        board=[unit("Foe", 3, owner=1, place="bf:1")],
    )
    duel.play("Scout", to="bf:2")
    duel.pass_showdown()

    assert duel["Scout"].place == "bf:2"


@pytest.mark.rule("355.2.b")
def test_units_that_may_be_played_to_open_battlefields() -> None:
    """A permanent's words let all its controller's units."""
    text = "Friendly units may be played to open battlefields."
    duel = a_duel(hand=[unit("Oak", 3)], board=[unit("Captain", 3, text)])

    duel.play("Oak", to="bf:2")
    duel.pass_showdown()

    assert duel["Oak"].place == "bf:2"


@pytest.mark.rule("338.1.a", "806")
@pytest.mark.parametrize("word", ["play as reaction", "play as action"])
def test_spells_played_as_reactions_or_actions(word: str) -> None:
    """Both may be played in a showdown, but only one of them on a chain."""
    spells = Selector(kinds=("spell",), owner="friendly", zone="any")
    duel = a_duel(
        hand=[draws("Study"), spell("Spark", "[Action] Draw 1.")],
        board=[unit("Sage", 3, "", may(word, spells)), unit("Foe", 9, owner=1, place="bf:1")],
    )
    duel.move(["Sage"], to="bf:1")
    assert duel.offers("Study")

    duel.play("Spark")

    assert duel.offers("Study") == (word == "play as reaction")


@pytest.mark.rule("419")
def test_card_played_from_the_trash_by_permission() -> None:
    """A spell in the trash may be played while an effect says so, at its own cost."""
    spells = Selector(kinds=("spell",), owner="friendly", zone="any")
    duel = a_duel(
        board=[gear("Urn", "", may("play", spells))],
        trash=[draws("Study", energy=1)],
        energy=(1, 0),
    )

    duel.play("Study")
    duel.pass_all()

    assert duel.hand(0) == 1
    assert duel["Study"].place == "trash:0"


@pytest.mark.rule("419")
def test_card_of_the_opponent_played_by_permission() -> None:
    """A card in the opponent's trash is played by whoever may, and goes back to its owner's."""
    spells = Selector(kinds=("spell",), owner="enemy", zone="any")
    enemy = draws("Study")
    duel = a_duel(board=[gear("Urn", "", may("play", spells))], trash=[replace(enemy, owner=1)])

    duel.play("Study")
    duel.pass_all()

    assert duel.hand(0) == 1
    assert duel["Study"].place == "trash:1"


@pytest.mark.rule("356.1.b")
def test_base_cost_set_by_an_effect() -> None:
    """A base cost that is set replaces the printed one; "ignoring its cost" sets it to nothing."""
    spells = Selector(kinds=("spell",), control="friendly", zone="any")
    three = Ability(kind="passive", changes=(Change("base cost", of=spells, amount=3),))
    none = Ability(kind="passive", changes=(Change("base cost", of=spells, amount=0),))

    dear = a_duel(hand=[draws("Study", energy=7)], board=[gear("Urn", "", three)], energy=(3, 0))
    free = a_duel(hand=[draws("Study", energy=7, power=["mind"])], board=[gear("Urn", "", none)])

    assert dear.offers("Study")
    assert free.offers("Study")
