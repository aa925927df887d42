"""Setting up: decks, first player, opening hands.

Owns what a game starts from: 20 life, no magic points, five cards each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

from longfuse.game.questions import Steps
from longfuse.rulesets.hkk import acting
from longfuse.rulesets.hkk.definition import Definition
from longfuse.rulesets.hkk.state import Player
from longfuse.timing.references import Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

OPENING_HAND = 5


class Deck(msgspec.Struct, frozen=True):
    """What a player brings."""

    name: str
    cards: tuple[Definition, ...]


class Setup:
    """How a game begins.

    names, decks: by seat. first: who starts (None: at random). tokens: what may be made, by name.
    resume: for positions, what to do instead of beginning at the first turn.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        decks: tuple[Deck, ...],
        *,
        first: Seat | None = None,
        tokens: Mapping[str, Definition] | None = None,
        resume: Callable[[Duel], Steps[None]] | None = None,
    ) -> None:
        self.names = names
        self.decks = decks
        self.first = first
        self.tokens = tokens or {}
        self.resume = resume
        self.began: Seat | None = None
        """Who started, once it is set up."""


def set_up(duel: Duel) -> Steps[Seat]:
    """Put everything where a game starts; the first player's seat is returned."""
    setup = duel.setup
    for seat, name in enumerate(setup.names):
        duel.game.start_seat(Player(seat=seat, name=name))
    for seat, deck in enumerate(setup.decks):
        for definition in deck.cards:
            card = duel.game.board.new_card(definition, seat)
            duel.game.arrive(card.id, f"deck:{seat}")
    if setup.resume is not None:
        return setup.first or 0
    first = setup.first if setup.first is not None else duel.game.random(2, "first player")
    setup.began = first
    for seat in (first, duel.opponent(first)):
        duel.game.shuffle(f"deck:{seat}", seat)
    for seat in (first, duel.opponent(first)):
        yield from acting.draw(duel, seat, OPENING_HAND)
    return first
