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
    parts: list[Fields] = entity.get("parts", [])
    for number in NUMBERS:
        if number in entity and f"printed_{number}" in entity:
            amounts = [part["amount"] for part in parts if part["of"] == number]
            assert entity[f"printed_{number}"] + sum(amounts) == entity[number], entity
            assert amounts
        else:
            assert not any(part["of"] == number for part in parts), entity
    if "printed_keywords" in entity:
        assert_keywords(entity, parts)
    for part in parts:
        assert part.get("rule") or part.get("source"), part
        assert part.get("rule") or part["until"], part
    return parts


def assert_keywords(entity: Fields, parts: list[Fields]) -> None:
    """Say that printed keywords and the parts, in their order, make the shown ones."""
    printed = entity["printed_keywords"]
    have = dict(printed) if isinstance(printed, Mapping) else dict.fromkeys(printed, 0)
    for part in parts:
        if part["of"] != "keyword":
            continue
        if part.get("lost"):
            have.pop(part["word"], None)
        else:
            have[part["word"]] = have.get(part["word"], 0) + part["amount"]
    assert sorted(have) == entity["keywords"], entity
    amounts = {word: number for word, number in have.items() if number > 1}
    assert amounts == entity.get("keyword_amounts", {}), entity
