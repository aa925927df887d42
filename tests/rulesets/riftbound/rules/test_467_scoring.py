"""467-472 (462-467 in the older book): scoring, the last point, winning."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Do
from longfuse.abilities.nodes import Who
from rulesets.riftbound.cards import does, spell, unit
from rulesets.riftbound.duels import Playing, a_duel


def conquering(points: int, scored: tuple[str, ...] = ()) -> Playing:
    """A scout conquers the first battlefield."""
    duel = a_duel(board=[unit("Scout")], points=(points, 0), scored=(scored, ()))
    duel.move(["Scout"], "bf:1")
    duel.pass_()
    duel.pass_()
    return duel


@pytest.mark.rule("469")
def test_a_conquer_gives_a_point() -> None:
    """Control of a battlefield not scored this turn."""
    duel = conquering(0)

    assert (duel.points(0), duel.count("conquered")) == (1, 1)


@pytest.mark.rule("470")
def test_each_battlefield_once_a_turn() -> None:
    """Scored already this turn, it gives nothing and triggers nothing."""
    duel = conquering(0, scored=("bf:1",))

    assert (duel.points(0), duel.count("conquered")) == (0, 0)
    assert duel.controls("bf:1") == 0


@pytest.mark.rule("471.1.b.2")
def test_the_last_point_by_conquest_needs_every_battlefield() -> None:
    """With the other one not scored, the player draws instead; the conquer still counts as one."""
    duel = conquering(7)

    assert (duel.points(0), duel.hand(0), duel.game.result) == (7, 1, None)
    assert duel.count("conquered") == 1


@pytest.mark.rule("471.1.b.2")
def test_with_every_battlefield_scored_it_wins() -> None:
    """The other battlefield was scored this turn: the conquer gives the last point."""
    duel = conquering(7, scored=("bf:2",))

    assert duel.game.result is not None
    assert duel.game.result.winner == 0


@pytest.mark.rule("471.1.b.1")
def test_holding_gives_the_last_point() -> None:
    """Hold is free of that restriction."""
    duel = a_duel(board=[unit("Guard", owner=1, place="bf:1")], points=(0, 7))
    duel.decide(len(duel.prompt.items) - 1)

    assert duel.game.result is not None
    assert duel.game.result.winner == 1


@pytest.mark.rule("471.1.a.1")
def test_points_of_effects_are_free_of_it_too() -> None:
    """An effect may give the last point."""
    duel = a_duel(hand=[spell("Prize", "", does(Do("points", amount=1, who=Who())))], points=(7, 0))
    duel.play("Prize")
    duel.pass_()
    duel.pass_()

    assert duel.game.result is not None
    assert duel.game.result.winner == 0


@pytest.mark.rule("471.2")
def test_conquer_and_hold_abilities_trigger_on_scoring() -> None:
    """ "When you conquer" and "when you hold" see their own way of scoring only."""
    board = [
        unit("Scout"),
        unit("Singer", 1, "When you conquer, draw 1."),
        unit("Piper", 1, "When you hold, channel 1 rune."),
    ]
    duel = a_duel(board=board)
    duel.move(["Scout"], "bf:1")
    duel.pass_showdown()
    assert (duel.hand(0), duel.count("channeled")) == (1, 0)
    duel.end_turn()
    duel.end_turn()

    assert duel.points(0) == 2
    assert duel.count("channeled") == 2 + 2 + 1


@pytest.mark.rule("472")
def test_most_points_win_only_if_strictly_most() -> None:
    """At 8 to 8 the game goes on."""
    duel = a_duel(points=(8, 8))

    assert duel.game.result is None
