"""Showdowns and combats (341-348, 459-466).

Owns focus, the steps of a combat, assignment and dealing of combat damage, the combat's result, and
who controls a battlefield afterwards. Scoring is in `scoring.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.game.questions import Question, Steps
from longfuse.rulesets.riftbound import (
    asking,
    assigning,
    battlefields,
    chain,
    cleanup,
    entering,
    looking,
    offers,
    scoring,
)
from longfuse.rulesets.riftbound.state import Battlefield, Showdown
from longfuse.timing.calendar import reach
from longfuse.timing.messages import Proposed, reached
from longfuse.timing.references import NOBODY, Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

# ---------------------------------------------------------------- beginning


def settle(duel: Duel) -> Steps[bool]:
    """Let everything that is due happen until the state is Neutral Open with nothing staged.

    True if anything went through the chain or a showdown was held.
    """
    acted = yield from chain.process(duel)
    while duel.showdown is None:
        staged = [field for field in duel.battlefields() if field.staged]
        if not staged:
            break
        field = staged[0]
        if len(staged) > 1:
            field = yield from _which_first(duel, staged)
        yield from hold_showdown(duel, field)
        yield from chain.process(duel)
        acted = True
    return acted


def _which_first(duel: Duel, staged: list[Battlefield]) -> Steps[Battlefield]:
    """323.11: the turn player chooses where a showdown begins."""
    question = Question(
        id=0,
        seat=duel.turn_player(),
        shape="one",
        kind="first",
        text="Which showdown begins first?",
        items=tuple(entering.place_option(duel, field.place) for field in staged),
        clause="323.11",
        default=0,
    )
    place = yield from duel.game.ask(question)
    return next(field for field in staged if field.place == place)


def hold_showdown(duel: Duel, field: Battlefield) -> Steps[None]:
    """One showdown from its beginning to its end, with the combat in it."""
    contester = field.contested_by
    _write(duel, Showdown(place=field.place, combat=False, contester=contester, focus=contester))
    duel.game.change(field.ref, staged="")
    cause = duel.game.log.latest("contested", field.ref)
    yield from duel.game.reach("showdown", opens=("showdown",), cause=cause)
    if len(looking.sides_at(duel, field.place)) == 2:
        yield from _become_combat(duel)
    yield from _to_the_end(duel)


def restore(duel: Duel, showdown: Showdown) -> Steps[None]:
    """Go on with a showdown that a position starts in: what its beginning brings has happened."""
    now = reach(duel.game.now, "showdown", opens=("showdown",))
    if showdown.combat:
        attacker = showdown.contester
        defender = duel.opponent(attacker)
        showdown = msgspec.structs.replace(showdown, attacker=attacker, defender=defender)
        now = reach(now, "combat", opens=("combat",))
        for ref in looking.units_at(duel, showdown.place):
            side = "attacker" if asking.controller(duel, ref) == attacker else "defender"
            duel.game.change(ref, designation=side)
    duel.game.store.put(("now",), now)
    _write(duel, showdown)
    yield from _to_the_end(duel)


def _to_the_end(duel: Duel) -> Steps[None]:
    """Exchange, combat damage, result, control; then the showdown is over."""
    yield from _exchange(duel)
    now = _current(duel)
    duel.game.cause = duel.game.log.latest(reached("combat" if now.combat else "showdown"))
    if now.combat:
        yield from _combat_damage(duel)
        yield from _resolution(duel)
    else:
        yield from _establish_control(duel, now.place)
    yield from chain.process(duel)
    if now.combat:
        yield from duel.game.reach("combat end")
        yield from chain.process(duel)
    _end(duel)


def _become_combat(duel: Duel, attacker: Seat | None = None) -> Steps[None]:
    """459.2: establish attacker and defender; their triggers form the combat chain."""
    now = _current(duel)
    attacker = now.contester if attacker is None else attacker
    _write(duel, combat=True, attacker=attacker, defender=duel.opponent(attacker), focus=attacker)
    cause = duel.game.log.latest(reached("showdown"))
    duel.game.cause = yield from duel.game.reach("combat", opens=("combat",), cause=cause)
    duel.game.store.put(("combat opens",), True)
    yield from cleanup.cleanup(duel)
    duel.game.store.put(("combat opens",), None)
    yield from chain.process(duel)


def _end(duel: Duel) -> None:
    """The showdown is over, and with it the combat: "this combat" ends."""
    now = _current(duel)
    field = duel.battlefield(now.place)
    if field is not None:
        duel.game.change(field.ref, contested_by=NOBODY, staged="")
    duel.game.happened(
        "showdown ended",
        subjects=() if field is None else (field.ref,),
        facts={"combat": now.combat},
        clause="348",
    )
    duel.game.store.put(("showdown",), None)
    for name in ("combat", "showdown"):
        if duel.game.now.occurrence(name):
            duel.game.end_occurrence(name)


def _current(duel: Duel) -> Showdown:
    now = duel.showdown
    assert now is not None, "no showdown is going on"
    return now


def _write(duel: Duel, showdown: Showdown | None = None, **fields: Any) -> None:
    value = showdown if showdown is not None else _current(duel)
    duel.game.store.put(("showdown",), msgspec.structs.replace(value, **fields))


# ---------------------------------------------------------------- focus


def _exchange(duel: Duel) -> Steps[None]:
    """345-348: who has focus acts or passes; it closes when both have passed in a row."""
    while True:
        yield from chain.process(duel)
        now = _current(duel)
        if not now.combat and len(looking.sides_at(duel, now.place)) == 2:
            # 323.14: units of both sides are there now: it becomes a combat showdown.
            yield from _become_combat(duel)
            now = _current(duel)
        if now.passes >= 2:
            return
        acted = yield from offers.act(duel, now.focus, "focus")
        _write(duel, passes=0 if acted else now.passes + 1)
        if acted:
            yield from chain.process(duel)
        now = _current(duel)
        _write(duel, focus=duel.opponent(now.focus))


# ---------------------------------------------------------------- combat damage


def _combat_damage(duel: Duel) -> Steps[None]:
    """460: both sides assign damage equal to their Might, attacker first; all is dealt at once."""
    now = _current(duel)
    here = looking.units_at(duel, now.place)
    sides = {
        seat: [ref for ref in here if asking.controller(duel, ref) == seat]
        for seat in (now.attacker, now.defender)
    }
    if not all(sides.values()):
        return
    dealt: list[tuple[Ref, int]] = []
    by_side = []
    for seat in (now.attacker, now.defender):
        total = sum(_combat_might(duel, ref) for ref in sides[seat])
        assigned = yield from assigning.assign(duel, seat, total, sides[duel.opponent(seat)])
        by_side.append((seat, assigned))
        dealt += assigned
    yield from _deal_combat(duel, by_side)


def _deal_combat(duel: Duel, by_side: list[tuple[Seat, list[tuple[Ref, int]]]]) -> Steps[None]:
    proposals = [
        Proposed(
            event="damage",
            subjects=(ref,),
            player=seat,
            amount=number,
            facts={"combat": True},
            clause="460.2.d",
        )
        for seat, assigned in by_side
        for ref, number in assigned
        if number > 0
    ]
    if proposals:
        yield from duel.game.publish(*proposals)


def _combat_might(duel: Duel, ref: Ref) -> int:
    """423: a stunned unit deals no combat damage."""
    if duel.permanent(ref).stunned:
        return 0
    if asking.forbidden(duel, "deal combat damage", None, ref) is not None:
        return 0
    return asking.might(duel, ref)


# ---------------------------------------------------------------- resolution


def _resolution(duel: Duel) -> Steps[None]:
    """461 (466): the combat cleanup, what it triggered, the result, control, and what that
    triggers.

    R6: what is on the chain after the cleanup resolves before the result is determined, or after.
    """
    yield from cleanup.once(duel, special="combat")
    if duel.option("R6") == "chain first":
        yield from chain.process(duel)
        yield from _result(duel)
    else:
        yield from _result(duel)
        yield from chain.process(duel)
    yield from chain.process(duel)
    yield from _establish_control(duel, _current(duel).place)


def _result(duel: Duel) -> Steps[None]:
    """466.2-466.3: whose units alone remain has won; nobody if both or neither do, or if the
    attackers were recalled."""
    now = _current(duel)
    sides = looking.sides_at(duel, now.place)
    if len(sides) != 1 or now.recalled:
        return
    field = duel.battlefield(now.place)
    assert field is not None
    winner = sides[0]
    units = tuple(
        ref for ref in looking.units_at(duel, now.place) if asking.controller(duel, ref) == winner
    )
    won = duel.game.happened(
        "combat won", subjects=(field.ref, *units), player=winner, clause="466.2"
    )
    yield from duel.game.announce(won)


def _establish_control(duel: Duel, place: str) -> Steps[None]:
    """187.4, 348.2.a: whose units alone are there controls it; new control is a conquer."""
    field = duel.battlefield(place)
    sides = looking.sides_at(duel, place)
    if field is None:
        return
    if not sides:
        if field.controller != NOBODY:
            duel.game.change(field.ref, controller=NOBODY)
            battlefields.controlled(duel, field, NOBODY, "466.5.b")
        return
    if len(sides) != 1 or field.controller == sides[0]:
        return
    duel.game.change(field.ref, controller=sides[0], contested_by=NOBODY, staged="")
    clause = "466.5" if _current(duel).combat else "348.2.a"
    battlefields.controlled(duel, field, sides[0], clause)
    yield from scoring.conquer(duel, sides[0], place)
