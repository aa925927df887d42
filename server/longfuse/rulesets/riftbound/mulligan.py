"""The mulligan: once, before the first turn, each player may trade up to two cards (118).

Owns that question and what follows from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.game.board import BOTTOM
from longfuse.game.questions import Option, Question, Steps
from longfuse.rulesets.riftbound import actions
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

MOST = 2


def mulligan(duel: Duel, seat: Seat) -> Steps[None]:
    """118: set up to two cards aside, draw as many, recycle those in a random order (416.5)."""
    hand = duel.game.board.zone(f"hand:{seat}")
    if not hand:
        return
    aside: tuple[Ref, ...] = yield from duel.game.ask(
        Question(
            id=0,
            seat=seat,
            shape="some",
            kind="mulligan",
            text=f"Which cards do you trade for new ones (up to {MOST})?",
            items=tuple(Option(label=duel.card_name(ref), value=ref, refs=(ref,)) for ref in hand),
            least=0,
            most=min(MOST, len(hand)),
            clause="118",
            public=False,
            default=(),
        )
    )
    duel.game.happened("mulligan", player=seat, amount=len(aside), clause="118")
    if not aside:
        return
    yield from actions.draw(duel, seat, len(aside))
    for ref in actions.random_order(duel, aside, seat):
        duel.game.move_card(ref.card, f"deck:{seat}", BOTTOM)
