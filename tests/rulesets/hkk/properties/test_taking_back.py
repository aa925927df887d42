"""A play that is taken back leaves nothing behind; what viewers were sent is what they may see."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from longfuse.game.entries import Decision, TakeBack
from longfuse_protocol.views import View, apply
from rulesets.hkk.properties.games import answer, make

ENTRIES = 300


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000))
def test_the_state_comes_back(seed: int) -> None:
    """The hash of the whole state is what it was before the play."""
    chance, game = random.Random(seed), make(seed)
    before = game.state_hash()
    for _ in range(ENTRIES):
        prompt, save = game.prompt, game.store.savepoint
        if prompt is None:
            break
        if save is None:
            before = game.state_hash()
        elif save.seat == prompt.seat and chance.random() < 0.4:
            game.advance(TakeBack(prompt.seat))
            assert game.state_hash() == before
            continue
        game.advance(Decision(prompt.seat, prompt.id, answer(chance, prompt)))


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000))
def test_deltas_add_up_to_the_view(seed: int) -> None:
    """What was sent bit by bit is the view of that moment."""
    chance, game = random.Random(seed), make(seed)
    seen = [View(), View()]
    for _ in range(ENTRIES):
        prompt = game.prompt
        if prompt is None:
            break
        game.advance(Decision(prompt.seat, prompt.id, answer(chance, prompt)))
        for seat, view in enumerate(seen):
            apply(view, game.frames(seat).changes)
            if game.store.savepoint is None:
                assert view.entities == game.view(seat).entities
