"""Games in which one seat has cards that nobody else may know, and what a policy plays of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from longfuse.actors import ActorHost
from longfuse.bots.random import RandomBot
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.hkk import definition as hkk_cards
from longfuse.rulesets.hkk import duel as hkk_duel
from longfuse.rulesets.hkk import setup as hkk_setup
from longfuse_protocol.prompts import Answer, Prompt
from rulesets.hkk.pool import POOL
from rulesets.riftbound.properties import games as riftbound
from rulesets.riftbound.properties.test_non_interference import blind, secret_decks

RULESETS = ("riftbound", "hkk")
Make = Callable[[bytes, ActorHost], Game]
MEDDLERS = ("Nay",)
"""Cards of hkk that would make a hidden card matter: none prevents what is never played."""


class Pair(NamedTuple):
    """Two games that differ only in cards of seat 1 that it never shows."""

    makes: tuple[Make, Make]
    hidden: frozenset[str]


def pair(ruleset: str, seed: int) -> Pair:
    """Two such games; the same whenever they are made."""
    if ruleset == "hkk":
        shown = tuple(card for card in POOL if card.name not in MEDDLERS)
        words = ("Owl", "Vole")
        secret = [
            tuple(hkk_cards.blank(f"{word} {n}", damage=n % 5, life=1 + n % 3) for n in range(20))
            for word in words
        ]
        makes = tuple(_hkk(seed, (shown, (*shown, *cards))) for cards in secret)
        return Pair(makes, frozenset(words))
    one, other, hidden = secret_decks(seed)
    chooser = random.Random(seed)
    own = riftbound.deck("a", [chooser.choice(blind(riftbound.playable())) for _ in range(40)], "N")
    return Pair((_riftbound(seed, (own, one)), _riftbound(seed, (own, other))), hidden)


def marked(ruleset: str, seed: int) -> Make:
    """Games in which every card of either deck has a name that nothing else has.

    The cards show no hidden card to others. Each game, known by its key, has names of its own.
    """
    known: dict[bytes, Make] = {}

    def make(key: bytes, tasks: ActorHost) -> Game:
        if key not in known:
            number = len(known)
            known[key] = _marked(ruleset, f"{seed} {number}", number)
        return known[key](key, tasks)

    return make


def _marked(ruleset: str, seed: str, number: int) -> Make:
    chooser = random.Random(seed)
    decks = []
    for seat in (0, 1):
        pool = list(POOL) if ruleset == "hkk" else blind(riftbound.playable())
        cards = [
            msgspec.structs.replace(card, name=f"Canary{number}x{seat}x{place:02}z")
            for place, card in enumerate(chooser.choices(pool, k=60))
        ]
        decks.append(tuple(cards))
    if ruleset == "hkk":
        return _hkk(seed, tuple(decks))
    sides = zip("ab", decks, ("North", "South"), strict=True)
    return _riftbound(seed, tuple(riftbound.deck(*side) for side in sides))


def _hkk(seed: int | str, decks) -> Make:
    def make(_key: bytes, tasks: ActorHost) -> Game:
        brought = tuple(hkk_setup.Deck(f"deck {n}", tuple(cards)) for n, cards in enumerate(decks))
        duel = hkk_duel.Duel(hkk_setup.Setup(("P1", "P2"), brought))
        game = Game(duel, tasks, seats=2, key=key_of_seed(seed), options={})
        game.start()
        return game

    return make


def _riftbound(seed: int | str, decks) -> Make:
    def make(_key: bytes, tasks: ActorHost) -> Game:
        return riftbound.make(0, decks, host=tasks, views=True, key=str(seed))

    return make


class Policy:
    """How a player answers: by chance, and never with what is hidden.

    The chance follows from what is not hidden, so that a prompt that comes in one evening only
    shifts nothing that follows.
    """

    def __init__(self, seed: int | str, hidden: frozenset[str] = frozenset()) -> None:
        self._seed = seed
        self._hidden = hidden
        self._times: Counter[str] = Counter()
        """How often the very same has been asked: it is answered anew each time."""

    def answer(self, prompt: Prompt, moment: int) -> Answer | None:
        """An answer, or None where only hidden cards would do. moment: one that all know."""
        if self._hidden and prompt.kind == "mulligan":
            return ()
        if prompt.shape not in ("one", "some"):
            return self._bot(prompt, moment).choose(prompt)
        open_items = [
            place
            for place, item in enumerate(prompt.items)
            if item.legal and not self._shows(item.label)
        ]
        if len(open_items) < prompt.least or (prompt.shape == "one" and not open_items):
            return None
        if prompt.shape == "one" and len(open_items) > 1 and moment % 4:
            # Who only ever ends the turn makes no evening.
            open_items = [place for place in open_items if place != prompt.default]
        items = tuple(prompt.items[place] for place in open_items)
        shown = msgspec.structs.replace(prompt, items=items)
        chosen = self._bot(shown, moment).choose(shown)
        if isinstance(chosen, int):
            return open_items[chosen]
        return tuple(open_items[place] for place in chosen)

    def _bot(self, prompt: Prompt, moment: int) -> RandomBot:
        labels = [item.label for item in prompt.items]
        key = f"{self._seed} {moment} {prompt.kind} {labels}"
        self._times[key] += 1
        return RandomBot(f"{key} {self._times[key]}")

    def _shows(self, label: str) -> bool:
        return any(name in label for name in self._hidden)
