"""Random games for properties: made of the shipped cards, played by a seeded choice of items."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from longfuse.actors import ActorHost, InlineHost
from longfuse.game.entries import Decision, TakeBack
from longfuse.game.game import Game
from longfuse.game.questions import Question
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.riftbound import entry
from longfuse.rulesets.riftbound.definition import Definition, blank
from longfuse.rulesets.riftbound.duel import Duel
from longfuse.rulesets.riftbound.setup import Deck, Setup
from longfuse_protocol.prompts import Answer

ENTRIES_MAX = 2_000
Pick = Callable[[Question], Answer]


def playable() -> list[Definition]:
    """Every shipped card of a Main Deck, by name."""
    found = entry.definitions()
    return [found[name] for name in sorted(found) if found[name].type in ("unit", "spell", "gear")]


def deck(name: str, main: list[Definition], field: str) -> Deck:
    """A house deck with cheap runes: what matters is that much is played."""
    runes = [entry.rune(domain) for domain in ("fury", "calm", "mind", "body", "chaos", "order")]
    return Deck(name, tuple(main), tuple(runes * 2), blank(field, "battlefield", 0))


def random_deck(name: str, chooser: random.Random, field: str) -> Deck:
    """Forty shipped cards at random."""
    cards = playable()
    return deck(name, [chooser.choice(cards) for _ in range(40)], field)


def make(
    seed: int,
    decks: tuple[Deck, Deck],
    *,
    host: ActorHost | None = None,
    names: tuple[str, str] = ("Ada", "Bo"),
    first: int | None = None,
    labels: tuple[int, int] | None = None,
    views: bool = False,
    key: str = "",
) -> Game:
    """A game that has been set up."""
    options = {"random_labels": labels} if labels is not None else {}
    duel = Duel(Setup(names, decks, first=first))
    game = Game(
        duel,
        host or InlineHost(),
        seats=2,
        key=key_of_seed(key or str(seed)),
        options=options,
        views=views,
    )
    game.start()
    return game


def any_game(seed: int, *, host: ActorHost | None = None, views: bool = False) -> Game:
    """A game of two random decks."""
    chooser = random.Random(seed)
    decks = random_deck("a", chooser, "North Field"), random_deck("b", chooser, "South Field")
    return make(seed, decks, host=host, views=views)


def random_pick(chooser: random.Random) -> Pick:
    """Answers drawn from what fits."""

    def pick(question: Question) -> Answer:
        legal = [index for index, item in enumerate(question.items) if item.legal]
        match question.shape:
            case "one":
                return chooser.choice(legal)
            case "some":
                most = min(question.most, len(legal))
                return tuple(chooser.sample(legal, chooser.randint(question.least, most)))
            case "order":
                return tuple(chooser.sample(range(len(question.items)), len(question.items)))
            case "number":
                return chooser.randint(question.least, question.most)
            case _:
                return question.default

    return pick


def play(game: Game, pick: Pick, *, entries: int = ENTRIES_MAX) -> Iterator[Question]:
    """Play on, yielding each question before it is answered."""
    for _ in range(entries):
        if game.result is not None:
            return
        question = game.prompt
        assert question is not None, "a game that is not over asks somebody"
        yield question
        if game.prompt is question:
            game.advance(Decision(question.seat, question.id, pick(question)))


def take_back(game: Game) -> None:
    """Take the open play back."""
    assert game.prompt is not None
    game.advance(TakeBack(game.prompt.seat))


def may_take_back(game: Game) -> bool:
    """Whether the seat that is asked has an open play."""
    save = game.store.savepoint
    return save is not None and game.prompt is not None and save.seat == game.prompt.seat
