"""Delayed abilities that instructions create: hkk's side of their creation.

Owns what becomes of words whose objects have gone, fixed amounts, and control for a while. The
records, their windows and ends are the kernel's. What waits behind counters is not made here: that
is printed, with a gate (127).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.abilities.ability import Ability
from longfuse.abilities.evaluate import amount, objects
from longfuse.abilities.nodes import Each, Named
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Steps
from longfuse.rulesets.hkk import acting, asking
from longfuse.rulesets.hkk.commits import after_control_change
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel


def create(duel: Duel, ability: Ability, scope: Scope) -> Steps[None]:
    """An instruction makes an ability that waits; with nothing to be about, none."""
    subject = _subject(ability)
    about = objects(subject, scope) if subject is not None else ()
    if subject is not None and not about:
        return
    ability = _fix_amounts(ability, scope)
    before = _controllers(duel, ability, about)
    handle = duel.game.installed.create(ability, scope)
    if handle.live:
        duel.game.happened(
            "ability created",
            subjects=about[:1],
            player=scope.controller,
            source=scope.source.object,
            facts={"record": handle.record},
        )
    for ref, seat in before.items():
        if duel.is_there(ref) and asking.controller(duel, ref) != seat:
            yield from duel.game.announce(*after_control_change(duel, ref))
    yield from acting.check(duel)


def _subject(ability: Ability) -> Any:
    subject = getattr(ability.when, "subject", None)
    if isinstance(subject, Named):
        return subject
    about = [change.of for change in ability.changes if isinstance(change.of, Named | Each)]
    return about[0] if about else None


def _fix_amounts(ability: Ability, scope: Scope) -> Ability:
    """What an instruction gives to certain objects is that amount from now on."""
    changes = tuple(
        msgspec.structs.replace(change, amount=amount(change.amount, scope))
        if isinstance(change.of, Named | Each) and not isinstance(change.amount, int | None)
        else change
        for change in ability.changes
    )
    return msgspec.structs.replace(ability, changes=changes) if changes else ability


def _controllers(duel: Duel, ability: Ability, about: tuple[Ref, ...]) -> dict[Ref, Seat]:
    if not any(change.asks == "controller" for change in ability.changes):
        return {}
    return {ref: asking.controller(duel, ref) for ref in about if duel.is_there(ref)}


def remember(duel: Duel, name: str, refs: tuple[Ref, ...], scope: Scope) -> None:
    """Put objects into the source's link: they are members while they stay where they now are."""
    key = ("link", name, scope.source.object)
    now = [current(duel, ref) for ref in refs]
    known = duel.game.store.get(key) or ()
    members = dict.fromkeys((*known, *(ref for ref in now if ref is not None)))
    duel.game.store.put(key, tuple(members))


def linked(duel: Duel, scope: Scope, name: str) -> tuple[Ref, ...]:
    """The members of the source's link that are still where they were put."""
    members: tuple[Ref, ...] = duel.game.store.get(("link", name, scope.source.object)) or ()
    return tuple(ref for ref in members if duel.is_there(ref))


def current(duel: Duel, ref: Ref) -> Ref | None:
    """The present stay of a card that an instruction has just moved."""
    place = duel.game.board.place(ref.card)
    return Ref(ref.card, place.residency) if place.zone else None
