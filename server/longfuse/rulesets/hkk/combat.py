"""Combat, by the simplest house rule: the publisher's own chapter on it could not be found.

Owns who may attack whom, the attacks that were declared, and the strikes. Active creatures of the
reserve attack, each a creature of the opponent's guard post or the opponent; the opponent only when
each creature of that guard post is attacked. Attacking turns a creature. All strike at once, those
that are swift before the others; a creature of the guard post strikes back at the first that
attacked it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from longfuse.game.parts import forbidden_by
from longfuse.game.questions import Option, Question, Steps, default_some, refusable
from longfuse.rulesets.hkk import acting, asking, looking
from longfuse.rulesets.hkk.state import Attack, Combat, word_of
from longfuse.timing.messages import Proposed
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

COMBAT = ("combat",)

# ---------------------------------------------------------------- declaring


def able(duel: Duel, seat: Seat) -> tuple[Ref, ...]:
    """The creatures that may attack."""
    reserve = looking.creatures_of(duel, seat, "reserve")
    return tuple(ref for ref in reserve if not _why_not(duel, seat, ref))


def _why_not(duel: Duel, seat: Seat, ref: Ref) -> str:
    """Why a creature can't attack now; "" if it can."""
    value = duel.game.store.values[ref]
    if word_of(value.place) != "reserve":
        return "location: only those in the reserve attack"
    if value.passive:
        return "state: it is passive"
    record = asking.forbidden(duel, "attack", None, ref)
    return forbidden_by(duel.game, record, seat) if record is not None else ""


def declare(duel: Duel, seat: Seat, refs: tuple[Ref, ...]) -> Steps[None]:
    """Who attacks, and each of them whom."""
    items = tuple(
        refusable(duel.card_name(ref), ref, _why_not(duel, seat, ref))
        for ref in looking.creatures_of(duel, seat)
    )
    question = Question(
        id=0,
        seat=seat,
        shape="some",
        kind="target",
        text="Which creatures attack?",
        items=items,
        least=1,
        most=len(refs),
        default=default_some(items, len(refs)),
    )
    attackers = yield from duel.game.ask(question)
    combat = Combat(attacker=seat)
    for ref in attackers:
        target = yield from _target(duel, seat, ref, combat)
        attack = Attack(ref, target)
        combat = msgspec.structs.replace(combat, attacks=(*combat.attacks, attack))
    duel.game.store.put(COMBAT, combat)
    yield from _attacked(duel, combat)


def _target(duel: Duel, seat: Seat, ref: Ref, combat: Combat) -> Steps[Ref | None]:
    other = duel.opponent(seat)
    guards = looking.creatures_of(duel, other, "guard")
    attacked = [one.target for one in combat.attacks]
    free = all(guard in attacked for guard in guards)
    items = [Option(label=duel.card_name(one), value=one, refs=(one,)) for one in guards]
    items.append(
        Option(
            label=duel.player(other).name or f"P{other + 1}",
            value=None,
            legal=free,
            reason="target: first each creature of the guard post must be attacked",
        )
    )
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="target",
        text=f"Whom does {duel.card_name(ref)} attack?",
        items=tuple(items),
        source=duel.card_name(ref),
        about=ref,
        default=len(items) - 1
        if free
        else next(n for n, guard in enumerate(guards) if guard not in attacked),
    )
    chosen: Ref | None = yield from duel.game.ask(question)
    return chosen


def _attacked(duel: Duel, combat: Combat) -> Steps[None]:
    game = duel.game
    game.batch += 1
    messages = [
        game.happened(
            "attacked",
            subjects=(one.attacker,) if one.target is None else (one.attacker, one.target),
            player=combat.attacker,
        )
        for one in combat.attacks
    ]
    game.play_stands()
    yield from game.announce(*messages)
    tired = [
        one.attacker
        for one in combat.attacks
        if not asking.has_keyword(duel, one.attacker, "Steadfast")
    ]
    yield from acting.about(duel, "turn", tired)


# ---------------------------------------------------------------- striking


def strike(duel: Duel) -> Steps[None]:
    """The strikes of the combat that was declared: the swift ones first."""
    combat = duel.combat
    if combat is None:
        return
    swift = {
        ref
        for one in combat.attacks
        for ref in (one.attacker, one.target)
        if ref is not None and duel.is_there(ref) and asking.has_keyword(duel, ref, "Swift")
    }
    for is_swift in (True, False):
        blows = [
            blow
            for blow in _blows(duel, combat)
            if blow.source is not None and (blow.source in swift) == is_swift
        ]
        yield from acting.publish(duel, blows)
    duel.game.store.put(COMBAT, None)
    duel.game.happened("combat ended", player=combat.attacker)


def _blows(duel: Duel, combat: Combat) -> list[Proposed]:
    """Every strike between those who are still there, and where they were."""
    found = []
    struck_back: list[Ref] = []
    for attacker, target in standing(duel, combat):
        if target is None:
            found.append(_blow(duel, attacker, None, duel.opponent(combat.attacker)))
            continue
        found.append(_blow(duel, attacker, target, combat.attacker))
        if target not in struck_back:
            struck_back.append(target)
            found.append(_blow(duel, target, attacker, duel.opponent(combat.attacker)))
    return found


def standing(duel: Duel, combat: Combat) -> list[Attack]:
    """The attacks that will strike: both who take part are still there, and where they were."""
    other = duel.opponent(combat.attacker)
    return [
        one
        for one in combat.attacks
        if _fights(duel, one.attacker, combat.attacker)
        and (one.target is None or _stands(duel, one.target, other))
    ]


def _fights(duel: Duel, ref: Ref, seat: Seat) -> bool:
    return duel.is_there(ref) and asking.controller(duel, ref) == seat


def _stands(duel: Duel, ref: Ref, seat: Seat) -> bool:
    return _fights(duel, ref, seat) and word_of(duel.game.place_of(ref)) == "guard"


def _blow(duel: Duel, source: Ref, target: Ref | None, seat: Seat) -> Proposed:
    """One strike: at a creature, or at the player `seat`."""
    number = asking.number(duel, source, "damage")
    facts = {"combat": True}
    cause = duel.game.log.latest("attacked", source)
    if target is None:
        return Proposed(
            event="hurt", player=seat, amount=number, source=source, facts=facts, cause=cause
        )
    return Proposed(
        event="damage",
        subjects=(target,),
        player=seat,
        amount=number,
        source=source,
        facts=facts,
        cause=cause,
    )
