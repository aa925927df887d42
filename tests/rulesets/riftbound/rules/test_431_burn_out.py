"""431: burning out."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import draws, spell, unit
from rulesets.riftbound.duels import a_duel


@pytest.mark.rule("431.1", "431.2")
def test_an_empty_deck_recycles_the_trash_and_gives_the_opponent_a_point() -> None:
    """Then the draw is completed."""
    duel = a_duel(hand=[draws("Book")], trash=[unit("Ghost")], deck_size=0)
    duel.play("Book")
    duel.pass_all()

    assert (duel.hand(0), duel.points(1)) == (1, 1)
    assert duel["Ghost"].place == "hand:0"


@pytest.mark.rule("431.1.a")
def test_it_draws_as_many_as_there_are_first() -> None:
    """Draw 2 with one card left: draw it, burn out, draw the other."""
    duel = a_duel(
        hand=[spell("Book", "Draw 2.")], deck=[unit("Last")], trash=[unit("Ghost")], deck_size=0
    )
    duel.play("Book")
    duel.pass_all()

    assert (duel["Last"].place, duel["Ghost"].place) == ("hand:0", "hand:0")
    assert duel.points(1) == 1


@pytest.mark.rule("431.3", "431.3.b")
def test_with_nothing_to_recycle_it_burns_out_again_and_again() -> None:
    """Deck and trash are empty: the opponent gains point after point, and wins."""
    duel = a_duel(hand=[draws("Book")], deck_size=0, points=(0, 6))
    duel.play("Book")
    duel.pass_()
    duel.pass_()

    assert duel.game.result is not None
    assert duel.game.result.winner == 1


@pytest.mark.rule("431.2.d", "315.4.b.2")
def test_in_the_draw_phase_too() -> None:
    """The turn player burns out and still draws."""
    duel = a_duel(deck_size=0, trash=[unit("Ghost", owner=1)])
    duel.end_turn()

    assert (duel["Ghost"].place, duel.points(0)) == ("hand:1", 1)
