"""Parts: why a shown number differs from the printed one, as a viewer may know it.

Owns the steps from printed to shown, their form in a view, and how an ability is named to somebody
who may not see where it comes from. What the steps are, is a ruleset's.

In a view, a part depends on the record that makes it with its window, on the record that gave that
one, if one did, on the number among what waits, on the ids of the objects that those name, and on
nothing else. A source that a viewer can't see is never named, nor is when it ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from longfuse.game.words import window_words
from longfuse.timing.records import Record
from longfuse.timing.references import Seat
from longfuse.timing.windows import EndedBy, FirstOf

if TYPE_CHECKING:
    from longfuse.game.rules import Keys
    from longfuse.game.world import World
    from longfuse_protocol.views import Entity


BARE = ("ability", "abilities", "controller")
"""What has no number to add up: an ability given, abilities lost, who controls it."""


class Part(NamedTuple):
    """One step. Of a number, the printed one and all `amount`s add up to the shown one.

    of: which number, or "keyword", or one of BARE. record: the ability that does it, if one does.
    rule: the rule that does it, or that limits what the record does. becomes: it sets the number to
    that. word: the keyword. lost: it takes away. says: the words of an ability that it gives.
    clause: the rule by which it counts.
    """

    of: str
    amount: int = 0
    record: Record | None = None
    rule: str = ""
    becomes: int | None = None
    word: str = ""
    lost: bool = False
    says: str = ""
    clause: str = ""


def summed(parts: Iterable[Part]) -> int:
    """What the parts add up to."""
    return sum(part.amount for part in parts)


def cut_off(of: str, parts: list[Part], change: int) -> list[Part]:
    """The parts with the one by which a number is not below 0. change: from printed to shown."""
    left = change - summed(parts)
    return [*parts, Part(of, left, rule="not below 0")] if left else parts


def told(game: World, parts: Iterable[Part], key: Keys) -> list[Entity]:
    """The parts as a viewer may know them. key: names objects for that viewer."""
    return [_part(game, part, key) for part in parts]


def _part(game: World, part: Part, key: Keys) -> Entity:
    found: Entity = {"of": part.of}
    if part.of not in BARE:
        found["amount"] = part.amount
    if part.becomes is not None:
        found["becomes"] = part.becomes
    if part.word:
        found["word"] = part.word
    if part.lost:
        found["lost"] = True
    if part.rule:
        found["rule"] = part.rule
    if part.record is not None and _may_know(game, part.record, key):
        found |= _source(game, part.record, key)
        says = part.says or _says(game, part.record)
        if says:
            found["says"] = says
    if part.clause:
        found["clause"] = part.clause
    return found


def _may_know(game: World, record: Record, key: Keys) -> bool:
    """What waits is known to all who play; what is printed only to who sees where."""
    ref = record.source.object
    if record.delayed or ref is None:
        return True
    return key(ref) is not None


def _source(game: World, record: Record, key: Keys) -> Entity:
    ref = record.source.object
    by = None
    if record.delayed:
        by = game.views.waiting_key(record) if game.views is not None else None
    elif ref is not None:
        by = key(ref)
    found: Entity = {"source": record.source.card, "until": _until(game, record, key)}
    if by is not None:
        found["by"] = by
    return found


def _says(game: World, record: Record) -> str:
    """The words of a printed ability that holds only while something else does."""
    is_plain = record.delayed or record.ability.condition is None
    return "" if is_plain else game.rules.words(record.ability)


def _until(game: World, record: Record, key: Keys) -> str:
    """When it ends. What was given an ability has it for as long as it is given."""
    window = record.window
    if isinstance(window, FirstOf) and not record.delayed:
        givers = [part.record for part in window.parts if isinstance(part, EndedBy)]
        giver = game.subscriptions.records.get(givers[0]) if givers else None
        if giver is not None and _may_know(game, giver, key):
            return _until(game, giver, key)
        window = next(part for part in window.parts if not isinstance(part, EndedBy))
    return window_words(window, lambda ref: key(ref) or "?", game.rules.turn_end)


def forbidden_by(game: World, record: Record, seat: Seat) -> str:
    """Why a seat may not do what a record forbids, with its words if the seat sees the source."""
    ref = record.source.object
    if not record.delayed and ref is not None:
        if not game.rules.sees(seat, ref, game.board.place(ref.card).zone):
            return "forbidden: an effect says so"
    return f"forbidden: {game.describe_record(record)}"
