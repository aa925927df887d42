"""Scoring: holding and conquering battlefields (467-472).

Owns points from battlefields, each battlefield at most once per player and turn, and the rule about
the last point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound import actions, asking, looking
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


def hold_all(duel: Duel, seat: Seat) -> Steps[None]:
    """315.2.b: the turn player holds every battlefield that they control."""
    for field in duel.battlefields():
        if field.controller == seat:
            yield from _score(duel, seat, field.place, "held")


def conquer(duel: Duel, seat: Seat, place: str) -> Steps[None]:
    """469: control was gained: a conquer, if that battlefield was not scored this turn."""
    yield from _score(duel, seat, place, "conquered")


def _score(duel: Duel, seat: Seat, place: str, event: str) -> Steps[None]:
    player = duel.player(seat)
    field = duel.battlefield(place)
    assert field is not None
    if place in player.scored or asking.forbidden(duel, "score here", seat, field.ref):
        return
    duel.game.change_seat(seat, scored=(*player.scored, place))
    if event == "conquered" and _misses_last_point(duel, seat):
        yield from actions.draw(duel, seat, 1)
    else:
        clause = "469" if event == "conquered" else "468"
        yield from actions.points(
            duel,
            seat,
            1,
            clause,
            conquer=event == "conquered",
            hold=event == "held",
            place=place,
        )
    units = _units(duel, seat, place)
    done = duel.game.happened(
        event,
        subjects=(field.ref, *units),
        player=seat,
        facts={"place": place},
        clause="469" if event == "conquered" else "468",
    )
    yield from duel.game.announce(done)


def _misses_last_point(duel: Duel, seat: Seat) -> bool:
    """470: a conquer gives the last point only if every battlefield was scored this turn."""
    player = duel.player(seat)
    if player.points + 1 < looking.victory_score(duel):
        return False
    return any(field.place not in player.scored for field in duel.battlefields())


def _units(duel: Duel, seat: Seat, place: str) -> tuple[Ref, ...]:
    return tuple(
        ref for ref in looking.units_at(duel, place) if asking.controller(duel, ref) == seat
    )
