"""Counters: rule 127's, from their placing to the fall of the last one.

Owns every way in which their number changes: by the rules when a card is played (127.0.0), by the
rules in the preparation phase (127.0.1), by a source that removes (127.0.5) or adds some (127.0.6).
Whether an ability works is read from them in `asking.py`; nothing is told to the ability.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.rulesets.hkk import asking
from longfuse.rulesets.hkk.definition import FALL, Definition
from longfuse.rulesets.hkk.state import Permanent
from longfuse.timing.messages import Happened, Proposed
from longfuse.timing.references import Ref, Seat
from longfuse.timing.windows import Key

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

CLAUSE = re.compile(r"127[\d.]*\d")

# ---------------------------------------------------------------- 127.0.0: on playing


def on_arrival(definition: Definition, *, bare: bool) -> dict[str, Any]:
    """The fields of a permanent that arrives: X counters of each kind its text names, or none.

    This is not an ability of anything: it asks for no permission (127.0.7) and cannot be doubled.
    """
    if bare:
        return {}
    kinds = tuple(kind for kind, _ in definition.gates)
    return {"counters": definition.gates, "entered_with": kinds}


def told_on_arrival(duel: Duel, ref: Ref, seat: Seat) -> list[Happened]:
    """D19: whether those who watch for counters being put on something see these. By "both" they
    are told after replacements have been offered (`play.enter`)."""
    if duel.option("D19") != "triggers":
        return []
    value: Permanent = duel.game.store.values[ref]
    return [
        duel.game.happened(
            "counter placed",
            subjects=(ref,),
            player=seat,
            amount=number,
            facts={"kind": kind, "rule": True},
            clause="127.0.0",
        )
        for kind, number in value.counters
    ]


def give(duel: Duel, ref: Ref, gates: tuple[tuple[str, int], ...], clause: str) -> list[Happened]:
    """Counters that come with an ability: by copying, or with a gained one (D4). A kind whose last
    counter has fallen stays where it is (127.0.6)."""
    happened = []
    for kind, number in gates:
        value: Permanent = duel.game.store.values[ref]
        if kind in value.entered_with:
            continue
        duel.game.change(
            ref,
            counters=value.with_count(kind, value.count(kind) + number),
            entered_with=(*value.entered_with, kind),
        )
        facts = {"kind": kind, "rule": True}
        happened.append(
            duel.game.happened(
                "counter placed", subjects=(ref,), amount=number, facts=facts, clause=clause
            )
        )
    return happened


# ---------------------------------------------------------------- 127.0.1, 127.0.2: the phase


def falling(duel: Duel, seat: Seat) -> tuple[tuple[Ref, str], ...]:
    """What one falls off in a preparation phase of `seat`: permanents with their kinds."""
    values = duel.game.store.values
    return tuple(
        (ref, kind)
        for ref in duel.game.board.zone("board")
        if values[ref].counters and asking.controller(duel, ref) == seat
        for kind, number in values[ref].counters
        if number > 0
    )


def is_frozen(duel: Duel, ref: Ref, kind: str) -> bool:
    """127.0.2: whether the abilities with these counters do not function (D14), so none falls."""
    if duel.option("D14") == "any":
        return asking.suppressed(duel, ref, None)
    for ability in duel.definition(ref).abilities:
        if ability.gate is not None and ability.gate.counter == kind:
            return asking.suppressed(duel, ref, ability)
    return "" in asking.lost(duel, ref)


# ---------------------------------------------------------------- 127.0.5, 127.0.6: sources


def why_not_add(duel: Duel, ref: Ref, kind: str) -> str:
    """Why a source cannot put more of these counters on a permanent; "" if it can."""
    value = duel.game.store.values.get(ref)
    if not isinstance(value, Permanent) or value.zone != "board":
        return "it is not in play"
    if asking.forbidden(duel, "receive counters", None, ref) is not None:
        return "no counters may be put on it (127.0.7)"
    if value.count(kind) > 0:
        return ""
    if kind in value.entered_with:
        return "their number has fallen to zero (127.0.6)"
    return "" if duel.option("D15") == "allowed" else "it entered without any (127.0.6)"


def refused(duel: Duel, ref: Ref, kind: str, source: Ref | None) -> Happened:
    """That a source could not put counters on a permanent, with the clause that forbade it."""
    why = why_not_add(duel, ref, kind)
    found = CLAUSE.search(why)
    return duel.game.happened(
        "counter refused",
        subjects=(ref,),
        source=source,
        facts={"kind": kind, "why": why},
        clause=found[0] if found else "",
    )


def stayed(duel: Duel, ref: Ref, kind: str, seat: Seat) -> Happened:
    """That none fell in the phase, since the permanent's abilities do not function."""
    return duel.game.happened(
        "counter stayed", subjects=(ref,), player=seat, facts={"kind": kind}, clause="127.0.2"
    )


