"""Passives' answers: which installed passives answer a question about an object or a player.

Owns the one walk over them: in the order in which they came, those that function and whose
condition holds, change by change. What a question is about, how answers are put together, and
which answers are kept, are a ruleset's.
"""

from __future__ import annotations

from collections.abc import Iterator

from longfuse.abilities.ability import Ability, Change
from longfuse.abilities.evaluate import happens, holds, matches, objects, players
from longfuse.abilities.nodes import Each, Selector
from longfuse.abilities.scope import Scope
from longfuse.abilities.watching import fixed_name
from longfuse.game.rules import Rules
from longfuse.timing.messages import Happened, ask
from longfuse.timing.records import Record
from longfuse.timing.references import Ref, Seat


def answers(
    rules: Rules, asks: str, ref: Ref | None, seat: Seat | None = None
) -> Iterator[tuple[Record, Change, Scope]]:
    """The changes that passives make to a question about an object (or a player), oldest first."""
    subscriptions = rules.game.subscriptions
    word = ask(asks)
    if not subscriptions.live.get(word):
        return
    for record in subscriptions.matching(word, (ref,) if ref is not None else ()):
        if record.kind != "passive" or not rules.functions(record):
            continue
        yield from changes_of(rules, record, asks, ref, seat)


def changes_of(
    rules: Rules, record: Record, asks: str, ref: Ref | None, seat: Seat | None = None
) -> Iterator[tuple[Record, Change, Scope]]:
    """The changes that one passive makes to a question, if its condition holds."""
    ability: Ability = record.ability
    scope = rules.scope_of(record)
    if ability.condition is not None and not holds(ability.condition, scope):
        return
    for change in ability.changes:
        if change.asks == asks and _applies(rules, record, change, ref, seat, scope):
            yield record, change, scope


def _applies(
    rules: Rules, record: Record, change: Change, ref: Ref | None, seat: Seat | None, scope: Scope
) -> bool:
    if change.who is not None and seat is not None and seat not in players(change.who, scope):
        return False
    if record.ability.binds is not None:
        return ref is not None and _bound_to(rules, record, ref, scope)
    match change.of:
        case None:
            return True
        case Selector():
            return ref is not None and matches(change.of, ref, scope)
        case Each(selector=selector):
            if record.delayed:
                return ref in scope.names[fixed_name(record.ability, change)]
            return ref is not None and matches(selector, ref, scope)
        case _:
            return ref is not None and ref in objects(change.of, scope)


def _bound_to(rules: Rules, record: Record, ref: Ref, scope: Scope) -> bool:
    """A passive for "your next spell": about the one it is bound to, or while it waits about every
    one that it would be bound to; what was finalized before is not the next."""
    if record.bound is not None:
        return record.bound == ref
    binds = record.ability.binds
    if binds.nth:
        done = rules.game.log.this_turn(binds.event)
        before = [message for message in done if happens(binds, message, scope)]
        if len(before) >= binds.nth and not record.delayed:
            # "Your first spell each turn": a printed passive is not used up by it.
            return bool(before[binds.nth - 1].subject == ref)
        if len(before) != binds.nth - 1:
            return False
    store = rules.game.store
    number = store.get(("item of", ref))
    if number is not None and store.values[("item", number)].state == "finalized":
        return False
    seat = scope.table.controller_of(ref)
    imagined = Happened(event=binds.event, subjects=(ref,), player=seat)
    return happens(binds, imagined, scope)
