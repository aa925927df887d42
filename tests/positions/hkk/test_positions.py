"""Every position file of this folder holds."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from longfuse.game.positions import run_file
from longfuse.rulesets.hkk.position import POSITIONS

FILES = sorted(Path(__file__).parent.glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_holds(path: Path) -> None:
    """What the file expects is what the game does."""
    outcome = run_file(path, {"hkk": POSITIONS})

    told = (outcome.step, outcome.expected, outcome.found, outcome.errors)
    assert outcome.result == "holds", told


def test_each_has_its_own_name() -> None:
    """A file is called after its id."""
    ids = [tomllib.loads(path.read_text("utf-8"))["id"] for path in FILES]

    assert ids == [path.stem for path in FILES]
