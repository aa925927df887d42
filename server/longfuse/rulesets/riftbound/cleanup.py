"""Cleanups: what the rules put right after anything happens, in their order (318-324).

Owns rows 1 to 7 of rule 323 and the rows that special cleanups insert. A cleanup is due whenever
the state has changed since the last one; it repeats until nothing changes (322). It never runs
while something resolves (321).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from longfuse.abilities.interpreter import run
from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound import (
    actions,
    asking,
    battlefields,
    chain,
    ending,
    grants,
    hidden,
    looking,
    mighty,
)
from longfuse.rulesets.riftbound.commits import after_control_change
from longfuse.rulesets.riftbound.state import Battlefield, Permanent, base, is_battlefield
from longfuse.timing.messages import Proposed
from longfuse.timing.references import NOBODY, Ref
from longfuse.timing.windows import Key

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

ROUNDS_MAX = 200
"""More cleanups in a row than this are a loop of effects, not a game."""


BASES = (base(0), base(1))


class Loop(Exception):
    """Cleanups that never come to rest."""


def cleanup(duel: Duel) -> Steps[None]:
    """Clean up until nothing changes any more."""
    for _ in range(ROUNDS_MAX):
        if duel.cleaned_at == duel.game.version:
            return
        duel.cleaned_at = duel.game.version
        yield from once(duel)
    raise Loop(f"cleanups do not come to rest in turn {duel.game.now.turn}")


def once(duel: Duel, special: str = "") -> Steps[None]:
    """One cleanup. special: "combat" (466.1) or "expiration" (317.2) insert rows after 3b."""
    ending.check_win(duel)
    grants.settle(duel)
    yield from _designations(duel)
    yield from settle_control(duel)
    yield from _kill_damaged(duel)
    if special == "combat":
        yield from heal_all(duel)
        yield from _recall_attackers(duel)
    elif special == "expiration":
        yield from heal_all(duel)
        yield from expire(duel)
        yield from settle_control(duel)
        empty_pools(duel)
    if chain.open_state(duel):
        _lose_control(duel)
    yield from _strays(duel)
    yield from hidden.remove_lost(duel)
    yield from mighty.look(duel)
    _stage(duel)


# ---------------------------------------------------------------- row 2


def _designations(duel: Duel) -> Steps[None]:
    """323.2: attackers and defenders are who is at the combat's battlefield."""
    showdown = duel.showdown
    place = showdown.place if showdown is not None and showdown.combat else ""
    values = duel.game.store.values
    happened = []
    for ref in duel.split.of("unit"):
        value = values[ref]
        wanted = ""
        if place and value.place == place and showdown is not None:
            seat = asking.controller(duel, ref)
            wanted = "attacker" if seat == showdown.attacker else "defender"
        if value.designation != wanted:
            duel.game.change(ref, designation=wanted)
            if wanted:
                event = "attacked" if wanted == "attacker" else "defended"
                seat = asking.controller(duel, ref)
                happened.append(
                    duel.game.happened(event, subjects=(ref,), player=seat, clause="323.2")
                )
            elif place:
                # After it has ended, its end says that.
                duel.game.happened("left combat", subjects=(ref,), clause="323.2.c")
    if happened and duel.game.store.get(("combat opens",)):
        happened += battlefields.combat_begins(duel, place)
    if happened:
        yield from duel.game.announce(*happened)


def settle_control(duel: Duel) -> Steps[None]:
    """Effects on control that came or went: windows that hang on it close, and it is told."""
    store = duel.game.store
    known: tuple[tuple[Ref, int], ...] = store.get(("controlled",)) or ()
    if not known:
        return
    now = tuple((ref, asking.controller(duel, ref)) for ref, _ in known if duel.is_there(ref))
    if now == known:
        return
    store.put(("controlled",), now or None)
    for ref, seat in now:
        if (ref, seat) not in known:
            yield from duel.game.announce(*after_control_change(duel, ref, duel.permanent(ref)))


# ---------------------------------------------------------------- row 3


def _kill_damaged(duel: Duel) -> Steps[None]:
    """323.4-5: units with damage of at least their Might are killed together."""
    values = duel.game.store.values
    dead = []
    for ref in duel.split.of("unit"):
        damage = values[ref].damage
        if damage > 0 and damage >= asking.might(duel, ref):
            if asking.forbidden(duel, "be killed", None, ref) is None:
                dead.append(ref)
    if dead:
        yield from duel.game.publish(
            *(
                Proposed(
                    event="death",
                    subjects=(ref,),
                    cause=duel.game.log.latest("damage dealt", ref),
                    facts={"damage": values[ref].damage},
                    clause="323.5",
                )
                for ref in dead
            )
        )


