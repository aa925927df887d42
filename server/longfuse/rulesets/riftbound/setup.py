"""Setting up a duel: decks, battlefields, first player, opening hands (111-119, 485).

Owns what a game starts from: legend and chosen champion in their zones, one battlefield each, decks
in a random order, opening hands. A deck without legend and champion is played all the same: that is
the house format of tests and demonstrations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound import actions, mulligan
from longfuse.rulesets.riftbound.definition import Definition
from longfuse.rulesets.riftbound.state import Player
from longfuse.timing.references import NOBODY, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

OPENING_HAND = 4


class Deck(msgspec.Struct, frozen=True):
    """What a player brings (103): Main Deck, Rune Deck, battlefields, and but for house decks a
    legend and a chosen champion.

    battlefields: one of them is used, at random (485.5); `battlefield` where there are none.
    """

    name: str
    main: tuple[Definition, ...]
    runes: tuple[Definition, ...]
    battlefield: Definition
    legend: Definition | None = None
    champion: Definition | None = None
    battlefields: tuple[Definition, ...] = ()


class Setup:
    """How a duel begins.

    names, decks: by seat. first: who starts (None: at random). resume: for positions, what to do
    instead of beginning at the first turn. victory_score: 0 is the rules' 8.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        decks: tuple[Deck, ...],
        *,
        first: Seat | None = None,
        victory_score: int = 0,
        resume: Callable[[Duel], Steps[None]] | None = None,
    ) -> None:
        self.names = names
        self.decks = decks
        self.first = first
        self.second: Seat = NOBODY
        self.victory_score = victory_score
        self.resume = resume


def set_up(duel: Duel) -> Steps[Seat]:
    """Put everything where a game starts; the first player's seat is returned."""
    setup = duel.setup
    for seat, name in enumerate(setup.names):
        duel.game.start_seat(Player(seat=seat, name=name))
    for seat, deck in enumerate(setup.decks):
        _lay_out(duel, seat, deck)
    if setup.resume is not None:
        return setup.first or 0
    first = setup.first if setup.first is not None else duel.game.random(2, "first player")
    setup.second = duel.opponent(first)
    for seat in (first, setup.second):
        duel.game.shuffle(f"deck:{seat}", seat)
        duel.game.shuffle(f"runes:{seat}", seat)
    for seat in (first, setup.second):
        yield from actions.draw(duel, seat, OPENING_HAND)
    for seat in (first, setup.second):
        yield from mulligan.mulligan(duel, seat)
    return first


def _lay_out(duel: Duel, seat: Seat, deck: Deck) -> None:
    field = duel.game.board.new_card(_battlefield(duel, seat, deck), seat)
    duel.game.move_card(field.id, "board", place=f"bf:{seat + 1}", controller=NOBODY)
    if deck.legend is not None:
        legend = duel.game.board.new_card(deck.legend, seat)
        duel.game.move_card(legend.id, "board", place=f"legend:{seat}", controller=seat)
    if deck.champion is not None:
        champion = duel.game.board.new_card(deck.champion, seat)
        duel.game.move_card(champion.id, f"champion:{seat}")
    for definition in deck.main:
        card = duel.game.board.new_card(definition, seat)
        duel.game.arrive(card.id, f"deck:{seat}")
    for definition in deck.runes:
        card = duel.game.board.new_card(definition, seat)
        duel.game.arrive(card.id, f"runes:{seat}")


def _battlefield(duel: Duel, seat: Seat, deck: Deck) -> Definition:
    """485.5: one of those that the player brought; the others are not used in this game."""
    brought = deck.battlefields
    if len(brought) < 2:
        return brought[0] if brought else deck.battlefield
    return brought[duel.game.random(len(brought), "battlefield", seat)]
