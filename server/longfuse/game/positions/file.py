"""Reading a position file: TOML to a `Position`, or all of its errors.

Owns the shape of a position as data, and every check that needs no game: keys, kinds, words, refs.
What only a ruleset knows (zones, phases, cards' fields) it asks of `rules.PositionRules`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.game.positions import words
from longfuse.game.positions.outcome import CardErrors, CardUnreadable, FileErrors
from longfuse.game.positions.schema import check, check_all, listed
from longfuse.game.positions.steps import Names, Step, read_steps

if TYPE_CHECKING:
    from longfuse.game.positions.rules import PositionRules


class Position(msgspec.Struct, frozen=True):
    """A file that was read without an error.

    cards: what each name that an object uses stands for, as the ruleset defines it. unreadable:
    what could not be compiled; such a position is not played.
    """

    id: str
    title: str
    clauses: tuple[str, ...]
    options: dict[str, str]
    start: dict[str, Any]
    battlefields: tuple[dict[str, Any], ...]
    objects: tuple[dict[str, Any], ...]
    steps: tuple[Step, ...]
    cards: dict[str, Any]
    unreadable: tuple[str, ...] = ()


def parse(path: Path) -> dict[str, Any]:
    """The TOML of a file; FileErrors if it is none."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as wrong:
        raise FileErrors([f"{path}: {wrong.strerror or wrong}"]) from wrong
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise FileErrors([f"not a TOML file: {wrong}"]) from wrong


def ruleset_of(data: Mapping[str, Any], known: Mapping[str, PositionRules]) -> PositionRules:
    """The ruleset that a file names; FileErrors if there is none of that name."""
    name = data.get("ruleset")
    if isinstance(name, str) and name in known:
        return known[name]
    raise FileErrors([f"there is no ruleset “{name}”; there is {listed(known)}"])


def read(data: dict[str, Any], rules: PositionRules) -> Position:
    """The position that the tables stand for; FileErrors with everything that is wrong."""
    errors: list[str] = []
    check(data, words.HEAD, "the file", errors)
    _strings(data, "rules", errors)
    options = _options(data, rules, errors)
    start = _start(data, rules, errors)
    fields = check_all(data.get("battlefield", []), words.BATTLEFIELD, "[[battlefield]]", errors)
    objects = check_all(
        data.get("object", []), {**words.OBJECT, **rules.vocabulary.object}, "[[object]]", errors
    )
    cards, unreadable = _cards(data, rules, [*objects, *fields], errors)
    refs = _refs(objects, rules, errors)
    names = Names(frozenset(refs), rules.vocabulary)
    steps = read_steps(data.get("step", []), names, errors)
    # Where a text is not understood nothing more can be said about the card.
    errors += rules.complaints(start, fields, objects, cards)
    if errors:
        raise FileErrors(errors)
    return Position(
        id=str(data["id"]),
        title=str(data.get("title", "")),
        clauses=tuple(data.get("rules", ())),
        options=options,
        start=start,
        battlefields=tuple(fields),
        objects=tuple(objects),
        steps=tuple(steps),
        cards=cards,
        unreadable=tuple(unreadable),
    )


def _strings(data: Mapping[str, Any], key: str, errors: list[str]) -> None:
    value = data.get(key, [])
    if isinstance(value, list) and not all(isinstance(one, str) for one in value):
        errors.append(f"the file, “{key}”: a list of texts is needed")


def _options(data: Mapping[str, Any], rules: PositionRules, errors: list[str]) -> dict[str, str]:
    found = data.get("options", {})
    if not isinstance(found, dict):
        return {}
    known = rules.vocabulary.options
    for name, value in found.items():
        if name not in known:
            errors.append(f"[options]: there is no option “{name}”; allowed: {listed(known)}")
        elif value not in known[name]:
            allowed = listed(known[name])
            errors.append(f"[options], “{name}”: there is no “{value}”; allowed: {allowed}")
    return {str(name): str(value) for name, value in found.items()}


def _start(data: Mapping[str, Any], rules: PositionRules, errors: list[str]) -> dict[str, Any]:
    start = data.get("start", {})
    check(start, rules.vocabulary.start, "[start]", errors)
    if not isinstance(start, dict):
        return {}
    for seat in words.SEATS:
        if seat in start:
            check(start[seat], rules.vocabulary.seat_start, f"[start], “{seat}”", errors)
    if "showdown" in start:
        check(start["showdown"], words.SHOWDOWN, "[start.showdown]", errors)
    return start


# ---------------------------------------------------------------- cards and refs


def _cards(
    data: Mapping[str, Any],
    rules: PositionRules,
    placed: list[dict[str, Any]],
    errors: list[str],
) -> tuple[dict[str, Any], list[str]]:
    """The cards that are used, by name, and what could not be compiled."""
    own = _own_cards(data, errors)
    found: dict[str, Any] = {}
    unreadable: list[str] = []
    for name, fields in own.items():
        try:
            found[name] = rules.define(fields)
        except CardErrors as wrong:
            errors += [f"[[card]] “{name}”: {one}" for one in wrong.errors]
        except CardUnreadable as wrong:
            unreadable += [f"[[card]] “{name}”: {one}" for one in wrong.errors]
    for table in placed:
        used = table.get("card")
        if not isinstance(used, str) or used in found or used in own:
            continue
        definition = rules.shipped(used)
        if definition is None:
            ref = table.get("ref", "?")
            errors.append(f"“{ref}”: there is no card “{used}”, here or in the shipped sets")
        else:
            found[used] = definition
    return found, unreadable


def _own_cards(data: Mapping[str, Any], errors: list[str]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    cards = data.get("card", [])
    for number, fields in enumerate(cards if isinstance(cards, list) else [], 1):
        name = fields.get("name") if isinstance(fields, dict) else None
        if not isinstance(name, str) or not name:
            errors.append(f"[[card]] {number}: a table with a “name” is needed")
        elif name in found:
            errors.append(f"[[card]] {number}: “{name}” is there twice")
        else:
            found[name] = fields
    return found


def _refs(
    objects: list[dict[str, Any]], rules: PositionRules, errors: list[str]
) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for number, table in enumerate(objects, 1):
        ref = table.get("ref")
        if not isinstance(ref, str):
            continue
        if ref in found or ref in words.SEATS or ref in words.FIXED or ref in rules.vocabulary.refs:
            errors.append(f"[[object]] {number}: the ref “{ref}” is taken")
        found[ref] = table
    for name, table in found.items():
        to = table.get("attached_to")
        if isinstance(to, str) and to not in found:
            errors.append(f"“{name}”: attached to “{to}”, which is no ref of this file")
    return found
