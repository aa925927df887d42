"""127.0.1: one falls in each preparation phase of the controller; it is nobody's ability."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change, Do, Program
from longfuse.abilities.nodes import At, Each, Selector, Who
from rulesets.hkk.cards import (
    YOU,
    card,
    creature,
    delayed,
    in_preparation,
    instant,
    pings,
    strengthens,
    temporary,
    to_t1,
)
from rulesets.hkk.duels import a_duel

pytestmark = pytest.mark.rule("127.0.1")


def _with(kind: str, number: int) -> dict[str, object]:
    return {"counters": ((kind, number),), "entered_with": (kind,)}


EMBER = card("Slow Ember", "building", strengthens(delayed(3)))


def test_one_falls_in_each_of_the_controllers_phases() -> None:
    """The opponent's phases do nothing."""
    duel = a_duel(board=[EMBER.at("table", **_with("delayed", 3))])

    duel.to("draw", turn=1)
    assert duel.counters("Slow Ember") == {"delayed": 3}
    duel.to("draw", turn=0)
    assert duel.counters("Slow Ember") == {"delayed": 2}
    duel.to("draw", turn=1)
    assert duel.counters("Slow Ember") == {"delayed": 2}


def test_waiting_is_not_being_out_of_function() -> None:
    """A permanent whose only ability is asleep still ticks."""
    duel = a_duel(board=[EMBER.at("table", **_with("delayed", 1))])

    duel.to("draw", turn=0)

    assert duel.counters("Slow Ember") == {"delayed": 0}


def test_a_passive_permanent_ticks() -> None:
    """Being turned is another thing than abilities that do not function."""
    duel = a_duel(board=[EMBER.at("table", passive=True, **_with("delayed", 2))])

    duel.to("draw", turn=0)

    assert duel.counters("Slow Ember") == {"delayed": 1}


def test_nothing_can_be_done_about_it() -> None:
    """It is no ability: nothing goes into the queue, and it has no source."""
    duel = a_duel(board=[EMBER.at("table", **_with("delayed", 2))])

    duel.to("draw", turn=0)

    falls = [m for m in duel.game.log.events if m.event == "counter removed"]
    assert [(m.source, m.clause, m.fact("rule")) for m in falls] == [(None, "127.0.1", True)]
    assert duel.count("ability finalized") == 0


def test_a_skipped_phase_takes_none() -> None:
    """The turn begins all the same."""
    skip = instant("Oversleep", Do("skip preparation", who=Who("opponent")), owner=1)
    duel = a_duel(board=[EMBER.at("table", **_with("delayed", 2))], theirs=[skip])

    duel.pass_()
    duel.play("Oversleep")
    duel.to("draw", turn=0)

    assert duel.counters("Slow Ember") == {"delayed": 2}
    assert duel.magic(0) == 10
    duel.to("draw", turn=0)
    assert duel.counters("Slow Ember") == {"delayed": 1}


def test_d17_a_new_controllers_phases_count() -> None:
    """D17: the counters stay on it, and fall where it lies now."""
    steal = to_t1("Lure", "control", who=YOU, owner=1)
    duel = a_duel(board=[EMBER.at("table", **_with("delayed", 3))], theirs=[steal])

    duel.pass_()
    duel.play("Lure")
    duel.to("draw", turn=1)
    assert duel.counters("Slow Ember") == {"delayed": 2}
    duel.to("draw", turn=0)
    assert duel.counters("Slow Ember") == {"delayed": 2}


# ---------------------------------------------------------------- D5: both kinds

BOTH = card("Long Night", "building", strengthens(delayed(2)), pings(temporary(3)))
TWO_KINDS = {
    "counters": (("delayed", 2), ("temporary", 3)),
    "entered_with": ("delayed", "temporary"),
}


def test_d5_one_of_each_kind() -> None:
    """D5: the kinds know nothing of each other."""
    duel = a_duel(board=[BOTH.at("table", **TWO_KINDS)])

    duel.to("draw", turn=0)

    assert duel.counters("Long Night") == {"delayed": 1, "temporary": 2}


