"""Durations: the window that a sentence means at the moment of creation."""

from __future__ import annotations

from typing import Any

import pytest

from game.bare import Bare, a_game, a_thing, done
from longfuse.abilities.ability import Ability, Duration
from longfuse.abilities.nodes import At, Named, Who
from longfuse.abilities.scope import Scope
from longfuse.game.durations import TooLate, resolve
from longfuse.game.game import Game
from longfuse.timing.records import Source
from longfuse.timing.windows import (
    AtMark,
    ControlledBy,
    During,
    FirstOf,
    Forever,
    InZone,
    ThisTurn,
    UntilMark,
    Window,
)


def window(game: Game, rules: Bare, how: Any, controller: int = 0, **names: Any) -> Window:
    """What a duration, or a moment, means now."""
    scope = Scope(rules, controller, Source(None, "Fuse", controller), names=names)  # type: ignore[arg-type]
    ability = (
        Ability(kind="triggered", when=how)
        if isinstance(how, At)
        else Ability(kind="passive", window=how)
    )
    return resolve(ability, scope, game)


def test_this_turn_is_this_very_turn() -> None:
    """By its number."""
    game, rules = a_game()

    assert window(game, rules, Duration("this turn")) == ThisTurn(1)


def test_this_phase_is_the_occurrence_that_is_open() -> None:
    """Without one it is too late."""
    game, rules = a_game()
    with pytest.raises(TooLate):
        window(game, rules, Duration("this combat"))
    done(game.reach("fight", opens=("combat",)))

    assert window(game, rules, Duration("this combat")) == During("combat", game.now.mark.id)


def test_your_is_fixed_at_creation() -> None:
    """By the ability's controller then."""
    game, rules = a_game()
    until = Duration("until start of turn", who=Who())

    assert window(game, rules, until, 0) == UntilMark("turn", 0, 2)
    assert window(game, rules, until, 1) == UntilMark("turn", 1, 2)


def test_until_the_end_of_your_next_turn_is_not_this_turn_s() -> None:
    """Not before the next turn."""
    game, rules = a_game()
    found = window(game, rules, Duration("until end of turn", who=Who()))

    assert found == UntilMark("end", 0, 2, end=True)


def test_at_the_end_of_this_turn_is_too_late_after_it() -> None:
    """The mark was passed in this turn."""
    game, rules = a_game()
    at = At("main", turn="this")
    assert window(game, rules, at) == AtMark("main", None, 1, 1)
    done(game.reach("main"))

    with pytest.raises(TooLate):
        window(game, rules, at)


def test_the_next_such_mark_may_be_a_later_turn_s() -> None:
    """This turn's if it is still to come."""
    game, rules = a_game()
    at = At("main", turn="next")
    assert window(game, rules, at) == AtMark("main", None, 1)
    done(game.reach("main"))

    assert window(game, rules, at) == AtMark("main", None, 2)


def test_while_in_zone_is_the_present_stay() -> None:
    """Of an object that is elsewhere, or gone, it is too late."""
    game, rules = a_game()
    oak = a_thing(game)
    stay = Duration("while in zone", of=Named("t1"), zone="board")
    assert window(game, rules, stay, t1=(oak,)) == InZone(oak, "board")
    pile = game.move_card(oak.card, "pile:0")

    for gone in (oak, pile):
        with pytest.raises(TooLate):
            window(game, rules, stay, t1=(gone,))


def test_while_controlled_asks_who_controls_it() -> None:
    """Another's is too late."""
    game, rules = a_game()
    oak = a_thing(game)
    held = Duration("while controlled", of=Named("t1"), who=Who())
    assert window(game, rules, held, t1=(oak,)) == ControlledBy(oak, 0)

    with pytest.raises(TooLate):
        window(game, rules, held, 1, t1=(oak,))


def test_first_of_and_the_game() -> None:
    """Parts are resolved each by itself; without any window it is for the game."""
    game, rules = a_game()
    both = Duration("first of", parts=(Duration("this turn"), Duration("game")))

    assert window(game, rules, both) == FirstOf((ThisTurn(1), Forever()))
    assert resolve(Ability(kind="passive"), None, game) == Forever()  # type: ignore[arg-type]
