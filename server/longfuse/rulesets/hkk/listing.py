"""The catalogue of hkk: cards in both languages with what was understood; decks, and decks checked.

Owns the plain data of it, for clients and for people; nothing of it depends on a game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from longfuse.rulesets.hkk import cards, decks, decks_of_files
from longfuse.rulesets.hkk.cards import CardDefinition, SetError
from longfuse.rulesets.hkk.decks import Deck
from longfuse.rulesets.hkk.text import say

__all__ = [
    "SetError",
    "brought",
    "card_entry",
    "catalogue",
    "check_deck",
    "deck_text",
    "may_replace",
]

NAME = "hkk"
Brought = dict[str, dict[str, Any]]
"""Cards of files, by name, as they are written."""
FORMAT = "forty-five"


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
    """A card: what is printed, its abilities in canonical words of both languages, its counters.

    facts: what is printed besides, in words. delayed and missing: as every ruleset has them; here
    no card lights delayed abilities of its own kind, and all that is understood is played.
    """
    return {
        "name": card.name,
        "name_hu": card.name_hu,
        "type": card.type,
        "cost": card.cost,
        "damage": card.damage,
        "life": card.life,
        "tags": list(card.tags),
        "token": card.token,
        "text": card.text.strip(),
        "text_hu": card.text_hu.strip(),
        "facts": facts(card),
        "words": [say(ability) for ability in card.abilities],
        "words_hu": [say(ability, "hu") for ability in card.abilities],
        "counters": {one.gate.counter: one.gate.count for one in card.abilities if one.gate},
        "delayed": [],
        "missing": [],
    }


def facts(card: CardDefinition) -> list[str]:
    """What is printed on a card besides its name and text."""
    found = [f"{card.type} token" if card.token else card.type]
    if not card.token:
        found.append(f"costs {card.cost} VP")
    if card.type == "creature":
        found.append(f"damage {card.damage}, life {card.life}")
    if card.tags:
        found.append(", ".join(card.tags))
    return found


def deck_entry(deck: Deck) -> dict[str, Any]:
    """A deck, with whether it is legal."""
    legal = not list(decks.reasons(deck, playable()))
    return {
        **msgspec.to_builtins(deck),
        "sideboard": deck.sideboard,
        "format": FORMAT,
        "legal": legal,
        "text": decks.to_text(deck),
    }


def playable() -> list[str]:
    """The shipped cards that a deck may have: no tokens."""
    return [name for name, card in cards.shipped().items() if not card.token]


def brought(files: Sequence[str | Path]) -> Brought:
    """The cards of those files; SetError for one with an error."""
    return decks_of_files.fields_of(files)


def check_deck(text: str, brought: Brought | None = None) -> dict[str, Any]:
    """What is found of a deck's text; with the lines that are not understood as its reasons.

    brought: cards of files that it may have; if it has any, it has them along.
    """
    fields = brought or {}
    known = [*playable(), *(name for name, one in fields.items() if not one.get("token"))]
    try:
        deck = decks_of_files.carrying(decks.from_text(text), fields)
    except decks.DeckError as error:
        reasons = [{"rule": "", "text": one} for one in error.errors]
        return {"name": "", "format": "", "legal": False, "reasons": reasons}
    wrong = [{"rule": "", "text": one} for one in decks.reasons(deck, known)]
    return {
        "name": deck.name,
        "format": FORMAT,
        "legal": not wrong,
        "cards": sum(deck.cards.values()),
        "different": len(deck.cards),
        "sideboard": sum(deck.sideboard.values()),
        "reasons": wrong,
        "deck": msgspec.to_builtins(deck),
    }


def may_replace(deck: Any, by: Any) -> Iterator[str]:
    """Why one deck may not take the other's place between games. Raises decks.DeckError."""
    return decks.exchanged(decks.read(deck), decks.read(by))


def deck_text(name: str) -> str:
    """A shipped deck as text; KeyError if there is none of that name."""
    return decks.to_text(decks.shipped_decks()[name])
