"""What a viewer may not know leaves no trace in what it is sent."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longfuse.game.entries import Decision
from longfuse.game.game import Game
from longfuse.game.questions import Question
from longfuse.rulesets.riftbound.definition import Definition
from longfuse.rulesets.riftbound.setup import Deck
from longfuse_protocol.prompts import Answer
from rulesets.riftbound.properties.games import deck, make, playable, random_deck, random_pick

encode = msgspec.msgpack.Encoder(order="deterministic").encode

LOOKERS = ("reveal", "look", "trash", "discard", "burn", "deck", "predict", "vision", "hand")
"""Words of cards that let a hidden card be seen or make it matter."""


def blind(cards: list[Definition]) -> list[Definition]:
    """The cards that never show a hidden card to the other player."""
    return [card for card in cards if not any(word in card.text.lower() for word in LOOKERS)]


class Secretive:
    """Plays only the cards that both games have, and answers the same in both."""

    def __init__(self, seed: int, hidden: frozenset[str]) -> None:
        self._hidden = hidden
        self._pick = random_pick(random.Random(seed))

    def answer(self, question: Question) -> Answer | None:
        """An answer that shows no hidden card; None if there is none."""
        items = tuple(
            msgspec.structs.replace(item, legal=item.legal and not self._shows(item.label))
            for item in question.items
        )
        if question.items and not any(item.legal for item in items):
            return None
        return self._pick(msgspec.structs.replace(question, items=items))

    def _shows(self, label: str) -> bool:
        return any(name in label for name in self._hidden)


def frames_of(game: Game, viewers: tuple[object, ...]) -> list[bytes]:
    """What each viewer is sent now, as bytes."""
    return [encode((viewer, game.frames(viewer))) for viewer in viewers]  # type: ignore[arg-type]


def sent(
    seed: int, decks: tuple[Deck, Deck], hidden: frozenset[str], entries: int = 160
) -> list[bytes]:
    """Everything that seat 0 and the spectators are sent in a game where seat 1 hides its cards."""
    game = make(seed, decks, views=True, first=seed % 2, key=str(seed))
    secretive = Secretive(seed, hidden)
    open_pick = random_pick(random.Random(seed + 1))
    found = frames_of(game, (0, "spectator"))
    for _ in range(entries):
        question = game.prompt
        if question is None:
            break
        if question.seat == 1 and question.kind == "mulligan":
            answer: Answer | None = ()
        else:
            answer = secretive.answer(question) if question.seat == 1 else open_pick(question)
        if answer is None:
            break
        game.advance(Decision(question.seat, question.id, answer))
        found += frames_of(game, (0, "spectator"))
    return found


def secret_decks(seed: int) -> tuple[Deck, Deck, frozenset[str]]:
    """Two decks for seat 1 that agree in every other place, and the names in which they differ."""
    chooser = random.Random(seed)
    cards = blind(playable())
    chooser.shuffle(cards)
    third = len(cards) // 3
    common, here, there = cards[:third], cards[third : 2 * third], cards[2 * third :]
    one, other = [], []
    for place in range(40):
        if place % 2:
            card = chooser.choice(common)
            one.append(card)
            other.append(card)
        else:
            one.append(chooser.choice(here))
            other.append(chooser.choice(there))
    hidden = frozenset(card.name for card in (*here, *there))
    return deck("b", one, "South Field"), deck("b", other, "South Field"), hidden


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1))
def test_what_a_viewer_may_not_know_changes_no_byte_that_it_is_sent(seed: int) -> None:
    """The opponent's other cards in hand and deck: frames, numbers and counts are identical."""
    one, other, hidden = secret_decks(seed)
    own = deck("a", [random.Random(seed).choice(blind(playable())) for _ in range(40)], "North")

    assert sent(seed, (own, one), hidden) == sent(seed, (own, other), hidden)


def test_the_check_can_fail() -> None:
    """Where the difference is shown, the frames differ."""
    one, other, _ = secret_decks(3)
    own = random_deck("a", random.Random(3), "North")

    assert sent(3, (own, one), frozenset()) != sent(3, (own, other), frozenset())


@pytest.mark.parametrize("viewer", [0, "spectator"])
def test_no_face_of_a_hidden_card_is_sent(viewer: object) -> None:
    """No name of a card in the opponent's hand or deck is in a viewer's view."""
    one, _, hidden = secret_decks(5)
    own = deck("a", blind(playable())[:40], "North")
    game = make(5, (own, one), views=True)
    names = hidden - {card.name for card in own.main}

    shown = encode(game.view(viewer)) + encode(game.frames(viewer))  # type: ignore[arg-type]

    assert not [name for name in names if name.encode() in shown]
