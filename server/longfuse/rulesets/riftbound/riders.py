"""Leaving the chain, and the riders on it (390.3.a).

Owns how a card leaves the chain: "then recycle it" and "then banish it" replace the leaving of an
item that was finalized, unless its own execution told it to leave. While it was pending they do not
apply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.ability import Ability, Duration, Rewrite
from longfuse.abilities.nodes import Named, When
from longfuse.game.board import BOTTOM, TOP
from longfuse.game.questions import Steps
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import chain
from longfuse.rulesets.riftbound.commits import told, writes
from longfuse.timing.messages import Happened, Proposed
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

ZONES = {"trash": "trash", "recycle": "deck", "banish": "banishment", "hand": "hand"}


def rider(to: str) -> Ability:
    """ "Then recycle it", "then banish it": a delayed replacement about the chain item `rider`."""
    return Ability(
        kind="replacement",
        when=When("leave chain", subject=Named("rider")),
        rewrite=Rewrite("change", facts=(("to", to),)),
        window=Duration("while on chain", of=Named("rider")),
        uses=1,
        text=f"if it would leave the chain, {to} it instead (390.3.a)",
    )


def leave_chain(duel: Duel, item: ChainItem, to: str, own: bool = False) -> Steps[Ref | None]:
    """Take a card's item off the chain. to: "trash", "recycle", "banish", "hand". own: its own
    words.

    A finalized item's leaving is a proposal that riders may replace; a pending one just leaves.
    """
    assert item.card is not None
    if item.state == "pending":
        _go(duel, item, to)
        return None
    proposal = Proposed(
        event="leave chain",
        subjects=(item.card,),
        player=item.controller,
        facts={"to": to, "item": item.id, "own": own},
        clause="390.3.a" if not own else "",
    )
    yield from duel.game.publish(proposal)
    return None


@writes("leave chain")
def _leave_chain(duel: Duel, proposal: Proposed) -> list[Happened]:
    item: ChainItem | None = duel.game.store.get(("item", proposal.facts["item"]))
    if item is None:
        return []
    to = proposal.facts["to"]
    ref = _go(duel, item, to)
    named = {"recycle": "recycled", "banish": "banished", "hand": "returned"}.get(to)
    if named is None:
        return []
    return [told(duel, named, proposal, subjects=(ref,) if ref is not None else ())]


def _go(duel: Duel, item: ChainItem, to: str) -> Ref | None:
    assert item.card is not None
    card = duel.game.board.card(item.card)
    chain.remove(duel, item)
    if card.token:
        duel.game.remove_card(item.card)
        return None
    zone = f"{ZONES.get(to, to)}:{card.owner}"
    return duel.game.move_card(card.id, zone, BOTTOM if to == "recycle" else TOP)
