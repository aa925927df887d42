"""Random games of hkk for property tests: making one, and answering its questions by chance."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from longfuse.actors import InlineHost
from longfuse.game.game import Game
from longfuse.game.questions import Question
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.hkk.definition import Definition
from longfuse.rulesets.hkk.duel import Duel
from longfuse.rulesets.hkk.setup import Deck, Setup
from longfuse_protocol.prompts import Answer
from rulesets.hkk.pool import POOL


def make(
    seed: int,
    decks: Sequence[Sequence[Definition]] = (POOL + POOL, POOL + POOL),
    options: Mapping[str, str] | None = None,
    *,
    hold: bool = False,
) -> Game:
    """A game that has begun. hold: it stops before each phase is left."""
    brought = tuple(Deck(f"deck {seat}", tuple(cards)) for seat, cards in enumerate(decks))
    game = Game(
        Duel(Setup(("P1", "P2"), brought)),
        InlineHost(),
        seats=2,
        key=key_of_seed(seed),
        options=dict(options or {}),
        keep_events=True,
    )
    if hold:
        game.hold = lambda mark: True
    game.start()
    return game


def answer(chance: random.Random, question: Question) -> Answer:
    """One of the answers that fit."""
    legal = [index for index, item in enumerate(question.items) if item.legal]
    match question.shape:
        case "one":
            return chance.choice(legal)
        case "some":
            number = chance.randint(question.least, min(question.most, len(legal)))
            return tuple(sorted(chance.sample(legal, number)))
        case "order":
            return tuple(chance.sample(legal, len(legal)))
        case "number":
            return chance.randint(question.least, question.most)
    return question.default
