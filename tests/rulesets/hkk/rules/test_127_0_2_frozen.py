"""127.0.2: no counter falls while the abilities do not function; none is made up for."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability
from longfuse.abilities.nodes import Each, Selector
from rulesets.hkk.cards import (
    Placed,
    card,
    creature,
    delayed,
    pings,
    strengthens,
    suppresses,
    temporary,
    to_t1,
)
from rulesets.hkk.duels import Playing, a_duel

pytestmark = pytest.mark.rule("127.0.2")

BUILDINGS = Each(Selector(kinds=("building",)))
HUSH = card("Hush", "skill", suppresses(BUILDINGS), owner=1)


def with_counters(placed: Placed, kind: str, number: int) -> Placed:
    """The same card, that has entered with counters and has some left."""
    return placed.at("table", counters=((kind, number),), entered_with=(kind,))


def _rounds(duel: Playing, number: int) -> list[int]:
    """How many counters are left after each of the controller's next phases."""
    found = []
    for _ in range(number):
        duel.to("draw", turn=0)
        found += duel.counters("Fuse").values()
    return found


def test_a_delayed_effect_waits_longer() -> None:
    """Two phases without function, then the number falls again from where it stood."""
    fuse = with_counters(card("Fuse", "building", strengthens(delayed(3))), "delayed", 2)
    duel = a_duel(board=[fuse, HUSH], hand=[to_t1("Break", "destroy")])

    assert _rounds(duel, 2) == [2, 2]
    duel.to("first main", turn=0)
    duel.play("Break", choose=["Hush"])
    assert _rounds(duel, 2) == [1, 0]


def test_a_temporary_effect_lasts_longer() -> None:
    """It is off meanwhile, and has its full time left afterwards."""
    fuse = with_counters(card("Fuse", "building", strengthens(temporary(2))), "temporary", 2)
    duel = a_duel(board=[fuse, HUSH, creature("Wolf", 3, 3)], hand=[to_t1("Break", "destroy")])

    assert _rounds(duel, 3) == [2, 2, 2]
    assert duel.damage("Wolf") == 3
    duel.to("first main", turn=0)
    duel.play("Break", choose=["Hush"])
    assert duel.damage("Wolf") == 5
    assert _rounds(duel, 2) == [1, 0]
    assert duel.damage("Wolf") == 3


def test_a_source_may_still_remove_them() -> None:
    """127.0.5 with it: and the ability begins only when abilities function again."""
    fuse = with_counters(card("Fuse", "building", strengthens(delayed(3))), "delayed", 2)
    take = to_t1("Quicken", "remove counters", word="delayed")
    duel = a_duel(
        board=[fuse, HUSH, creature("Wolf", 3, 3)], hand=[take, to_t1("Break", "destroy")]
    )

    duel.play("Quicken", choose=["Fuse"])
    assert duel.counters("Fuse") == {"delayed": 0}
    assert duel.damage("Wolf") == 3
    duel.play("Break", choose=["Hush"])
    assert duel.damage("Wolf") == 5


def test_it_is_told_that_none_fell() -> None:
    """In each such phase, with the clause."""
    fuse = with_counters(card("Fuse", "building", strengthens(delayed(2))), "delayed", 2)
    duel = a_duel(board=[fuse, HUSH])

    _rounds(duel, 2)

    stayed = [m.clause for m in duel.game.log.events if m.event == "counter stayed"]
    assert stayed == ["127.0.2", "127.0.2"]


# ---------------------------------------------------------------- D8: when it is asked


@pytest.mark.parametrize(("value", "left"), [("tick", 0), ("start", 1)])
def test_d8_at_the_moment_of_the_tick_or_as_the_segment_starts(value: str, left: int) -> None:
    """A suppression that ends with its own last counter, in the same phase, before the other's."""
    hush = Ability(
        kind="passive",
        gate=temporary(1),
        changes=suppresses(Each(Selector(kinds=("item",)))).changes,
    )
    board = [
        with_counters(card("Brief Hush", "building", hush), "temporary", 1),
        with_counters(card("Fuse", "item", strengthens(delayed(1))), "delayed", 1),
    ]
    duel = a_duel(board=board, options={"D8": value})

    duel.to("draw", turn=0)
    duel.answer("Brief Hush")
    duel.to("draw", turn=0)

    assert duel.counters("Fuse") == {"delayed": left}


# ---------------------------------------------------------------- D14: part of the abilities


@pytest.mark.parametrize(
    ("word", "value", "left"),
    [
        ("activated", "ability", 1),
        ("continuous", "ability", 2),
        ("activated", "any", 2),
    ],
)
def test_d14_part_of_the_abilities(word: str, value: str, left: int) -> None:
    """Frozen if the timed ability is among those that do not function; or if any is."""
    fuse = card("Fuse", "building", strengthens(delayed(2)), pings())
    hush = card("Hush", "skill", suppresses(BUILDINGS, word), owner=1)
    duel = a_duel(board=[with_counters(fuse, "delayed", 2), hush], options={"D14": value})

    assert _rounds(duel, 1) == [left]


def test_of_two_that_suppress_each_other_the_older_stands() -> None:
    """Suppression is an outside state, and never runs in a circle."""
    first = card("First Hush", "skill", suppresses(Each(Selector(kinds=("building",)))))
    second = card("Second Hush", "building", suppresses(Each(Selector(kinds=("skill",)))))
    fuse = with_counters(card("Fuse", "building", strengthens(delayed(2))), "delayed", 2)
    duel = a_duel(board=[first, second, fuse])

    assert _rounds(duel, 1) == [2]