def commit_place(duel: Duel, proposal: Proposed) -> list[Happened]:
    """Put counters on a permanent; by the rules (D19 "both") their number becomes the amount."""
    ref, kind = proposal.subjects[0], str(proposal.facts["kind"])
    is_rule = bool(proposal.facts.get("rule"))
    if not is_rule and why_not_add(duel, ref, kind):
        return []
    value: Permanent = duel.game.store.values[ref]
    number = proposal.amount if is_rule else value.count(kind) + proposal.amount
    duel.game.change(ref, counters=value.with_count(kind, number))
    return [_told(duel, "counter placed", proposal, proposal.amount, kind, "127.0.6")]


def commit_remove(duel: Duel, proposal: Proposed) -> list[Happened]:
    """Take counters off a permanent; what follows from the last one follows at once (127.1.1,
    127.2.1)."""
    ref, kind = proposal.subjects[0], str(proposal.facts["kind"])
    value = duel.game.store.values.get(ref)
    if not isinstance(value, Permanent) or not value.count(kind):
        return []
    taken = min(value.count(kind), proposal.amount)
    if taken <= 0:
        return []
    left = value.count(kind) - taken
    duel.game.change(ref, counters=value.with_count(kind, left))
    clause = "127.0.1" if proposal.facts.get("rule") else "127.0.5"
    happened = [_told(duel, "counter removed", proposal, taken, kind, clause)]
    if not left:
        duel.game.installed.close(Key("counters", (ref, kind)))
        happened.append(_last(duel, proposal, kind))
    return happened


def _last(duel: Duel, proposal: Proposed, kind: str) -> Happened:
    """The last one has gone: it is another clause that decides what follows."""
    fell = msgspec.structs.replace(proposal, clause="")
    return _told(duel, FALL, fell, 0, kind, _beginning(duel, proposal, kind))


def _beginning(duel: Duel, proposal: Proposed, kind: str) -> str:
    """The clause by which what these counters held back begins, or what they kept up ceases.

    127.1.1 speaks of the preparation phase; of a source that took the last one only 127.1 does.
    """
    if kind not in ("delayed", "temporary"):
        return "127.0.7"
    gated = (
        ability.kind
        for ability in duel.definition(proposal.subjects[0]).abilities
        if ability.gate is not None and ability.gate.counter == kind
    )
    sort = next(gated, "")
    if kind == "temporary":
        return {"": "127.2", "triggered": "127.2.2", "activated": "127.2.2"}.get(sort, "127.2.1")
    if sort in ("triggered", "activated"):
        return "127.1.2" if sort == "triggered" else "127.1.3"
    return "127.1.1" if sort and proposal.facts.get("rule") else "127.1"


def _told(
    duel: Duel, event: str, proposal: Proposed, number: int, kind: str, clause: str
) -> Happened:
    return duel.game.happened(
        event,
        subjects=proposal.subjects[:1],
        player=proposal.player,
        source=proposal.source,
        amount=number,
        facts={"kind": kind, "rule": bool(proposal.facts.get("rule"))},
        clause=proposal.clause or clause,
    )
