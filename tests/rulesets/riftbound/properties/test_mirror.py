"""Seats have no meaning: a game with the seats changed round is the same game, mirrored."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from longfuse.game.game import Game
from longfuse.game.questions import Question
from longfuse_protocol.prompts import Answer
from rulesets.riftbound.properties.games import Pick, make, play, random_deck

NAMES = ("Ada", "Bo")


def by_label(chooser: random.Random) -> Pick:
    """Answers that depend on what the items say and not on how they are numbered."""

    def pick(question: Question) -> Answer:
        ranks = {i: item.label for i, item in enumerate(question.items) if item.legal}
        legal = sorted(ranks, key=lambda index: (ranks[index], index))
        match question.shape:
            case "one":
                return chooser.choice(legal)
            case "some":
                most = min(question.most, len(legal))
                return tuple(chooser.sample(legal, chooser.randint(question.least, most)))
            case "order":
                return tuple(chooser.sample(legal, len(legal)))
            case "number":
                return chooser.randint(question.least, question.most)
            case _:
                return question.default

    return pick


def story(game: Game, seed: int, names: tuple[str, str]) -> tuple[list[tuple[str, str]], str]:
    """Who was asked what, by name, and who won."""
    pick = by_label(random.Random(seed))
    asked = [(names[question.seat], question.kind) for question in play(game, pick)]
    winner = game.result.winner if game.result is not None else None
    return asked, "" if winner is None else names[winner]


@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_seats_changed_round_give_the_mirrored_game(seed: int) -> None:
    """With seats, first player and the random source's labels swapped, the same story is told."""
    chooser = random.Random(seed)
    one, other = random_deck("a", chooser, "North Field"), random_deck("b", chooser, "South Field")

    straight = make(seed, (one, other), names=NAMES, first=0, labels=(0, 1))
    mirrored = make(seed, (other, one), names=NAMES[::-1], first=1, labels=(1, 0))

    assert story(straight, seed, NAMES) == story(mirrored, seed, NAMES[::-1])
