"""Expiry handles: is it live, when and why did it end, cancel it."""

from __future__ import annotations

import pytest

from game.bare import a_game, a_thing, done, waits
from longfuse.abilities.ability import Ability, Duration
from longfuse.abilities.nodes import Named, This, When
from longfuse.abilities.scope import Scope, Unresolved
from longfuse.timing.messages import Proposed
from longfuse.timing.records import Reason, Source
from longfuse.timing.windows import Forever, ThisTurn


def test_a_live_one_has_no_reason() -> None:
    """While it waits there is no end."""
    game, _ = a_game()
    handle = waits(game, Forever())

    assert (handle.live, handle.end, handle.reason) == (True, None, None)


def test_used_up_it_has_fired() -> None:
    """Its one use was taken."""
    game, rules = a_game()
    oak = a_thing(game)
    handle = waits(game, ThisTurn(1), uses=1)
    done(game.publish(Proposed(event="hit", subjects=(oak,), amount=1)))

    assert handle.reason is Reason.FIRED
    assert len(rules.triggered) == 1


def test_two_uses_are_two_acts() -> None:
    """It ends with the second."""
    game, rules = a_game()
    oak = a_thing(game)
    handle = waits(game, ThisTurn(1), uses=2)
    for live in (True, False):
        done(game.publish(Proposed(event="hit", subjects=(oak,), amount=1)))
        assert handle.live == live
    done(game.publish(Proposed(event="hit", subjects=(oak,), amount=1)))

    assert len(rules.triggered) == 2


def test_its_window_closed_it_has_expired() -> None:
    """And the mark of its end is kept."""
    game, _ = a_game()
    handle = waits(game, ThisTurn(1))
    done(game.reach("end"))

    assert handle.reason is Reason.EXPIRED
    assert handle.end is not None
    assert handle.end.mark == game.now.mark.id


def test_declined_where_that_uses_it_up() -> None:
    """A claim that was declined says so."""
    game, _ = a_game()
    handle = waits(game, ThisTurn(1), uses=1)
    record = game.subscriptions.records[handle.record]
    game.installed.use(handle.record)
    game.installed.declined(record)

    assert handle.reason is Reason.DECLINED


def test_a_declined_claim_may_be_given_back() -> None:
    """It waits again with the same use, and its end is forgotten."""
    game, _ = a_game()
    handle = waits(game, ThisTurn(1), uses=1)
    record = game.subscriptions.records[handle.record]
    game.installed.use(handle.record)
    assert not handle.live
    game.installed.give_back(record)

    assert (handle.live, handle.reason) == (True, None)
    assert game.subscriptions.records[handle.record].uses == 1


def test_it_is_not_given_back_when_its_window_has_closed() -> None:
    """A claim of an earlier turn stays spent."""
    game, _ = a_game()
    handle = waits(game, ThisTurn(1), uses=1)
    record = game.subscriptions.records[handle.record]
    game.installed.use(handle.record)
    done(game.begin_turn(1))
    game.installed.give_back(record)

    assert not handle.live


def test_cancelled_it_was_ended_by_another() -> None:
    """Cancelling twice changes nothing."""
    game, _ = a_game()
    handle = waits(game, Forever())
    handle.cancel()
    handle.cancel()

    assert handle.reason is Reason.ENDED


def test_when_its_player_leaves() -> None:
    """The others' stay."""
    game, _ = a_game()
    mine, theirs = waits(game, Forever()), waits(game, Forever(), controller=1)
    game.installed.player_left(1)

    assert (mine.live, theirs.reason) == (True, Reason.PLAYER_LEFT)


def scope(game: object, rules: object, **names: object) -> Scope:
    """The scope of a resolving spell."""
    return Scope(rules, 0, Source(None, "Fuse", 0), names=dict(names))  # type: ignore[arg-type]


def test_created_too_late_it_was_not_created() -> None:
    """A window about an object that is gone: the handle says so, and nothing waits."""
    game, rules = a_game()
    oak = a_thing(game)
    game.move_card(oak.card, "pile:0")
    ability = Ability(
        kind="triggered",
        when=When("hit", subject=Named("t1")),
        window=Duration("while in zone", of=Named("t1")),
    )
    handle = game.installed.create(ability, scope(game, rules, t1=(oak,)))

    assert (handle.live, handle.reason) == (False, Reason.NOT_CREATED)


def test_what_it_speaks_of_is_captured_at_creation() -> None:
    """A name that means nothing is an error, not an ability that never acts."""
    game, rules = a_game()
    ability = Ability(kind="triggered", when=When("hit", subject=Named("t1")))
    with pytest.raises(Unresolved, match="t1"):
        game.installed.create(ability, scope(game, rules))

    oak = a_thing(game)
    handle = game.installed.create(ability, scope(game, rules, t1=(oak,)))
    assert game.subscriptions.records[handle.record].names() == {"t1": (oak,)}


def test_a_printed_one_ends_with_its_object_and_is_not_remembered() -> None:
    """The list of ended ones is of delayed abilities."""
    game, _ = a_game()
    oak = a_thing(game, "Oak", 0, Ability(kind="triggered", when=When("hit", subject=This())))
    assert len(game.subscriptions.records) == 1
    game.move_card(oak.card, "pile:0")

    assert game.subscriptions.records == {}
    assert game.installed.ended() == []
