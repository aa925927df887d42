"""Triggering by effect: abilities that trigger though their event did not happen to them again.

Owns that game action. How often a trigger triggers by itself is asked where it becomes pending.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from longfuse.abilities.ability import Ability, Do
from longfuse.abilities.nodes import When
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Steps
from longfuse.game.rules import Trigger
from longfuse.rulesets.riftbound import chain
from longfuse.rulesets.riftbound.verbs import verb, what
from longfuse.timing.messages import Happened

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


@verb("trigger again")
def _trigger_again(duel: Duel, node: Do, scope: Scope) -> Steps[list[Happened]]:
    """ "Activate the conquer effects of units here": what waits for that event triggers."""
    triggers: list[Trigger] = []
    message = scope.message
    for ref in what(node, scope):
        for record in duel.game.subscriptions.about(ref):
            ability: Ability = record.ability
            when = ability.when
            if record.kind != "triggered" or not isinstance(when, When) or when.event != node.word:
                continue
            if not isinstance(message, Happened) or not duel.functions(record):
                continue
            about = msgspec.structs.replace(message, event=node.word)
            triggers.append(Trigger(record, about, duel.game.controller_of_record(record)))
    if triggers:
        yield from chain.add_triggers(duel, triggers)
    return []
