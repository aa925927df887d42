"""The lethal sum in hkk: what a seat is warned of before it passes."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Do, Program
from longfuse.abilities.nodes import Who
from longfuse.rulesets.hkk.definition import define
from rulesets.hkk.cards import Placed, creature, to_t1
from rulesets.hkk.duels import Playing, a_duel
from rulesets.hkk.test_passing import texts

OPPONENT = Who("opponent")


def says(name: str, text: str) -> Placed:
    """An instant with words; what it does is of no matter here."""
    ability = Ability(kind="spell", program=Program((), (Do("hurt", who=OPPONENT, amount=1),)))
    return Placed(define(name, "instant", text=text, abilities=(ability,)), 0)


def lethal(duel: Playing, seat: int) -> list[str]:
    """What of that kind a seat is warned of now."""
    return texts(duel, seat, "lethal")


@pytest.mark.parametrize(("life", "warns"), [(5, True), (6, False)])
def test_an_attack_on_the_player(life: int, warns: bool) -> None:
    """All who attack the player, with the damage that they have; the attacker is not warned."""
    duel = a_duel(board=[creature("Oak", 2), creature("Elm", 3)], life=(1, life))
    duel.to("combat")
    assert lethal(duel, 1) == []
    duel.attack(("Oak", "P2"), ("Elm", "P2"))

    assert lethal(duel, 1) == ([f"you would lose 5 life and have {life}"] if warns else [])
    assert lethal(duel, 0) == []


def test_an_attack_on_a_creature_takes_no_life() -> None:
    """Nor does one whose attacker or target has left meanwhile."""
    board = [creature("Oak", 9), creature("Foe", owner=1).at("guard")]
    duel = a_duel(hand=[to_t1("Blow", "destroy")], board=board, life=(20, 1))
    duel.to("combat")
    duel.attack(("Oak", "Foe"))
    assert lethal(duel, 1) == []
    duel.play("Blow", choose=["Foe"])

    assert duel.game.view(1).entities["combat"]["attacks"] == []
    assert lethal(duel, 1) == []


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("Your opponent loses 4 life.", 4),
        ("Delayed effect 3: Your opponent loses 4 life.", 4),
        ("Deal 3 damage to a creature or player.", 3),
        ("Az ellenfeled veszítsen 4 életpontot.", 4),
        ("Okozz 3 sebzést egy játékosnak.", 3),
        ("Deal damage to your opponent equal to its life.", 9),
        ("Deal 3 damage to a creature.", 0),
        ("A creature gets +9 damage until end of turn.", 0),
        ("Gain 9 life.", 0),
    ],
)
def test_what_a_card_in_the_queue_takes(text: str, lost: int) -> None:
    """By its words, in either language; what has no number takes all."""
    for life in (lost, lost + 1):
        duel = a_duel(hand=[says("Word", text)], life=(20, life or 1))
        duel.play("Word", through=False)
        is_lethal = 0 < lost == life or "equal" in text
        assert bool(lethal(duel, 1)) is is_lethal
        assert lethal(duel, 0) == []


def test_attacks_and_the_queue_are_added_up() -> None:
    """Neither alone would do it."""
    duel = a_duel(
        hand=[says("Word", "Your opponent loses 2 life.")], board=[creature("Oak", 3)], life=(20, 5)
    )
    duel.to("combat")
    duel.attack(("Oak", "P2"))
    assert lethal(duel, 1) == []
    duel.play("Word", through=False)

    assert lethal(duel, 1) == ["you would lose 5 life and have 5"]
