"""127.0.0: X counters on successful play; placing them is not an on-play ability."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change, Do, Program, Rewrite
from longfuse.abilities.nodes import Each, Selector, When
from rulesets.hkk.cards import (
    T1,
    YOU,
    card,
    creature,
    delayed,
    instant,
    on_play,
    one,
    strengthens,
    temporary,
    to_t1,
)
from rulesets.hkk.duels import a_duel

pytestmark = pytest.mark.rule("127.0.0")

EMBER = card("Slow Ember", "building", strengthens(delayed(2)))
BLOOM = card("Brief Bloom", "building", strengthens(temporary(3)))


def test_a_delayed_effect_brings_its_counters() -> None:
    """As many as the text says, of its own kind."""
    duel = a_duel(hand=[EMBER])

    duel.play("Slow Ember")

    assert duel.counters("Slow Ember") == {"delayed": 2}
    assert duel.value("Slow Ember").entered_with == ("delayed",)


def test_a_temporary_effect_brings_its_counters() -> None:
    """The same for the other kind."""
    duel = a_duel(hand=[BLOOM])

    duel.play("Brief Bloom")

    assert duel.counters("Brief Bloom") == {"temporary": 3}


def test_they_come_with_the_play_and_not_through_the_queue() -> None:
    """When the permanent is there, they are on it; nothing waits to put them there."""
    duel = a_duel(hand=[EMBER], theirs=[instant("Spark", Do("draw", who=YOU))])

    duel.play("Slow Ember")

    assert duel.queue == []
    assert duel.count("counter placed", "Slow Ember", rule=True) == 1


@pytest.mark.parametrize("more", [1, -1])
def test_what_multiplies_or_cancels_on_play_abilities_does_not_touch_it(more: int) -> None:
    """An on-play draw is doubled or gone; the counters are exactly three."""
    change = Change("on-play count", of=Selector(kinds=("permanent",)), amount=more)
    twice = card("Echo Hall", "skill", Ability(kind="passive", changes=(change,)))
    bloom = card("Brief Bloom", "building", strengthens(temporary(3)), on_play(Do("draw", who=YOU)))
    duel = a_duel(hand=[bloom], board=[twice])

    duel.play("Brief Bloom")

    assert duel.counters("Brief Bloom") == {"temporary": 3}
    assert duel.hand(0) == 1 + more


def test_a_prevented_card_gets_none() -> None:
    """It goes to the discard and was never in play."""
    prevent = instant("Nay", Do("prevent", what=T1), choices=(one("card", zone="chain"),), owner=1)
    duel = a_duel(hand=[EMBER], theirs=[prevent])

    duel.play("Slow Ember", through=False)
    duel.play("Nay")

    assert duel.zone("Slow Ember") == "discard:0"
    assert duel.count("counter placed") == 0
    assert duel.ref("Slow Ember") not in duel.game.store.values


def test_it_happens_though_the_abilities_do_not_function() -> None:
    """What suppresses everything at once does not keep the counters off."""
    change = Change("no abilities", of=Each(Selector(kinds=("building",))))
    hush = card("Hush", "skill", Ability(kind="passive", changes=(change,)))
    duel = a_duel(hand=[EMBER], board=[hush])

    duel.play("Slow Ember")

    assert duel.counters("Slow Ember") == {"delayed": 2}


# ---------------------------------------------------------------- D19


def _watcher() -> Ability:
    when = When("counter placed", subject=Selector(kinds=("building",)))
    return Ability(kind="triggered", when=when, program=Program(body=(Do("draw", who=YOU),)))


def _doubler() -> Ability:
    when = When("place", subject=Selector(kinds=("building",)))
    return Ability(kind="replacement", when=when, rewrite=Rewrite("times", amount=2))


@pytest.mark.parametrize(
    ("value", "drawn", "placed"), [("triggers", 1, 3), ("both", 1, 6), ("none", 0, 3)]
)
def test_d19_who_sees_the_counters_come(value: str, drawn: int, placed: int) -> None:
    """D19: triggers see it, replacements do not; or both do; or neither."""
    board = [card("Tally Post", "item", _watcher()), card("Twin Glass", "item", _doubler())]
    duel = a_duel(hand=[BLOOM], board=board, options={"D19": value})

    duel.play("Brief Bloom")

    assert duel.counters("Brief Bloom") == {"temporary": placed}
    assert duel.hand(0) == drawn


def test_d19_both_may_leave_it_bare() -> None:
    """What puts something else in the counters' place leaves a permanent without them."""
    when = When("place", subject=Selector(kinds=("building",)))
    none = Ability(kind="replacement", when=when, rewrite=Rewrite("prevent"))
    duel = a_duel(hand=[EMBER], board=[card("Sieve", "item", none)], options={"D19": "both"})

    duel.play("Slow Ember")

    assert duel.counters("Slow Ember") == {}
    assert duel.value("Slow Ember").entered_with == ()


