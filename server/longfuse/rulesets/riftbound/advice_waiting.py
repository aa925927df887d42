"""Advice: the delayed abilities that wait, as a view shows them.

Owns how a waiting ability is found again in the words of the card that made it, and what is put on
a `Table` for it. What they do is in `advice_delayed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from longfuse.abilities.ability import Ability
from longfuse.abilities.nodes import At
from longfuse.rulesets.riftbound.advice_cards import Known
from longfuse.rulesets.riftbound.advice_combat import Events
from longfuse.rulesets.riftbound.advice_delayed import about_pieces, change_piece, install
from longfuse.rulesets.riftbound.advice_effects import Imagined
from longfuse.rulesets.riftbound.advice_table import Table

ACTS = 0.6
"""What it is worth beyond its effect that a waiting ability of one's own acts."""


class About(dict[str, tuple[str, ...]]):
    """Names of a waiting ability: whatever it names is the one object that it is about."""

    def __init__(self, key: str | None) -> None:
        super().__init__()
        self._keys = (key,) if key is not None else ()

    def get(self, _name: str, _default: Any = None) -> Any:
        """The object, under any name."""
        return self._keys


def put_waiting(
    table: Table,
    entities: Mapping[str, Mapping[str, Any]],
    find: Callable[[str], Known | None],
) -> None:
    """Put the marks of what waits on the table."""
    for key, entity in entities.items():
        if key[0] != "w" or not key[1:].isdigit():
            continue
        source = find(entity["source"])
        words = str(entity.get("says") or str(entity["words"]).partition(": ")[2])
        ability = source.created.get(words) if source is not None else None
        if ability is None or isinstance(ability.when, At):
            continue
        mine = entity["controller"] == table.seat
        if ability.kind == "passive" and ability.binds is None:
            _standing(table, ability, mine, entity["about"])
            continue
        imagined = Imagined(table, mine)
        install(imagined, ability, About(entity["about"]), -int(key[1:]) if mine else 0)


def _standing(table: Table, ability: Ability, mine: bool, about: str | None) -> None:
    """A statement: its numbers are in the view already; what it forbids is not."""
    imagined = Imagined(table, mine)
    for change in ability.changes:
        if change.asks == "must not":
            for piece in about_pieces(imagined, change.of, About(about)):
                change_piece(imagined, change, piece, {})


def bonus(events: Events) -> float:
    """For the seat's own waiting abilities that would act."""
    return ACTS * sum(number < 0 for number in events.acted)
