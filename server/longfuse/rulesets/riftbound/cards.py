"""Card definitions: what is printed on a card, and the abilities its text compiles to.

Owns `CardDefinition`; loading of set files (`sets/*.toml`) with all their errors listed; the shape
of the public JSON card list; the cache of compiled sets; and the report behind `cards check`.
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

from longfuse.abilities.ability import Ability
from longfuse.abilities.text.errors import Failure, TextError
from longfuse.rulesets.card_files import tables
from longfuse.rulesets.riftbound import set_cache
from longfuse.rulesets.riftbound.text import COMPILER_VERSION, compile_text, say
from longfuse.rulesets.riftbound.vocabulary import DOMAINS

TYPES = ("unit", "spell", "gear", "legend", "battlefield", "rune")
SUPERTYPES = ("champion", "signature", "basic", "token")
SETS = Path(__file__).parent / "sets"


class CardDefinition(msgspec.Struct, frozen=True):
    """One card as printed. power: a domain for each Power symbol, "any" for any domain's."""

    name: str
    type: str
    energy: int = 0
    power: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    might: int | None = None
    tags: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    text: str = ""
    abilities: tuple[Ability, ...] = ()


class SetError(Exception):
    """A card file that is refused, with everything that is wrong in it."""

    def __init__(self, path: str, errors: Sequence[str], failures: Sequence[Failure] = ()) -> None:
        self.path = path
        self.errors = list(errors)
        self.failures = list(failures)
        super().__init__("\n".join([f"{path}:", *(f"  {one}" for one in self.errors)]))


# ---------------------------------------------------------------- one card


def make_card(fields: Mapping[str, Any]) -> CardDefinition:
    """A card from the fields of a set file or position file; raises SetError or TextError."""
    wrong = _field_errors(fields)
    if wrong:
        raise SetError(str(fields.get("name", "?")), wrong)
    card = _card_without_text(fields)
    return msgspec.structs.replace(card, abilities=_abilities(card.text, card.type, card.name))


@lru_cache(maxsize=4096)
def _abilities(text: str, type: str, name: str) -> tuple[Ability, ...]:
    return compile_text(text, type, name).abilities


def _card_without_text(fields: Mapping[str, Any]) -> CardDefinition:
    return CardDefinition(
        name=fields["name"],
        type=fields["type"],
        energy=fields.get("energy", 0),
        power=tuple(fields.get("power", ())),
        domains=tuple(fields.get("domains", ())),
        might=fields.get("might"),
        tags=tuple(fields.get("tags", ())),
        supertypes=tuple(fields.get("supertypes", ())),
        text=_text_of(fields),
    )


def _text_of(fields: Mapping[str, Any]) -> str:
    words = fields.get("text", fields.get("abilities", ""))
    return words if isinstance(words, str) else "\n".join(words)


_FIELDS: dict[str, type | tuple[type, ...]] = {
    "name": str, "type": str, "energy": int, "power": list, "domains": list, "might": int,
    "tags": list, "supertypes": list, "text": str, "abilities": (str, list),
}  # fmt: skip


def _field_errors(fields: Mapping[str, Any]) -> list[str]:
    name = fields.get("name", "a card without name")
    found = [f"{name}: no field is called “{key}”" for key in fields if key not in _FIELDS]
    for key, kind in _FIELDS.items():
        if key in fields and not _is_of(kind, fields[key]):
            found.append(f"{name}: “{key}” is not of the right kind")
    found += [f"{name}: “{key}” is missing" for key in ("name", "type") if key not in fields]
    if found:
        return found
    if fields["type"] not in TYPES:
        found.append(f"{name}: no type is called “{fields['type']}”")
    for key in ("power", "domains"):
        allowed = (*DOMAINS, "any") if key == "power" else DOMAINS
        found += [
            f"{name}: no domain is called “{one}”"
            for one in fields.get(key, ())
            if one not in allowed
        ]
    found += [
        f"{name}: no supertype is called “{one}”"
        for one in fields.get("supertypes", ())
        if one not in SUPERTYPES
    ]
    if fields["type"] == "unit" and "might" not in fields:
        found.append(f"{name}: a unit needs “might”")
    if fields.get("energy", 0) < 0 or (fields.get("might") or 0) < 0:
        found.append(f"{name}: a number is below zero")
    return found


def _is_of(kind: type | tuple[type, ...], value: Any) -> bool:
    """Whether a field is of its kind: what is listed are words, and true is no number."""
    if not isinstance(value, kind) or isinstance(value, bool):
        return False
    return not isinstance(value, list) or all(isinstance(one, str) for one in value)


# ---------------------------------------------------------------- set files


def load_set(path: str | Path, cache: str | Path | None = None) -> dict[str, CardDefinition]:
    """The cards of a set file by name; `cache`: a folder for compiled sets.

    Raises `SetError` with every error of the file.
    """
    path = Path(path)
    content = path.read_bytes()
    kept = set_cache.file(cache, content, compiler_digest())
    cards = set_cache.read(kept, list[CardDefinition])
    if cards is None:
        cards = _compile_set(path, content)
        set_cache.write(kept, cards)
    return {card.name: card for card in cards}


