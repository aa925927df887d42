"""The catalogue of riftbound: sets, cards with what the compiler understood, decks; decks checked.

Owns the plain data of it, for clients and for people; nothing of it depends on a game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from longfuse.abilities.ability import Create
from longfuse.abilities.text.check import walk
from longfuse.rulesets.riftbound import cards, decks, legality, library, runnable
from longfuse.rulesets.riftbound.cards import CardDefinition, SetError
from longfuse.rulesets.riftbound.decks import Deck
from longfuse.rulesets.riftbound.library import Brought
from longfuse.rulesets.riftbound.text import say

__all__ = [
    "SetError",
    "brought",
    "card_entry",
    "catalogue",
    "check_deck",
    "deck_text",
    "delayed_kinds",
    "may_replace",
]

NAME = "riftbound"
DELAYED_KINDS = ("triggered", "replacement", "passive")


@lru_cache(maxsize=1)
def catalogue() -> dict[str, Any]:
    """What ships: sets with their cards, and decks."""
    known = cards.shipped()
    sets = []
    for path in cards.set_files():
        data = tomllib.loads(path.read_text("utf-8"))
        listed = [card_entry(known[fields["name"]]) for fields in data["card"]]
        sets.append({"name": str(data.get("set", path.stem)), "cards": listed})
    return {
        "ruleset": NAME,
        "sets": sets,
        "decks": [deck_entry(deck) for deck in decks.shipped_decks().values()],
    }


def card_entry(card: CardDefinition) -> dict[str, Any]:
    """A card: what is printed, its abilities in canonical words, what delayed ones they make."""
    return {
        "name": card.name,
        "type": card.type,
        "energy": card.energy,
        "power": list(card.power),
        "domains": list(card.domains),
        "might": card.might,
        "tags": list(card.tags),
        "supertypes": list(card.supertypes),
        "text": card.text.strip(),
        "words": [say(ability, card.type) for ability in card.abilities],
        "delayed": delayed_kinds(card),
        "missing": runnable.missing(card),
    }


def delayed_kinds(card: CardDefinition) -> list[str]:
    """The kinds of delayed abilities that a card makes."""
    made = {node.ability.kind for node in walk(card.abilities) if isinstance(node, Create)}
    return [kind for kind in DELAYED_KINDS if kind in made]


def deck_entry(deck: Deck) -> dict[str, Any]:
    """A deck, with its format and whether it is legal."""
    checked = legality.check(deck, cards.shipped())
    return {
        **msgspec.to_builtins(deck),
        "champion": deck.champion,
        "sideboard": deck.sideboard,
        "format": checked.format,
        "legal": checked.is_legal,
        "text": decks.to_text(deck),
    }


def brought(files: Sequence[str | Path]) -> Brought:
    """The cards of those files; SetError for one with an error."""
    return library.read_files(files)


def check_deck(text: str, brought: Brought | None = None) -> dict[str, Any]:
    """What is found of a deck's text; with the lines that are not understood as its reasons.

    brought: cards of files that it may have; it has those along that it has.
    """
    others = brought or Brought({}, {}, {})
    known = {**cards.shipped(), **others.cards}
    try:
        deck = library.carrying(decks.from_text(text), others.fields)
    except decks.DeckError as error:
        reasons = [{"rule": "", "text": one} for one in error.errors]
        return {"name": "", "format": "", "legal": False, "reasons": reasons}
    checked = legality.check(deck, known)
    found: dict[str, Any] = msgspec.to_builtins(checked)
    return {**found, "legal": checked.is_legal, "deck": msgspec.to_builtins(deck)}


def may_replace(deck: Any, by: Any) -> Iterator[str]:
    """Why one deck may not take the other's place between games. Raises decks.DeckError."""
    for reason in legality.exchanged(decks.read(deck), decks.read(by)):
        yield reason.sentence()


def deck_text(name: str) -> str:
    """A shipped deck as text; KeyError if there is none of that name."""
    return decks.to_text(decks.shipped_decks()[name])
