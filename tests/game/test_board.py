"""The board: zones, stays and identity."""

from __future__ import annotations

import pytest

from game.bare import Plain, a_game, a_thing, done
from longfuse.timing.references import Ref


def test_each_crossing_makes_a_new_stay() -> None:
    """The card is the same, its residency another."""
    game, _ = a_game()
    oak = a_thing(game)
    pile = game.move_card(oak.card, "pile:0")
    back = game.move_card(oak.card, "board")

    assert [oak.card, pile.card, back.card] == [oak.card] * 3
    assert oak.residency < pile.residency < back.residency
    assert not game.board.is_there(oak)
    assert game.board.is_there(back)


def test_a_change_of_fields_keeps_the_stay() -> None:
    """The object publishes a new value under the same reference."""
    game, _ = a_game()
    oak = a_thing(game)
    game.change(oak, place="there", hits=2)

    assert game.board.is_there(oak)
    assert (game.store.values[oak].place, game.store.values[oak].hits) == ("there", 2)


def test_objects_with_behaviour_have_an_actor_and_others_none() -> None:
    """On the board; in the pile the actor has ended."""
    game, _ = a_game()
    oak = a_thing(game)
    assert oak in game.board.objects
    pile = game.move_card(oak.card, "pile:0")

    assert oak not in game.board.objects
    assert pile not in game.board.objects


def test_an_object_that_left_is_seen_as_it_was_for_the_rest_of_the_turn() -> None:
    """Then it is forgotten."""
    game, _ = a_game()
    oak = a_thing(game)
    game.change(oak, hits=3)
    game.move_card(oak.card, "pile:0")
    assert game.look(oak).hits == 3
    done(game.begin_turn(1))

    assert game.look(oak) is None


@pytest.mark.parametrize(("position", "at"), [(-1, 2), (0, 0)])
def test_top_and_bottom(position: int, at: int) -> None:
    """The top of a zone is its end."""
    game, _ = a_game()
    for name in ("One", "Two"):
        game.arrive(game.board.new_card(Plain(name), 0).id, "pile:0")
    ref = game.arrive(game.board.new_card(Plain("New"), 0).id, "pile:0", position)

    assert game.board.zone("pile:0").index(ref) == at


def test_a_reference_to_nothing_is_nowhere() -> None:
    """An unknown card is not there."""
    game, _ = a_game()

    assert not game.board.is_there(Ref(99, 1))
