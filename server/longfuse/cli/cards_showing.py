"""How a card is shown at the terminal: as printed, as understood, or where the compiler stopped.

Owns the lines and nothing else: a card comes as the plain data of a ruleset's catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any

WIDTH = 96
EXPECTED_SHOWN = 5
"""So many of the words that would have been understood are listed."""


def as_printed(card: Mapping[str, Any]) -> list[str]:
    """Name, what it is and costs, and its text, in the other language too if it has one."""
    if "facts" in card:
        texts = (str(card.get(key, "")).strip() for key in ("text", "text_hu"))
        lines = [f"  {line}" for text in texts for line in text.splitlines()]
        names = " / ".join(str(card[key]) for key in ("name", "name_hu") if card.get(key))
        return [f"{names}: {'; '.join(card['facts'])}", *lines]
    kind = " ".join((*card.get("supertypes", ()), card["type"]))
    facts = [kind]
    if card.get("domains"):
        facts.append(" and ".join(card["domains"]))
    if card["type"] in ("unit", "spell", "gear"):
        power = "".join(f" + {one}" for one in card.get("power", ()))
        facts.append(f"costs {card.get('energy', 0)}{power}")
    if card.get("might") is not None:
        facts.append(f"Might {card['might']}")
    if card.get("tags"):
        facts.append(", ".join(card["tags"]))
    text = str(card.get("text", "")).strip()
    return [f"{card['name']}: {'; '.join(facts)}", *(f"  {line}" for line in text.splitlines())]


def understood(words: Sequence[str]) -> list[str]:
    """What the compiler made of it."""
    found: list[str] = []
    for one in words:
        found += wrap(one, WIDTH, initial_indent="    = ", subsequent_indent="      ")
    return found


def report(said: Any) -> list[str]:
    """A card that was checked: what was understood of it, or why not; one blank line behind."""
    entry = said.entry
    found = as_printed(entry if entry is not None else said.fields)
    if entry is not None:
        found += ["  understood:", *understood([*entry["words"], *entry.get("words_hu", ())])]
        if not entry["words"]:
            found.append("    = (no abilities)")
        found += [f"  not played yet: {', '.join(entry['missing'])}"] if entry["missing"] else []
        if entry["delayed"]:
            kinds = ", ".join(KINDS[kind] for kind in entry["delayed"])
            found.append(f"  it makes delayed abilities: {kinds}")
    else:
        del found[1:]
        found += [f"  {one}" for one in said.errors]
        for failure in said.failures:
            text = failure.get("text", said.fields.get("text", ""))
            found += stopped(str(text), failure)
    return [*found, ""]


KINDS = {
    "triggered": "triggered (390.2)",
    "replacement": "replacement (390.3)",
    "passive": "passive (390.4)",
}


def stopped(text: str, failure: Mapping[str, Any]) -> list[str]:
    """The line of a text that is not understood, a mark under the word, and what would be."""
    lines = text.strip().splitlines()
    number, column = failure["line"], failure["column"]
    found = []
    if 1 <= number <= len(lines):
        found += [f"    {lines[number - 1]}", " " * (3 + max(1, column)) + "^"]
        found.append(f"    line {number}, column {column}: not understood")
    else:
        found.append(f"    {failure['stopped_at']}")
    if failure.get("expected"):
        found.append(f"    understood there would be: {_some(failure['expected'])}")
    if failure.get("nearest"):
        found.append(f"    the nearest wording that is understood: {failure['nearest']}")
    return found


def _some(words: Iterable[str]) -> str:
    listed = list(words)
    more = ", …" if len(listed) > EXPECTED_SHOWN else ""
    return ", ".join(listed[:EXPECTED_SHOWN]) + more
