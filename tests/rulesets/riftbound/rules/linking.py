"""Linked delayed abilities that several tests of 390.5 use, as nodes."""

from __future__ import annotations

from typing import Any

from longfuse.abilities.ability import Ability, Change, Choice, Create, Do, Duration, Program
from longfuse.abilities.nodes import Objects, Selector, This, When, Who
from rulesets.riftbound.cards import CHOSEN, Placed, unit

AN_ENEMY = Choice("t1", Selector(kinds=("unit",), control="enemy"))


def while_there(of: Objects = CHOSEN) -> Duration:
    """As long as it is in its appropriate zone (390.5.c)."""
    return Duration("while in zone", of=of)


def stronger(of: Objects = CHOSEN) -> Ability:
    """The chosen unit has +2 Might while something stays in its appropriate zone."""
    return Ability(
        kind="passive",
        changes=(Change("might", of=CHOSEN, amount=2),),
        window=while_there(of),
    )


def when_played(name: str, might: int, *choices: Choice, body: Any, **fields: Any) -> Placed:
    """A unit that does something when it is played."""
    trigger = Ability(
        kind="triggered",
        when=When("card played", subject=This()),
        program=Program(choices=choices, body=body),
    )
    return unit(name, might, "", trigger, **fields)


def jailer(name: str = "Jailer") -> Placed:
    """When it is played, banish an enemy unit; when you hold, it goes back to its owner's hand."""
    return when_played(
        name,
        3,
        AN_ENEMY,
        body=(
            Do("banish", what=CHOSEN),
            Create(
                Ability(
                    kind="triggered",
                    when=When("held", player=Who()),
                    uses=1,
                    program=Program(body=(Do("return", what=CHOSEN),)),
                    window=while_there(),
                )
            ),
        ),
    )
