"""Numbers: why what is shown is not what is printed, of an object or of the points that win.

Owns the fields `printed_might`, `printed_keywords`, `printed_points` and `parts` of entities.
They are worked out only where something differs, by the same steps that make the shown number
(`asking`), so printed and parts always add up to it. An object's parts are the same for all
viewers: what each may know of them is for `game.parts` to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from longfuse.abilities.evaluate import amount
from longfuse.game.parts import Part, cut_off, told
from longfuse.rulesets.riftbound import asking
from longfuse.rulesets.riftbound.state import Permanent
from longfuse.timing.messages import ask
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.game.rules import Keys
    from longfuse.rulesets.riftbound.duel import Duel

_LOST = ask("no abilities")
_GIVEN = ask("ability")
_KEYWORDS = (_LOST, ask("keyword"), ask("no keyword"))
_SCORE = ask("victory score")


def changed(
    duel: Duel, ref: Ref, value: Permanent, shown: dict[str, Any]
) -> tuple[dict[str, Any], tuple[Part, ...]]:
    """The fields about an object with a state, and the parts; none where it is as printed.

    shown: its other fields.
    """
    found: dict[str, Any] = {}
    parts: list[Part] = []
    live = duel.game.subscriptions.live
    if value.type == "unit":
        definition = duel.definition(ref)
        if shown["might"] != definition.might:
            found["printed_might"] = definition.might
            might, made_of = asking.stable_might(duel, ref)
            parts += cut_off("might", made_of, might - int(definition.might))
        if value.zone == "board" and (value.attached_to or any(map(live.get, _KEYWORDS))):
            printed = definition.keyword_amounts
            if asking.keywords_of(duel, ref) != printed:
                found["printed_keywords"] = dict(printed)
                parts += asking.keyword_parts(duel, ref)
    if shown.get("controller", value.controller) != value.controller:
        record = asking.controlling(duel, ref, value.control_stamp)[-1]
        parts.append(Part("controller", record=record))
    if value.zone == "board" and (live.get(_LOST) or live.get(_GIVEN)):
        parts += _abilities(duel, ref)
    return found, tuple(parts)


def _abilities(duel: Duel, ref: Ref) -> Iterator[Part]:
    """Abilities taken and given."""
    for record, _, _ in asking.answers(duel, "no abilities", ref):
        yield Part("abilities", record=record, lost=True)
    for record, change, _ in asking.answers(duel, "ability", ref):
        says = duel.words(change.ability) if change.ability is not None else ""
        yield Part("ability", record=record, says=says)


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
    return {"points": shown, "printed_points": printed, "parts": parts}
