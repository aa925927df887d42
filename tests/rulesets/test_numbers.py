"""Every shown number is the printed one and what is listed as changing it, in games of chance."""

from __future__ import annotations

from collections import Counter

import pytest

from longfuse.actors import InlineHost
from longfuse.bots.random import RandomBot
from longfuse.game.entries import Decision
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.catalogue import SeatSetup, load, names
from support.adding_up import assert_adds_up


@pytest.mark.complaint("ui U27")
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
