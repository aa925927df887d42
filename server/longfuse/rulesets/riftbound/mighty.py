"""Becoming Mighty: a unit's Might goes from less than 5 to 5 or more (706-711).

Owns that event. It is looked for in every cleanup, and only while something waits for it: a unit
that is Mighty when it is first seen has not become so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound import asking, looking
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

EVENT = "became mighty"
_KEY = ("mighty",)


def look(duel: Duel) -> Steps[None]:
    """Tell of the units that have become Mighty since the last cleanup (709)."""
    if not duel.game.subscriptions.live.get(EVENT):
        duel.game.store.put(_KEY, None)
        return
    before: dict[Ref, bool] = dict(duel.game.store.get(_KEY) or ())
    units = duel.split.of("unit")
    now = {ref: asking.might(duel, ref) >= looking.MIGHTY for ref in units}
    if now == before:
        return
    duel.game.store.put(_KEY, tuple(now.items()) or None)
    became = [ref for ref, is_mighty in now.items() if is_mighty and before.get(ref) is False]
    if became:
        yield from duel.game.announce(
            *(
                duel.game.happened(
                    EVENT, subjects=(ref,), player=asking.controller(duel, ref), clause="709"
                )
                for ref in became
            )
        )