@lru_cache(maxsize=1)
def compiler_digest() -> str:
    """The compiler's version: its number, grammar and builders, and the shape of what it makes."""
    here = Path(__file__).parent
    abilities = here.parent.parent / "abilities"
    files = sorted(
        [*here.glob("text*.py"), *(here / "grammar").glob("*.peg"), here / "vocabulary.py"]
    )
    files += [Path(__file__), abilities / "nodes.py", abilities / "ability.py"]
    files += sorted(abilities.glob("text/*"))
    digest = hashlib.blake2b(COMPILER_VERSION.encode(), digest_size=16)
    for file in files:
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _compile_set(path: Path, content: bytes) -> list[CardDefinition]:
    try:
        data = tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise SetError(str(path), [f"not a TOML file: {wrong}"]) from wrong
    errors: list[str] = []
    failures: list[Failure] = []
    cards: dict[str, CardDefinition] = {}
    try:
        entries = tables(data.get("card", []))
    except ValueError as wrong:
        raise SetError(str(path), [str(wrong)]) from wrong
    for fields in entries:
        try:
            card = make_card(fields)
        except SetError as wrong:
            errors += wrong.errors
        except TextError as wrong:
            failures += wrong.errors
            errors += [one.sentence() for one in wrong.errors]
        else:
            if card.name in cards:
                errors.append(f"{card.name}: twice in this file")
            cards[card.name] = with_words(card)
    if not entries:
        errors.append("no [[card]] in it")
    if errors:
        raise SetError(str(path), errors, failures)
    return list(cards.values())


def with_words(card: CardDefinition) -> CardDefinition:
    """The card with its abilities' words put down, so that no game has to find them."""
    abilities = tuple(
        ability
        if ability.kind in ("spell", "keyword")
        else msgspec.structs.replace(ability, text=say(ability, card.type))
        for ability in card.abilities
    )
    return msgspec.structs.replace(card, abilities=abilities)


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, CardDefinition]:
    """The cards of all shipped sets by name."""
    found: dict[str, CardDefinition] = {}
    cache = set_cache.folder()
    for path in set_files():
        found.update(load_set(path, cache))
    return MappingProxyType(found)


def set_files() -> list[Path]:
    """The shipped set files."""
    return [path for path in sorted(SETS.glob("*.toml")) if path.name != "decks.toml"]


# ---------------------------------------------------------------- the public list


def from_public(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of the public JSON list as the fields of a set file."""
    domains = [one.lower() for one in entry.get("domains", []) if one.lower() in DOMAINS]
    power = int(entry.get("power") or 0)
    kinds = [one.lower() for one in entry.get("cardTypes", [])] or ["unit"]
    fields: dict[str, Any] = {
        "name": entry["name"],
        "type": kinds[0],
        "energy": int(entry.get("energy") or 0),
        "power": [domains[0] if len(domains) == 1 else "any"] * power,
        "domains": domains,
        "tags": list(entry.get("tags", [])),
        "supertypes": [
            one.lower() for one in entry.get("superTypes", []) if one.lower() in SUPERTYPES
        ],
        "text": entry.get("abilityText") or "",
    }
    if entry.get("might") not in (None, ""):
        fields["might"] = int(entry["might"])
    elif kinds[0] == "unit":
        fields["might"] = 0
    return fields


def read_entries(path: str | Path) -> list[dict[str, Any]]:
    """The cards of a set file or of a public list, uncompiled; ValueError where one is none."""
    path = Path(path)
    if path.suffix == ".json":
        data = msgspec.json.decode(path.read_bytes())
        entries = data["cards"] if isinstance(data, dict) else data
        return [from_public(one) for one in tables(entries)]
    return tables(tomllib.loads(path.read_text("utf-8")).get("card", []))


def cards_report(
    paths: Iterable[str | Path], delayed_names: Iterable[str] | None = None
) -> dict[str, Any]:
    """What the compiler understands of some files; different cards are counted once by name."""
    wanted = {one.strip() for one in delayed_names or () if one.strip() and one[0] != "#"}
    seen: dict[str, bool] = {}
    playable = 0
    failures: list[dict[str, Any]] = []
    for path in paths:
        for fields in read_entries(path):
            name = str(fields.get("name", ""))
            if name in seen:
                continue
            found = _failures_of(fields)
            seen[name] = not found
            playable += not found and _is_playable(fields)
            failures += found
    delayed = [name for name in seen if name in wanted]
    return {
        "cards": len(seen),
        "compiled": sum(seen.values()),
        "playable": playable,
        "delayed": len(delayed),
        "delayed_compiled": sum(seen[name] for name in delayed),
        "failures": failures,
    }


def _is_playable(fields: Mapping[str, Any]) -> bool:
    """Whether the rules play all that a card that compiles says."""
    from longfuse.rulesets.riftbound.runnable import missing  # it looks into compiled cards

    return not missing(make_card(fields))


def _failures_of(fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    try:
        make_card(fields)
    except TextError as wrong:
        return [_as_dict(one) for one in wrong.errors]
    except SetError as wrong:
        name = str(fields.get("name", ""))
        return [_as_dict(Failure(name, 0, 0, one)) for one in wrong.errors]
    return []


def _as_dict(failure: Failure) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(failure)
    built["expected"] = list(failure.expected)
    return built
