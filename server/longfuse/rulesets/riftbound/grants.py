"""Grants: abilities that effects give to objects, as abilities of those objects (472.2).

Owns the step from "that unit has '…'" to records whose source is that unit, and their end when the
effect no longer applies. A keyword that stands for a triggered ability is given with it. Looked at
again after every commit and in every cleanup, until nothing changes (471).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities import watching
from longfuse.abilities.ability import Ability, Change
from longfuse.rulesets.riftbound import asking, keywords
from longfuse.timing.records import Reason, Record, Source
from longfuse.timing.references import Ref
from longfuse.timing.windows import EndedBy, FirstOf, InZone

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

WORD = "gives abilities"
"""The index word of passives that give abilities which have to be installed."""
ACTIVATED = "activated"
"""The index word of activated abilities that an object does not have by its card."""
EXTRA_COSTS = "gives additional costs"
"""The index word of passives that give keywords which are additional costs."""
COSTS = ("Accelerate", "Repeat")
ROUNDS_MAX = 32

Given = tuple[int, int, Ref]
"""By which record and which of its changes, to which object."""


def watch_words(ability: Ability) -> tuple[str, ...]:
    """The index words under which an installed ability waits."""
    words = watching.watch_words(ability)
    if ability.kind == "activated":
        return (*words, ACTIVATED)
    if any(_is_grant(change) for change in ability.changes):
        words = (*words, WORD)
    if any(one.asks == "keyword" and one.word in COSTS for one in ability.changes):
        words = (*words, EXTRA_COSTS)
    if any(one.asks == "keyword" and one.word in asking.TIMINGS for one in ability.changes):
        words = (*words, asking.GIVES_TIMING)
    return words


def _is_grant(change: Change) -> bool:
    if change.asks == "ability":
        return True
    return change.asks == "keyword" and (
        change.ability is not None or change.word in keywords.TRIGGERED
    )


def settle(duel: Duel) -> None:
    """Install what is given now, and end what no longer is."""
    subscriptions = duel.game.subscriptions
    given = subscriptions.live.get(WORD) or duel.game.store.get(("granted",))
    if not given or duel.granted_at == duel.game.version:
        return
    for _ in range(ROUNDS_MAX):
        duel.granted_at = duel.game.version
        _once(duel)
        if duel.granted_at == duel.game.version:
            return
    raise RuntimeError(f"abilities that give abilities do not come to rest: turn {duel.game.now}")


def _once(duel: Duel) -> None:
    wanted = _wanted(duel)
    known: dict[Given, tuple[int, ...]] = dict(duel.game.store.get(("granted",)) or ())
    kept: dict[Given, tuple[int, ...]] = {}
    live = duel.game.subscriptions.records
    for given, numbers in known.items():
        if given in wanted and all(number in live for number in numbers):
            kept[given] = numbers
        else:
            for number in numbers:
                duel.game.installed.end(number, Reason.ENDED)
    for given, (record, abilities) in wanted.items():
        if given not in kept:
            kept[given] = tuple(_install(duel, one, record, given[2]) for one in abilities)
    if kept != known:
        duel.game.store.put(("granted",), tuple(kept.items()) or None)


def _wanted(duel: Duel) -> dict[Given, tuple[Record, tuple[Ability, ...]]]:
    found: dict[Given, tuple[Record, tuple[Ability, ...]]] = {}
    had: dict[tuple[Ref, str], None] = {}
    split = duel.split
    there = (*split.of("unit"), *split.of("gear"), *split.of("legend"), *split.of("battlefield"))
    for ref in there:
        for asks in ("ability", "keyword"):
            for record, change, _ in asking.answers(duel, asks, ref):
                if not _is_grant(change) or (ref, change.word) in had:
                    continue
                abilities = _abilities(duel, change, ref)
                if abilities:
                    if change.word in keywords.ONCE:
                        had[(ref, change.word)] = None
                    number = record.ability.changes.index(change)
                    found[(record.id, number, ref)] = (record, abilities)
    return found


def _abilities(duel: Duel, change: Change, ref: Ref) -> tuple[Ability, ...]:
    if change.ability is not None:
        return (change.ability,)
    if change.word in keywords.ONCE and change.word in duel.definition(ref).keyword_amounts:
        return ()
    return keywords.built_in({change.word: 1})


def _install(duel: Duel, ability: Ability, record: Record, ref: Ref) -> int:
    value = duel.game.store.values[ref]
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
        if record.kind == "activated" and duel.functions(record)
    ]
