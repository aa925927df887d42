"""Attaching: what linking a gear to a unit does to both (434-435, 716-725).

Owns the link itself: whose text is inactive while it lasts, what the gear's effect text and Might
Bonus give to the unit it is attached to, and where a detached gear is. It decides nothing and
publishes nothing; the actions are in `equipment.py`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from longfuse.abilities.ability import Ability, Change
from longfuse.abilities.nodes import This
from longfuse.timing.records import Reason, Source
from longfuse.timing.references import Ref
from longfuse.timing.windows import AttachedTo, InZone, Key

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


def link(duel: Duel, gear: Ref, unit: Ref) -> None:
    """434: the gear is where the unit is; its own text is inactive, its effect text the unit's."""
    place = duel.permanent(unit).place
    if duel.permanent(gear).place != place:
        duel.game.installed.close(Key("moved", gear))
    duel.game.change(gear, attached_to=unit, place=place)
    silence(duel, gear)
    definition = duel.definition(gear)
    for ability in given(definition.effect, definition.might_bonus):
        give(duel, ability, gear, unit)


def unlink(duel: Duel, gear: Ref) -> None:
    """435: the gear stays where it was, and its rules text works again."""
    duel.game.change(gear, attached_to=None)
    duel.game.installed.close(Key("detached", gear))
    value = duel.permanent(gear)
    for ability in duel.printed(value, duel.game.board.card(gear)):
        duel.game.installed.printed(gear, ability, value.controller, value.zone)


def give(duel: Duel, ability: Ability, gear: Ref, unit: Ref) -> None:
    """Append an ability to the unit's text for as long as the gear is attached to it (434.1.c)."""
    value = duel.permanent(unit)
    source = Source(unit, duel.card_name(unit), value.controller, value.zone, 0, value.place)
    duel.game.installed.give(ability, source, AttachedTo(gear, unit))


def silence(duel: Duel, gear: Ref) -> None:
    """722: an object's printed abilities do not trigger, do not apply, and are not its own."""
    game = duel.game
    for record in game.subscriptions.closing(Key("left", gear), game.now):
        own = not record.delayed and record.source.object == gear
        if own and isinstance(record.window, InZone):
            game.installed.end(record.id, Reason.ENDED)


@lru_cache(maxsize=1024)
def given(effect: tuple[Ability, ...], bonus: int) -> tuple[Ability, ...]:
    """What an attached gear's effect text and Might Bonus are as abilities of the unit."""
    found: list[Ability] = []
    if bonus:
        change = Change("might", of=This(), amount=bonus)
        found.append(Ability(kind="passive", changes=(change,), text=f"+{bonus} Might"))
    for ability in effect:
        if ability.kind == "keyword":
            found.append(keyword(ability))
        else:
            found.append(ability)
    return tuple(found)


def keyword(ability: Ability) -> Ability:
    """A keyword as a passive that gives it to its source."""
    number = ability.amount
    change = Change("keyword", of=This(), word=ability.keyword, amount=number)
    words = f"{ability.keyword} {number}" if number is not None else ability.keyword
    return Ability(kind="passive", changes=(change,), text=words)
