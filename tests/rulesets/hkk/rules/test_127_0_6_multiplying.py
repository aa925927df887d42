"""127.0.6: sources add counters, but never again once their number has fallen to zero."""

from __future__ import annotations

import pytest

from rulesets.hkk.cards import card, creature, delayed, left, strengthens, temporary, to_t1
from rulesets.hkk.duels import a_duel

pytestmark = pytest.mark.rule("127.0.6")

WOLF = creature("Wolf", 3, 3)


@pytest.mark.parametrize("kind", ["delayed", "temporary"])
def test_with_one_left_some_may_be_added(kind: str) -> None:
    """Then they fall as ever."""
    gate = delayed(1) if kind == "delayed" else temporary(1)
    fuse = left(card("Fuse", "building", strengthens(gate)), **{kind: 1})
    add = to_t1("Lengthen", "place counters", word=kind, amount=2)
    duel = a_duel(board=[fuse, WOLF], hand=[add])

    duel.play("Lengthen", choose=["Fuse"])
    assert duel.counters("Fuse") == {kind: 3}
    duel.to("draw", turn=0)
    assert duel.counters("Fuse") == {kind: 2}


def test_doubling() -> None:
    """As many again as there are."""
    fuse = left(card("Fuse", "building", strengthens(delayed(3))), delayed=3)
    duel = a_duel(board=[fuse, WOLF], hand=[to_t1("Twice", "double counters", word="delayed")])

    duel.play("Twice", choose=["Fuse"])

    assert duel.counters("Fuse") == {"delayed": 6}


@pytest.mark.parametrize(("kind", "damage"), [("delayed", 5), ("temporary", 3)])
@pytest.mark.parametrize("verb", ["place counters", "double counters"])
def test_zero_is_a_one_way_door(kind: str, damage: int, verb: str) -> None:
    """A ripe delayed effect stays ripe, one that is over stays over."""
    gate = delayed(1) if kind == "delayed" else temporary(1)
    fuse = left(card("Fuse", "building", strengthens(gate)), **{kind: 0})
    add = to_t1("Lengthen", verb, word=kind, amount=2)
    duel = a_duel(board=[fuse, WOLF], hand=[add])

    duel.play("Lengthen", choose=["Fuse"])

    assert duel.counters("Fuse") == {kind: 0}
    assert duel.damage("Wolf") == damage
    assert duel.count("counter placed") == 0


def test_it_is_told_why_none_went_on_it() -> None:
    """With the clause, for whoever asks why nothing happened."""
    fuse = left(card("Fuse", "building", strengthens(delayed(1))), delayed=0)
    add = to_t1("Lengthen", "place counters", word="delayed", amount=2)
    duel = a_duel(board=[fuse], hand=[add])

    duel.play("Lengthen", choose=["Fuse"])

    (refused,) = (m for m in duel.game.log.events if m.event == "counter refused")
    assert refused.clause == "127.0.6"
    assert duel.game.rules.sentence(refused, None) == (
        "No delayed counter goes on P1's Fuse (by Lengthen): their number has fallen to zero"
        " (127.0.6)."
    )
