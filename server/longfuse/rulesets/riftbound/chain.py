"""The chain: pending and finalized items, priority, and the HOT FEPR process (332-340).

Owns the order of items and who may act. How an item is finalized is in `play.py`; what it does when
it resolves is its program. Outside this module nothing takes an item off the chain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.abilities.ability import Ability, Program
from longfuse.abilities.interpreter import run
from longfuse.abilities.scope import Scope
from longfuse.game import chain as listed
from longfuse.game.questions import Option, Question, Steps
from longfuse.game.rules import Trigger
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import (
    asking,
    battlefields,
    choosing,
    cleanup,
    offers,
    play,
    repeat,
    riders,
    standins,
)
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


# ---------------------------------------------------------------- the items


def items(duel: Duel) -> list[ChainItem]:
    """The items on the chain, oldest first."""
    return listed.items(duel.game)


def add(duel: Duel, item: ChainItem) -> ChainItem:
    """Put a pending item on the chain under the next number."""
    stay = item.card if item.card is not None else standins.arrive(duel)
    return listed.add(duel.game, item, stay)


def write(duel: Duel, item: ChainItem, **fields: Any) -> ChainItem:
    """Write an item's new fields."""
    return listed.write(duel.game, item, **fields)


def present(duel: Duel, item: ChainItem) -> bool:
    """Whether an item is still on the chain."""
    return listed.present(duel.game, item)


def remove(duel: Duel, item: ChainItem) -> None:
    """Take an item off the chain; its card, if it has one, is where its remover sends it."""
    listed.remove(duel.game, item)
    if item.object is not None and item.card is None:
        listed.dismiss(duel.game, item.object)


def pending(duel: Duel) -> ChainItem | None:
    """The oldest pending item."""
    return listed.pending(duel.game)


# ---------------------------------------------------------------- triggers


def add_triggers(duel: Duel, triggers: list[Trigger]) -> Steps[None]:
    """Own deaths first: they are added before the card is moved (808.1.d.2); then the others."""
    triggers = listed.note_triggers(duel.game, triggers, lambda _: "383.3")
    own_deaths = [trigger for trigger in triggers if _is_own_death(trigger)]
    yield from _add_in_order(duel, own_deaths)
    others = [trigger for trigger in triggers if not _is_own_death(trigger)]
    yield from _add_in_order(duel, others)


def _is_own_death(trigger: Trigger) -> bool:
    record, message = trigger.record, trigger.message
    killed = message.event in ("unit died", "gear died", "killed")
    return killed and not record.delayed and record.source.object in message.subjects


def _add_in_order(duel: Duel, triggers: list[Trigger]) -> Steps[None]:
    """383.3.d.1: each controller orders their own, the turn player first (459.2.d.1: in a starting
    combat the attacker first, the defender last)."""
    for seat in _trigger_order(duel):
        own = [one for one in triggers if battlefields.responsible(duel, one.controller) == seat]
        if len(own) > 1:
            own = yield from _order(duel, seat, own)
        for trigger in own:
            for _ in range(asking.times_triggered(duel, trigger.record)):
                listed.note_added(duel.game, add(duel, _item_of(duel, trigger)))


def _trigger_order(duel: Duel) -> tuple[Seat, ...]:
    showdown = duel.showdown
    if showdown is not None and showdown.combat and duel.game.store.get(("combat opens",)):
        return (showdown.attacker, showdown.defender)
    return duel.seats()


def _order(duel: Duel, seat: Seat, own: list[Trigger]) -> Steps[list[Trigger]]:
    options = tuple(
        Option(
            label=duel.game.describe_record(trigger.record),
            value=trigger,
            refs=_refs(trigger),
        )
        for trigger in own
    )
    question = Question(
        id=0,
        seat=seat,
        shape="order",
        kind="order",
        text="In which order do your abilities go on the chain?",
        items=options,
        clause="383.3.d",
        default=tuple(range(len(options))),
    )
    chosen = yield from duel.game.ask(question)
    return list(chosen)


def _refs(trigger: Trigger) -> tuple[Ref, ...]:
    source = trigger.record.source.object
    found = [source] if source is not None else []
    return (*found, *trigger.message.subjects[:1])


def _item_of(duel: Duel, trigger: Trigger) -> ChainItem:
    record = trigger.record
    source = msgspec.structs.replace(record.source, controller=trigger.controller)
    if not record.delayed and source.object is not None:
        place = duel.game.place_of(source.object)
        source = msgspec.structs.replace(source, place=place or source.place)
    return ChainItem(
        id=0,
        kind="ability",
        controller=battlefields.responsible(duel, trigger.controller),
        card=None,
        ability=record.ability,
        source=source,
        names=record.captured,
        event=trigger.message,
        record=record,
        facts=battlefields.facts(trigger.controller),
        cause=trigger.noted,
    )


