"""A pool of test cards with all six combinations, and with what acts on counters."""

from __future__ import annotations

from longfuse.abilities.ability import Ability, Change, Choice, Do, Program
from longfuse.abilities.nodes import Attached, Each, Named, Selector, This
from longfuse.rulesets.hkk.definition import Definition
from rulesets.hkk.cards import (
    T1,
    YOU,
    Placed,
    at_start,
    card,
    creature,
    delayed,
    draws,
    in_preparation,
    instant,
    on_death,
    one,
    pings,
    strengthens,
    suppresses,
    temporary,
    to_t1,
)

ENEMIES = Each(Selector(kinds=("creature",), control="enemy"))


def _timed(number: int) -> list[Placed]:
    return [
        creature(f"Plain {number}", number, number + 1),
        creature(f"Late {number}", number, number + 1, strengthens(delayed(number))),
        creature(f"Brief {number}", number, number + 2, on_death(temporary(number))),
        card(f"Gift {number}", "building", draws(None, delayed(number)), cost=number),
        card(f"Bow {number}", "building", pings(temporary(number))),
        card(f"Bell {number}", "item", in_preparation(delayed(number))),
        card(f"Dawn {number}", "item", at_start(temporary(number)), pings(delayed(number))),
    ]


def _acting() -> list[Placed]:
    second = Choice("t2", Selector(kinds=("permanent",)))
    on = Program(choices=(one("creature"),))
    stronger = Change("damage", of=Attached(This(), to_it=False), amount=1)
    return [
        to_t1("Hasten", "remove counters", word="delayed", amount=1),
        to_t1("Snuff", "remove counters", word="temporary"),
        to_t1("Lengthen", "place counters", word="temporary", amount=2),
        to_t1("Twice", "double counters", word="delayed"),
        to_t1("Lure", "control", who=YOU),
        to_t1("Blow", "destroy"),
        card("Hush", "skill", suppresses(ENEMIES)),
        instant(
            "Recall",
            Do("play", what=T1, who=YOU),
            choices=(one("card", zone="discard", owner="friendly"),),
        ),
        instant("Mirror", Do("copy", what=T1, to_objects=Named("t2")), choices=(one(), second)),
        instant("Nay", Do("prevent", what=T1), choices=(one("card", zone="chain"),)),
        card(
            "Whetstone",
            "enchantment",
            Ability(kind="spell", program=on),
            Ability(kind="passive", changes=(stronger,)),
        ),
    ]


POOL: tuple[Definition, ...] = tuple(
    placed.definition for placed in (*_timed(1), *_timed(2), *_timed(3), *_acting())
)