# ---------------------------------------------------------------- D1, D2, D3, D16: other ways in


@pytest.mark.parametrize(("value", "expected"), [("counters", {"delayed": 2}), ("bare", {})])
def test_d1_brought_back_from_the_discard(value: str, expected: dict[str, int]) -> None:
    """D1: any way into play is playing it; or only a play of one's own is."""
    back = instant("Recall", Do("play", what=T1, who=YOU), choices=(one("card", zone="discard"),))
    duel = a_duel(hand=[back], discard=[EMBER], options={"D1": value})

    duel.play("Recall")

    assert duel.counters("Slow Ember") == expected


@pytest.mark.parametrize(("value", "expected"), [("bare", {}), ("counters", {"temporary": 2})])
def test_d2_a_token(value: str, expected: dict[str, int]) -> None:
    """D2: a token is made, not played."""
    wisp = creature("Wisp", 1, 1, strengthens(temporary(2)))
    make = instant("Kindle", Do("token", who=YOU, word="Wisp"))
    duel = a_duel(hand=[make], tokens=[wisp], options={"D2": value})

    duel.play("Kindle")

    ref = duel.game.board.zone("board")[-1]
    assert dict(duel.game.store.values[ref].counters) == expected


@pytest.mark.parametrize(("value", "number"), [("text", 3), ("current", 1)])
def test_d3_a_copy(value: str, number: int) -> None:
    """D3: a copy gets the X of the text, or what is on the other now."""
    model = card("Old Fuse", "building", strengthens(delayed(3)))
    aged = model.at("table", counters=(("delayed", 1),), entered_with=("delayed",))
    mimic = instant("Mirror", Do("copy", what=T1, to_objects=Each(Selector(kinds=("building",)))),
                    choices=(one("creature"),))  # fmt: skip
    duel = a_duel(hand=[mimic], board=[aged, creature("Clay")], options={"D3": value})

    duel.play("Mirror", choose=["Clay"])

    assert duel.counters("Clay") == {"delayed": number}
    assert duel.value("Clay").entered_with == ("delayed",)


def test_d16_what_leaves_and_is_played_anew_has_fresh_counters() -> None:
    """D16: counters are on permanents; another stay starts with X."""
    duel = a_duel(
        hand=[to_t1("Gust", "return")],
        board=[EMBER.at("table", counters=(("delayed", 1),), entered_with=("delayed",))],
    )

    duel.play("Gust")
    duel.play("Slow Ember")

    assert duel.counters("Slow Ember") == {"delayed": 2}


def test_what_cancels_on_play_abilities_leaves_nothing_to_multiply() -> None:
    """Together with what doubles them; the counters are exactly three all the same."""
    halls = [
        card(f"Hall {more}", "skill", Ability(kind="passive", changes=(change,)))
        for more in (1, -1)
        for change in (Change("on-play count", of=Selector(kinds=("permanent",)), amount=more),)
    ]
    bloom = card("Brief Bloom", "building", strengthens(temporary(3)), on_play(Do("draw", who=YOU)))
    duel = a_duel(hand=[bloom], board=halls)

    duel.play("Brief Bloom")

    assert (duel.counters("Brief Bloom"), duel.hand(0)) == ({"temporary": 3}, 0)
