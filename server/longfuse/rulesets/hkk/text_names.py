"""Names of cards in both languages, where a text speaks of a card by its name (tokens).

Owns the table from the shipped set files; a name that is not in it is the same in both languages.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

SETS = Path(__file__).parent / "sets"


@lru_cache(maxsize=1)
def _pairs() -> tuple[dict[str, str], dict[str, str]]:
    """English by Hungarian name, and the other way round."""
    english: dict[str, str] = {}
    for path in sorted(SETS.glob("*.toml")):
        for fields in tomllib.loads(path.read_text("utf-8")).get("card", []):
            if fields.get("name_hu"):
                english[fields["name_hu"]] = fields["name"]
    return english, {name: other for other, name in english.items()}


def english() -> Mapping[str, str]:
    """The names of the shipped cards as programs have them, by their Hungarian names."""
    return _pairs()[0]


def hungarian(name: str) -> str:
    """A card's name in Hungarian."""
    return _pairs()[1].get(name, name)
