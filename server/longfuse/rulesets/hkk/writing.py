"""Writing cards: a new card from a few words, cards as set files, checked.

Owns how a card is written in TOML, and what is said of one: what was understood of it, in both
languages, and where the compiler stopped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from longfuse.abilities.text.errors import TextError
from longfuse.rulesets.hkk import cards, listing
from longfuse.rulesets.hkk.cards import SetError
from longfuse.rulesets.hkk.text import compile_text

__all__ = ["Said", "SetError", "add", "as_toml", "list_sets", "read", "said", "set_file"]

ORDER = (
    "name", "name_hu", "type", "cost", "damage", "life", "tags", "token", "text", "text_hu",
    "abilities",
)  # fmt: skip


class Said(msgspec.Struct, frozen=True):
    """What is said of a card. entry: as the catalogue has it, if it is understood. errors: of its
    fields. failures: where the compiler stopped, each with the text that it is about.
    """

    name: str
    fields: dict[str, Any]
    entry: dict[str, Any] | None = None
    errors: tuple[str, ...] = ()
    failures: tuple[dict[str, Any], ...] = ()

    @property
    def is_understood(self) -> bool:
        """Whether it is a card."""
        return self.entry is not None

    @property
    def is_played(self) -> bool:
        """Whether this version plays all of it."""
        return self.entry is not None and not self.entry["missing"]


def said(fields: Mapping[str, Any], names: Mapping[str, str] | None = None) -> Said:
    """What is said of a card's fields."""
    name = str(fields.get("name", "a card without name"))
    try:
        card = cards.make_card(fields, names)
    except SetError as wrong:
        return Said(name, dict(fields), errors=tuple(wrong.errors))
    except TextError:
        return Said(name, dict(fields), failures=tuple(_failures(fields, names)))
    return Said(name, dict(fields), listing.card_entry(card))


def _failures(
    fields: Mapping[str, Any], names: Mapping[str, str] | None
) -> Iterable[dict[str, Any]]:
    for key, language in (("text", None), ("text_hu", "hu")):
        text = str(fields.get(key, ""))
        try:
            compile_text(text, fields["type"], str(fields["name"]), language, names)
        except TextError as wrong:
            yield from ({**msgspec.to_builtins(one), "text": text} for one in wrong.errors)


def read(path: str | Path) -> list[Said]:
    """What is said of each card of a set file."""
    entries = cards.read_entries(path)
    names = cards.names_of(entries)
    return [said(fields, names) for fields in entries]


# ---------------------------------------------------------------- as TOML


def as_toml(fields: Mapping[str, Any]) -> str:
    """One card as a set file has it."""
    lines = ["[[card]]"]
    for key in ORDER:
        value = fields.get(key)
        if value in (None, [], (), "", 0):
            continue
        lines.append(f"{key} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, int | str | list | tuple):
        raise ValueError(f"no card has {value!r}")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _string(value)
    return "[" + ", ".join(_string(one) for one in value) + "]"


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"""\n{escaped}"""' if "\n" in text else f'"{escaped}"'


def add(fields: Mapping[str, Any], path: Path) -> None:
    """Add a card to a set file, which need not exist yet; SetError if its name is taken."""
    before = path.read_text("utf-8") if path.exists() else f"set = {_string(path.stem)}\n"
    name = fields["name"]
    taken = [one.get("name") for one in cards.read_entries(path)] if path.exists() else []
    if name in taken or name in cards.shipped():
        raise SetError(str(path), [f"{name}: there is already a card of that name"])
    path.write_text(before.rstrip("\n") + "\n\n" + as_toml(fields), "utf-8")


def set_file(title: str, found: Iterable[Mapping[str, Any]]) -> str:
    """A whole set file."""
    return f"set = {_string(title)}\n" + "".join(f"\n{as_toml(fields)}" for fields in found)


def list_sets(path: str | Path) -> dict[str, list[dict[str, Any]]]:
    """The cards of a set file by the set's name: there is no public list of hkk."""
    return {Path(path).stem: cards.read_entries(path)}
