"""Setting up a duel: decks, battlefields, first player, opening hands (111-119, 485, 486).

Owns what a game starts from: legend and chosen champion in their zones, one battlefield each, decks
in a random order, opening hands. In a match the players choose their battlefields, which nobody
sees before all have, and none that was used comes again; else they come at random. A deck without
legend and champion is played all the same: that is the house format of tests and demonstrations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from longfuse.game.questions import Option, Question, Steps
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

    battlefields: one of them is used (485.5, 486.5); `battlefield` where there are none.
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
    instead of beginning at the first turn. victory_score: 0 is the rules' 8. In a match:
    is_match, used: battlefields of the games before, by seat; chooser: who says who starts.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        decks: tuple[Deck, ...],
        *,
        first: Seat | None = None,
        victory_score: int = 0,
        resume: Callable[[Duel], Steps[None]] | None = None,
        is_match: bool = False,
        used: Sequence[Sequence[str]] = (),
        chooser: Seat | None = None,
    ) -> None:
        self.names = names
        self.decks = decks
        self.first = first
        self.second: Seat = NOBODY
        self.victory_score = victory_score
        self.resume = resume
        self.is_match = is_match
        self.used = used or [() for _ in decks]
        self.chooser = chooser
        self.fields: list[str] = []
        """The battlefields of this game by seat, once it is set up."""


def set_up(duel: Duel) -> Steps[Seat]:
    """Put everything where a game starts; the first player's seat is returned."""
    setup = duel.setup
    for seat, name in enumerate(setup.names):
        duel.game.start_seat(Player(seat=seat, name=name))
    fields: list[Definition] = []
    if setup.is_match:
        for seat, deck in enumerate(setup.decks):
            fields.append((yield from _chosen_field(duel, seat, deck)))
    for seat, deck in enumerate(setup.decks):
        field = fields[seat] if fields else _random_field(duel, seat, deck)
        setup.fields.append(field.name)
        _lay_out(duel, seat, deck, field)
    if setup.resume is not None:
        return setup.first or 0
    first = yield from _first(duel)
    setup.second = duel.opponent(first)
    for seat in (first, setup.second):
        duel.game.shuffle(f"deck:{seat}", seat)
        duel.game.shuffle(f"runes:{seat}", seat)
    for seat in (first, setup.second):
        yield from actions.draw(duel, seat, OPENING_HAND)
    for seat in (first, setup.second):
        yield from mulligan.mulligan(duel, seat)
    return first


def _first(duel: Duel) -> Steps[Seat]:
    """116: who starts."""
    setup = duel.setup
    if setup.first is not None:
        return setup.first
    if setup.chooser is None:
        return duel.game.random(2, "first player")
    chooser = setup.chooser
    words = {"You": chooser, setup.names[duel.opponent(chooser)]: duel.opponent(chooser)}
    first: Seat = yield from duel.game.ask(
        Question(
            id=0,
            seat=chooser,
            shape="one",
            kind="first player",
            text="You have lost the game before. Who goes first?",
            items=tuple(Option(label=label, value=seat) for label, seat in words.items()),
            clause="116",
            default=0,
        )
    )
    return first


def _lay_out(duel: Duel, seat: Seat, deck: Deck, ground: Definition) -> None:
    field = duel.game.board.new_card(ground, seat)
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


def _random_field(duel: Duel, seat: Seat, deck: Deck) -> Definition:
    """485.5: one of those that the player brought; the others are not used in this game."""
    brought = deck.battlefields
    if len(brought) < 2:
        return brought[0] if brought else deck.battlefield
    return brought[duel.game.random(len(brought), "battlefield", seat)]


def _chosen_field(duel: Duel, seat: Seat, deck: Deck) -> Steps[Definition]:
    """486.5: one that the player has not used in this match, by choice."""
    left = [one for one in deck.battlefields if one.name not in duel.setup.used[seat]]
    if len(left) < 2:
        return left[0] if left else deck.battlefield
    field: Definition = yield from duel.game.ask(
        Question(
            id=0,
            seat=seat,
            shape="one",
            kind="battlefield",
            text="Which of your battlefields is used in this game?",
            items=tuple(Option(label=one.name, value=one) for one in left),
            clause="486.5",
            public=False,
            default=0,
        )
    )
    return field
