"""The commands serve each ruleset alike: cards written, tried and told, games explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from longfuse.actors import InlineHost
from longfuse.cli.bench_games import Recorded, fill
from longfuse.cli.commands import main
from longfuse.rulesets import catalogue

HKK = ("--ruleset", "hkk")


def test_a_card_in_both_languages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is written as it was given, and can be checked."""
    path = tmp_path / "mine.toml"
    given = [
        *("--type", "creature", "--cost", "2", "--damage", "1", "--life", "2"),
        *("--name-hu", "Lassú dob", "--text", "Delayed effect 2: This gets +2 damage."),
        *("--text-hu", "Késleltetett hatás: 2: Ez a lény +2 sebzést kap."),
    ]

    assert main(["cards", "new", "Slow Drum", *HKK, *given, "--to", str(path)]) == 0
    assert "longfuse play --ruleset hkk --cards" in capsys.readouterr().out
    assert main(["cards", "check", *HKK, str(path)]) == 0
    assert "1 of 1 cards compile" in capsys.readouterr().out


def test_what_a_card_of_the_other_has_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Its types and its numbers alike."""
    assert main(["cards", "new", "Odd", *HKK, "--type", "unit"]) == 1
    assert "no type is called “unit”" in capsys.readouterr().out
    assert main(["cards", "new", "Odd", *HKK, "--type", "skill", "--energy", "2"]) == 1
    assert "no field is called “energy”" in capsys.readouterr().out


def test_what_there_is_instead_of_trying_out(capsys: pytest.CaptureFixture[str]) -> None:
    """The message names a command that plays cards."""
    assert main(["cards", "play", *HKK]) == 2
    assert "longfuse demo --ruleset hkk" in capsys.readouterr().err


def test_a_fall_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the clause by which the counter fell, and the one by which something began or ceased."""
    assert main(["demo", *HKK, "--seed", "3", "--save", str(tmp_path)]) == 0
    game = str(next(tmp_path.glob("*.jsonl")))
    capsys.readouterr()
    assert main(["explain", game]) == 0
    told = capsys.readouterr().out.splitlines()
    falls = [line.split()[0] for line in told if re.search(r"A \w+ counter falls off", line)]
    lasts = [line.split()[0] for line in told if re.search(r"The last \w+ counter has", line)]

    assert main(["explain", game, "--event", falls[0]]) == 0
    assert "[127.0.1]" in capsys.readouterr().out
    assert main(["explain", game, "--event", lasts[0]]) == 0
    assert re.search(r"\[127\.[12](\.\d)?\]", capsys.readouterr().out)
    assert main(["verify", game]) == 0


@pytest.mark.parametrize("name", catalogue.names())
def test_what_only_waits_changes_no_question(name: str) -> None:
    """A recorded game comes out the same with a hundred further abilities waiting."""
    recorded = Recorded(catalogue.load(name), 0)
    game = recorded.begin(InlineHost())
    fill(game, 100, recorded.words)

    for decision in recorded.decisions:
        game.advance(decision)

    assert game.prompt is None
