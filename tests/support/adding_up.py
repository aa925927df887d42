"""Whether what an entity shows is what is printed and what is listed as changing it.

Reads entities as every client has them, of any ruleset.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Fields = Mapping[str, Any]

NUMBERS = ("might", "damage", "life", "points")


def assert_adds_up(entity: Fields) -> list[Fields]:
    """Say that each number of an entity is explained, keywords included; return what explains."""
    changes: list[Fields] = entity.get("changes", [])
    for number in NUMBERS:
        if number in entity and f"printed_{number}" in entity:
            parts = [part["amount"] for part in changes if part["of"] == number]
            assert entity[f"printed_{number}"] + sum(parts) == entity[number], entity
            assert parts
        else:
            assert not any(part["of"] == number for part in changes), entity
    if "printed_keywords" in entity:
        assert_keywords(entity, changes)
    for part in changes:
        assert part.get("rule") or part.get("source"), part
        assert part.get("rule") or part["until"], part
    return changes


def assert_keywords(entity: Fields, changes: list[Fields]) -> None:
    """Say that printed keywords and the parts, in their order, make the shown ones."""
    printed = entity["printed_keywords"]
    have = dict(printed) if isinstance(printed, Mapping) else dict.fromkeys(printed, 0)
    for part in changes:
        if part["of"] != "keyword":
            continue
        if part.get("lost"):
            have.pop(part["word"], None)
        else:
            have[part["word"]] = have.get(part["word"], 0) + part["amount"]
    assert sorted(have) == entity["keywords"], entity
    amounts = {word: number for word, number in have.items() if number > 1}
    assert amounts == entity.get("keyword_amounts", {}), entity
