"""The work list of the preparation phase: what happens in its second segment, and what comes next.

Owns what is on the list, and its order: the active player picks, the fall of counters first unless
they say otherwise (D7). The list is collected again after each item, so what has become ripe is
there (D11), and what has stopped working is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from longfuse.game.publish import accepts
from longfuse.game.questions import Option, Question, Steps
from longfuse.game.rules import Trigger
from longfuse.rulesets.hkk import asking, counters, reactions
from longfuse.timing.messages import Happened, ask, reached
from longfuse.timing.records import Record
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

CAUGHT = ("preparation caught",)
START, DURING = reached("preparation"), reached("in preparation")


class Tick(NamedTuple):
    """One counter falls off a permanent, if it may."""

    ref: Ref
    kind: str


class Automatic(NamedTuple):
    """An automatic ability of the phase goes into the queue. checked: whether it must still
    function then; one that waited for the start of the phase has come about already."""

    trigger: Trigger
    checked: bool


Task = Tick | Automatic


class Segment(msgspec.Struct, frozen=True):
    """The second segment as far as it has come.

    ticks: what may lose a counter in it. frozen: what was frozen as it began (D8). ripe: what
    functioned as it began (D11). gone: what has had its tick. done: the records that have had their
    turn.
    """

    ticks: tuple[Tick, ...]
    gone: tuple[Tick, ...] = ()
    frozen: tuple[Tick, ...] = ()
    ripe: tuple[int, ...] = ()
    done: tuple[int, ...] = ()


def catch(duel: Duel, triggers: list[Trigger]) -> list[Trigger]:
    """Keep back what waits for this phase: it is put on the work list. The others are returned."""
    caught = [one for one in triggers if one.message.event in (START, DURING)]
    if caught:
        duel.game.store.put(CAUGHT, (*(duel.game.store.get(CAUGHT) or ()), *caught))
    return [one for one in triggers if one.message.event not in (START, DURING)]


def waiting(duel: Duel) -> list[Record]:
    """What happens in the preparation phase and functions now."""
    return [
        record
        for record in duel.game.subscriptions.matching(DURING)
        if record.kind == "triggered" and not record.delayed and duel.functions(record)
    ]


def tasks(duel: Duel, seat: Seat, segment: Segment, begun: Happened) -> list[Task]:
    """What is on the list now, counters that may fall first."""
    found: list[Task] = list(_ticks(duel, seat, segment))
    known = set(segment.done)
    for trigger in duel.game.store.get(CAUGHT) or ():
        record: Record = trigger.record
        if trigger.message.event == START:
            found.append(Automatic(trigger, checked=False))
        elif record.id not in known and (record.delayed or duel.functions(record)):
            found.append(Automatic(trigger, checked=True))
        known.add(record.id)
    for record in waiting(duel):
        is_new = record.id not in segment.ripe
        if record.id in known or (is_new and duel.option("D11") == "next"):
            continue
        message = msgspec.structs.replace(begun, event=DURING)
        if accepts(duel.game, record, message):
            controller = duel.game.controller_of_record(record)
            found.append(Automatic(Trigger(record, message, controller), checked=True))
    return found


def _ticks(duel: Duel, seat: Seat, segment: Segment) -> list[Tick]:
    values = duel.game.store.values
    listed = segment.ticks
    if duel.option("D9") == "any":
        now = (Tick(ref, kind) for ref, kind in counters.falling(duel, seat))
        listed = (*listed, *(one for one in now if one not in (*listed, *segment.gone)))
    return [
        one
        for one in listed
        if duel.is_there(one.ref)
        and values[one.ref].count(one.kind) > 0
        and asking.controller(duel, one.ref) == seat
    ]


def pick(duel: Duel, seat: Seat, listed: list[Task]) -> Steps[Task]:
    """Which comes next. Nobody is asked where the order can change nothing."""
    ticks = [one for one in listed if isinstance(one, Tick)]
    if ticks and (duel.option("D7") == "ticks first" or _is_plain(duel, listed, ticks)):
        return ticks[0]
    if len(listed) == 1:
        return listed[0]
    items = tuple(_option(duel, one) for one in listed)
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="first",
        text="Your preparation phase: what comes next?",
        items=items,
        clause="127.0.1",
        default=0,
    )
    chosen: Task = yield from duel.game.ask(question)
    return chosen


def _is_plain(duel: Duel, listed: list[Task], ticks: list[Tick]) -> bool:
    """Whether only counters fall, and none of them wakes or ends what freezes another, or what
    a creature lives by."""
    if len(ticks) < len(listed):
        return False
    if len(ticks) == 1:
        return True
    if duel.option("D5") == "one" and len({one.ref for one in ticks}) < len(ticks):
        return False
    values = duel.game.store.values
    last = sum(values[one.ref].count(one.kind) == 1 for one in ticks)
    if last and _is_changed(duel, "no abilities"):
        return False
    return last < 2 or not _is_changed(duel, "life")


def _is_changed(duel: Duel, word: str) -> bool:
    """Whether some ability that waits to be asked about it would change it."""
    return any(
        change.asks == word
        for record in duel.game.subscriptions.matching(ask(word))
        for change in record.ability.changes
    )


def _option(duel: Duel, task: Task) -> Option:
    if isinstance(task, Tick):
        label = f"a {task.kind} counter falls off {duel.card_name(task.ref)}"
        return Option(label=label, value=task, refs=(task.ref,))
    trigger = task.trigger
    return Option(
        label=duel.game.describe_record(trigger.record),
        value=task,
        refs=reactions.refs_of(trigger),
    )
