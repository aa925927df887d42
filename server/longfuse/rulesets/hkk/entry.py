"""The entrance to hkk: games, decks, versions, clauses.

Owns what the rest of the server may ask of this ruleset without knowing it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from longfuse.abilities.text.errors import TextError
from longfuse.actors import ActorHost
from longfuse.game.entries import Refused
from longfuse.game.game import Game
from longfuse.rulesets.catalogue import SeatSetup
from longfuse.rulesets.hkk import cards, decks_of_files
from longfuse.rulesets.hkk import decks as decklists
from longfuse.rulesets.hkk.definition import Definition, DefinitionError, define
from longfuse.rulesets.hkk.duel import Duel
from longfuse.rulesets.hkk.options import OPTIONS
from longfuse.rulesets.hkk.setup import Deck, Setup
from longfuse.rulesets.options import check as check_options
from longfuse.rulesets.versions import version_of
from longfuse.timing.messages import Happened
from longfuse.timing.references import Seat

NAME = "hkk"

SEATS = 2

CLAUSES = (
    *(f"127.0.{number}" for number in range(8)),
    "127.1",
    *(f"127.1.{number}" for number in range(1, 4)),
    "127.2",
    "127.2.1",
    "127.2.2",
)
"""The clauses of rule 127, each of which has tests."""


def create(
    seats: Sequence[SeatSetup],
    *,
    host: ActorHost,
    key: bytes,
    options: dict[str, Any],
    keep_events: bool = False,
    views: bool = True,
) -> Game:
    """A game that has not started.

    options: those of OPTIONS, "first" (a seat). Raises Refused for an unknown deck or option.
    """
    if len(seats) != SEATS:
        raise Refused("seats", f"hkk is played by {SEATS}, not {len(seats)}")
    check_options(options, OPTIONS, SEATS)
    return Game(
        Duel(setup_of(seats, options)),
        host,
        seats=SEATS,
        key=key,
        options=dict(options),
        keep_events=keep_events,
        views=views,
    )


def setup_of(seats: Sequence[SeatSetup], options: Mapping[str, Any]) -> Setup:
    """What a game of these players starts from."""
    brought = tuple(_deck(seat.deck) for seat in seats)
    return Setup(
        tuple(seat.name for seat in seats),
        tuple(build(deck) for deck in brought),
        first=options.get("first"),
        tokens={name: card for deck in brought for name, card in _known(deck).items()},
    )


# ---------------------------------------------------------------- decks


def decks(files: Sequence[str | Path] = ()) -> dict[str, decklists.Deck]:
    """The decks that ship, by name; before them those of card files. Raises Refused for a file
    with an error."""
    try:
        return {**decks_of_files.read(files), **decklists.shipped_decks()}
    except cards.SetError as wrong:
        raise Refused("cards", str(wrong)) from wrong


def _deck(deck: Any) -> decklists.Deck:
    """A deck from its name, its text, or plain data (as in a journal's header)."""
    try:
        return decklists.read(deck)
    except decklists.DeckError as wrong:
        raise Refused("deck", str(wrong)) from wrong


def _known(deck: decklists.Deck) -> Mapping[str, Definition]:
    """The cards that a deck may have, and the tokens that they may make."""
    return {**definitions(), **_own(msgspec.json.encode(deck.own))} if deck.own else definitions()


def build(deck: decklists.Deck) -> Deck:
    """A deck's cards as the rules use them; Refused, naming all of it, if one is not there."""
    known = _known(deck)
    wrong = [f"no such card: {name}" for name in deck.names() if name not in known]
    if wrong:
        raise Refused("deck", f"{deck.name}: {'; '.join(wrong)}")
    return Deck(deck.name, tuple(known[name] for name, n in deck.cards.items() for _ in range(n)))


def defined(card: cards.CardDefinition) -> Definition:
    """A compiled card as the rules use it; DefinitionError for one that can't be."""
    return define(
        card.name,
        card.type,
        cost=card.cost,
        damage=card.damage,
        life=card.life,
        tags=card.tags,
        text=card.text or card.text_hu,
        abilities=card.abilities,
    )


@lru_cache(maxsize=1)
def definitions() -> Mapping[str, Definition]:
    """The shipped cards as the rules use them, by name; tokens too."""
    return MappingProxyType({name: defined(card) for name, card in cards.shipped().items()})


@lru_cache(maxsize=256)
def _own(encoded: bytes) -> Mapping[str, Definition]:
    """The cards that a deck brings along; Refused if one is not understood."""
    found: dict[str, Definition] = {}
    for fields in msgspec.json.decode(encoded):
        try:
            card = cards.make_card(fields)
            found[card.name] = defined(card)
        except (cards.SetError, TextError, DefinitionError) as wrong:
            raise Refused("cards", f"{fields.get('name', '?')}: {wrong}") from wrong
        if card.name in cards.shipped():
            raise Refused("cards", f"{card.name}: there is already a card of that name")
    return MappingProxyType(found)


# ---------------------------------------------------------------- versions and words


def rules_version() -> str:
    """The digest of kernel, ruleset and sets: another version may not continue a game."""
    return version_of(NAME)


def sentence(game: Game, message: Happened, viewer: Seat | None) -> str:
    """What happened, told to a seat, or with None to whoever may know everything."""
    knows = viewer is None or message.secret is None or viewer in message.secret
    return game.rules.sentence(message, None if knows else viewer)


def clauses() -> tuple[str, ...]:
    """The clauses that tests are to cover."""
    return CLAUSES
