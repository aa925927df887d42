"""Matches between bots: what `demo --bots` counts."""

from __future__ import annotations

import argparse
import json
from typing import Any

import pytest

from longfuse.actors import InlineHost
from longfuse.cli import demo
from longfuse.cli.hosting import BOTS, Games
from longfuse.cli.local import ruleset_named
from longfuse.cli.matches import Match, lines_of, play_match
from longfuse.cli.output import CommandError
from longfuse.cli.players import answering, pair_of
from longfuse.game.entries import Decision
from longfuse_protocol.views import View, apply


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    demo.arguments(parser)
    return demo.run(parser.parse_args(arguments))


@pytest.fixture(scope="module")
def match() -> Match:
    """Twenty games of the sensible bot against the random one."""
    return play_match(ruleset_named(None), "twenty", ("sensible", "random"), 20)


@pytest.mark.slow
def test_the_sensible_bot_beats_the_random_one(match: Match) -> None:
    """From both seats; the 400 games that the promise is about are a command's."""
    sensible = match.bots["sensible"]

    assert sensible.games_by_seat == {"P1": 10, "P2": 10}
    assert all(sensible.won_by_seat[seat] >= 8 for seat in ("P1", "P2"))
    assert sensible.won + match.bots["random"].won + match.drawn == match.games == 20


@pytest.mark.slow
def test_its_delayed_abilities_act(match: Match) -> None:
    """Most of those that wait do something before they end, far more than by chance."""
    sensible, by_chance = (match.bots[name].delayed for name in ("sensible", "random"))

    assert sensible.share > 0.6
    assert sensible.share > by_chance.share + 0.15
    assert sensible.created >= sensible.acted >= sensible.statements
    idle = sum(sensible.idle.values())
    assert sensible.created == sensible.acted + sensible.open + idle


@pytest.mark.slow
def test_a_match_follows_from_its_seed() -> None:
    """All but the times."""
    first, second = (
        play_match(ruleset_named(None), "same", ("sensible", "sensible"), 2) for _ in range(2)
    )

    assert set(first.bots) == {"sensible 1", "sensible 2"}
    for name, tally in first.bots.items():
        other = second.bots[name]
        assert (tally.won, tally.decisions, tally.delayed) == (
            other.won,
            other.decisions,
            other.delayed,
        )
    assert first.longest_game == second.longest_game


def test_a_match_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """As one object, or in lines."""
    assert run("--bots", "random,random", "--games", "2", "--seed", "s", "--json") == 0
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert run("--bots", "random,random", "--games", "2", "--seed", "s") == 0
    lines = capsys.readouterr().out

    assert printed["games"] == 2
    assert set(printed["bots"]) == {"random 1", "random 2"}
    assert lines.startswith("2 games of ")
    assert "delayed abilities" in lines


def test_lines_name_each_seat(match: Match) -> None:
    """How often each bot won as which player."""
    assert any("as P1" in line and "as P2" in line for line in lines_of(match))


@pytest.mark.parametrize("names", ["sensible", "sensible,clever", "random,random,random"])
def test_two_known_bots_play(names: str) -> None:
    """Anything else is refused by name."""
    with pytest.raises(CommandError, match="--bots"):
        pair_of(names)


async def test_a_server_has_the_same_bot() -> None:
    """It decides as the bot that plays over the wire with frames alone."""
    ruleset = ruleset_named(None)
    seed = 11
    games = Games()
    decks = [games.deck(ruleset.NAME, seat, "") for seat in (0, 1)]
    game = games.create(ruleset.NAME, decks, {}, bytes(32), InlineHost())
    hosted = [BOTS["sensible"](seat, seed) for seat in (0, 1)]
    wired = [answering("sensible", ruleset, f"bot of {seed}", seat) for seat in (0, 1)]
    mirrors = [View(), View()]
    for _ in range(30):
        prompt = game.open_prompt
        assert prompt is not None
        for seat, mirror in enumerate(mirrors):
            apply(mirror, game.frames(seat).changes)
        answer = await hosted[prompt.seat].decide(prompt, game)
        assert wired[prompt.seat](prompt, mirrors[prompt.seat]) == answer
        game.advance(Decision(prompt.seat, prompt.id, answer))
