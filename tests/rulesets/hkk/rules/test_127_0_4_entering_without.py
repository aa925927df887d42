"""127.0.4: what enters without these counters never has the ability."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change, Do
from longfuse.abilities.nodes import Each, Selector
from rulesets.hkk.cards import (
    T1,
    YOU,
    card,
    creature,
    delayed,
    instant,
    one,
    pings,
    strengthens,
    temporary,
    to_t1,
)
from rulesets.hkk.duels import a_duel

pytestmark = pytest.mark.rule("127.0.4")

BARE = instant(
    "Plain Return",
    Do("play", what=T1, who=YOU, word="without counters"),
    choices=(one("card", zone="discard"),),
)


@pytest.mark.parametrize("gate", [delayed(2), temporary(2)])
def test_a_bare_permanent_never_works(gate: object) -> None:
    """Not at once, and not after any number of phases."""
    fuse = card("Fuse", "building", strengthens(gate))  # type: ignore[arg-type]
    duel = a_duel(hand=[BARE], discard=[fuse], board=[creature("Wolf", 3, 3)])

    duel.play("Plain Return")
    assert duel.value("Fuse").entered_with == ()
    assert duel.damage("Wolf") == 3
    duel.to("draw", turn=0)
    duel.to("draw", turn=0)
    assert duel.damage("Wolf") == 3


@pytest.mark.parametrize(("value", "expected"), [("never", {}), ("allowed", {"delayed": 2})])
def test_d15_adding_to_what_entered_with_none(value: str, expected: dict[str, int]) -> None:
    """D15: there is nothing to multiply; or they go on it, in vain."""
    fuse = card("Fuse", "building", strengthens(delayed(2))).at("table")
    add = to_t1("Lengthen", "place counters", word="delayed", amount=2)
    duel = a_duel(hand=[add], board=[fuse, creature("Wolf", 3, 3)], options={"D15": value})

    duel.play("Lengthen", choose=["Fuse"])
    assert duel.counters("Fuse") == expected
    duel.to("draw", turn=0)
    duel.to("draw", turn=0)
    assert duel.damage("Wolf") == 3


@pytest.mark.parametrize(("value", "works"), [("bare", False), ("counters", True)])
def test_d4_an_ability_gained_later(value: str, works: bool) -> None:
    """D4: it brings no counters, so it does not function; or it brings them."""
    gift = Change(
        "ability",
        of=Each(Selector(kinds=("creature",), control="friendly")),
        ability=pings(temporary(2)),
    )
    giver = card("Teacher", "skill", Ability(kind="passive", changes=(gift,)))
    duel = a_duel(hand=[giver, BARE], board=[creature("Wolf", 3, 3)], options={"D4": value})

    duel.play("Teacher")

    assert (duel.reason("Wolf") == "") == works
    assert duel.counters("Wolf") == ({"temporary": 2} if works else {})
