"""Delayed abilities: creating them, and what linked ones remember (389-392, 393-397).

Owns riftbound's side of creation: what "each" fixes, the appropriate zone of 390.5.c, and the links
of a source. The records themselves, their windows and ends, are the kernel's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.abilities.ability import Ability, Duration
from longfuse.abilities.evaluate import amount, objects
from longfuse.abilities.nodes import At, Each, Named, This
from longfuse.abilities.scope import Scope
from longfuse.abilities.watching import walk
from longfuse.game.durations import TooLate
from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound import asking, telling
from longfuse.rulesets.riftbound.commits import after_control_change
from longfuse.timing.references import Ref
from longfuse.timing.windows import AttachedTo, InPlace, InZone, Window

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


def create(duel: Duel, ability: Ability, scope: Scope) -> Steps[None]:
    """392: an instruction makes a delayed ability; with nothing to be about, none (359.3.e.14)."""
    scope = _where_they_are_now(duel, ability, scope)
    if _about_nothing(ability, scope):
        return
    ability = _at_expiration(duel, _fix_amounts(ability, scope))
    before = _controllers(duel, ability, scope)
    handle = duel.game.installed.create(ability, scope)
    if handle.live:
        _note_limits(duel, handle.record)
        record = duel.game.subscriptions.records[handle.record]
        duel.game.happened(
            "ability created",
            subjects=objects(_subject(ability), scope)[:1] if _subject(ability) else (),
            player=scope.controller,
            source=scope.source.object,
            facts={"record": handle.record, "names": telling.names_of(duel, record)},
            clause="392",
        )
    yield from _control_changed(duel, before)


PUTS_ELSEWHERE = frozenset(
    {
        "unit died",
        "gear died",
        "killed",
        "left board",
        "banished",
        "returned",
        "recycled",
        "discarded",
        "card finalized",
    }
)
"""The events that themselves make another object of their subject."""


def where_put(duel: Duel, scope: Scope) -> tuple[tuple[Ref, Ref], ...]:
    """Objects that the waking event or an earlier instruction has put elsewhere, and what they are
    there: one stay later, or they have gone on and are other objects."""
    moved: dict[Ref, Ref] = dict(scope.names.get("moved", ()))
    message = scope.message
    for ref in message.subjects if message is not None and message.event in PUTS_ELSEWHERE else ():
        now = current(duel, ref)
        if now is not None and now.residency == ref.residency + 1:
            moved[ref] = now
    return tuple(moved.items())


def _where_they_are_now(duel: Duel, ability: Ability, scope: Scope) -> Scope:
    """390.5.c.1: what has been put elsewhere is spoken of where it is now."""
    moved = dict(where_put(duel, scope))
    if not moved:
        return scope
    names = {
        name: tuple(moved.get(ref, ref) for ref in value) if isinstance(value, tuple) else value
        for name, value in scope.names.items()
        if name != "moved"
    }
    source = scope.source
    if source.object in moved and any(isinstance(node, This) for node in walk(ability)):
        source = msgspec.structs.replace(source, object=moved[source.object])
    if scope.message is not None and scope.message.subject in moved:
        names["event"] = moved[scope.message.subject]
    return Scope(
        scope.table,
        scope.controller,
        source,
        names=names,
        message=scope.message,
        record=scope.record,
        item=scope.item,
    )


def _fix_amounts(ability: Ability, scope: Scope) -> Ability:
    """432.1.a: what an instruction gives to certain objects is that specific amount from now on."""
    changes = tuple(
        msgspec.structs.replace(change, amount=amount(change.amount, scope))
        if isinstance(change.of, Named | Each) and not isinstance(change.amount, int | None)
        else change
        for change in ability.changes
    )
    if changes == ability.changes:
        return ability
    return msgspec.structs.replace(ability, changes=changes)


def _at_expiration(duel: Duel, ability: Ability) -> Ability:
    """R3: "lose control at end of turn" comes in the Ending Step, or as "this turn" ends (3d)."""
    if duel.option("R3") != "3d" or not isinstance(ability.when, At):
        return ability
    loses = any(getattr(effect, "verb", "") == "lose control" for effect in ability.program.body)
    if ability.when.mark != "ending" or ability.when.turn != "this" or not loses:
        return ability
    return msgspec.structs.replace(
        ability, kind="passive", when=None, uses=0, window=Duration("this turn")
    )


def _note_limits(duel: Duel, record_id: int) -> None:
    """472.3.b: an effect with a limit remembers what it could take when it began to apply."""
    record = duel.game.subscriptions.records[record_id]
    ability: Ability = record.ability
    taken: list[tuple[str, int]] = []
    for change in ability.changes:
        if change.asks != "might" or change.least is None:
            continue
        for ref in record.subjects:
            if not duel.is_there(ref):
                continue
            with_it = asking.total_might(duel, ref)
            key = asking.taken_key(ability, change, ref)
            freed = msgspec.structs.replace(record, taken=((key, 0),))
            duel.game.installed.put(freed)
            taken.append((key, asking.total_might(duel, ref) - with_it))
            duel.game.installed.put(record)
    if taken:
        duel.game.installed.put(msgspec.structs.replace(record, taken=tuple(taken)))


def _subject(ability: Ability) -> Any:
    when = ability.when
    subject = getattr(when, "subject", None)
    if isinstance(subject, Named):
        return subject
    about = [change.of for change in ability.changes if isinstance(change.of, Named | Each)]
    return about[0] if about else None


def _about_nothing(ability: Ability, scope: Scope) -> bool:
    subject = _subject(ability)
    return subject is not None and not objects(subject, scope)


# ---------------------------------------------------------------- control for a while


def _controllers(duel: Duel, ability: Ability, scope: Scope) -> dict[Ref, int]:
    if not any(change.asks == "controller" for change in ability.changes):
        return {}
    found: dict[Ref, int] = {}
    for change in ability.changes:
        if change.asks == "controller" and change.of is not None:
            for ref in objects(change.of, scope):  # type: ignore[arg-type]
                if duel.is_there(ref):
                    found[ref] = asking.controller(duel, ref)
    return found


def _control_changed(duel: Duel, before: dict[Ref, int]) -> Steps[None]:
    for ref, seat in before.items():
        now = asking.controller(duel, ref)
        known = dict(duel.game.store.get(("controlled",)) or ())
        duel.game.store.put(("controlled",), tuple({**known, ref: now}.items()))
        if now != seat:
            yield from duel.game.announce(*after_control_change(duel, ref, duel.permanent(ref)))


# ---------------------------------------------------------------- appropriate zones, links


def residency(duel: Duel, ref: Ref) -> Window:
    """390.5.c.2: the zone where an object is when it is affected. R1: all board zones are one.

    R2: a spell's own zone is the chain, or the zone that it was played from, where it no longer is.
    """
    zone = duel.game.zone_word(ref)
    if zone == "chain" and duel.option("R2") == "origin":
        raise TooLate
    if zone == "board" and duel.option("R1") == "zone":
        return InPlace(ref, zone, duel.permanent(ref).place)
    return InZone(ref, zone)


def remember(duel: Duel, name: str, refs: tuple[Ref, ...], scope: Scope) -> None:
    """Put objects into the source's link: they are members while they stay where they now are."""
    store = duel.game.store
    key = _link(name, scope)
    now = [current(duel, ref) for ref in refs]
    members = dict.fromkeys((*(store.get(key) or ()), *(ref for ref in now if ref is not None)))
    store.put(key, tuple(members))


def linked(duel: Duel, scope: Scope, name: str) -> tuple[Ref, ...]:
    """The members of the source's link that are still in their appropriate zone (390.5.a)."""
    members: tuple[Ref, ...] = duel.game.store.get(_link(name, scope)) or ()
    return tuple(ref for ref in members if duel.is_there(ref))


def _link(name: str, scope: Scope) -> tuple[Any, ...]:
    """427.3.a: each copy of a card, and each stay of it, has a memory of its own. What gear gives
    to its unit belongs to the gear's memory (397)."""
    window = getattr(scope.record, "window", None)
    source = window.object if isinstance(window, AttachedTo) else scope.source.object
    return ("link", name, source)


def current(duel: Duel, ref: Ref) -> Ref | None:
    """The present stay of a card that an instruction has just moved (390.5.c.1)."""
    place = duel.game.board.place(ref.card)
    return Ref(ref.card, place.residency) if place.zone else None
