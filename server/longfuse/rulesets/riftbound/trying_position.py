"""Trying one card out: a position around it, in which whoever is asked can play or use it.

Owns how such a position is laid out: the card in its player's hand and, if it is a permanent, on
the board; enough to pay for anything; units and gear on both sides; trashes with something in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from longfuse.game.game import Game
from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound import turn
from longfuse.rulesets.riftbound.cards import make_card
from longfuse.rulesets.riftbound.definition import Definition, blank, define
from longfuse.rulesets.riftbound.duel import Duel
from longfuse.rulesets.riftbound.entry import FIELD, SEATS, rune
from longfuse.rulesets.riftbound.setup import Deck, Setup
from longfuse.rulesets.riftbound.state import base
from longfuse.rulesets.riftbound.trying import Pick, Pool, Used, Watching, game_of
from longfuse.rulesets.riftbound.vocabulary import DOMAINS
from longfuse.timing.calendar import next_turn, reach
from longfuse.timing.references import Seat

DECK = 20
ENERGY = 12
POWER = 4
HELPS = (
    "Discard 2.",
    "[Reaction]\nStun an enemy unit. Kill it.",
    "[Reaction]\nKill a friendly unit.",
    "[Reaction]\nGive a friendly unit +4 Might this turn.",
    "Ready a friendly unit.",
)
"""Free spells in the hand of the card's player: what many an ability waits for."""
TURNS = 3
"""The turn in which the position stands; it is seat 0's."""


def game(card: Definition, pool: Pool, pick: Pick, key: bytes, used: Used) -> Game:
    """A game that has not started and begins with the position."""
    layout = _Layout(card, pool, pick)
    decks = tuple(layout.deck(seat) for seat in range(SEATS))
    setup = Setup(("Ada", "Bo"), decks, first=0, resume=layout.resume)
    return game_of(Watching(setup, used), key)


@lru_cache(maxsize=1)
def helps() -> tuple[Definition, ...]:
    """The free spells."""
    return tuple(
        define(make_card({"name": f"Help {number}", "type": "spell", "text": text}))
        for number, text in enumerate(HELPS, 1)
    )


class _Layout:
    """One position."""

    def __init__(self, card: Definition, pool: Pool, pick: Pick) -> None:
        self._card = card
        self._pool = pool
        self._pick = pick
        self._units = [one for one in pool.of_type("unit") if "token" not in one.supertypes]

    def deck(self, seat: Seat) -> Deck:
        """Random cards; the card itself where it is a legend or a battlefield."""
        main = [self._one("unit", "spell", "gear") for _ in range(DECK)]
        legends = self._pool.of_type("legend")
        own = self._card if seat == 0 else None
        legend = own if own is not None and own.type == "legend" else self._among(legends)
        is_field = own is not None and own.type == "battlefield"
        fields = self._pool.of_type("battlefield")
        field = own if is_field and own is not None else self._among(fields) or FIELD
        runes = tuple(rune(DOMAINS[number % len(DOMAINS)]) for number in range(12))
        return Deck(f"seat {seat}", tuple(main), runes, field, legend=legend)

    def _among(self, found: Sequence[Definition]) -> Definition | None:
        return found[self._pick(len(found))] if found else None

    def _one(self, *types: str) -> Definition:
        return self._among(self._pool.of_type(*types)) or blank("Nobody", "unit", 3)

    # ------------------------------------------------------------ laying out

    def resume(self, duel: Duel) -> Steps[None]:
        """Lay everything out and play on."""
        self._calendar(duel)
        for seat in duel.seats():
            self._seat(duel, seat)
        self._target(duel)
        for number, field in enumerate(duel.battlefields()):
            duel.game.change(field.ref, controller=number)
        if "Hidden" in self._card.keyword_amounts:
            self._hidden(duel)
        yield from turn.main_actions(duel, 0)
        yield from turn.take_turn(duel, 0, start="ending")

    def _calendar(self, duel: Duel) -> None:
        now, owner = duel.game.now, 0
        for _ in range(TURNS):
            now, owner = next_turn(now, owner), 1 - owner
        for name, phase in _BEFORE:
            now = reach(now, name, phase=phase, step="")
        now = reach(now, "main", phase="main", step="", opens=("phase",))
        duel.game.store.put(("now",), now)

    def _seat(self, duel: Duel, seat: Seat) -> None:
        power = tuple((domain, POWER) for domain in DOMAINS)
        duel.game.change_seat(
            seat, energy=ENERGY, power=power, xp=8, points=self._pick(6), turns=2, finalized=1
        )
        for domain in DOMAINS:
            self._place(duel, rune(domain), seat, base(seat))
        for number in range(3):
            hurt = {"damage": 1} if number == 0 else {"exhausted": number == 1}
            self._place(duel, self._unit(), seat, base(seat), **hurt)
        for number in range(2):
            self._place(duel, self._unit(), seat, f"bf:{seat + 1}", buffs=number)
        self._place(duel, self._one("gear"), seat, base(seat))
        for kind in ("unit", "unit", "spell", "spell", "gear"):
            self._put(duel, self._one(kind), f"trash:{seat}")
        for kind in ("unit", "spell", "spell", "gear"):
            self._put(duel, self._one(kind), f"hand:{seat}")

    def _unit(self) -> Definition:
        """Mostly one that does not die from nothing."""
        one = self._among(self._units) or blank("Nobody", "unit", 3)
        return one if one.might > 1 else blank("Nobody", "unit", 3)

    def _target(self, duel: Duel) -> None:
        card = self._card
        for help_ in helps():
            self._put(duel, help_, "hand:0")
        if card.type not in ("unit", "gear", "spell"):
            return
        for _ in range(2):
            self._put(duel, card, "hand:0")
        if card.type == "unit":
            self._place(duel, card, 0, ("bf:1", base(0))[self._pick(2)])
        if card.type == "gear":
            self._place(duel, card, 0, base(0))
        if card.type == "spell" and "Flow" in card.keyword_amounts:
            self._put(duel, card, "trash:0")

    def _hidden(self, duel: Duel) -> None:
        """The card hidden in an earlier turn where a combat is about to begin."""
        self._place(duel, blank("Intruder", "unit", 3), 1, "bf:1")
        duel.game.change(duel.battlefields()[0].ref, contested_by=1)
        made = duel.game.board.new_card(self._card, 0)
        ref = duel.game.move_card(made.id, "facedown", place="bf:1", controller=0, facedown=True)
        duel.game.change(ref, entered=TURNS - 2)

    def _place(
        self, duel: Duel, definition: Definition, seat: Seat, place: str, **fields: Any
    ) -> None:
        made = duel.game.board.new_card(definition, seat)
        duel.game.move_card(made.id, "board", place=place, controller=seat, **fields)

    def _put(self, duel: Duel, definition: Definition, zone: str) -> None:
        made = duel.game.board.new_card(definition, int(zone[-1]))
        duel.game.move_card(made.id, zone)


_BEFORE = (
    ("awaken", "awaken"),
    ("beginning", "beginning"),
    ("scoring", "beginning"),
    ("channel", "channel"),
    ("draw", "draw"),
)
