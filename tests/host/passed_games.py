"""Random games of real rulesets with a passer in each seat, as a table would run them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from longfuse.actors import InlineHost
from longfuse.game.entries import Decision
from longfuse.game.game import Game
from longfuse.game.questions import Question
from longfuse.game.randomness import key_of_seed
from longfuse.host.passing import Pass, Passer, Verdict
from longfuse.rulesets.catalogue import load_passing
from longfuse.rulesets.hkk import entry
from longfuse.rulesets.hkk.definition import blank
from longfuse.rulesets.hkk.duel import Duel
from longfuse.rulesets.hkk.setup import Deck, Setup
from longfuse_protocol.passing import Passing
from longfuse_protocol.prompts import Answer, Prompt
from longfuse_protocol.views import View
from rulesets.hkk.pool import POOL
from rulesets.hkk.properties import games as hkk
from rulesets.riftbound.properties import games as riftbound
from rulesets.riftbound.properties.test_non_interference import blind, secret_decks

RULESETS = ("riftbound", "hkk")
ENTRIES = 400
DEFAULT = Passing()


class Looked(NamedTuple):
    """One prompt, what its seat knew, and what its passer made of it."""

    prompt: Prompt
    view: View
    events: list[dict[str, object]]
    verdict: Verdict


def make(ruleset: str, seed: int) -> Game:
    """A game that has begun."""
    return hkk.make(seed) if ruleset == "hkk" else riftbound.any_game(seed, views=True)


def of_shipped_cards(ruleset: str, seed: int) -> Game:
    """A game of random cards of the sets that ship, which has begun."""
    if ruleset != "hkk":
        return make(ruleset, seed)
    chance, known = random.Random(seed), entry.definitions()
    names = sorted(known)
    decks = tuple(
        Deck(f"deck {seat}", tuple(known[chance.choice(names)] for _ in range(45)))
        for seat in (0, 1)
    )
    game = Game(
        Duel(Setup(("P1", "P2"), decks, tokens=known)),
        InlineHost(),
        seats=2,
        key=key_of_seed(seed),
    )
    game.start()
    return game


def drawn(ruleset: str, chance: random.Random, question: Question) -> Answer:
    """An answer by chance."""
    if ruleset == "hkk":
        return hkk.answer(chance, question)
    return riftbound.random_pick(chance)(question)


class Table:
    """A game whose prompts go by its passers first."""

    def __init__(self, ruleset: str, game: Game, passing: Passing = DEFAULT) -> None:
        self.game = game
        self.passers = [Passer(load_passing(ruleset), seat) for seat in (0, 1)]
        self.answered: Decision | None = None
        """The last entry, however it came about."""
        self._ruleset = ruleset
        self._heard: list[list[dict[str, object]]] = [[], []]
        for passer in self.passers:
            passer.set(passing, game.view(passer.seat))

    def look(self) -> Looked | None:
        """Consider the open prompt; None when the game is over."""
        for seat, heard in enumerate(self._heard):
            heard += self.game.frames(seat).events
        prompt = self.game.open_prompt
        if prompt is None:
            return None
        seat = prompt.seat
        heard, self._heard[seat] = self._heard[seat], []
        view = self.game.view(seat)
        return Looked(prompt, view, heard, self.passers[seat].consider(prompt, view, heard))

    def answer(self, prompt: Prompt, answer: Answer) -> None:
        """Enter an answer."""
        self.answered = Decision(prompt.seat, prompt.id, answer)
        self.game.advance(self.answered)

    def play(self, seed: int, entries: int = ENTRIES) -> Iterator[Looked]:
        """Play on by chance, what is not passed."""
        chance = random.Random(seed)
        for _ in range(entries):
            looked = self.look()
            if looked is None:
                return
            yield looked
            question, verdict = self.game.prompt, looked.verdict
            assert question is not None
            if isinstance(verdict, Pass):
                self.answer(looked.prompt, verdict.answer)
            else:
                self.answer(looked.prompt, drawn(self._ruleset, chance, question))


def tables(ruleset: str, seeds: Sequence[int], passing: Passing = DEFAULT) -> Iterator[Looked]:
    """Several games, one after the other."""
    for seed in seeds:
        yield from Table(ruleset, make(ruleset, seed), passing).play(seed)


# ---------------------------------------------------------------- what a seat may not know


def verdicts_beside_secrets(
    ruleset: str, seed: int, passing: Passing, which: int
) -> Iterator[Verdict]:
    """What is made of seat 0's prompts, where seat 1 never shows the cards that `which` changes."""
    game, hidden = _secret_game(ruleset, seed, which)
    table = Table(ruleset, game, passing)
    chance = random.Random(seed)
    for _ in range(ENTRIES):
        looked = table.look()
        question = game.prompt
        if looked is None or question is None:
            return
        if looked.prompt.seat == 0:
            yield looked.verdict
            if isinstance(looked.verdict, Pass):
                table.answer(looked.prompt, looked.verdict.answer)
                continue
        else:
            items = tuple(
                msgspec.structs.replace(
                    item, legal=item.legal and not any(name in item.label for name in hidden)
                )
                for item in question.items
            )
            if question.kind == "mulligan":
                table.answer(looked.prompt, ())
                continue
            if items and not any(item.legal for item in items):
                return
            question = msgspec.structs.replace(question, items=items)
        table.answer(looked.prompt, drawn(ruleset, chance, question))


def _secret_game(ruleset: str, seed: int, which: int) -> tuple[Game, frozenset[str]]:
    if ruleset == "hkk":
        shown = tuple(card for card in POOL if card.name != "Nay")
        names = [f"{('Owl', 'Vole')[which]} {number}" for number in range(20)]
        secret = tuple(blank(name, damage=1, life=1) for name in names)
        return hkk.make(seed, (shown, (*shown, *secret))), frozenset(names)
    *decks, hidden = secret_decks(seed)
    own = random.Random(seed)
    cards = [own.choice(blind(riftbound.playable())) for _ in range(40)]
    decks = (riftbound.deck("a", cards, "North"), decks[which])
    return riftbound.make(seed, decks, views=True, first=seed % 2), hidden
