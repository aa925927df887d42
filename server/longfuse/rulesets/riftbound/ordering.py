"""Ordering: in which order simultaneous events meet their replacements (373).

Owns the questions about it. Each event is looked at by itself; whose replacement comes first goes
by turn order, and among a player's own by that player's choice. A replacement that can't cover all
that happens at once is offered the choice of what it covers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from longfuse.abilities.ability import Ability
from longfuse.abilities.nodes import Selector, This
from longfuse.abilities.watching import walk
from longfuse.game.publish import accepts
from longfuse.game.questions import Option, Question, Steps
from longfuse.timing.messages import Proposed, would
from longfuse.timing.records import Record
from longfuse.timing.references import Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

Reach = dict[int, tuple[Record, list[Proposed]]]
"""By record: which of the events it could apply to."""


def arrange(duel: Duel, proposals: list[Proposed]) -> Steps[list[Proposed]]:
    """The order in which simultaneous events are looked at."""
    reach = _reach(duel, proposals)
    if not reach:
        return proposals
    ordered: list[Proposed] = []
    for seat in duel.seats():
        own = {
            number: entry
            for number, entry in reach.items()
            if duel.game.controller_of_record(entry[0]) == seat
        }
        for record in (yield from _own_order(duel, seat, own)):
            found = yield from _first_covered(duel, seat, record, own[record.id][1])
            ordered += [proposal for proposal in found if proposal not in ordered]
    return [*ordered, *(proposal for proposal in proposals if proposal not in ordered)]


def _reach(duel: Duel, proposals: list[Proposed]) -> Reach:
    found: Reach = {}
    subscriptions = duel.game.subscriptions
    for proposal in proposals:
        if not subscriptions.live.get(would(proposal.event)):
            continue
        for record in subscriptions.matching(would(proposal.event), proposal.subjects):
            if record.kind == "replacement" and record.id not in proposal.applied:
                if accepts(duel.game, record, proposal):
                    found.setdefault(record.id, (record, []))[1].append(proposal)
    return found


def _own_order(duel: Duel, seat: Seat, own: Reach) -> Steps[list[Record]]:
    """373: a player orders their own replacements, where one of them reaches several events."""
    records = [record for record, _ in own.values()]
    reaches = [tuple(proposal.id for proposal in found) for _, found in own.values()]
    entangled = any(_is_general(record) and len(own[record.id][1]) > 1 for record in records)
    if len(set(reaches)) < 2 or not entangled:
        return records
    question = Question(
        id=0,
        seat=seat,
        shape="order",
        kind="order",
        text="In which order do your replacements apply to what happens at once?",
        items=tuple(
            Option(
                label=duel.game.describe_record(record),
                value=record,
                refs=(record.source.object,) if record.source.object is not None else (),
            )
            for record in records
        ),
        clause="373",
        default=tuple(range(len(records))),
    )
    chosen: tuple[Record, ...] = yield from duel.game.ask(question)
    return list(chosen)


def _first_covered(
    duel: Duel, seat: Seat, record: Record, found: list[Proposed]
) -> Steps[list[Proposed]]:
    """What a replacement applies to first, if it may be used up before it has covered all."""
    if len(found) < 2 or not _may_run_out(record, len(found)):
        return found
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="first",
        text=f"{record.source.card}: which one does it apply to first?",
        items=tuple(
            Option(
                label=duel.game.describe_proposal(proposal),
                value=proposal,
                refs=proposal.subjects[:1],
            )
            for proposal in found
        ),
        source=record.source.card,
        clause="373",
        default=0,
    )
    first: Proposed = yield from duel.game.ask(question)
    return [first, *(proposal for proposal in found if proposal is not first)]


def _is_general(record: Record) -> bool:
    return isinstance(getattr(record.ability.when, "subject", None), Selector)


def _may_run_out(record: Record, events: int) -> bool:
    """Whether it may not be there any more after the first: its uses, points, cost or its
    source.
    """
    ability: Ability = record.ability
    nth: Any = getattr(ability.when, "nth", 0)
    return bool(
        0 < record.uses < events
        or record.points
        or nth
        or ability.once
        or ability.cost is not None
        or any(isinstance(node, This) for node in walk(ability.program))
    )
