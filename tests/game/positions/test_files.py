"""Files that are wrong are refused whole, with everything that is wrong in them."""

from __future__ import annotations

import random
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from longfuse.game.positions import Outcome, run_file
from longfuse.rulesets.riftbound.position import POSITIONS

RULESETS = {"riftbound": POSITIONS}
HELD = Path(__file__).parents[2] / "positions" / "riftbound"

HEAD = """
id = "p"
title = "t"
ruleset = "riftbound"
"""
CARDS = """
[[card]]
name = "Pebble Toss"
type = "spell"
text = "Deal 1 to a unit."
[[card]]
name = "Oak Porter"
type = "unit"
might = 5
text = ""
[[object]]
ref = "A"
card = "Pebble Toss"
zone = "hand"
owner = "P1"
[[object]]
ref = "X"
card = "Oak Porter"
zone = "base"
owner = "P2"
"""


def run(folder: Path, text: str) -> Outcome:
    path = folder / "p.toml"
    path.write_text(text, "utf-8")
    return run_file(path, RULESETS)


def test_a_file_that_holds(tmp_path: Path) -> None:
    """The outcome names the file's clauses."""
    text = f"""{HEAD}
rules = ["417"]
{CARDS}
[[step]]
do = "play"
seat = "P1"
object = "A"
choose = ["X"]
[[step]]
do = "pass until empty"
expect.X = {{ damage = 1 }}
"""
    outcome = run(tmp_path, text)

    assert (outcome.result, outcome.id, outcome.clauses) == ("holds", "p", ("417",))


def test_a_step_that_does_not_hold_is_told(tmp_path: Path) -> None:
    """The first one: its number, what was expected there, what was found."""
    text = f"""{HEAD}{CARDS}
[[step]]
do = "play"
seat = "P1"
object = "A"
choose = ["X"]
[[step]]
do = "pass until empty"
expect.X = {{ damage = 2, zone = "base" }}
"""
    outcome = run(tmp_path, text)

    assert (outcome.result, outcome.step) == ("fails", "2")
    assert outcome.expected == {"X": {"damage": 2}}
    assert outcome.found == {"X": {"damage": 1}}


def test_a_card_that_cannot_be_compiled(tmp_path: Path) -> None:
    """It is unreadable: never counted as failed."""
    text = (HEAD + CARDS).replace("Deal 1 to a unit.", "Frobnicate a unit.") + '[[step]]\ndo = "x"'
    outcome = run(tmp_path, text.replace('do = "x"', 'do = "pass until empty"'))

    assert outcome.result == "unreadable"
    assert "Pebble Toss" in outcome.errors[0]


def test_all_errors_are_listed(tmp_path: Path) -> None:
    """Each with where it is, and what is allowed there."""
    text = f"""{HEAD}{CARDS}
colour = "red"
[[object]]
ref = "X"
card = "No Such Card"
zone = "the moon"
owner = "P3"
[[step]]
do = "play"
seat = "P1"
object = "Q"
chose = ["X"]
[[step]]
do = "dance"
[[step]]
expect.Y = {{ zone = "base" }}
expect.X = {{ mood = "good" }}
expect.phase = "breakfast"
expect.happened = {{ "sun rose" = {{ X = 1 }} }}
"""
    text = text.replace('colour = "red"', "")
    outcome = run(tmp_path, 'colour = "red"\n' + text)
    told = "\n".join(outcome.errors)

    assert outcome.result == "error"
    for wrong in (
        "“colour”", "“X” is taken", "No Such Card", "the moon", "“P3”", "“Q” is no ref", "“chose”",
        "“dance”", "“Y” is no ref", "“mood”", "“breakfast”", "“sun rose”",
    ):  # fmt: skip
        assert wrong in told, wrong
    assert "step 1, “object”" in told
    assert "allowed: " in told


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("id = ", "not a TOML file"),
        ('id = "p"\nruleset = "chess"', "no ruleset “chess”"),
        (HEAD, "“step” is missing"),
    ],
)
def test_files_that_are_no_positions(tmp_path: Path, text: str, word: str) -> None:
    """Whatever a file holds, it is answered with a sentence."""
    outcome = run(tmp_path, text)

    assert outcome.result == "error"
    assert word in outcome.errors[0]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """Its path stands for its id."""
    outcome = run_file(tmp_path / "none.toml", RULESETS)

    assert (outcome.result, outcome.id) == ("error", "none")


def test_any_tables_are_answered(tmp_path: Path) -> None:
    """Files that hold, with values swapped for others: an outcome each time, never an exception."""
    paths = sorted(HELD.glob("*.toml"))
    source = random.Random(7)
    for number in range(150):
        data = tomllib.loads(source.choice(paths).read_text("utf-8"))
        _spoil(data, source)
        outcome = run(tmp_path, _toml(data))
        assert outcome.result in ("holds", "fails", "error", "unreadable"), number


JUNK: tuple[Any, ...] = ("junk", -1, 7, True, [], {}, ["X"], {"a": 1}, "P1", "BF1", 3.5, [[]])


def _spoil(data: Any, source: random.Random) -> None:
    places = [place for place in _places(data) if place]
    place = source.choice(places)
    at = data
    for key in place[:-1]:
        at = at[key]
    if source.random() < 0.3:
        del at[place[-1]]
    else:
        at[place[-1]] = deepcopy(source.choice(JUNK))


def _places(data: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [before]
    if isinstance(data, dict):
        items = list(data.items())
    elif isinstance(data, list):
        items = list(enumerate(data))
    else:
        return found
    for key, value in items:
        found += _places(value, (*before, key))
    return found


def _toml(value: Any) -> str:
    """A table as TOML, everything below the top inline."""
    return "\n".join(f"{_quoted(key)} = {_inline(one)}" for key, one in value.items())


def _inline(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, list):
        return f"[{', '.join(_inline(one) for one in value)}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_quoted(k)} = {_inline(v)}' for k, v in value.items())} }}"
    return str(value)


def _quoted(text: str) -> str:
    kept = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{kept}"'
