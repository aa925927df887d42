"""Card definitions: what is printed on a card in both languages, and the abilities it compiles to.

Owns `CardDefinition`; that both wordings of a card mean the same; loading of set files
(`sets/*.toml`) with all their errors listed; and the report behind `cards check`.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from longfuse.abilities.ability import Ability, Do
from longfuse.abilities.text.check import walk
from longfuse.abilities.text.errors import Failure, TextError
from longfuse.rulesets.card_files import tables
from longfuse.rulesets.hkk.text import COMPILER_VERSION, compile_text, say
from longfuse.rulesets.hkk.text_names import english
from longfuse.rulesets.hkk.vocabulary import TYPES

SETS = Path(__file__).parent / "sets"


class CardDefinition(msgspec.Struct, frozen=True):
    """One card as printed. cost: magic points. text, text_hu: its wordings; one of them may be
    missing. token: it is no card but made by others.
    """

    name: str
    type: str
    name_hu: str = ""
    cost: int = 0
    damage: int = 0
    life: int = 0
    tags: tuple[str, ...] = ()
    text: str = ""
    text_hu: str = ""
    token: bool = False
    abilities: tuple[Ability, ...] = ()


class SetError(Exception):
    """A card file that is refused, with everything that is wrong in it."""

    def __init__(self, path: str, errors: Sequence[str], failures: Sequence[Failure] = ()) -> None:
        self.path = path
        self.errors = list(errors)
        self.failures = list(failures)
        super().__init__("\n".join([f"{path}:", *(f"  {one}" for one in self.errors)]))


# ---------------------------------------------------------------- one card

_FIELDS: dict[str, type | tuple[type, ...]] = {
    "name": str, "type": str, "name_hu": str, "cost": int, "damage": int, "life": int,
    "tags": list, "text": str, "text_hu": str, "token": bool, "abilities": (str, list),
}  # fmt: skip


def make_card(fields: Mapping[str, Any], names: Mapping[str, str] | None = None) -> CardDefinition:
    """A card from the fields of a set file or position file; raises SetError or TextError.

    names: of the cards that its texts may speak of, by their Hungarian names.
    """
    wrong = _field_errors(fields)
    if wrong:
        raise SetError(str(fields.get("name", "?")), wrong)
    card = CardDefinition(
        name=fields["name"],
        type=fields["type"],
        name_hu=fields.get("name_hu", ""),
        cost=fields.get("cost", 0),
        damage=fields.get("damage", 0),
        life=fields.get("life", 0),
        tags=tuple(fields.get("tags", ())),
        text=_text_of(fields),
        text_hu=fields.get("text_hu", ""),
        token=fields.get("token", False),
    )
    return msgspec.structs.replace(card, abilities=_abilities(card, names))


def _text_of(fields: Mapping[str, Any]) -> str:
    words = fields.get("text", fields.get("abilities", ""))
    return words if isinstance(words, str) else "\n".join(words)


def _abilities(card: CardDefinition, names: Mapping[str, str] | None) -> tuple[Ability, ...]:
    """What both wordings mean; SetError where they mean different things, TextError with what
    either has that is not understood.
    """
    read: list[tuple[Ability, ...]] = []
    failures: list[Failure] = []
    for text, language in ((card.text, None), (card.text_hu, "hu")):
        if text.strip():
            try:
                read.append(compile_text(text, card.type, card.name, language, names).abilities)
            except TextError as wrong:
                failures += wrong.errors
    if failures:
        raise TextError(failures)
    if len(read) == 2 and (wrong_pairs := _differences(card.name, *read)):
        raise SetError(card.name, wrong_pairs)
    return read[0] if read else ()


def _differences(name: str, one: tuple[Ability, ...], other: tuple[Ability, ...]) -> list[str]:
    """Where two wordings part, each said in English."""
    found: list[str] = []
    for at in range(max(len(one), len(other))):
        pair = [side[at] if at < len(side) else None for side in (one, other)]
        meant = [None if ability is None else ability.meaning() for ability in pair]
        if meant[0] != meant[1]:
            said = ["nothing" if ability is None else f"“{say(ability)}”" for ability in pair]
            found.append(
                f"{name}: the wordings differ in ability {at + 1}: English {said[0]},"
                f" Hungarian {said[1]}"
            )
    return found


def _field_errors(fields: Mapping[str, Any]) -> list[str]:
    name = fields.get("name", "a card without name")
    found = [f"{name}: no field is called “{key}”" for key in fields if key not in _FIELDS]
    for key, kind in _FIELDS.items():
        if key in fields and not _is_of(fields[key], kind):
            found.append(f"{name}: “{key}” is not of the right kind")
    found += [f"{name}: “{key}” is missing" for key in ("name", "type") if key not in fields]
    if found:
        return found
    if fields["type"] not in TYPES:
        found.append(f"{name}: no type is called “{fields['type']}”")
    numbers = ("cost", "damage", "life")
    if any(fields.get(key, 0) < 0 for key in numbers):
        found.append(f"{name}: a number is below zero")
    if fields["type"] == "creature" and fields.get("life", 0) < 1:
        found.append(f"{name}: a creature needs “life”")
    if fields["type"] != "creature" and (fields.get("damage") or fields.get("life")):
        found.append(f"{name}: only a creature has “damage” and “life”")
    return found


def _is_of(value: Any, kind: type | tuple[type, ...]) -> bool:
    if kind is int and isinstance(value, bool):
        return False
    return isinstance(value, kind)


# ---------------------------------------------------------------- set files


def load_set(path: str | Path) -> dict[str, CardDefinition]:
    """The cards of a set file by name. Raises `SetError` with every error of the file."""
    path = Path(path)
    try:
        data = tomllib.loads(path.read_bytes().decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise SetError(str(path), [f"not a TOML file: {wrong}"]) from wrong
    try:
        entries = tables(data.get("card", []))
    except ValueError as wrong:
        raise SetError(str(path), [str(wrong)]) from wrong
    names = names_of(entries)
    errors = [] if entries else ["no [[card]] in it"]
    failures: list[Failure] = []
    cards: dict[str, CardDefinition] = {}
    for fields in entries:
        try:
            card = make_card(fields, names)
        except SetError as wrong:
            errors += wrong.errors
        except TextError as wrong:
            failures += wrong.errors
            errors += [one.sentence() for one in wrong.errors]
        else:
            errors += _twice(card, cards)
            cards[card.name] = card
    errors += _unknown_tokens(cards, entries)
    if errors:
        raise SetError(str(path), errors, failures)
    return cards


def names_of(entries: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The names of some cards, and of the shipped ones, by their Hungarian names."""
    own = {one["name_hu"]: one["name"] for one in entries if one.get("name_hu") and "name" in one}
    return {**english(), **own}


