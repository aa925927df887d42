"""`cards check` and `position run`, on files of a ruleset that ships."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from longfuse.cli import main
from longfuse.cli.position import exit_code
from longfuse.rulesets import catalogue

CARD = """
[[card]]
name = "{name}"
type = "spell"
energy = 1
text = "{text}"
"""
GOOD = CARD.format(name="Late Sting", text="Deal 2 to a unit.")
BAD_TEXT = "Deal 2 to a unit with a hat."
BAD = CARD.format(name="Odd Sting", text=BAD_TEXT)

POSITION = """
id = "{id}"
title = "A sting hurts at once"
ruleset = "riftbound"
rules = ["359"]
{card}
[[card]]
name = "Oak Guard"
type = "unit"
might = 5
[[object]]
ref = "A"
card = "{name}"
zone = "hand"
owner = "P1"
[[object]]
ref = "X"
card = "Oak Guard"
zone = "base"
owner = "P2"
[[step]]
do = "play"
seat = "P1"
object = "A"
choose = ["X"]
[[step]]
do = "pass until empty"
expect.X = {{ damage = {damage} }}
"""


def free(card: str) -> str:
    return card.replace("energy = 1\n", "")


HOLDS = POSITION.format(id="holds", card=free(GOOD), name="Late Sting", damage=2)
FAILS = POSITION.format(id="fails", card=free(GOOD), name="Late Sting", damage=3)
UNREADABLE = POSITION.format(id="unreadable", card=free(BAD), name="Odd Sting", damage=2)
ERROR = (
    HOLDS.replace('"holds"', '"error"')
    .replace('do = "play"', 'do = "fly"')
    .replace('zone = "base"', 'zone = "moon"')
)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """One position file of each result."""
    texts = {"holds": HOLDS, "fails": FAILS, "unreadable": UNREADABLE, "error": ERROR}
    paths = {name: tmp_path / f"{name}.toml" for name in texts}
    for name, path in paths.items():
        path.write_text(texts[name])
    return paths


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The one JSON object on standard output."""
    (line,) = capsys.readouterr().out.splitlines()
    loaded = json.loads(line)
    assert isinstance(loaded, dict)
    return loaded


