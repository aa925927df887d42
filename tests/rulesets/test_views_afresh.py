"""What views keep from step to step is what would be made anew, in games of every ruleset."""

from __future__ import annotations

import random

import pytest

from longfuse.actors import InlineHost
from longfuse.bots.random import RandomBot
from longfuse.game.entries import Decision, Refused, TakeBack
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.catalogue import SeatSetup, load, names


def made_afresh(game: Game) -> dict[object, object]:
    """All views, made with nothing kept; what is kept is put back."""
    views = game.views
    assert views is not None
    kept = views._still, views._same, views._same_at
    zones = {viewer: eyes.zones for viewer, eyes in views.eyes.items()}
    found: dict[object, object] = {}
    for viewer, eyes in views.eyes.items():
        views._still, views._same_at, eyes.zones = {}, -1, {}
        found[viewer] = game.view(viewer).entities
    views._still, views._same, views._same_at = kept
    for viewer, eyes in views.eyes.items():
        eyes.zones = zones[viewer]
    return found


@pytest.mark.parametrize("ruleset", names())
@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_is_what_would_be_made(ruleset: str, seed: int) -> None:
    """After every entry, plays taken back among them, each view equals one made from nothing."""
    rules, chance = load(ruleset), random.Random(seed)
    seats = tuple(SeatSetup(f"P{seat}", deck) for seat, deck in enumerate(list(rules.decks())[:2]))
    game = rules.create(seats, host=InlineHost(), key=key_of_seed(seed), options={})
    game.start()
    bots = [RandomBot(f"afresh {seed}", seat) for seat in range(2)]
    taken_back = 0
    for _ in range(250):
        prompt = game.open_prompt
        if prompt is None:
            break
        if game.has_open_play and chance.random() < 0.4:
            try:
                game.advance(TakeBack(prompt.seat))
                taken_back += 1
            except Refused:
                continue
        else:
            game.advance(Decision(prompt.seat, prompt.id, bots[prompt.seat].choose(prompt)))
        assert game.views is not None
        for viewer in game.views.eyes:
            game.frames(viewer)
        kept = {viewer: game.view(viewer).entities for viewer in game.views.eyes}
        assert kept == made_afresh(game)
    assert taken_back > 0
