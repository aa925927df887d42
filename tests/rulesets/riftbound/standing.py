"""Standing a duel somewhere: cards, runes, points and control, then play on from a phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from longfuse.game.game import Game
from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound import turn
from longfuse.rulesets.riftbound.duel import Duel
from longfuse.rulesets.riftbound.entry import rune
from longfuse.timing.calendar import next_turn, reach
from longfuse.timing.references import NOBODY
from rulesets.riftbound.cards import Placed

FIRST_TURN = 3


@dataclass
class Standing:
    """A place in a turn, and how a game is put there."""

    hands: tuple[tuple[Placed, ...], ...]
    board: tuple[Placed, ...]
    trash: tuple[Placed, ...]
    deck: tuple[Placed, ...]
    start: str
    players: tuple[dict[str, Any], ...]
    runes: tuple[tuple[str, ...], ...]
    control: Mapping[str, int] | None

    def __post_init__(self) -> None:
        self.cards: dict[str, int] = {}

    def resume(self, rules: Duel) -> Steps[None]:
        """Put everything where it is, then play on."""
        game = rules.game
        self._pass_time(game)
        self._lay_out(rules)
        for seat, fields in enumerate(self.players):
            game.change_seat(seat, **fields)
        self._give_control(rules)
        if self.start == "main":
            yield from turn.main_from_here(rules, 0)
            yield from turn.take_turn(rules, 0, "ending")
        else:
            yield from turn.take_turn(rules, 0, self.start)

    def _pass_time(self, game: Game) -> None:
        now = game.now
        for number in range(FIRST_TURN):
            now = next_turn(now, number % 2)
        for name, _ in turn.PHASES:
            if name == self.start:
                break
            phase = "beginning" if name == "scoring" else name
            now = reach(now, name, phase=phase, step="")
        game.store.put(("now",), now)

    def _lay_out(self, rules: Duel) -> None:
        game = rules.game
        for seat, domains in enumerate(self.runes):
            for domain in domains:
                made = game.board.new_card(rune(domain), seat)
                game.move_card(made.id, "board", place=f"base:{seat}", controller=seat)
        for hand in self.hands:
            for one in hand:
                game.move_card(self._make(game, one), f"hand:{one.owner}")
        for one in self.trash:
            game.move_card(self._make(game, one), f"trash:{one.owner}")
        for one in reversed(self.deck):
            game.move_card(self._make(game, one), f"deck:{one.owner}")
        for one in self.board:
            controller = one.owner if one.controller is None else one.controller
            place = one.place or f"base:{controller}"
            game.move_card(
                self._make(game, one),
                "board",
                place=place,
                controller=controller,
                **(one.fields or {}),
            )

    def _make(self, game: Game, one: Placed) -> int:
        assert one.definition.name not in self.cards, f"two cards named {one.definition.name}"
        made = game.board.new_card(one.definition, one.owner)
        self.cards[one.definition.name] = made.id
        return made.id

    def _give_control(self, rules: Duel) -> None:
        for field in rules.battlefields():
            self.cards.setdefault(rules.card_name(field.ref), field.ref.card)
            seats = {
                one.owner if one.controller is None else one.controller
                for one in self.board
                if one.place == field.place
            }
            alone = seats.pop() if len(seats) == 1 else NOBODY
            seat = alone if self.control is None else self.control.get(field.place, alone)
            rules.game.change(field.ref, controller=seat)
