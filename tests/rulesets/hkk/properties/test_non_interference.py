"""What a viewer may not know leaves no trace in what it is sent."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longfuse.game.entries import Decision
from longfuse.rulesets.hkk.definition import Definition, blank
from rulesets.hkk.pool import POOL
from rulesets.hkk.properties.games import answer, make

encode = msgspec.msgpack.Encoder(order="deterministic").encode

ENTRIES = 220
SECRETS = 20
LOOKERS = ("Nay",)
"""Cards that would make a hidden card matter: none prevents what is never played."""


def _secret(word: str, number: int) -> Definition:
    return blank(f"{word} {number}", damage=number % 5, life=1 + number % 3)


def _sent(seed: int, word: str) -> list[bytes]:
    """All that seat 0 and the spectators are sent, where seat 1 never plays its secret cards."""
    open_cards = tuple(card for card in POOL if card.name not in LOOKERS)
    secret = tuple(_secret(word, number) for number in range(SECRETS))
    game = make(seed, (open_cards, (*open_cards, *secret)))
    chance = random.Random(seed)
    found: list[bytes] = []
    for _ in range(ENTRIES):
        found += [encode(game.frames(viewer)) for viewer in (0, "spectator")]  # type: ignore[arg-type]
        prompt = game.prompt
        if prompt is None:
            break
        items = tuple(
            msgspec.structs.replace(item, legal=item.legal and word not in item.label)
            for item in prompt.items
        )
        prompt = msgspec.structs.replace(prompt, items=items)
        game.advance(Decision(prompt.seat, prompt.id, answer(chance, prompt)))
    return found


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_another_hand_another_deck_the_same_frames(seed: int) -> None:
    """Byte for byte: numbers, counts and ids included."""
    assert _sent(seed, "Owl") == _sent(seed, "Vole")


@pytest.mark.parametrize("zone", ["hand:1", "deck:0", "deck:1"])
def test_faces_are_not_sent(zone: str) -> None:
    """Of another's hand, and of any deck, there is a number of cards and no more."""
    game = make(3)
    entity = game.view(0).entities[f"zone:{zone}"]

    assert entity["objects"] == []
    assert isinstance(entity["count"], int)
