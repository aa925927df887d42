"""The seat's number never matters: every position holds with the seats swapped."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from longfuse.game.positions.file import read
from longfuse.game.positions.running import Runner
from longfuse.rulesets.hkk.position import POSITIONS

FILES = sorted(Path(__file__).parent.glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_holds_with_the_seats_swapped(path: Path) -> None:
    """Running it raises where a step does not hold."""
    data = swapped(tomllib.loads(path.read_text("utf-8")))
    data["start"] = {"turn": "P2", **data.get("start", {})}

    Runner(POSITIONS, read(data, POSITIONS)).run()


def swapped(value: Any) -> Any:
    """A value with each seat's name replaced by the other's, keys included."""
    if isinstance(value, dict):
        return {swapped(key): swapped(one) for key, one in value.items()}
    if isinstance(value, list):
        return [swapped(one) for one in value]
    if isinstance(value, str):
        return re.sub(r"\bP([12])\b", lambda found: f"P{3 - int(found[1])}", value)
    return value
