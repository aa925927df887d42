"""Numbers: why what is shown of an object is not what is printed on it.

Owns the fields `printed_might`, `printed_keywords` and `changes` of entities. They are worked out
only where something differs, by the same steps that make the shown number (`asking`), so printed
and parts always add up to it. They depend on what Might, keywords and control depend on, and on
which objects the viewer sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from longfuse.abilities.evaluate import amount
from longfuse.game.parts import Part, summed, told
from longfuse.rulesets.riftbound import asking
from longfuse.rulesets.riftbound.state import Permanent
from longfuse.timing.messages import ask
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.game.rules import Keys
    from longfuse.rulesets.riftbound.duel import Duel

_LOST = ask("no abilities")
_GIVEN = ask("ability")
_SCORE = ask("victory score")


def changed(duel: Duel, ref: Ref, value: Permanent, key: Keys) -> dict[str, Any]:
    """The fields about an object with a state; none where it is as printed."""
    found: dict[str, Any] = {}
    parts: list[Part] = []
    definition = duel.definition(ref)
    if value.type == "unit":
        shown = asking.might(duel, ref)
        if shown != definition.might:
            found["printed_might"] = definition.might
            parts += _might(duel, ref, shown)
    if value.zone == "board":
        if value.type == "unit" and asking.keywords_of(duel, ref) != definition.keyword_amounts:
            found["printed_keywords"] = dict(definition.keyword_amounts)
            parts += asking.keyword_parts(duel, ref)
        parts += _others(duel, ref, value)
    if parts:
        found["changes"] = told(duel.game, parts, key)
    return found


def _might(duel: Duel, ref: Ref, shown: int) -> list[Part]:
    """The steps to the Might that is shown: those of the last time that the layers were gone
    through (471), in which the unit had that Might already."""
    duel.guesses[ref] = shown
    try:
        parts = asking.might_parts(duel, ref)
    finally:
        del duel.guesses[ref]
    left = shown - int(duel.definition(ref).might) - summed(parts)
    if left:
        rule = "not below 0" if not shown and left > 0 else "layers"
        parts.append(Part("might", left, rule=rule, clause="" if rule != "layers" else "471"))
    return parts


def _others(duel: Duel, ref: Ref, value: Permanent) -> Iterator[Part]:
    """Abilities taken and given, and who controls it."""
    live = duel.game.subscriptions.live
    if live.get(_LOST):
        for record, _, _ in asking.answers(duel, "no abilities", ref):
            yield Part("abilities", record=record, lost=True)
    if live.get(_GIVEN):
        for record, change, _ in asking.answers(duel, "ability", ref):
            says = duel.words(change.ability) if change.ability is not None else ""
            yield Part("ability", record=record, says=says)
    if asking.controller(duel, ref) != value.controller:
        yield Part("controller", record=asking.controlling(duel, ref, value.control_stamp)[-1])


def score_parts(duel: Duel) -> list[Part]:
    """194: what changes the points that win."""
    if not duel.game.subscriptions.live.get(_SCORE):
        return []
    return [
        Part("points", amount(change.amount, scope), record)
        for record, change, scope in asking.answers(duel, "victory score", None)
    ]


def goal(duel: Duel, shown: int, printed: int, key: Keys) -> dict[str, Any]:
    """The fields about the points that win, of which `printed` is what the format says."""
    if shown == printed:
        return {"points": shown}
    parts = told(duel.game, score_parts(duel), key)
    return {"points": shown, "printed_points": printed, "changes": parts}
