"""Experience: gaining and spending XP (728-733).

Owns the two game actions. XP is a player's number, never an object; Level reads it where conditions
are read (824), and what Hunt is short for is with the other keywords (823).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.ability import Do
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound.verbs import number, source_of, verb, who
from longfuse.timing.messages import Happened

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


@verb("xp")
def _gain(duel: Duel, node: Do, scope: Scope) -> Steps[list[Happened]]:
    """730.1: gain experience; there is no limit to it (733)."""
    done = []
    gained = number(node, scope)
    for seat in who(node, scope) if gained > 0 else ():
        duel.game.change_seat(seat, xp=duel.player(seat).xp + gained)
        done.append(
            duel.game.happened(
                "xp gained",
                player=seat,
                amount=gained,
                source=source_of(node, scope),
                clause="730.1",
            )
        )
    if done:
        yield from duel.game.announce(*done)
    return done


@verb("spend xp")
def _spend(duel: Duel, node: Do, scope: Scope) -> Steps[list[Happened]]:
    """730.2: spend experience; who has less than that spends none."""
    done = []
    spent = number(node, scope)
    for seat in who(node, scope):
        have = duel.player(seat).xp
        if 0 < spent <= have:
            duel.game.change_seat(seat, xp=have - spent)
            done.append(duel.game.happened("xp spent", player=seat, amount=spent, clause="730.2"))
    if done:
        yield from duel.game.announce(*done)
    return done
