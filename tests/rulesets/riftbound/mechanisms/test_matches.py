"""The games of a match: battlefields are chosen and used once; the loser says who begins (486)."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.actors import InlineHost
from longfuse.game.entries import Decision, Interruption, Refused
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets import catalogue
from longfuse.rulesets.catalogue import SeatSetup
from longfuse.rulesets.riftbound import entry
from longfuse.rulesets.riftbound.decks import shipped_decks

NAMES = ("Lamp Keepers", "Cinder Crews")
FIELDS = [list(shipped_decks()[name].battlefields) for name in NAMES]


def begun(options: dict[str, Any], seed: str = "match") -> Game:
    """A game of two decks that ship, at its first prompt."""
    seats = tuple(SeatSetup(f"P{seat}", name) for seat, name in enumerate(NAMES, 1))
    game = entry.create(seats, host=InlineHost(), key=key_of_seed(seed), options=options)
    game.start()
    return game


def decide(game: Game, answer: int | tuple[int, ...]) -> None:
    """Answer the open prompt."""
    assert game.prompt is not None
    game.advance(Decision(game.prompt.seat, game.prompt.id, answer))


def labels(game: Game) -> tuple[int, str, list[str]]:
    """Who is asked, what kind of thing, and among what."""
    assert game.prompt is not None
    return game.prompt.seat, game.prompt.kind, [item.label for item in game.prompt.items]


def following(last: Game, loser: int | None) -> dict[str, Any]:
    """The options of the next game, when a seat has given up, or with None both have agreed."""
    kind = "agreed draw" if loser is None else "concede"
    last.advance(Interruption(kind, loser))  # type: ignore[arg-type]
    return catalogue.next_options("riftbound", {"R1": "zone", "first": 0}, last)


def fields(game: Game) -> list[str]:
    """The battlefields in play, by seat."""
    board = game.board
    cards = [board.card(ref) for ref in board.zone("board")]
    found = {one.owner: one.name for one in cards if one.definition.type == "battlefield"}
    return [found[seat] for seat in sorted(found)]


@pytest.mark.rule("486.5")
def test_each_player_chooses_a_battlefield_that_no_one_sees_before() -> None:
    """One after the other, and both come into play together."""
    game = begun(catalogue.next_options("riftbound", {"first": 0}, None))
    assert labels(game) == (0, "battlefield", FIELDS[0])
    decide(game, 2)
    assert labels(game) == (1, "battlefield", FIELDS[1])
    shown = repr(game.view(1)) + repr(game.view("spectator")) + repr(game.frames(1))
    assert not any(name in shown for name in FIELDS[0])
    decide(game, 1)
    assert fields(game) == [FIELDS[0][2], FIELDS[1][1]]
    assert labels(game)[1] == "mulligan"


@pytest.mark.rule("486.5", "486.6", "116")
def test_a_battlefield_comes_once_and_the_loser_says_who_begins() -> None:
    """In game two there are two to choose from, in game three one, which nobody is asked for."""
    first = begun(catalogue.next_options("riftbound", {"first": 0}, None))
    decide(first, 2)
    decide(first, 1)
    second = begun(following(first, loser=1))
    assert second.options["R1"] == "zone"
    assert labels(second) == (0, "battlefield", FIELDS[0][:2])
    decide(second, 0)
    decide(second, 0)
    assert labels(second) == (1, "first player", ["You", "P1"])
    decide(second, 1)
    assert labels(second)[:2] == (0, "mulligan")
    third = begun(following(second, loser=0))
    assert labels(third) == (0, "first player", ["You", "P2"])
    assert fields(third) == [FIELDS[0][1], FIELDS[1][2]]


def test_after_a_draw_chance_says_who_begins() -> None:
    """Nobody has lost; a game that ends before its battlefields come in has used none."""
    first = begun(catalogue.next_options("riftbound", {}, None))
    options = following(first, loser=None)
    assert "chooser" not in options
    assert options["used"] == [[], []]
    starters = set()
    for seed in range(12):
        game = begun({**options, "used": [FIELDS[0][:2], FIELDS[1][:2]]}, str(seed))
        starters.add(labels(game)[0])
    assert starters == {0, 1}


@pytest.mark.parametrize(
    "options",
    [
        {"match": 1},
        {"chooser": 2},
        {"chooser": True},
        {"used": "Breakwater"},
        {"used": [["Breakwater"]]},
        {"used": [["Breakwater"], [3]]},
    ],
)
def test_options_of_a_match_are_checked(options: dict[str, Any]) -> None:
    """Each is refused by its name."""
    with pytest.raises(Refused, match=next(iter(options))):
        begun(options)
