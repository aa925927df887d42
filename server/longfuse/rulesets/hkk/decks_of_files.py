"""Cards and decks from files outside the package: a deck carries the cards of its own along.

Owns what a file of an operator or designer brings: its cards, its decks, and for a file with cards
and no deck a trial deck, three of each of them among the cards of a deck that ships.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from longfuse.rulesets.hkk import cards
from longfuse.rulesets.hkk.decks import CARDS_LEAST, COPIES_MOST, Deck, read_toml, shipped_decks


def read(paths: Iterable[str | Path]) -> dict[str, Deck]:
    """The decks of those files; cards.SetError for one with an error."""
    found: dict[str, Deck] = {}
    for path in _files(paths):
        fields, brought = _read(path)
        if fields and not brought:
            trial = _trial(fields, path.stem)
            brought = {trial.name: trial}
        for deck in brought.values():
            own = tuple(fields.values()) if fields else ()
            found[deck.name] = msgspec.structs.replace(deck, own=own)
    return found


def fields_of(paths: Iterable[str | Path]) -> dict[str, dict[str, Any]]:
    """The cards of those files by name, as they are written; cards.SetError for one with an error.

    They are all understood.
    """
    found: dict[str, dict[str, Any]] = {}
    for path in _files(paths):
        found.update(_read(path)[0])
    return found


def carrying(deck: Deck, fields: Mapping[str, dict[str, Any]]) -> Deck:
    """A deck together with the cards of files, if it has any of them: they may make each other."""
    has_any = any(name in fields for name in deck.names())
    return msgspec.structs.replace(deck, own=tuple(fields.values())) if has_any else deck


def _read(path: Path) -> tuple[dict[str, dict[str, Any]], dict[str, Deck]]:
    try:
        fields = {str(one.get("name")): one for one in cards.read_entries(path)}
        brought = read_toml(path.read_text("utf-8"))
    except (OSError, ValueError, msgspec.ValidationError) as wrong:
        raise cards.SetError(str(path), [f"this is no file of cards: {wrong}"]) from wrong
    if fields:
        cards.load_set(path)
    return fields, brought


def _files(paths: Iterable[str | Path]) -> list[Path]:
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(path.glob("*.toml")) if path.is_dir() else [path]
    return found


def _trial(fields: Mapping[str, Mapping[str, Any]], name: str) -> Deck:
    counts = {card: COPIES_MOST for card, one in fields.items() if not one.get("token")}
    base = next(iter(shipped_decks().values()))
    for card, count in base.cards.items():
        if sum(counts.values()) < CARDS_LEAST:
            counts[card] = count
    return Deck(f"Trial of {name}", counts)
