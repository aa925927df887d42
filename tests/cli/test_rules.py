"""`longfuse rules`: which clauses of a rule book there are, and which tests cover them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from journal.games import use_toy
from longfuse.cli import main

TESTS = """
import pytest

@pytest.mark.rule("1.1", "1.2")
def test_points(): ...

@pytest.mark.rule("1.1")
@pytest.mark.parametrize("n", [1])
def test_more_points(n): ...

@pytest.mark.rule("2.1")
class TestEnd:
    def test_goal(self): ...
    def helper(self): ...

def test_unmarked(): ...
"""

Ran = tuple[int, str, str]
Runs = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runs:
    """Run the command, with the toy's clauses: its code, and what it printed on both streams."""
    use_toy(monkeypatch)

    def call(*flags: object) -> Ran:
        code = main(["rules", *map(str, flags)])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def marked_tests(tmp_path: Path) -> Path:
    """A folder of tests in which most clauses of the toy are marked."""
    folder = tmp_path / "tests" / "rulesets" / "toy" / "rules"
    folder.mkdir(parents=True)
    (folder / "test_points.py").write_text(TESTS)
    (folder / "test_fuse.py").write_text(
        "import pytest\npytestmark = [pytest.mark.rule('1.3')]\nasync def test_fuse(): ...\n"
    )
    return tmp_path / "tests"


def test_rules_lists_clauses_with_their_tests(marked_tests: Path, run: Runs) -> None:
    """Marks of functions, classes and modules count; what has none is told, with code 1."""
    ran = run("--tests", marked_tests, "--json")

    told = json.loads(ran[1])
    assert ran[0] == 1
    tests = {one["clause"]: one["tests"] for one in told["clauses"]}
    points = "rules/test_points.py::test_points"
    assert tests["1.1"] == [points, "rules/test_points.py::test_more_points"]
    assert tests["1.2"] == [points]
    assert tests["1.3"] == ["rules/test_fuse.py::test_fuse"]
    assert tests["2.1"] == ["rules/test_points.py::TestEnd::test_goal"]
    assert told["uncovered"] == ["2.2"]


def test_rules_for_people(marked_tests: Path, run: Runs) -> None:
    """The same in lines; with every clause covered the code is 0."""
    more = marked_tests / "rulesets" / "toy" / "rules" / "test_conceding.py"
    more.write_text("import pytest\n@pytest.mark.rule('2.2')\ndef test_it(): ...\n")

    code, out, _ = run("--tests", marked_tests)

    assert code == 0
    assert "5 clauses, 0 without a test" in out


def test_rules_says_where_no_tests_are(
    tmp_path: Path, run: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installation has none; the clauses are listed all the same."""
    monkeypatch.setattr("longfuse.cli.rules.BESIDE", tmp_path / "none")

    code, out, _ = run()

    assert code == 0
    assert "name their folder with --tests" in out
    assert json.loads(run("--json")[1])["tests"] is None
    code, _, err = run("--tests", tmp_path / "none")
    assert code == 2
    assert "no such folder" in err
