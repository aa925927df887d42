"""127.2.2: with the last counter gone, automatic ones do not come about, activated are not used."""

from __future__ import annotations

import pytest

from rulesets.hkk.cards import (
    at_start,
    card,
    creature,
    left,
    on_death,
    pings,
    temporary,
    to_t1,
)
from rulesets.hkk.duels import a_duel

pytestmark = pytest.mark.rule("127.2.2")


def test_an_automatic_one_does_not_come_about_any_more() -> None:
    """It did while a counter was left."""
    wake = left(card("Wake", "item", on_death(temporary(1))), temporary=1)
    hand = [to_t1("Blow", "destroy"), to_t1("Stroke", "destroy")]
    duel = a_duel(board=[wake, creature("Hare"), creature("Mouse")], hand=hand)

    duel.play("Blow", choose=["Hare"])
    assert duel.hand(0) == 2
    duel.to("first main", turn=0)
    assert duel.counters("Wake") == {"temporary": 0}
    before = duel.hand(0)
    duel.play("Stroke", choose=["Mouse"])
    assert duel.hand(0) == before - 1


def test_an_activated_one_before_and_after_the_fall() -> None:
    """Used in the phase before the counter falls, it stands; later it is refused."""
    bow = left(card("Bow", "item", pings(temporary(1))), temporary=1)
    duel = a_duel(board=[bow])

    duel.to("preparation", turn=0)
    assert duel.counters("Bow") == {"temporary": 1}
    duel.use("Bow")
    assert duel.life(1) == 19
    duel.pass_()
    duel.to("first main", turn=0)

    assert duel.counters("Bow") == {"temporary": 0}
    assert duel.life(1) == 19


@pytest.mark.parametrize(("value", "life"), [("happens", 19), ("stops", 20)])
def test_d13_what_was_paid_for(value: str, life: int) -> None:
    """D13: it happens though its last counter goes while it waits in the queue; or not."""
    bow = left(card("Bow", "item", pings(temporary(1))), temporary=1)
    snuff = to_t1("Snuff", "remove counters", word="temporary", owner=1)
    duel = a_duel(board=[bow], theirs=[snuff], options={"D13": value})

    duel.use("Bow", through=False)
    duel.play("Snuff")
    duel.pass_all()

    assert duel.counters("Bow") == {"temporary": 0}
    assert duel.life(1) == life


@pytest.mark.parametrize(("value", "drawn"), [("happens", 1), ("stops", 0)])
def test_d20_an_automatic_one_in_the_queue(value: str, drawn: int) -> None:
    """D20: as D13, for what came into the queue by itself."""
    wake = left(card("Wake", "item", on_death(temporary(1))), temporary=1)
    snuff = to_t1("Snuff", "remove counters", word="temporary", owner=1)
    duel = a_duel(
        board=[wake, creature("Hare")],
        hand=[to_t1("Blow", "destroy")],
        theirs=[snuff],
        options={"D20": value},
    )

    duel.play("Blow", choose=["Hare"], through=False)
    duel.pass_()
    duel.pass_()
    assert duel.queue == ["Wake"]
    duel.play("Snuff", choose=["Wake"])
    duel.pass_all()

    assert duel.hand(0) == drawn


def test_what_came_at_the_start_of_the_phase_is_not_taken_back_by_the_fall() -> None:
    """D20: its condition was met while a counter was left."""
    bell = left(card("Bell", "item", at_start(temporary(1))), temporary=1)
    duel = a_duel(board=[bell])

    duel.to("draw", turn=0)
    duel.decide(0)
    duel.to("draw", turn=0)

    assert duel.counters("Bell") == {"temporary": 0}
    assert duel.hand(0) == 2
