"""Decks however they are given: by name, as text, as plain data, or as they are.

Owns the ways in. What a deck consists of, and how its text is written, is each ruleset's to say;
whether it may be played, too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

DeckT = TypeVar("DeckT", bound=msgspec.Struct)


class DeckError(Exception):
    """This is no deck; `errors` has everything that is wrong, of a text each with its line."""

    def __init__(self, errors: Iterable[str]) -> None:
        self.errors = list(errors)
        super().__init__("; ".join(self.errors))


class DeckReader(Generic[DeckT]):
    """Reads decks of one kind; it has a `name`. from_text: raises DeckError."""

    def __init__(self, kind: type[DeckT], shipped: Path, from_text: Callable[[str], DeckT]) -> None:
        self._kind = kind
        self._file = shipped
        self._from_text = from_text
        self._shipped: dict[str, DeckT] = {}

    def shipped(self) -> dict[str, DeckT]:
        """The shipped decks by name. The file is read once: a server asks at every table."""
        if not self._shipped:
            self._shipped = self.from_toml(self._file.read_text("utf-8"))
        return dict(self._shipped)

    def from_toml(self, text: str) -> dict[str, DeckT]:
        """The decks of a TOML file (`[[deck]]`) by name; it may have none."""
        given = tomllib.loads(text).get("deck", [])
        return {one["name"]: msgspec.convert(one, self._kind) for one in given}

    def from_plain(self, data: Mapping[str, Any]) -> DeckT:
        """A deck from plain data, as a journal's header has it; DeckError if it is none."""
        try:
            return msgspec.convert(dict(data), self._kind)
        except msgspec.ValidationError as error:
            raise DeckError([f"this is no deck: {error}"]) from error

    def read(self, deck: Any) -> DeckT:
        """A deck from its name, its text, plain data, or itself; DeckError if it is none."""
        if isinstance(deck, str):
            return self._from_text(deck) if "\n" in deck else self._named(deck)
        if isinstance(deck, Mapping):
            return self.from_plain(deck)
        if not isinstance(deck, self._kind):
            raise DeckError([f"a deck is a name or a list, not {type(deck).__name__}"])
        return deck

    def _named(self, name: str) -> DeckT:
        shipped = self.shipped()
        if name not in shipped:
            names = ", ".join(repr(one) for one in shipped)
            raise DeckError([f"there is no deck {name!r}; there is {names}"])
        return shipped[name]
