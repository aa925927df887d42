"""Replacing: what riftbound's replacement effects do to a proposal (367-375).

Owns who chooses among several, the order of simultaneous events, and each way of rewriting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.ability import Ability
from longfuse.abilities.scope import Scope
from longfuse.game import replacing
from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound import battlefields, play
from longfuse.timing.messages import Proposed
from longfuse.timing.records import Reason, Record
from longfuse.timing.references import NOBODY, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


def chooser(duel: Duel, proposal: Proposed) -> Seat:
    """372: the affected object's controller, the affected player, or else the turn player."""
    about = proposal.subjects
    seat = duel.controller_of(about[0]) if about else proposal.player
    return seat if seat != NOBODY else duel.turn_player()


def in_order(duel: Duel, proposals: list[Proposed]) -> list[Proposed]:
    """373.1: where several controllers are affected, in turn order."""
    if len(proposals) < 2:
        return proposals
    rank = {seat: number for number, seat in enumerate(duel.seats())}
    return sorted(proposals, key=lambda proposal: rank[chooser(duel, proposal)])


def agrees(duel: Duel, record: Record, scope: Scope) -> Steps[bool]:
    """371: "may": its controller chooses when the event comes; a cost is paid then."""
    ability: Ability = record.ability
    seat = battlefields.responsible(duel, duel.game.controller_of_record(record))
    agreed = yield from play.may(duel, seat, duel.words_of(record), scope, ability.cost)
    if not agreed and record.uses and duel.option("R4") == "used":
        duel.game.installed.end(record.id, Reason.DECLINED)
    return agreed


def rewrite(duel: Duel, record: Record, proposal: Proposed, scope: Scope) -> Steps[Proposed | None]:
    """Apply a replacement to a proposal."""
    if proposal.event == "leave chain" and proposal.facts.get("own"):
        # 390.3.a: leaving was instructed by its own execution.
        return proposal
    return (yield from replacing.rewrite(duel.game, duel, record, proposal, scope))
