"""Numbers: why what is shown of an object is not what is printed on it.

Owns the fields `printed_damage`, `printed_life`, `printed_keywords` and `parts` of an object's
entity. They are worked out only where something differs, by the same steps that make the shown
number (`asking`), so printed and parts always add up to it. They are the same for all viewers: what
each may know of them is for `game.parts` to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from longfuse.game.parts import Part, cut_off
from longfuse.game.passives import answers
from longfuse.rulesets.hkk import asking
from longfuse.rulesets.hkk.state import Permanent
from longfuse.timing.messages import ask
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

_LOST = ask("no abilities")
_GIVEN = ask("ability")


def changed(
    duel: Duel, ref: Ref, value: Permanent, shown: dict[str, Any]
) -> tuple[dict[str, Any], tuple[Part, ...]]:
    """The fields about an object in play, and the parts; none where it is as printed.

    shown: its other fields.
    """
    found: dict[str, Any] = {}
    parts: list[Part] = []
    definition = duel.definition(ref)
    if definition.type == "creature":
        for word in ("damage", "life"):
            printed = int(getattr(definition, word))
            if shown[word] != printed:
                found[f"printed_{word}"] = printed
                made_of = asking.number_parts(duel, ref, word)
                parts += cut_off(word, made_of, shown[word] - printed)
        printed_keywords = sorted(definition.keywords)
        if shown["keywords"] != printed_keywords:
            found["printed_keywords"] = printed_keywords
            parts += asking.keyword_parts(duel, ref)
    if shown["controller"] != value.controller:
        parts.append(Part("controller", record=asking.controlling(duel, ref)[-1]))
    live = duel.game.subscriptions.live
    if live.get(_LOST) or live.get(_GIVEN):
        parts += _abilities(duel, ref)
    return found, tuple(parts)


def _abilities(duel: Duel, ref: Ref) -> Iterator[Part]:
    """Abilities taken and given."""
    for record, sort in asking.losses(duel, ref):
        clause = "127.0.2" if sort in ("", "delayed", "temporary") else ""
        yield Part("abilities", record=record, word=sort, lost=True, clause=clause)
    for record, change, _ in answers(duel, "ability", ref):
        says = duel.words(change.ability) if change.ability is not None else ""
        yield Part("ability", record=record, says=says)
