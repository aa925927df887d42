"""The event log: ordinals, this turn, cutting."""

from __future__ import annotations

from game.bare import a_game, done


def test_ordinals_grow_through_the_game() -> None:
    """Each event has a place of its own, across turns."""
    game, _ = a_game()
    first = game.happened("hit")
    done(game.begin_turn(1))
    second = game.happened("hit")

    assert second.ordinal > first.ordinal


def test_this_turn_is_counted_anew() -> None:
    """The last turn's events are not this turn's."""
    game, _ = a_game()
    game.happened("hit")
    assert len(game.log.this_turn("hit")) == 1
    done(game.begin_turn(1))

    assert game.log.this_turn("hit") == []


def test_cutting_forgets_what_came_later() -> None:
    """As for a play that was taken back."""
    game, _ = a_game()
    kept = game.happened("hit")
    game.happened("hit")
    game.log.cut(kept.ordinal)

    assert game.log.this_turn("hit") == [kept]
    assert game.log.events[-1] == kept
