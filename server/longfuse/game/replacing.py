"""Replacing: what a replacement's words do to a proposal, where every ruleset reads them alike.

Owns each way of rewriting: something else instead, the same and more, less of it, more of it, other
facts. Whether a replacement may be applied, and who says so, are a ruleset's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from longfuse.abilities.ability import Ability
from longfuse.abilities.evaluate import amount
from longfuse.abilities.interpreter import Engine, run
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Steps
from longfuse.timing.messages import Proposed
from longfuse.timing.records import Record

if TYPE_CHECKING:
    from longfuse.game.world import World


def rewrite(
    game: World, engine: Engine, record: Record, proposal: Proposed, scope: Scope
) -> Steps[Proposed | None]:
    """Apply a replacement: the changed proposal, None if something else was done, or the same one
    if it changed nothing."""
    ability: Ability = record.ability
    change = ability.rewrite
    assert change is not None, f"a replacement without a rewrite: {record.source.card}"
    match change.how:
        case "instead":
            yield from run(ability.program.body, scope, engine)
            return None
        case "also":
            yield from run(ability.program.body, scope, engine)
            return msgspec.structs.replace(proposal, facts={**proposal.facts})
        case "prevent":
            return (yield from _prevent(game, engine, record, proposal, scope))
        case "times" | "plus":
            return _changed_amount(proposal, change.how, amount(change.amount, scope))
        case "change":
            facts = {**proposal.facts, **dict(change.facts)}
            if facts == proposal.facts:
                return proposal
            return msgspec.structs.replace(proposal, facts=facts)


def _changed_amount(proposal: Proposed, how: str, number: int) -> Proposed:
    total = proposal.amount * number if how == "times" else proposal.amount + number
    total = max(0, total)
    if total == proposal.amount:
        return proposal
    return msgspec.structs.replace(proposal, amount=total)


def _prevent(
    game: World, engine: Engine, record: Record, proposal: Proposed, scope: Scope
) -> Steps[Proposed | None]:
    """Prevent all of it, or an amount; what is prevented has never happened."""
    ability: Ability = record.ability
    if proposal.amount <= 0:
        return proposal
    assert ability.rewrite is not None
    if record.points:
        taken = min(record.points, proposal.amount)
        left = record.points - taken
        if left:
            game.installed.put(msgspec.structs.replace(record, points=left))
        else:
            game.installed.spend(record.id)
    elif ability.rewrite.amount is None:
        taken = proposal.amount
    else:
        taken = min(proposal.amount, amount(ability.rewrite.amount, scope))
    if taken <= 0:
        return proposal
    scope.names["prevented"] = taken
    yield from run(ability.program.body, scope, engine)
    left_over = proposal.amount - taken
    return msgspec.structs.replace(proposal, amount=left_over) if left_over else None
