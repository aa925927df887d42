"""Steps and expectations as data, with every unknown key, ref and word in them listed.

Owns the shape of a step. It checks what a file says, never what a game does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from longfuse.game.positions import words
from longfuse.game.positions.schema import TEXT, Field, check, check_all, check_value, listed

if TYPE_CHECKING:
    from longfuse.game.positions.rules import Vocabulary


class Step(msgspec.Struct, frozen=True):
    """One step: an action ("" for none) with its keys, then what must hold.

    label: its number in the file. steps: those of a repeat.
    """

    label: str
    do: str
    fields: dict[str, Any]
    expect: dict[str, Any] | None
    steps: tuple[Step, ...] = ()

    def get(self, key: str, default: Any = None) -> Any:
        """The value of one of its keys."""
        return self.fields.get(key, default)

    @property
    def seat(self) -> int | None:
        """Whose step it is."""
        name = self.fields.get("seat")
        return words.SEATS.index(name) if name in words.SEATS else None


class Names(NamedTuple):
    """What a file may name: the refs of its objects, and the ruleset's words."""

    refs: frozenset[str]
    vocabulary: Vocabulary

    def ref(self, name: object, place: str, errors: list[str]) -> None:
        """Complain of a name that is no ref of the file."""
        if not isinstance(name, str):
            return
        if name not in self.refs and name not in self.vocabulary.refs:
            errors.append(f"{place}: “{name}” is no ref of this file")

    def phase(self, name: object, place: str, errors: list[str]) -> None:
        """Complain of a name that is no phase or step."""
        phases = self.vocabulary.phases
        if isinstance(name, str) and name not in phases:
            errors.append(f"{place}: there is no phase “{name}”; allowed: {listed(phases)}")

    def location(self, name: object, place: str, errors: list[str]) -> None:
        """Complain of a name that is no location."""
        if isinstance(name, str) and not self.vocabulary.is_location(name):
            errors.append(f"{place}: there is no location “{name}”")


def read_steps(tables: object, names: Names, errors: list[str], before: str = "") -> list[Step]:
    """The steps of a list of tables."""
    if not isinstance(tables, list):
        return []
    return [
        _step(table, names, f"{before}{number}", errors) for number, table in enumerate(tables, 1)
    ]


def _step(table: object, names: Names, label: str, errors: list[str]) -> Step:
    place = f"step {label}"
    do = table.get("do", "") if isinstance(table, dict) else ""
    if not isinstance(do, str) or (do and do not in words.ACTIONS):
        errors.append(f"{place}: there is no action “{do}”; allowed: {listed(words.ACTIONS)}")
        return Step(label, "", {}, None)
    fields = check(table, words.step_fields(do), place, errors)
    _action(fields, names, place, errors)
    if not do and "expect" not in fields:
        errors.append(f"{place}: neither an action (“do”) nor an expectation (“expect”)")
    expect = fields.get("expect")
    if isinstance(expect, dict):
        _expectation(expect, names, place, errors)
    steps: tuple[Step, ...] = ()
    if do == "repeat":
        steps = tuple(read_steps(fields.get("steps"), names, errors, f"{label}."))
    return Step(label, do, fields, expect if isinstance(expect, dict) else None, steps)


def _action(fields: Mapping[str, Any], names: Names, place: str, errors: list[str]) -> None:
    """The names within an action's keys."""
    names.ref(fields.get("object"), f"{place}, “object”", errors)
    objects = fields.get("objects", [])
    for one in objects if isinstance(objects, list) else []:
        check_value(one, Field(TEXT), f"{place}, “objects”", errors)
        names.ref(one, f"{place}, “objects”", errors)
    if objects == [] and "objects" in fields:
        errors.append(f"{place}, “objects”: at least one is needed")
    names.phase(fields.get("until"), f"{place}, “until”", errors)
    names.location(fields.get("to"), f"{place}, “to”", errors)
    do = fields.get("do")
    if isinstance(do, str) and do in words.ACTIONS and do not in names.vocabulary.actions:
        errors.append(f"{place}: this ruleset has no action “{do}”")


# ---------------------------------------------------------------- expectations


def _expectation(expect: Mapping[str, Any], names: Names, place: str, errors: list[str]) -> None:
    for key, value in expect.items():
        here = f"{place}, expect “{key}”"
        if key in words.FIXED:
            check_value(value, words.FIXED[key], here, errors)
            _fixed(key, value, names, here, errors)
        elif key in words.SEATS:
            check(value, names.vocabulary.seat_facts, here, errors)
            _each_ref(value, ("hand_has",), names, here, errors)
        elif key in names.refs:
            check(value, {**words.OBJECT_FACTS, **names.vocabulary.object_facts}, here, errors)
        else:
            errors.append(
                f"{place}, expect: “{key}” is no ref of this file, no seat and none of "
                f"{listed(words.FIXED)}"
            )


def _fixed(key: str, value: Any, names: Names, here: str, errors: list[str]) -> None:
    match key:
        case "waiting" | "ended" | "chain":
            fields = {"waiting": words.WAITING, "ended": words.ENDED, "chain": words.CHAIN}[key]
            for table in check_all(value, fields, f"{here}", errors):
                _sources(table, names, here, errors)
        case "prompt":
            _table_or_none(value, words.PROMPT, here, errors)
            _each_ref(value, ("offers", "not_offers"), names, here, errors)
        case "legal" | "illegal":
            read_steps(value, names, errors, f"({key}) ")
        case "happened":
            _happened(value, names, here, errors)
        case "showdown":
            _table_or_none(value, words.SHOWDOWN_FOUND, here, errors)
        case "phase":
            names.phase(value, here, errors)
        case "either":
            _alternatives(value, names, here, errors)
        case _:
            pass


def _table_or_none(
    value: object, fields: Mapping[str, Field], here: str, errors: list[str]
) -> None:
    if isinstance(value, dict):
        check(value, fields, here, errors)
    elif value != "none":
        errors.append(f"{here}: a table or “none” is needed")


def _alternatives(value: object, names: Names, here: str, errors: list[str]) -> None:
    for table in value if isinstance(value, list) else []:
        if isinstance(table, dict):
            _expectation(table, names, here, errors)
        else:
            errors.append(f"{here}: a list of tables is needed")


def _sources(table: Mapping[str, Any], names: Names, here: str, errors: list[str]) -> None:
    for key in ("source", "about"):
        names.ref(table.get(key), f"{here}, “{key}”", errors)


def _each_ref(
    table: object, keys: tuple[str, ...], names: Names, here: str, errors: list[str]
) -> None:
    if not isinstance(table, dict):
        return
    for key in keys:
        found = table.get(key, [])
        for name in found if isinstance(found, list) else []:
            check_value(name, Field(TEXT), f"{here}, “{key}”", errors)
            if name not in words.SEATS:
                names.ref(name, f"{here}, “{key}”", errors)


def _happened(value: object, names: Names, here: str, errors: list[str]) -> None:
    if not isinstance(value, dict):
        return
    allowed = names.vocabulary.happened
    for event, counts in value.items():
        if event not in allowed:
            errors.append(f"{here}: there is no event “{event}”; allowed: {listed(allowed)}")
        if not isinstance(counts, dict):
            errors.append(f"{here}, “{event}”: a table of counts is needed")
            continue
        for name, count in counts.items():
            if name not in words.SEATS:
                names.ref(name, f"{here}, “{event}”", errors)
            if not isinstance(count, int):
                errors.append(f"{here}, “{event}”: a number is needed for “{name}”")
