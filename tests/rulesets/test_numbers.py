"""Every shown number is the printed one and what is listed as changing it, in games of chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from longfuse.actors import InlineHost
from longfuse.bots.random import RandomBot
from longfuse.game.entries import Decision
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.catalogue import SeatSetup, load, names

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


@pytest.mark.parametrize("ruleset", names())
def test_printed_and_parts_make_what_is_shown(ruleset: str) -> None:
    """After every entry, in every viewer's view; and there is something to explain."""
    rules = load(ruleset)
    decks = list(rules.decks())
    seen: Counter[str] = Counter()
    for seed in range(6):
        seats = tuple(SeatSetup(f"P{seat}", decks[(seed + seat) % len(decks)]) for seat in range(2))
        game = rules.create(seats, host=InlineHost(), key=key_of_seed(seed), options={})
        game.start()
        bots = [RandomBot(f"numbers {seed}", seat) for seat in range(2)]
        for _ in range(250):
            prompt = game.open_prompt
            if prompt is None:
                break
            game.advance(Decision(prompt.seat, prompt.id, bots[prompt.seat].choose(prompt)))
            for viewer in (0, 1, "spectator"):
                entities = game.view(viewer).entities  # type: ignore[arg-type]
                for entity in entities.values():
                    seen.update(part["of"] for part in assert_adds_up(entity))
    assert seen[{"riftbound": "might"}.get(ruleset, "damage")] > 10, seen
