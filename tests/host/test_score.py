"""The score of a match: when it is decided, and for whom."""

from __future__ import annotations

import pytest

from longfuse.host.score import Score


def after(best_of: int, *winners: int | None, seats: int = 2) -> Score:
    """The score when these seats have won a game each, None being a draw."""
    score = Score(seats, best_of)
    for winner in winners:
        assert not score.is_decided
        score.count(winner)
    return score


@pytest.mark.parametrize(
    ("best_of", "winners", "decided", "winner"),
    [
        (1, (1,), True, 1),
        (1, (None,), True, None),
        (3, (0,), False, 0),
        (3, (0, 0), True, 0),
        (3, (0, 1), False, None),
        (3, (0, 1, 1), True, 1),
        (3, (0, 1, None), True, None),
        (3, (None, 1, None), True, 1),
        (3, (None, None, None), True, None),
    ],
)
def test_who_wins_more_games_wins_the_match(
    best_of: int, winners: tuple[int | None, ...], decided: bool, winner: int | None
) -> None:
    """It ends as soon as the others can't catch up, or when all games are played."""
    score = after(best_of, *winners)
    assert score.is_decided is decided
    assert score.winner is None
    score.end()
    assert score.winner == winner


@pytest.mark.parametrize(
    ("winners", "seats", "gone", "winner"),
    [
        ((), 2, (0,), 1),
        ((0,), 2, (0,), 1),
        ((0, 1), 2, (1,), 0),
        ((0,), 2, (0, 1), None),
        ((0, 1), 3, (0,), 1),
        ((0,), 3, (0,), None),
    ],
)
def test_who_leaves_loses_the_match(
    winners: tuple[int, ...], seats: int, gone: tuple[int, ...], winner: int | None
) -> None:
    """Whoever is the only one left has won it; among several, who has won most."""
    score = after(3, *winners, seats=seats)
    score.leave(*gone)
    assert score.is_decided
    score.end()
    assert score.winner == winner
    assert score.won == [winners.count(seat) for seat in range(seats)]


def test_a_match_begins_anew() -> None:
    """Nothing of the one before counts."""
    score = after(3, 0, 0)
    score.leave(0)
    score.end()
    score.begin()
    assert (score.won, score.played, score.winner, score.is_decided) == ([0, 0], 0, None, False)
