"""Moving: the standard move of units between base and battlefields (446-449).

Owns which units may move, where to, and the move itself. Moves by effects are in `verbs.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.game.game import TakenBack
from longfuse.game.parts import forbidden_by
from longfuse.game.questions import Question, Steps, default_some, refusable
from longfuse.rulesets.riftbound import actions, asking, entering, looking
from longfuse.rulesets.riftbound.state import base, is_battlefield
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


def why_not(duel: Duel, seat: Seat, ref: Ref) -> str:
    """Why a unit can't take a standard move now; "" if it can."""
    if duel.permanent(ref).exhausted:
        return "state: it is exhausted"
    record = asking.forbidden(duel, "move", seat, ref)
    if record is not None:
        return forbidden_by(duel.game, record, seat)
    if not destinations(duel, seat, ref):
        return "location: there is no place that it may move to"
    return ""


def destinations(duel: Duel, seat: Seat, ref: Ref) -> list[str]:
    """Where a unit may move: base to battlefield and back; between battlefields with Ganking."""
    here = duel.permanent(ref).place
    if not is_battlefield(here):
        found = [field.place for field in duel.battlefields()]
    else:
        found = [base(seat)]
        if asking.has_keyword(duel, ref, "Ganking") or asking.permitted(
            duel, "move between battlefields", seat, ref
        ):
            found += [field.place for field in duel.battlefields() if field.place != here]
    return [place for place in found if not _barred(duel, seat, ref, place)]


def _barred(duel: Duel, seat: Seat, unit: Ref, place: str) -> bool:
    """A place that an effect bars; a unit that can't attack can't go where it would (459)."""
    field = duel.battlefield(place)
    if field is not None and asking.forbidden(duel, "attack", seat, unit) is not None:
        if any(asking.controller(duel, other) != seat for other in looking.units_at(duel, place)):
            return True
    ref = field.ref if field is not None else None
    return ref is not None and asking.forbidden(duel, "move to", seat, ref) is not None


def standard_move(duel: Duel, seat: Seat, refs: tuple[Ref, ...]) -> Steps[None]:
    """Exhaust units and move them to one place at once; it can't be answered while they move."""
    chosen = yield from _which(duel, seat, refs)
    places = [
        place
        for place in destinations(duel, seat, chosen[0])
        if all(place in destinations(duel, seat, ref) for ref in chosen)
    ]
    if not places:
        raise TakenBack
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="target",
        text="Where do they move?",
        items=tuple(entering.place_option(duel, place) for place in places),
        clause="446",
        default=0,
    )
    place = yield from duel.game.ask(question)
    duel.game.play_stands()
    yield from actions.status(duel, "exhaust", chosen, seat)
    yield from actions.move(duel, chosen, place, player=seat)


def _which(duel: Duel, seat: Seat, refs: tuple[Ref, ...]) -> Steps[tuple[Ref, ...]]:
    units = looking.permanents_of(duel, seat, "unit")
    options = tuple(refusable(_unit_at(duel, ref), ref, why_not(duel, seat, ref)) for ref in units)
    question = Question(
        id=0,
        seat=seat,
        shape="some",
        kind="target",
        text="Which units move?",
        items=options,
        least=1,
        most=len(refs),
        clause="446",
        default=default_some(options, 1),
    )
    chosen: tuple[Ref, ...] = yield from duel.game.ask(question)
    return chosen


def _unit_at(duel: Duel, ref: Ref) -> str:
    return f"{duel.card_name(ref)} ({entering.place_name(duel, duel.permanent(ref).place)})"