def test_d5_or_one_in_all() -> None:
    """D5 "one": the active player picks which."""
    duel = a_duel(board=[BOTH.at("table", **TWO_KINDS)], options={"D5": "one"})

    duel.to("draw", turn=0)
    assert duel.prompt.kind == "first"
    duel.decide(1)
    duel.to("draw", turn=0)

    assert duel.counters("Long Night") == {"delayed": 2, "temporary": 2}


# ---------------------------------------------------------------- D7, D9: the work list

HOUR = card("Lucky Hour", "item", in_preparation(temporary(1)))
ONE_LEFT = HOUR.at("table", **_with("temporary", 1))


def test_d7_the_counter_falls_first_by_default() -> None:
    """What depends on the last counter does not come any more; but the player is asked."""
    duel = a_duel(board=[ONE_LEFT])

    duel.to("draw", turn=0)
    assert duel.prompt.kind == "first"
    assert duel.prompt.default == 0
    duel.decide(0)
    duel.to("draw", turn=0)

    assert duel.hand(0) == 1


def test_d7_the_active_player_may_order_otherwise() -> None:
    """The effect first, then the fall."""
    duel = a_duel(board=[ONE_LEFT])

    duel.to("draw", turn=0)
    duel.decide(1)
    duel.to("draw", turn=0)

    assert duel.hand(0) == 2
    assert duel.counters("Lucky Hour") == {"temporary": 0}


def test_d7_or_counters_always_fall_first() -> None:
    """D7 "ticks first": nobody is asked."""
    duel = a_duel(board=[ONE_LEFT], options={"D7": "ticks first"})

    duel.to("first main", turn=0)

    assert duel.hand(0) == 1
    assert duel.counters("Lucky Hour") == {"temporary": 0}


@pytest.mark.parametrize(("value", "number"), [("start", 2), ("any", 1)])
def test_d9_what_arrives_during_the_phase(value: str, number: int) -> None:
    """D9: what may fall is known as the phase starts; or what comes in it loses one, too."""
    fetch = Do(
        "play",
        what=Each(Selector(kinds=("building",), zone="discard", owner="friendly")),
        who=YOU,
    )
    dawn = Ability(kind="triggered", when=At("in preparation", YOU), program=Program(body=(fetch,)))
    fresh = card("Slow Ember", "building", strengthens(delayed(2)))
    duel = a_duel(board=[card("Dawn Bell", "item", dawn)], discard=[fresh], options={"D9": value})

    duel.to("draw", turn=0)

    assert duel.counters("Slow Ember") == {"delayed": number}


def test_each_permanent_loses_its_own() -> None:
    """Several at once: one each."""
    other = card("Late Ember", "building", strengthens(delayed(2)))
    board = [
        EMBER.at("table", **_with("delayed", 3)),
        other.at("table", **_with("delayed", 2)),
        creature("Wolf"),
    ]
    duel = a_duel(board=board)

    duel.to("draw", turn=0)

    assert (duel.counters("Slow Ember"), duel.counters("Late Ember")) == (
        {"delayed": 2},
        {"delayed": 1},
    )


_WEAKER = Change("life", of=Selector(kinds=("creature",)), amount=-2)


@pytest.mark.parametrize(("first", "where"), [("Old Blight", "reserve:0"), ("Blight", "discard:0")])
def test_the_order_of_two_last_counters_is_asked_where_a_creature_lives_by_them(
    first: str, where: str
) -> None:
    """One effect ends as another begins: with both at once a creature dies."""
    old = Ability(kind="passive", gate=temporary(1), changes=(_WEAKER,))
    new = Ability(kind="passive", gate=delayed(1), changes=(_WEAKER,))
    board = [
        card("Old Blight", "building", old).at("table", **_with("temporary", 1)),
        card("Blight", "building", new).at("table", **_with("delayed", 1)),
        creature("Hare", 1, 4),
    ]
    duel = a_duel(board=board, start="preparation")

    assert duel.prompt.kind == "first"
    duel.answer(first)

    assert duel.zone("Hare") == where
