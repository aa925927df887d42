"""Whatever changes is told: random games of both rulesets, entry by entry, as all see them."""

import random

import pytest

from complaints.explained import Reader
from complaints.scene import LONG
from host.passed_games import RULESETS, drawn, make
from longfuse.game.entries import Decision

SEEDS = range(40 if LONG else 3)
ENTRIES = 2_000 if LONG else 400


@pytest.mark.complaint("ui U30")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_each_change_of_a_random_game_has_an_event_of_it(ruleset):
    """Cards of all sets at random: every field of every entity of a spectator's view. All of it
    is tried with LONGFUSE_LONG=1."""
    read = 0
    for seed in SEEDS:
        game, chance = make(ruleset, seed), random.Random(seed)
        game.frames("spectator")
        reader = Reader(game.view("spectator").entities)
        for _ in range(ENTRIES):
            question = game.prompt
            if question is None:
                break
            answer = drawn(ruleset, chance, question)
            game.advance(Decision(question.seat, question.id, answer))
            frame = game.frames("spectator")
            assert not list(reader.unexplained(frame.events, frame.changes)), (seed, question.id)
        read += reader.read

    assert read > 2_000
