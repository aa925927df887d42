"""The preparation phase: magic points, then its second segment's work list, then readying.

Owns the course of the phase, and how one counter falls. A permanent loses counters only in its
controller's phases (127.0.1), and none while the abilities that they belong to do not function
(127.0.2). What is on the list, and what comes next, is in `worklist.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from longfuse.abilities.evaluate import holds, players
from longfuse.abilities.nodes import At
from longfuse.abilities.scope import Scope
from longfuse.game.choosing import may_question
from longfuse.game.questions import Steps
from longfuse.game.rules import Trigger
from longfuse.rulesets.hkk import acting, asking, counters, looking, offers, play, reactions
from longfuse.rulesets.hkk.worklist import (
    CAUGHT,
    START,
    Automatic,
    Segment,
    Task,
    Tick,
    pick,
    tasks,
    waiting,
)
from longfuse.timing.messages import Happened, reached
from longfuse.timing.records import Source
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

GAINED_MOST = 5
TASKS_MAX = 1_000


def preparation(duel: Duel, seat: Seat) -> Steps[None]:
    """The whole phase; skipped, nothing of it happens, and no counter falls."""
    game = duel.game
    player = duel.player(seat)
    if player.skips:
        game.change_seat(seat, skips=player.skips - 1)
        yield from game.announce(
            game.happened("preparation skipped", player=seat, clause="127.0.1")
        )
        return
    # Set when the phase starts: what comes later loses nothing in this one (D9).
    ticks = tuple(Tick(ref, kind) for ref, kind in counters.falling(duel, seat))
    game.store.put(CAUGHT, ())
    game.cause = yield from game.reach(
        "preparation", phase="preparation", step="", opens=("phase",)
    )
    yield from regenerate(duel, seat)
    yield from _second_segment(duel, seat, ticks)
    turned = [
        ref
        for ref in game.board.zone("board")
        if duel.is_state(ref, "passive") and asking.controller(duel, ref) == seat
    ]
    yield from acting.about(duel, "ready", turned, player=seat)
    yield from reactions.process(duel)
    yield from game.over("phase")


def regenerate(duel: Duel, seat: Seat) -> Steps[None]:
    """The first segment: 1, 2, 3, 4, then 5 magic points, and one more for every second creature in
    the reserve."""
    bonus = len(looking.creatures_of(duel, seat, "reserve")) // 2
    total = min(duel.player(seat).turns, GAINED_MOST) + bonus
    yield from acting.to_player(duel, "magic", seat, total)


# ---------------------------------------------------------------- the second segment


def _second_segment(duel: Duel, seat: Seat, ticks: tuple[Tick, ...]) -> Steps[None]:
    game = duel.game
    yield from game.reach("in preparation", phase="preparation", step="")
    begun = game.happened("segment began", player=seat)
    ripe = waiting(duel)
    segment = Segment(
        ticks=ticks,
        frozen=tuple(one for one in ticks if counters.is_frozen(duel, one.ref, one.kind)),
        ripe=tuple(record.id for record in ripe),
    )
    for _ in range(TASKS_MAX):
        yield from reactions.process(duel)
        listed = tasks(duel, seat, segment, begun)
        if not listed:
            return
        if _can_use(duel, seat):
            while (yield from offers.act(duel, seat, "preparation")):
                yield from reactions.process(duel)
            listed = tasks(duel, seat, segment, begun)
            if not listed:
                return
        task = yield from pick(duel, seat, listed)
        segment = yield from _carry_out(duel, seat, task, segment)
    raise RuntimeError(f"the preparation phase does not come to an end: {game.now}")


def _can_use(duel: Duel, seat: Seat) -> bool:
    """Whether there is something to use before the next task, as everybody can see."""
    return any(
        not offers.why_not_use(duel, seat, ref, ability, "preparation")
        for ref, ability in offers.usable_of(duel, seat)
    )


# ---------------------------------------------------------------- carrying out


def _carry_out(duel: Duel, seat: Seat, task: Task, segment: Segment) -> Steps[Segment]:
    # Abilities may have been used since: what falls now falls because of the phase.
    duel.game.cause = duel.game.log.latest(reached("preparation"))
    if isinstance(task, Automatic):
        caught = duel.game.store.get(CAUGHT) or ()
        duel.game.store.put(CAUGHT, tuple(one for one in caught if one != task.trigger))
        yield from reactions.add_triggers(duel, [task.trigger])
        done = (*segment.done, task.trigger.record.id)
        return msgspec.structs.replace(segment, done=done)
    is_frozen = counters.is_frozen(duel, task.ref, task.kind)
    if duel.option("D8") == "start":
        is_frozen = task in segment.frozen
    left = tuple(one for one in segment.ticks if one != task)
    gone = (*segment.gone, task)
    if is_frozen:
        yield from duel.game.announce(counters.stayed(duel, task.ref, task.kind, seat))
    else:
        yield from _tick(duel, seat, task)
        if duel.option("D5") == "one":
            left = tuple(one for one in left if one.ref != task.ref)
            gone = (*gone, *(one for one in segment.ticks if one.ref == task.ref))
    return msgspec.structs.replace(segment, ticks=left, gone=gone)


def _tick(duel: Duel, seat: Seat, task: Tick) -> Steps[None]:
    """127.0.1: one falls. This is the rules' doing: no source, nothing to react to."""
    if task.kind == "cost" and not (yield from _pay_upkeep(duel, seat, task.ref)):
        yield from acting.about(duel, "death", (task.ref,), player=seat)
        return
    facts = {"kind": task.kind, "rule": True}
    done = yield from acting.about(
        duel, "remove", (task.ref,), player=seat, amount=1, facts=facts, clause="127.0.1"
    )
    fell = any(message.event == "last counter fell" for message in done)
    if fell and duel.option("D10") == "same":
        yield from _start_again(duel, task.ref, done[-1])


def _start_again(duel: Duel, ref: Ref, message: Happened) -> Steps[None]:
    """D10 "same": what waited for the start of the phase, and is ripe now, still comes in it."""
    found = []
    for record in duel.game.subscriptions.matching(START):
        ability = record.ability
        if record.source.object != ref or record.delayed or ability.gate is None:
            continue
        if record.kind != "triggered" or not duel.functions(record):
            continue
        controller = duel.game.controller_of_record(record)
        scope = duel.scope_of(record, message)
        whose = ability.when.whose if isinstance(ability.when, At) else None
        if whose is not None and duel.turn_player() not in players(whose, scope):
            continue
        if ability.condition is None or holds(ability.condition, scope):
            found.append(Trigger(record, message, controller))
    if found:
        yield from reactions.add_triggers(duel, found)


def _pay_upkeep(duel: Duel, seat: Seat, ref: Ref) -> Steps[bool]:
    """The temporary cost, a house rule: pay in each preparation phase while counters remain."""
    upkeep = duel.definition(ref).upkeep
    if upkeep is None or upkeep.cost is None:
        return True
    value = duel.game.store.values[ref]
    source = Source(ref, duel.card_name(ref), seat, "board", 0, value.place)
    scope = Scope(duel, seat, source)
    if not play.payable(duel, seat, upkeep.cost, scope):
        return False
    words = "pay its temporary cost"
    if not (yield from duel.game.ask(may_question(seat, source.card, words, "127.0.7"))):
        return False
    paid = yield from play.pay(duel, seat, upkeep.cost, scope)
    if paid:
        duel.game.happened("paid", player=seat, facts={"label": source.card}, clause="127.0.7")
    return paid