def heal_all(duel: Duel) -> Steps[None]:
    """3c: all units everywhere are healed."""
    values = duel.game.store.values
    hurt = [ref for ref in duel.split.of("unit") if values[ref].damage]
    if hurt:
        yield from actions.status(duel, "heal", hurt, NOBODY)


def _recall_attackers(duel: Duel) -> Steps[None]:
    """466.1.a.2 (3d): attackers are recalled while defenders remain."""
    showdown = duel.showdown
    if showdown is None:
        return
    here = looking.units_at(duel, showdown.place)
    attackers = [ref for ref in here if duel.permanent(ref).designation == "attacker"]
    defenders = [ref for ref in here if duel.permanent(ref).designation == "defender"]
    if attackers and defenders:
        recalled = msgspec.structs.replace(showdown, recalled=True)
        duel.game.store.put(("showdown",), recalled)
        yield from actions.recall(duel, attackers)


def expire(duel: Duel) -> Steps[None]:
    """317.2.c (3d): every "this turn" effect ends at once; stuns end with them.

    What a passive says to do as it ends (R3) is done after all have ended.
    """
    for ref in duel.split.of("unit"):
        if duel.game.store.values[ref].stunned:
            duel.game.change(ref, stunned=False)
            duel.game.happened("stun ended", subjects=(ref,), clause="317.2.c")
    key = Key("until", duel.turn_end)
    last = [
        record
        for record in duel.game.subscriptions.closing(key, duel.game.now)
        if record.kind == "passive" and record.ability.program.body
    ]
    duel.game.installed.close(key)
    for record in last:
        yield from run(record.ability.program.body, duel.scope_of(record), duel)


def empty_pools(duel: Duel) -> None:
    """164: unspent Energy and Power are lost."""
    for seat in duel.seats():
        player = duel.player(seat)
        if player.energy or player.power:
            duel.game.change_seat(seat, energy=0, power=())


# ---------------------------------------------------------------- rows 4 to 7


def _lose_control(duel: Duel) -> None:
    """323.6: an empty battlefield without a showdown is uncontrolled."""
    going_on = duel.showdown.place if duel.showdown is not None else ""
    for field in duel.battlefields():
        if field.controller == NOBODY or field.place == going_on:
            continue
        if not any(
            asking.controller(duel, ref) == field.controller
            for ref in looking.units_at(duel, field.place)
        ):
            duel.game.change(field.ref, controller=NOBODY)
            battlefields.controlled(duel, field, NOBODY, "323.6")


def _strays(duel: Duel) -> Steps[None]:
    """323.7: gear that is alone at a battlefield and permanents in a wrong base go home."""
    movable = (*duel.split.of("unit"), *duel.split.of("gear"))
    stray = [ref for ref in movable if _is_stray(duel, ref)]
    if stray:
        yield from actions.recall(duel, stray)


def _is_stray(duel: Duel, ref: Ref) -> bool:
    value: Permanent = duel.game.store.values[ref]
    if value.attached_to is not None:
        return False
    if value.place in BASES:
        return value.place != BASES[asking.controller(duel, ref)]
    return value.type == "gear" and is_battlefield(value.place)


def _stage(duel: Duel) -> None:
    """323.8-10: showdowns and combats are staged where Contested was applied, and unstaged."""
    going_on = duel.showdown.place if duel.showdown is not None else ""
    for field in duel.battlefields():
        if field.place == going_on:
            continue
        staged, contested = _staged(duel, field)
        if (staged, contested) != (field.staged, field.contested_by):
            duel.game.change(field.ref, staged=staged, contested_by=contested)
            if contested != field.contested_by:
                battlefields.contested(duel, field, contested)


def _staged(duel: Duel, field: Battlefield) -> tuple[str, int]:
    sides = looking.sides_at(duel, field.place)
    if len(sides) == 2:
        contested = field.contested_by
        if contested == NOBODY:
            # Both sides are there without a mark: who does not control it contests it (187.3.a.1).
            contested = next((s for s in sides if s != field.controller), sides[0])
        return "combat", contested
    if field.contested_by == NOBODY:
        return "", NOBODY
    if field.contested_by in sides:
        return "showdown", field.contested_by
    return "", NOBODY
