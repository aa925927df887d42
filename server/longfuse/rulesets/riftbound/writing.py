"""Writing cards: a new card from a few words, cards of a public list as set files, checked.

Owns how a card is written in TOML, and what is said of one: what was understood of it, where the
compiler stopped, and what is not played yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from longfuse.abilities.text.errors import TextError
from longfuse.rulesets.riftbound import cards, listing
from longfuse.rulesets.riftbound.cards import SetError

__all__ = ["Said", "SetError", "add", "as_toml", "list_sets", "read", "said", "set_file"]

ORDER = (
    "name", "type", "energy", "power", "domains", "might", "supertypes", "tags", "text", "abilities"
)  # fmt: skip


class Said(msgspec.Struct, frozen=True):
    """What is said of a card. entry: as the catalogue has it, if it is understood. errors: of its
    fields. failures: where the compiler stopped.
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


def said(fields: Mapping[str, Any]) -> Said:
    """What is said of a card's fields."""
    name = str(fields.get("name", "a card without name"))
    try:
        card = cards.make_card(fields)
    except SetError as wrong:
        return Said(name, dict(fields), errors=tuple(wrong.errors))
    except TextError as wrong:
        failures = tuple(msgspec.to_builtins(one) for one in wrong.errors)
        return Said(name, dict(fields), failures=failures)
    return Said(name, dict(fields), listing.card_entry(card))


def read(path: str | Path) -> list[Said]:
    """What is said of each card of a set file or public list."""
    return [said(fields) for fields in cards.read_entries(path)]


# ---------------------------------------------------------------- as TOML


def as_toml(fields: Mapping[str, Any]) -> str:
    """One card as a set file has it."""
    lines = ["[[card]]"]
    for key in ORDER:
        value = fields.get(key)
        if value in (None, [], (), "") or (key == "energy" and value == 0):
            continue
        lines.append(f"{key} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str | list | tuple):
        raise ValueError(f"no card has {value!r}")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _string(value)
    return "[" + ", ".join(_string(one) for one in value) + "]"


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    escaped = re.sub(r"[\x00-\x09\x0b-\x1f\x7f]", lambda at: f"\\u{ord(at[0]):04X}", escaped)
    if "\n" in escaped:
        return f'"""\n{escaped}"""'
    return f'"{escaped}"'


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
    """The different cards of a public list as fields, by the set that each first appears in."""
    data = msgspec.json.decode(Path(path).read_bytes())
    found: dict[str, list[dict[str, Any]]] = {}
    seen: set[str] = set()
    for entry in data["cards"] if isinstance(data, dict) else data:
        fields = cards.from_public(entry)
        if fields["name"] not in seen:
            seen.add(fields["name"])
            found.setdefault(str(entry.get("setId") or "cards").lower(), []).append(fields)
    return found
