"""Cards from files outside the package: read, held against those that ship, and put into decks.

Owns what a file of an operator or designer brings: its cards, its decks, and for a file with cards
and no deck a trial deck with many copies of them. Nothing is kept in the process: a deck carries
the cards of its own along, so that a game, its journal and a replay need no file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from longfuse.abilities.text.errors import TextError
from longfuse.rulesets.riftbound import cards, runnable
from longfuse.rulesets.riftbound.cards import CardDefinition, SetError, make_card, read_entries
from longfuse.rulesets.riftbound.decks import Deck, read_toml, shipped_decks

TRIAL_COPIES = 10
"""How many cards of a trial deck are the new ones, at least three of each."""
TRIAL_OTHERS = 24
COPIES = 3


class Brought(msgspec.Struct):
    """What files bring: fields and compiled cards by name, decks by name."""

    fields: dict[str, dict[str, Any]]
    cards: dict[str, CardDefinition]
    decks: dict[str, Deck]


def read_files(paths: Iterable[str | Path]) -> Brought:
    """The cards and decks of set files, folders of them, and public lists.

    Raises SetError with all that is wrong: a text that is not understood, a card that is not played
    yet, a name that is taken. Of a public list what is not understood or played is left out.
    """
    brought = Brought({}, {}, {})
    for path in _files(paths):
        errors: list[str] = []
        is_list = path.suffix == ".json"
        taken: list[str] = []
        for fields in _entries(path):
            try:
                card = _card(fields, brought.cards)
            except (SetError, TextError) as refused:
                errors += [_said(one) for one in refused.errors]
            else:
                brought.fields[card.name] = fields
                brought.cards[card.name] = card
                taken.append(card.name)
        if errors and not is_list:
            raise SetError(str(path), errors)
        if not is_list:
            _add_decks(path, taken, brought)
    return brought


def _files(paths: Iterable[str | Path]) -> list[Path]:
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(path.glob("*.toml")) if path.is_dir() else [path]
    return found


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        return read_entries(path)
    except (OSError, ValueError, msgspec.DecodeError, KeyError, TypeError) as wrong:
        raise SetError(str(path), [f"this is no file of cards: {wrong}"]) from wrong


def _card(fields: Mapping[str, Any], known: Mapping[str, CardDefinition]) -> CardDefinition:
    card = make_card(fields)
    if card.name in cards.shipped() or card.name in known:
        raise SetError("", [f"{card.name}: there is already a card of that name"])
    if lacking := runnable.missing(card):
        raise SetError("", [f"{card.name}: not played yet: {', '.join(lacking)}"])
    return card


def _said(error: Any) -> str:
    return error if isinstance(error, str) else str(error.sentence())


# ---------------------------------------------------------------- decks


def decks(files: Sequence[str | Path] = ()) -> dict[str, Deck]:
    """The decks of those files, then the decks that ship."""
    shipped = shipped_decks()
    return {**read_files(files).decks, **shipped} if files else shipped


def _add_decks(path: Path, names: Sequence[str], brought: Brought) -> None:
    try:
        found = read_toml(path.read_text("utf-8"))
    except (ValueError, msgspec.ValidationError) as wrong:
        raise SetError(str(path), [f"its decks: {wrong}"]) from wrong
    for deck in found.values():
        if deck.name in shipped_decks() or deck.name in brought.decks:
            raise SetError(str(path), [f"there is already a deck named {deck.name}"])
        brought.decks[deck.name] = carrying(deck, brought.fields)
    if names and not found:
        deck = trial([brought.cards[name] for name in names], path.stem)
        brought.decks[deck.name] = carrying(deck, brought.fields)


def carrying(deck: Deck, fields: Mapping[str, Mapping[str, Any]]) -> Deck:
    """A deck together with those of its cards that do not ship."""
    own = tuple(dict(fields[name]) for name in deck.names() if name in fields)
    return msgspec.structs.replace(deck, own=own)


def trial(new: Sequence[CardDefinition], name: str) -> Deck:
    """A deck to try cards with: many copies of them among the cards of a deck that ships.

    It is of the shipped deck in whose domains most of the cards are; where there is none, of no
    legend, with runes of the first card's domains.
    """
    base = max(shipped_decks().values(), key=lambda deck: _fitting(deck, new))
    if not _fitting(base, new) and new:
        base = _without_legend(base, new)
    runes = set(base.runes)
    mine = [card for card in new if card.type in ("unit", "gear", "spell")]
    mine = [card for card in mine if set(card.domains) <= runes]
    copies = max(COPIES, -(-TRIAL_COPIES // max(1, len(mine))))
    legend = next((card.name for card in new if card.type == "legend"), base.legend)
    fields = tuple(card.name for card in new if card.type == "battlefield")
    return Deck(
        f"Trial of {name}",
        {**{card.name: copies for card in mine}, **_first(base.cards, TRIAL_OTHERS)},
        base.runes,
        legend,
        base.champion,
        fields or base.battlefields,
    )


def _fitting(deck: Deck, new: Sequence[CardDefinition]) -> int:
    return sum(set(card.domains) <= set(deck.runes) for card in new)


def _without_legend(base: Deck, new: Sequence[CardDefinition]) -> Deck:
    domains = new[0].domains[:2]
    known = cards.shipped()
    found = [n for n, card in known.items() if set(card.domains) <= set(domains)]
    main = {
        n: COPIES
        for n in found
        if known[n].type in ("unit", "gear", "spell") and "signature" not in known[n].supertypes
    }
    runes = {domain: 12 // len(domains) for domain in domains}
    return Deck(base.name, main, runes)


def _first(counts: Mapping[str, int], most: int) -> dict[str, int]:
    found: dict[str, int] = {}
    left = most
    for name, count in counts.items():
        if left > 0:
            found[name] = min(count, left)
            left -= found[name]
    return found
