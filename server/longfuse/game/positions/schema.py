"""Checking tables of a file: each key that is unknown, missing or of a wrong kind, and where.

Owns how such an error reads. It knows no key by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Count:
    """Stands for a whole number that is not below zero, nor beyond `COUNT_MAX`."""


COUNT_MAX = 1_000


TEXT: tuple[type, ...] = (str,)
NUMBER: tuple[type, ...] = (int,)
COUNT: tuple[type, ...] = (Count,)
BOOLEAN: tuple[type, ...] = (bool,)
LIST: tuple[type, ...] = (list,)
TABLE: tuple[type, ...] = (dict,)
ANY: tuple[type, ...] = (object,)

_NAMES = {
    Count: f"a number from 0 to {COUNT_MAX}",
    str: "a text",
    int: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


class Field(NamedTuple):
    """What one key takes. words: the texts that are allowed (empty: any)."""

    kinds: tuple[type, ...]
    words: tuple[str, ...] = ()
    needed: bool = False


def check(
    table: object, fields: Mapping[str, Field], place: str, errors: list[str]
) -> dict[str, Any]:
    """The table, with everything that is wrong in it added to `errors`."""
    if not isinstance(table, dict):
        errors.append(f"{place}: a table is needed, not {shown(table)}")
        return {}
    for key, value in table.items():
        field = fields.get(key)
        if field is None:
            errors.append(f"{place}: there is no key “{key}” here; allowed: {listed(fields)}")
        else:
            check_value(value, field, f"{place}, “{key}”", errors)
    errors += [
        f"{place}: the key “{key}” is missing"
        for key, field in fields.items()
        if field.needed and key not in table
    ]
    return table


def check_value(value: object, field: Field, place: str, errors: list[str]) -> None:
    """Whether a value is of the kind and among the words that a key takes."""
    if not _is_kind(value, field.kinds):
        wanted = " or ".join(_NAMES.get(kind, "something else") for kind in field.kinds)
        errors.append(f"{place}: {wanted} is needed, not {shown(value)}")
    elif field.words and value not in field.words:
        errors.append(f"{place}: there is no “{value}”; allowed: {listed(field.words)}")


def check_all(
    tables: object, fields: Mapping[str, Field], place: str, errors: list[str]
) -> list[dict[str, Any]]:
    """A list of tables, each checked under its number."""
    if not isinstance(tables, list):
        return []
    return [
        check(table, fields, f"{place} {number}", errors) for number, table in enumerate(tables, 1)
    ]


def _is_kind(value: object, kinds: tuple[type, ...]) -> bool:
    if isinstance(value, bool) and bool not in kinds:
        return object in kinds
    if Count in kinds:
        return isinstance(value, int) and 0 <= value <= COUNT_MAX
    return isinstance(value, kinds)


def listed(words: Iterable[str]) -> str:
    """Words as a list in a sentence."""
    return ", ".join(words)


def shown(value: object) -> str:
    """A value in an error, cut short."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
