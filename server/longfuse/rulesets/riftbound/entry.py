"""The entrance to riftbound: games, decks, versions, clauses.

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
from longfuse.rulesets.options import check as check_options
from longfuse.rulesets.riftbound import cards, library, matches, runnable, vocabulary
from longfuse.rulesets.riftbound import decks as decklists
from longfuse.rulesets.riftbound.definition import Definition, blank, define
from longfuse.rulesets.riftbound.duel import OPTIONS, Duel
from longfuse.rulesets.riftbound.setup import Deck, Setup
from longfuse.rulesets.versions import version_of
from longfuse.timing.messages import Happened
from longfuse.timing.references import Seat

NAME = "riftbound"

SEATS = 2

CLAUSES = (
    "390",
    "390.1",
    "390.2",
    "390.3",
    "390.3.a",
    "390.4",
    "390.5",
    "390.5.a",
    "390.5.b",
    "390.5.c",
    "390.5.c.1",
    "390.5.c.2",
    "391",
    "392",
)
"""The clauses on delayed abilities, each of which has tests."""

FIELD = blank("Quiet Field", "battlefield", 0)


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

    options: R1 to R6, "first" (a seat), those of `matches`. Raises Refused for an unknown deck,
    option or value.
    """
    if len(seats) != SEATS:
        raise Refused("seats", f"riftbound is played by {SEATS}, not {len(seats)}")
    check_options(matches.checked(options), OPTIONS, SEATS)
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
    return Setup(
        tuple(seat.name for seat in seats),
        tuple(_deck(seat.deck) for seat in seats),
        first=options.get("first"),
        is_match=options.get("match", False),
        used=options.get("used", ()),
        chooser=options.get("chooser"),
    )


# ---------------------------------------------------------------- decks


def decks(files: Sequence[str | Path] = ()) -> dict[str, decklists.Deck]:
    """The decks that ship, by name; before them those of card files. Raises Refused for a file
    with an error."""
    try:
        return library.decks(files)
    except cards.SetError as wrong:
        raise Refused("cards", str(wrong)) from wrong


def _deck(deck: Any) -> Deck:
    """A deck from its name, its text, or plain data (as in a journal's header)."""
    try:
        return build(decklists.read(deck))
    except decklists.DeckError as wrong:
        raise Refused("deck", str(wrong)) from wrong


def build(deck: decklists.Deck) -> Deck:
    """A deck's cards as the rules use them; Refused, naming all of it, if one is not playable."""
    known = {**definitions(), **_own(msgspec.json.encode(deck.own))} if deck.own else definitions()
    unknown = [name for name in deck.names() if name not in known]
    if unknown:
        raise Refused("deck", f"{deck.name}: {'; '.join(_why_not(name) for name in unknown)}")
    wrong = misplaced(deck, known)
    if wrong:
        raise Refused("deck", f"{deck.name}: {'; '.join(wrong)}")
    main = [known[name] for name, count in deck.cards.items() for _ in range(count)]
    runes = [rune(domain) for domain, count in deck.runes.items() for _ in range(count)]
    return Deck(
        deck.name,
        tuple(main),
        tuple(runes),
        FIELD,
        legend=known[deck.legend] if deck.legend else None,
        champion=known[deck.champion] if deck.champion else None,
        battlefields=tuple(known[name] for name in deck.battlefields),
    )


def _why_not(name: str) -> str:
    card = cards.shipped().get(name)
    if card is None:
        return f"no such card: {name}"
    return f"{name} is not played yet: {', '.join(runnable.missing(card))}"


def misplaced(deck: decklists.Deck, known: Mapping[str, Definition]) -> list[str]:
    """What can't be where the deck has it: nothing is played with such a deck (103, 825)."""
    wanted = [("legend", deck.legend), ("unit", deck.champion)]
    wanted += [("battlefield", name) for name in deck.battlefields]
    found = [
        f"{name} is a {known[name].type}, not a {kind}"
        for kind, name in wanted
        if name and known[name].type != kind
    ]
    found += [
        f"there are no {domain} runes" for domain in deck.runes if domain not in vocabulary.DOMAINS
    ]
    for name, count in deck.cards.items():
        card = known[name]
        if card.type not in ("unit", "gear", "spell"):
            found.append(f"{name} is a {card.type}, which no Main Deck holds (103.2)")
        if "Unique" in card.keyword_amounts and count + (name == deck.champion) > 1:
            found.append(f"{name} is Unique: a deck holds it once (825.2.a)")
    return found


@lru_cache(maxsize=1)
def definitions() -> Mapping[str, Definition]:
    """The shipped cards that are played, as the rules use them, by name."""
    found = {
        name: define(card) for name, card in cards.shipped().items() if not runnable.missing(card)
    }
    return MappingProxyType(found)


@lru_cache(maxsize=256)
def _own(encoded: bytes) -> Mapping[str, Definition]:
    """The cards that a deck brings along; Refused if one is not understood or not played."""
    found: dict[str, Definition] = {}
    for fields in msgspec.json.decode(encoded):
        try:
            card = cards.make_card(fields)
        except (cards.SetError, TextError) as wrong:
            raise Refused("cards", f"{fields.get('name', '?')}: {wrong}") from wrong
        if card.name in cards.shipped():
            raise Refused("cards", f"{card.name}: there is already a card of that name")
        if lacking := runnable.missing(card):
            raise Refused("cards", f"{card.name} is not played yet: {', '.join(lacking)}")
        found[card.name] = define(card)
    return MappingProxyType(found)


@lru_cache(maxsize=16)
def rune(domain: str) -> Definition:
    """The basic rune of a domain."""
    return Definition(
        name=f"{domain.title()} Rune",
        type="rune",
        energy=0,
        power=(),
        domains=(domain,),
        might=0,
        tags=(),
        supertypes=("basic",),
        text="",
        abilities=(),
    )


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