def test_positions_are_reported_one_by_one(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Each with its result; where a step fails, what was expected and found there."""
    assert main(["position", "run", *map(str, files.values()), "--json"]) == 2

    report = told(capsys)
    results = {one["id"]: one for one in report["files"]}
    assert [results[name]["result"] for name in ("holds", "fails", "unreadable")] == [
        "holds",
        "fails",
        "unreadable",
    ]
    assert report["holds"] == report["fails"] == report["unreadable"] == report["error"] == 1
    assert results["fails"]["step"] == "2"
    assert "3" in str(results["fails"]["expected"])
    assert "2" in str(results["fails"]["found"])
    assert results["holds"]["clauses"] == ["359"]


def test_a_wrong_position_file_is_refused_with_all_its_errors(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Not only the first one."""
    assert main(["position", "run", str(files["error"])]) == 2

    out = capsys.readouterr().out
    assert "fly" in out
    assert "moon" in out


@pytest.mark.parametrize(
    ("name", "code"), [("holds", 0), ("fails", 1), ("error", 2), ("unreadable", 3)]
)
def test_each_result_has_its_exit_code(
    files: dict[str, Path], name: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """And is the first word of its line."""
    assert main(["position", "run", str(files[name])]) == code
    assert capsys.readouterr().out.startswith(name)


@pytest.mark.parametrize(
    ("results", "code"),
    [
        ([], 0),
        (["holds", "unreadable"], 3),
        (["unreadable", "fails", "holds"], 1),
        (["fails", "unreadable", "error"], 2),
    ],
)
def test_the_worst_result_decides(results: list[str], code: int) -> None:
    """Errors before failures, failures before what cannot be read."""
    assert exit_code(results) == code


def test_a_position_file_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Is a wrong file like any other."""
    assert main(["position", "run", str(tmp_path / "none.toml")]) == 2
    assert "No such file" in capsys.readouterr().out


# ---------------------------------------------------------------- cards


def test_a_sound_set_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Code 0 and nothing refused."""
    path = tmp_path / "set.toml"
    path.write_text(GOOD)

    assert main(["cards", "check", str(path), "--json"]) == 0
    report = told(capsys)
    assert (report["cards"], report["compiled"], report["failures"]) == (1, 1, [])


def test_a_refused_card_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The card, line, column and the words at which the compiler stopped; code 1."""
    path = tmp_path / "set.toml"
    path.write_text(GOOD + BAD)
    names = tmp_path / "names.txt"
    names.write_text("# delayed\nOdd Sting\nSomething Else\n")

    assert main(["cards", "check", str(path), "--json", "--delayed", str(names)]) == 1
    report = told(capsys)
    assert (report["cards"], report["compiled"]) == (2, 1)
    assert (report["delayed"], report["delayed_compiled"]) == (1, 0)
    (failure,) = report["failures"]
    assert failure["card"] == "Odd Sting"
    column = failure["column"]
    assert failure["line"] == 1
    assert failure["stopped_at"].split()[0] == BAD_TEXT[column - 1 :].split(".")[0].split()[0]
    assert failure["expected"]

    assert main(["cards", "check", str(path), "--delayed", str(names)]) == 1
    out = capsys.readouterr().out
    assert f"{BAD_TEXT}\n{' ' * (3 + column)}^\n    line 1, column {column}: not understood" in out
    assert "1 of 2 cards compile" in out
    assert "0 of 1 with delayed abilities compile" in out


def test_a_public_list_is_reported_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it has that is not understood is no failure of ours: code 0."""
    path = tmp_path / "list.json"
    card = {"name": "Far Sting", "cardTypes": ["Spell"], "abilityText": "Deal 2 to a hat."}
    path.write_text(json.dumps({"cards": [card, card]}))

    assert main(["cards", "check", str(path), "--json"]) == 0
    report = told(capsys)
    assert (report["cards"], report["compiled"]) == (1, 0)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("set.toml", b"no = [set"),
        ("list.json", b"{"),
        ("list.json", b"[1]"),
        ("list.json", b"{}"),
        ("set.toml", b"\xff"),
        ("set.toml", b"card = 1"),
    ],
)
def test_a_file_that_holds_no_cards_is_told(
    tmp_path: Path, name: str, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, with code 2."""
    path = tmp_path / name
    path.write_bytes(content)

    assert main(["cards", "check", str(path)]) == 2
    assert capsys.readouterr().err.startswith("longfuse: this is no file of cards: ")


@pytest.mark.parametrize("extra", [["--delayed", "none.txt"], []])
def test_a_file_of_cards_that_is_not_there(
    tmp_path: Path, extra: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Is told by its name."""
    (tmp_path / "set.toml").write_text(GOOD)
    path = tmp_path / ("set.toml" if extra else "none.toml")

    assert main(["cards", "check", str(path), *extra]) == 2
    assert "none." in capsys.readouterr().err


def test_cards_of_an_unknown_ruleset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The error names those that there are."""
    assert main(["cards", "check", str(tmp_path), "--ruleset", "whist"]) == 2
    assert "there is no ruleset 'whist'" in capsys.readouterr().err


@pytest.mark.parametrize("name", catalogue.names())
def test_every_ruleset_is_whole(name: str) -> None:
    """What the catalogue lists can be loaded and offers what its port says."""
    ruleset = catalogue.load(name)

    assert name == ruleset.NAME
    assert ruleset.decks()
    assert len(ruleset.rules_version()) == 32
    assert ruleset.clauses()
    assert catalogue.load_positions()[name].name == name
    assert callable(catalogue.load_cards(name).cards_report)
