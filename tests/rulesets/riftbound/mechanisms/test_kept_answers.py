"""Answers that are kept: none outlives what it was worked out from."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change
from longfuse.abilities.nodes import Attached, Each, Selector, Tally, This, When
from longfuse.timing.messages import Happened
from rulesets.riftbound.cards import gear, unit
from rulesets.riftbound.duels import a_duel

OTHERS_HERE = Selector(kinds=("unit",), place="here", another=True)


@pytest.mark.parametrize("of", [OTHERS_HERE, Each(OTHERS_HERE)])
def test_whom_a_passive_is_about_is_looked_up_again(of: Selector | Each) -> None:
    """What only comes near changes nothing of the unit itself, nor of the passive's record."""
    leads = Ability(kind="passive", changes=(Change("might", of=of, amount=2),))
    duel = a_duel(board=[unit("Oak", 3, place="bf:1"), unit("Captain", 3, "", leads)])
    assert duel["Oak"].might == 3

    duel.move(["Captain"], to="bf:1")

    assert duel["Oak"].might == 5


def test_what_is_attached_is_looked_up_again() -> None:
    """A unit's passive is about the gear of another unit, once that gear is there."""
    of = Attached(Attached(This(), to_it=True), to_it=False)
    leads = Ability(kind="passive", changes=(Change("might", of=of, amount=2),))
    sword = gear("Sword", "[Equip] :rb_energy_1:", might=0)
    duel = a_duel(board=[unit("Oak", 3, "", leads), sword], energy=(1, 0))
    assert duel["Oak"].might == 3

    duel.use("Sword", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].might == 5


def test_what_has_happened_counts_at_once() -> None:
    """Also where nothing is written to the state between the event and the question."""
    grows = Change("might", of=This(), amount=Tally(When("card played")))
    ability = Ability(kind="passive", changes=(grows,))
    duel = a_duel(board=[unit("Oak", 3, "", ability)])
    oak = duel["Oak"]
    assert oak.might == 3
    version = duel.game.store.version

    duel.game.log.add(Happened(event="card played", subjects=(oak.ref,), player=0))

    assert duel.game.store.version == version
    assert oak.might == 4
