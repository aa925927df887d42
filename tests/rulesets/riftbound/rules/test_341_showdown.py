"""341-348: showdowns and focus."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Do, Program
from longfuse.abilities.nodes import This, When, Who
from rulesets.riftbound.cards import Placed, draws, spell, unit
from rulesets.riftbound.duels import Playing, a_duel


def action(name: str) -> Placed:
    """A spell with Action."""
    return spell(name, "[Action] Draw 1.")


def contested(*hand: Placed, theirs: tuple[Placed, ...] = ()) -> Playing:
    """A scout has moved to an empty battlefield."""
    duel = a_duel(hand=hand, theirs=theirs, board=[unit("Scout")])
    duel.move(["Scout"], "bf:1")
    return duel


@pytest.mark.rule("345")
def test_the_contester_has_focus_first() -> None:
    """The player whose unit came acts first, then the other."""
    duel = contested()
    assert duel.asked == (0, "focus")
    duel.pass_()

    assert duel.asked == (1, "focus")


@pytest.mark.rule("347", "806")
def test_action_and_reaction_are_legal_with_focus() -> None:
    """Ordinary spells are not; Action and Reaction are."""
    duel = contested(action("Act"), draws("Quick", fast=True), draws("Slow"))

    assert duel.offers("Act")
    assert duel.offers("Quick")
    assert "347.1" in duel.reason("Slow")


@pytest.mark.rule("806")
def test_action_is_not_enough_on_a_chain() -> None:
    """In a closed state only Reaction may be played."""
    duel = contested(action("Act"), action("More"))
    duel.play("Act")

    assert not duel.offers("More")


@pytest.mark.rule("346")
def test_focus_passes_after_a_chain() -> None:
    """When the chain that a player opened is empty, the other has focus."""
    duel = contested(action("Act"))
    duel.play("Act")
    duel.pass_all()

    assert duel.asked == (1, "focus")


@pytest.mark.rule("346.1")
def test_focus_does_not_pass_after_a_trigger_s_chain() -> None:
    """A chain that a trigger opened leaves focus where it was."""
    attacks = Ability(
        kind="triggered",
        when=When("attacked", subject=This()),
        program=Program(body=(Do("draw", amount=1, who=Who()),)),
    )
    duel = a_duel(board=[unit("Scout", 3, "", attacks), unit("Foe", 3, owner=1, place="bf:1")])
    duel.move(["Scout"], "bf:1")
    assert duel.chain == ["Scout"]
    duel.pass_all()

    assert duel.asked == (0, "focus")


@pytest.mark.rule("347.3.a", "348.2.a")
def test_two_passes_in_a_row_close_it() -> None:
    """Then the sole occupant takes control, which conquers."""
    duel = contested()
    duel.pass_()
    duel.pass_()

    assert duel.asked == (0, "main")
    assert (duel.controls("bf:1"), duel.points(0)) == (0, 1)


@pytest.mark.rule("347.3.a")
def test_an_action_starts_the_count_anew() -> None:
    """A pass, an action and a pass are not two passes in a row."""
    duel = contested(theirs=(action("Act"),))
    duel.pass_(0)
    duel.play("Act", seat=1)
    duel.pass_all()
    assert duel.asked == (0, "focus")
    duel.pass_(0)

    assert duel.asked == (1, "focus")


@pytest.mark.rule("187.4.b")
def test_control_does_not_change_while_it_goes_on() -> None:
    """Until the showdown has ended, nobody controls the contested battlefield."""
    duel = contested()

    assert duel.controls("bf:1") == -1


@pytest.mark.rule("323.14", "316.5.b.1.a")
def test_it_becomes_a_combat_when_the_other_side_comes() -> None:
    """A unit played there in a non-combat showdown turns it into a combat showdown."""
    ambush = unit("Lurker", 2, "Ambush", owner=1)
    duel = a_duel(
        theirs=[ambush, spell("Sneak", "[Action] Move a friendly unit to a battlefield.")],
        board=[unit("Scout"), unit("Rogue", 2, owner=1)],
    )
    duel.move(["Scout"], "bf:1")
    duel.pass_(0)
    duel.play("Sneak", choose=["Rogue", "Field One"])
    duel.pass_all()

    assert duel.rules.showdown is not None
    assert duel.rules.showdown.combat
    assert duel["Rogue"].designation == "defender"


@pytest.mark.rule("348.2")
def test_a_scout_that_was_killed_conquers_nothing() -> None:
    """With nobody left there, the battlefield stays uncontrolled."""
    duel = contested(theirs=(spell("Axe", "[Action] Kill a unit."),))
    duel.pass_(0)
    duel.play("Axe", choose=["Scout"])
    duel.pass_all()
    duel.pass_showdown()

    assert (duel.controls("bf:1"), duel.points(0)) == (-1, 0)
