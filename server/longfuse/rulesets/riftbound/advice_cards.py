"""Advice: what a card that is seen does, worked out once from its words.

Owns `Known`, the public knowledge behind a card in a view: its definition, when its abilities act,
and the delayed abilities that its words can create. It is found by name and text; a card that
nobody shipped is compiled from its text, and one that can't be read has no abilities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from longfuse.abilities.ability import Ability, Create, Program
from longfuse.abilities.nodes import This, When
from longfuse.abilities.text.errors import TextError
from longfuse.abilities.watching import walk
from longfuse.rulesets.riftbound import cards, entry
from longfuse.rulesets.riftbound.definition import Definition, blank, define
from longfuse.rulesets.riftbound.telling import words

PLAYED = frozenset({"card played", "card finalized", "entered", "enter"})
"""The events of a card being played."""


class Known(NamedTuple):
    """A card as whoever sees it can know it."""

    definition: Definition
    on_play: tuple[Ability, ...]
    """Its triggered abilities that trigger when it is played."""
    abilities: tuple[Ability, ...]
    """All that it has, with those that its words create, at any depth."""
    created: Mapping[str, Ability]
    """The delayed abilities that its words create, by the words that views use."""

    waits_for_cards: bool
    """Whether one of those waits for a card to be played."""

    @property
    def worth(self) -> float:
        """About what it is worth in hand or on the board, in units of Might."""
        card = self.definition
        if card.type == "unit":
            return card.might + 0.4 * len(self.abilities) + 0.5
        return 1.0 + 0.5 * card.energy


def known(entity: Mapping[str, Any]) -> Known:
    """What can be known of a card in a view."""
    name, kind = str(entity["card"]), str(entity["type"])
    return _known(
        name,
        kind,
        str(entity.get("text") or ""),
        int(entity.get("energy") or 0),
        tuple(entity.get("power") or ()),
        int(entity.get("might") or 0),
    )


@lru_cache(maxsize=4096)
def _known(
    name: str, kind: str, text: str, energy: int, power: tuple[str, ...], might: int
) -> Known:
    definition = entry.definitions().get(name)
    if definition is None or definition.text != text:
        definition = _compiled(name, kind, text, energy, power, might)
    abilities = tuple(_abilities(definition))
    created = {
        words(node.ability): node.ability
        for one in definition.abilities
        for node in walk(one)
        if isinstance(node, Create)
    }
    return Known(
        definition,
        tuple(one for one in definition.abilities if _is_on_play(one)),
        abilities,
        created,
        any(one.binds is not None or _event(one) in PLAYED for one in created.values()),
    )


def _event(ability: Ability) -> str:
    return ability.when.event if isinstance(ability.when, When) else ""


def _compiled(
    name: str, kind: str, text: str, energy: int, power: tuple[str, ...], might: int
) -> Definition:
    fields: dict[str, Any] = {"name": name, "type": kind, "energy": energy, "text": text}
    fields["power"] = list(power)
    if kind == "unit":
        fields["might"] = might
    try:
        return define(cards.make_card(fields))
    except (TextError, cards.SetError):
        return blank(name, kind, might)


def _abilities(definition: Definition) -> Iterator[Ability]:
    for one in definition.abilities:
        if one.kind != "keyword":
            for node in walk(one):
                if isinstance(node, Ability):
                    yield node


def _is_on_play(ability: Ability) -> bool:
    when = ability.when
    return (
        ability.kind == "triggered"
        and isinstance(when, When)
        and when.event in ("card played", "entered")
        and isinstance(when.subject, This)
    )


def programs_with_choices(known: Known) -> Iterator[Program]:
    """Every program of a card that asks something: its spell, its triggers, what it creates."""
    if known.definition.program.choices:
        yield known.definition.program
    for ability in known.abilities:
        if ability.program.choices:
            yield ability.program


def known_shipped(name: str) -> Known | None:
    """A card that ships, by its name."""
    definition = entry.definitions().get(name)
    if definition is None:
        return None
    return _known(name, definition.type, definition.text, 0, (), 0)
