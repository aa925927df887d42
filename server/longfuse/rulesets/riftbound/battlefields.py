"""Battlefields' abilities: whose they are, and what a battlefield sees of a combat (187.6).

Owns what follows from a battlefield that nobody controls: the turn player puts its abilities on the
chain and chooses for them, but "you" in their words is nobody. And the events that say who controls
or contests one; what changes that is in `showdown.py`, `cleanup.py` and `commits.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import asking, looking
from longfuse.rulesets.riftbound.state import Battlefield
from longfuse.timing.messages import Happened
from longfuse.timing.references import NOBODY, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


def responsible(duel: Duel, controller: Seat) -> Seat:
    """187.6.b: who sees to an ability: its controller, or else the turn player."""
    return duel.turn_player() if controller == NOBODY else controller


def facts(controller: Seat) -> tuple[tuple[str, Any], ...]:
    """What a chain item keeps of a controller: only that there is none."""
    return (("uncontrolled", True),) if controller == NOBODY else ()


def speaker(item: ChainItem) -> Seat:
    """187.6.c: who "you" is in the words of an item."""
    return NOBODY if item.facts and dict(item.facts).get("uncontrolled") else item.controller


def combat_begins(duel: Duel, place: str) -> list[Happened]:
    """ "When you attack here", "when you defend here": told once to the battlefield itself."""
    field = duel.battlefield(place)
    showdown = duel.showdown
    if field is None or showdown is None or not duel.game.subscriptions.about(field.ref):
        return []
    present = {asking.controller(duel, ref) for ref in looking.units_at(duel, place)}
    return [
        duel.game.happened(event, subjects=(field.ref,), player=seat, clause="459.2")
        for event, seat in (("attacked", showdown.attacker), ("defended", showdown.defender))
        if seat in present
    ]


# ---------------------------------------------------------------- who controls it, as it is told
# Nothing may wait for these (187.3.d); what does for control waits for a conquer.


def contested(duel: Duel, field: Battlefield, seat: Seat) -> Happened:
    """A player contests a battlefield; nobody (any more), if `seat` says so."""
    if seat == NOBODY:
        return duel.game.happened("contest ended", subjects=(field.ref,), clause="323.8.a")
    return duel.game.happened("contested", subjects=(field.ref,), player=seat, clause="187.3.a.1")


def controlled(duel: Duel, field: Battlefield, seat: Seat, clause: str) -> Happened:
    """A player controls a battlefield now, or nobody does."""
    event = "battlefield lost" if seat == NOBODY else "battlefield taken"
    return duel.game.happened(event, subjects=(field.ref,), player=seat, clause=clause)