def reflexive(duel: Duel, program: Program, scope: Scope) -> Steps[None]:
    """386-388: "Do this:" makes a new item, with what the maker's words meant."""
    ability = Ability(kind="triggered", program=program)
    item = ChainItem(
        id=0,
        kind="ability",
        controller=battlefields.responsible(duel, scope.controller),
        card=None,
        ability=ability,
        source=scope.source,
        facts=battlefields.facts(scope.controller),
        names=tuple((name, value) for name, value in scope.names.items()),
        event=scope.message,
        cause=duel.game.cause,
    )
    item = add(duel, item)
    listed.note(duel.game, item, "ability triggered", clause="386")
    yield from ()


# ---------------------------------------------------------------- the process


def process(duel: Duel) -> Steps[bool]:
    """Handle tasks, finalize, execute, pass, resolve, until nothing is on the chain (335-340).

    True if anything went through it.
    """
    went_through = False
    while True:
        yield from cleanup.cleanup(duel)
        waiting = pending(duel)
        if waiting is not None:
            went_through = True
            yield from play.finalize(duel, waiting)
            continue
        on_chain = items(duel)
        if not on_chain:
            return went_through
        went_through = True
        acted = yield from _priority(duel, on_chain[-1].controller)
        if not acted:
            yield from resolve(duel, items(duel)[-1])


def _priority(duel: Duel, seat: Seat) -> Steps[bool]:
    """338-339: the controller of the newest item, then the other; False when both passed."""
    for asked in (seat, duel.opponent(seat)):
        acted = yield from offers.act(duel, asked, "priority")
        if acted:
            return True
    return False


# ---------------------------------------------------------------- resolving


def resolve(duel: Duel, item: ChainItem) -> Steps[None]:
    """340: the newest finalized item resolves; what leaves the board or chain meanwhile is gone."""
    game = duel.game
    outer, game.cause = game.cause, item.cause
    scope = scope_of(duel, item)
    if item.kind == "spell":
        yield from _resolve_spell(duel, item, scope)
    else:
        since = game.last_ordinal
        yield from _run(duel, item.ability.program, scope)
        _note_outcome(duel, item, item.ability.program, since)
        if present(duel, item):
            remove(duel, item)
    game.cause = outer


def _note_outcome(duel: Duel, item: ChainItem, program: Program, since: int) -> None:
    """359.3.e: what was carried out and has had no effect is told; an effect tells itself."""

    def why_nothing() -> tuple[str, str]:
        scope = scope_of(duel, item)
        choosing.drop_illegal_targets(duel, program, scope)
        if listed.has_lost_all(item, scope.names):
            return ("what it chose is gone", "359.3.e.10")
        return ("", "359.3.e.6")

    listed.note_outcome(duel.game, item, since, why_nothing)


def _resolve_spell(duel: Duel, item: ChainItem, scope: Scope) -> Steps[None]:
    assert item.card is not None
    program = duel.game.board.card(item.card).definition.program
    duel.game.store.put(("resolving",), item.id)
    since = duel.game.last_ordinal
    for one in repeat.executions(item, program, scope):
        if present(duel, item):
            yield from _run(duel, program, one)
    duel.game.store.put(("resolving",), None)
    _note_outcome(duel, item, program, since)
    card = duel.game.board.card(item.card)
    if present(duel, item):
        yield from riders.leave_chain(duel, item, "trash")
    if "copy" in dict(item.facts):
        # A copy was put on the chain, not played.
        return
    yield from duel.game.announce(
        duel.game.happened(
            "card played",
            subjects=(item.card,),
            player=item.controller,
            facts={**dict(item.facts), "card": card.id},
            clause="419",
        )
    )


def has_left(duel: Duel, scope: Scope) -> bool:
    """359.3.e.15: whether the spell that is resolving has left the chain."""
    store = duel.game.store
    return bool(
        scope.item
        and store.get(("resolving",)) == scope.item
        and scope.item not in (store.get(("chain",)) or ())
    )


def _run(duel: Duel, program: Program, scope: Scope) -> Steps[None]:
    """Carry out a program with the targets that are still legal (359.3.e)."""
    choosing.drop_illegal_targets(duel, program, scope)
    yield from run(program.body, scope, duel)


def scope_of(duel: Duel, item: ChainItem) -> Scope:
    """What an item's words refer to."""
    return Scope(
        duel,
        battlefields.speaker(item),
        item.source,
        names={**_paid_before(item), **dict(item.names), "paid": _paid(item)},
        message=item.event,
        record=item.record,
        item=item.id,
    )


def _paid(item: ChainItem) -> tuple[str, ...]:
    """The additional costs paid for an item; for a trigger, those of the card it was about."""
    if item.paid or item.event is None:
        return item.paid
    found: tuple[str, ...] = item.event.fact("paid", ())
    return found


def _paid_before(item: ChainItem) -> dict[str, Any]:
    return dict(item.event.fact("paid names", ())) if item.event is not None else {}


def counter(duel: Duel, item: ChainItem) -> Steps[None]:
    """425: the item does nothing and leaves the chain; its costs are not given back."""
    if item.card is not None:
        yield from riders.leave_chain(duel, item, "trash")
    else:
        remove(duel, item)


def open_state(duel: Duel) -> bool:
    """331.2: no chain exists."""
    return not duel.game.store.get(("chain",))
