"""Advice: the sensible player beats the random one, whichever seat it has."""

from __future__ import annotations

from longfuse.actors import InlineHost
from longfuse.bots.play import Chooser, next_decision
from longfuse.bots.random import RandomBot
from longfuse.bots.sensible import SeatedBot, SensibleBot
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.catalogue import SeatSetup, load_advice
from longfuse.rulesets.hkk import entry

GAMES = 12
ENOUGH = 9


def _winner(number: int) -> bool:
    """Whether the sensible player wins this game."""
    decks = list(entry.decks())
    seats = tuple(SeatSetup(name, decks[(number // 2 + n) % 2]) for n, name in enumerate("AB"))
    seat = number % 2
    game = entry.create(seats, host=InlineHost(), key=key_of_seed(number), options={})
    game.start()
    sensible = SeatedBot(SensibleBot(load_advice("hkk"), number, seat), game)
    bots: list[Chooser] = [RandomBot(number, 0), RandomBot(number, 1)]
    bots[seat] = sensible
    while (decision := next_decision(game, bots)) is not None:
        game.advance(decision)
    assert game.result is not None
    return game.result.winner == seat


def test_it_beats_chance() -> None:
    """Three games of four at least."""
    assert sum(_winner(number) for number in range(GAMES)) >= ENOUGH
