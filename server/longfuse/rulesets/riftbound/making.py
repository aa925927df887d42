"""Making tokens: how one comes to be, and onto the board (177-183, 439).

Owns that action. A token is made on the chain and enters from there as any permanent does, so that
whatever changes how permanents enter changes it, too; from there on it is like any other (182.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound import asking
from longfuse.rulesets.riftbound.definition import Definition
from longfuse.timing.messages import Happened, Proposed, would
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


def make(
    duel: Duel,
    seat: Seat,
    definition: Definition,
    place: str,
    ready: bool | None,
    source: Ref | None,
) -> Steps[list[Happened]]:
    """Make one token of a player's at a place. ready: None as its type enters."""
    game = duel.game
    card = game.board.new_card(definition, seat, token=True)
    ref = game.arrive(card.id, "chain")
    facts = {"card": card.id, "place": place}
    if game.subscriptions.live.get(would("token")):
        token = Proposed(
            event="token", subjects=(ref,), player=seat, source=source, facts=facts, clause="439"
        )
        if not (yield from game.publish(token)):
            game.remove_card(ref)
            return []
    enter = Proposed(
        event="enter",
        subjects=(ref,),
        player=seat,
        source=source,
        facts={
            **facts,
            "exhausted": _exhausted(duel, seat, definition, ref, ready),
            "token": True,
        },
        clause="184",
    )
    happened = yield from game.publish(enter)
    if game.board.is_there(ref):
        game.remove_card(ref)
    return happened


def _exhausted(
    duel: Duel, seat: Seat, definition: Definition, ref: Ref, ready: bool | None
) -> bool:
    if ready is not None:
        return not ready
    if definition.type != "unit":
        return False
    return not any(True for _ in asking.answers(duel, "enters ready", ref, seat))
