"""Grants: abilities that effects give to objects, as abilities of those objects.

Owns the step from "that creature has '…'" to records whose source is that creature, and their end
when the effect no longer applies. An ability behind counters that comes so brings none (D4), unless
the option says that it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.ability import Ability
from longfuse.abilities.watching import watch_words as plain_words
from longfuse.game.passives import answers
from longfuse.rulesets.hkk import counters
from longfuse.timing.messages import ask
from longfuse.timing.records import Reason, Record, Source
from longfuse.timing.references import Ref
from longfuse.timing.windows import EndedBy, FirstOf, InZone

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

ACTIVATED = "activated"
"""The index word of activated abilities that an object does not have by its card."""
ROUNDS_MAX = 32

Given = tuple[int, int, Ref]
"""By which record and which of its changes, to which object."""


def watch_words(ability: Ability) -> tuple[str, ...]:
    """The index words under which an installed ability waits."""
    words = plain_words(ability)
    return (*words, ACTIVATED) if ability.kind == "activated" else words


def settle(duel: Duel) -> None:
    """Install what is given now, and end what no longer is."""
    if not duel.game.subscriptions.live.get(ask("ability")):
        return
    if duel.granted_at == duel.game.version:
        return
    for _ in range(ROUNDS_MAX):
        duel.granted_at = duel.game.version
        _once(duel)
        if duel.granted_at == duel.game.version:
            return
    raise RuntimeError(f"abilities that give abilities do not come to rest: {duel.game.now}")


def _once(duel: Duel) -> None:
    wanted = _wanted(duel)
    known: dict[Given, int] = dict(duel.game.store.get(("granted",)) or ())
    kept: dict[Given, int] = {}
    live = duel.game.subscriptions.records
    for given, number in known.items():
        if given in wanted and number in live:
            kept[given] = number
        else:
            duel.game.installed.end(number, Reason.ENDED)
    for given, (record, ability) in wanted.items():
        if given not in kept:
            kept[given] = _install(duel, ability, record, given[2])
    if kept != known:
        duel.game.store.put(("granted",), tuple(kept.items()) or None)


def _wanted(duel: Duel) -> dict[Given, tuple[Record, Ability]]:
    found: dict[Given, tuple[Record, Ability]] = {}
    for ref in duel.game.board.zone("board"):
        for record, change, _ in answers(duel, "ability", ref):
            if change.ability is not None:
                number = record.ability.changes.index(change)
                found[(record.id, number, ref)] = (record, change.ability)
    return found


def _install(duel: Duel, ability: Ability, record: Record, ref: Ref) -> int:
    value = duel.game.store.values[ref]
    if ability.gate is not None and duel.option("D4") == "counters":
        counters.give(duel, ref, ((ability.gate.counter, ability.gate.count),), "127.0.0")
    source = Source(ref, duel.card_name(ref), duel.controller_of(ref), "board", 0, value.place)
    window = FirstOf((EndedBy(record.id), InZone(ref, "board")))
    return duel.game.installed.give(ability, source, window, record.captured)


def activated(duel: Duel, ref: Ref) -> list[Ability]:
    """The activated abilities that an object has by effects."""
    if not duel.game.subscriptions.live.get(ACTIVATED):
        return []
    return [
        record.ability
        for record in duel.game.subscriptions.about(ref)
        if record.kind == "activated" and not record.delayed
    ]
