"""Assigning combat damage (460.2.c; 465 in the newer book).

Owns which units must get theirs first, and how much is lethal. Nothing is dealt here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.evaluate import amount
from longfuse.game.publish import accepts
from longfuse.game.questions import Option, Question, Steps
from longfuse.rulesets.riftbound import asking
from longfuse.timing.messages import Proposed, would
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

NEVER = 1_000_000
"""More damage than there is: what is never lethal."""


def assign(duel: Duel, seat: Seat, total: int, targets: list[Ref]) -> Steps[list[tuple[Ref, int]]]:
    """460.2.c: lethal damage to one unit in full before the next; Tank first, Backline last."""
    able = [ref for ref in targets if not asking.forbidden(duel, "be damaged", None, ref)]
    if not able or total <= 0:
        return []
    assigned: list[tuple[Ref, int]] = []
    left = total
    for group in _groups(duel, able):
        needed = {ref: lethal(duel, ref) for ref in group}
        order = list(group)
        if left < sum(needed.values()) and left > 0:
            order = yield from _ask_order(duel, seat, left, group)
        for ref in order:
            number = min(left, needed[ref])
            assigned.append((ref, number))
            left -= number
    if left:
        ref, number = assigned[-1]
        assigned[-1] = (ref, number + left)
    return assigned


def _groups(duel: Duel, refs: list[Ref]) -> list[list[Ref]]:
    first = [ref for ref in refs if asking.has_keyword(duel, ref, "Tank")]
    last = [ref for ref in refs if ref not in first and asking.has_keyword(duel, ref, "Backline")]
    rest = [ref for ref in refs if ref not in first and ref not in last]
    return [group for group in (first, rest, last) if group]


def lethal(duel: Duel, ref: Ref) -> int:
    """The damage that makes it lethal: never less than 1, and what will be prevented on top."""
    needed = max(1, asking.might(duel, ref) - duel.permanent(ref).damage)
    return needed + _prevented(duel, ref, needed)


def _prevented(duel: Duel, ref: Ref, needed: int) -> int:
    """437.5: the Prevent Values of a unit; where all is prevented no amount is lethal."""
    word = would("damage")
    if not duel.game.subscriptions.live.get(word):
        return 0
    proposal = Proposed(
        event="damage", subjects=(ref,), amount=needed, facts={"combat": True}, clause="437.5"
    )
    total = 0
    for record in duel.game.subscriptions.matching(word, (ref,)):
        rewrite = record.ability.rewrite if record.kind == "replacement" else None
        if rewrite is None or rewrite.how != "prevent" or record.ability.optional:
            continue
        if accepts(duel.game, record, proposal):
            if not record.points and rewrite.amount is None:
                return NEVER
            total += record.points or amount(rewrite.amount, duel.scope_of(record, proposal))
    return total


def _ask_order(duel: Duel, seat: Seat, total: int, group: list[Ref]) -> Steps[list[Ref]]:
    options = tuple(
        Option(label=f"{duel.card_name(ref)} (lethal: {lethal(duel, ref)})", value=ref, refs=(ref,))
        for ref in group
    )
    question = Question(
        id=0,
        seat=seat,
        shape="order",
        kind="assign",
        text=f"You assign {total} combat damage: which units get theirs first?",
        items=options,
        clause="460.2.c",
        default=tuple(range(len(options))),
    )
    return list((yield from duel.game.ask(question)))
