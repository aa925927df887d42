"""The games of a match: the players begin in turn."""

from __future__ import annotations

from typing import Any

from longfuse.actors import InlineHost
from longfuse.game.entries import Interruption
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets import catalogue
from longfuse.rulesets.catalogue import SeatSetup
from longfuse.rulesets.hkk import entry


def begun(options: dict[str, Any], seed: str) -> Game:
    """A game of the two decks that ship, at its first prompt."""
    seats = tuple(SeatSetup(f"P{n}", name) for n, name in enumerate(entry.decks(), 1))
    game = entry.create(seats, host=InlineHost(), key=key_of_seed(seed), options=options)
    game.start()
    return game


def starter(game: Game) -> int:
    """Who begins: the first to act."""
    assert game.prompt is not None
    return game.prompt.seat


def test_players_begin_in_turn_whoever_has_won() -> None:
    """The first game's beginner is drawn, and the table's options go on."""
    began = set()
    for seed in range(12):
        last = begun(catalogue.next_options("hkk", {"D1": "bare"}, None), str(seed))
        first = starter(last)
        began.add(first)
        for number, loser in enumerate((0, 0), 1):
            last.advance(Interruption("concede", loser))
            options = catalogue.next_options("hkk", {"D1": "bare"}, last)
            last = begun(options, f"{seed}.{number}")
            assert last.options["D1"] == "bare"
            assert starter(last) == (first + number) % 2
    assert began == {0, 1}
