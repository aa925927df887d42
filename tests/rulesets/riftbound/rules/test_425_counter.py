"""425: countering."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import Placed, draws, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

COUNTER = "[Reaction] Counter a spell."


def countered(*board: Placed, energy: int = 0) -> Playing:
    """A spell of seat 0 was countered."""
    duel = a_duel(
        hand=[draws("Song", energy=energy), unit("Hopeful", 2, "Legion: I enter ready.")],
        theirs=[spell("No", COUNTER)],
        board=board,
        energy=(energy, 0),
    )
    duel.play("Song")
    duel.play("No", choose=["Song"])
    duel.pass_all()
    return duel


@pytest.mark.rule("425.1.a")
def test_a_countered_spell_does_nothing_and_goes_to_the_trash() -> None:
    """Nothing is drawn."""
    duel = countered()

    assert duel["Song"].place == "trash:0"
    assert duel.count("drew") == 0


@pytest.mark.rule("425.1.b", "419.4.b")
def test_it_was_not_played() -> None:
    """ "When you play a spell" does not see it."""
    duel = countered(unit("Singer", 1, "When you play a spell, draw 1."))

    assert duel.count("drew") == 0


@pytest.mark.rule("425.1.c")
def test_its_costs_are_not_given_back() -> None:
    """The Energy is spent."""
    duel = countered(energy=2)

    assert duel.rules.player(0).energy == 0


@pytest.mark.rule("812.1.c", "425.1")
def test_it_was_finalized_for_legion() -> None:
    """Legion asks for a finalized card, and that it was."""
    duel = countered()
    duel.play("Hopeful")

    assert not duel["Hopeful"].exhausted


@pytest.mark.rule("355.9.c")
def test_a_counter_can_t_choose_itself() -> None:
    """With no other spell on the chain it has no target."""
    duel = a_duel(hand=[spell("No", COUNTER)])

    assert not duel.offers("No")