def _twice(card: CardDefinition, cards: Mapping[str, CardDefinition]) -> list[str]:
    found = [f"{card.name}: twice in this file"] if card.name in cards else []
    if card.name_hu and any(one.name_hu == card.name_hu for one in cards.values()):
        found.append(f"{card.name}: “{card.name_hu}” is another card's name, too")
    return found


def _unknown_tokens(
    cards: Mapping[str, CardDefinition], entries: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Tokens that are made and stand nowhere in the file."""
    tokens = {one.get("name") for one in entries if one.get("token")}
    return [
        f"{card.name}: no token is called “{name}”"
        for card in cards.values()
        for name in made_by(card)
        if name not in tokens
    ]


def made_by(card: CardDefinition) -> list[str]:
    """The tokens that a card makes, by name."""
    made = [one for one in walk(card.abilities) if isinstance(one, Do) and one.verb == "token"]
    return list(dict.fromkeys(one.word for one in made))


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, CardDefinition]:
    """The cards of all shipped sets by name, tokens too."""
    found: dict[str, CardDefinition] = {}
    for path in set_files():
        found.update(load_set(path))
    return MappingProxyType(found)


def set_files() -> list[Path]:
    """The shipped set files."""
    return [path for path in sorted(SETS.glob("*.toml")) if path.name != "decks.toml"]


@lru_cache(maxsize=1)
def compiler_digest() -> str:
    """The compiler's version: its number, grammars and builders."""
    here = Path(__file__).parent
    files = [*here.glob("text*.py"), *(here / "grammar").glob("*.peg"), here / "vocabulary.py"]
    files += [one for one in (here.parent.parent / "abilities").glob("text/*") if one.is_file()]
    digest = hashlib.blake2b(COMPILER_VERSION.encode(), digest_size=16)
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()


# ---------------------------------------------------------------- the report


def read_entries(path: str | Path) -> list[dict[str, Any]]:
    """The cards of a set file, uncompiled."""
    return tables(tomllib.loads(Path(path).read_text("utf-8")).get("card", []))


def cards_report(
    paths: Iterable[str | Path], delayed_names: Iterable[str] | None = None
) -> dict[str, Any]:
    """What the compiler understands of some files; different cards are counted once by name.

    Delayed are the cards of `delayed_names`; without it, those whose abilities have counters.
    """
    wanted = {one.strip() for one in delayed_names or () if one.strip() and one[0] != "#"}
    seen: dict[str, bool] = {}
    failures: list[dict[str, Any]] = []
    for path in paths:
        entries = read_entries(path)
        names = names_of(entries)
        for fields in entries:
            name = str(fields.get("name", ""))
            if name in seen:
                continue
            found, gated = _tried(fields, names)
            seen[name] = not found
            failures += found
            if delayed_names is None and gated:
                wanted.add(name)
    delayed = [name for name in seen if name in wanted]
    return {
        "cards": len(seen),
        "compiled": sum(seen.values()),
        "delayed": len(delayed),
        "delayed_compiled": sum(seen[name] for name in delayed),
        "failures": failures,
    }


def _tried(
    fields: Mapping[str, Any], names: Mapping[str, str]
) -> tuple[list[dict[str, Any]], bool]:
    try:
        card = make_card(fields, names)
    except TextError as wrong:
        return [_as_dict(one) for one in wrong.errors], False
    except SetError as wrong:
        name = str(fields.get("name", ""))
        return [_as_dict(Failure(name, 0, 0, one)) for one in wrong.errors], False
    return [], any(ability.gate is not None for ability in card.abilities)


def _as_dict(failure: Failure) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(failure)
    built["expected"] = list(failure.expected)
    return built
