"""Stand-ins: abilities and copies on the chain as objects that words can refer to.

An ability has no card. So that it can be chosen, countered and looked up like a spell, a stand-in
from a small pool has its stay on the chain: each use is a new residency, so an old reference never
means a later ability. A copy of a spell is a token with the spell's own text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.game import chain as listed
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound.definition import Definition, blank
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

ABILITY = blank("Ability", "ability", 0)


def arrive(duel: Duel) -> Ref:
    """A stand-in's new stay on the chain."""
    return listed.stand_in(duel.game, ABILITY)


def copied(duel: Duel, definition: Definition, seat: Seat) -> Ref:
    """A copy of a spell comes onto the chain."""
    card = duel.game.board.new_card(definition, seat, token=True)
    return duel.game.arrive(card.id, "chain")


def item_of(duel: Duel, ref: Ref) -> ChainItem | None:
    """The chain item of an object that is on the chain now."""
    return listed.item_of(duel.game, ref)


def name(duel: Duel, ref: Ref) -> str:
    """What an ability is called: by its source."""
    item = item_of(duel, ref)
    return f"{item.source.card}'s ability" if item is not None else "an ability"
