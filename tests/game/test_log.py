"""The event log: ordinals, this turn, cutting."""

from __future__ import annotations

from game.bare import a_game, a_thing, done


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


def test_the_latest_of_this_turn_is_found_by_its_object() -> None:
    """The last turn's does not count, nor does another object's."""
    game, _ = a_game()
    oak, elm = a_thing(game, "Oak"), a_thing(game, "Elm")
    game.happened("hit", subjects=(oak,))
    done(game.begin_turn(1))
    assert game.log.latest("hit") == 0
    first = game.happened("hit", subjects=(elm,))
    second = game.happened("hit", subjects=(oak,))

    assert game.log.latest("hit") == second.id
    assert game.log.latest("hit", elm) == first.id


def test_a_mark_is_caused_by_what_brings_it_about() -> None:
    """Where that is not the course of the turn; what comes after it is not."""
    game, _ = a_game()
    hit = game.happened("hit")
    done(game.reach("showdown", cause=hit.id))
    assert game.log.this_turn("mark:showdown")[-1].cause == hit.id
    assert game.happened("hit").cause == 0
