"""The reaction queue: what is on its way to come about, last in, first out.

Owns the order of items and who may react. An action is there once it is declared and paid for; the
players react alternately, the opponent of whoever made the newest item first; when both have passed
in a row the newest comes about. Automatic abilities go there when their condition is met.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from longfuse.abilities.ability import Ability, Program
from longfuse.abilities.interpreter import run
from longfuse.abilities.scope import Scope
from longfuse.game import chain
from longfuse.game.questions import Option, Question, Steps
from longfuse.game.rules import Trigger
from longfuse.game.state import ChainItem
from longfuse.rulesets.hkk import acting, asking, choosing, offers, play
from longfuse.rulesets.hkk.definition import blank
from longfuse.timing.references import NOBODY, Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

ABILITY = blank("Ability", "ability", 0, 0)


def add(duel: Duel, item: ChainItem) -> ChainItem:
    """Put an item in the queue."""
    stay = item.card if item.card is not None else chain.stand_in(duel.game, ABILITY)
    return chain.add(duel.game, item, stay)


def remove(duel: Duel, item: ChainItem) -> None:
    """Take an item out of the queue; its card, if it has one, is where its remover sends it."""
    chain.remove(duel.game, item)
    if item.card is None and item.object is not None:
        chain.dismiss(duel.game, item.object)


# ---------------------------------------------------------------- automatic abilities


def add_triggers(duel: Duel, triggers: list[Trigger]) -> Steps[None]:
    """Each controller orders their own, the active player first."""
    triggers = note(duel, triggers)
    for seat in duel.seats():
        own = [one for one in triggers if _responsible(duel, one.controller) == seat]
        if len(own) > 1:
            own = yield from _order(duel, seat, own)
        for trigger in own:
            for _ in range(_times(duel, trigger)):
                chain.note_added(duel.game, add(duel, item_of(duel, trigger)))


def note(duel: Duel, triggers: list[Trigger]) -> list[Trigger]:
    """Note that automatic abilities come about; those that have been noted stay as they are."""
    return chain.note_triggers(duel.game, triggers, play.clause_of)


def _responsible(duel: Duel, seat: Seat) -> Seat:
    return seat if seat != NOBODY else duel.turn_player()


def _times(duel: Duel, trigger: Trigger) -> int:
    """On-play abilities may come about more often, or not at all; the placing of counters is none
    (127.0.0)."""
    ref = trigger.record.source.object
    if trigger.message.event == "card played" and ref == trigger.message.subject:
        return asking.times_on_play(duel, trigger.record)
    return 1


def _order(duel: Duel, seat: Seat, own: list[Trigger]) -> Steps[list[Trigger]]:
    options = tuple(
        Option(label=duel.game.describe_record(one.record), value=one, refs=refs_of(one))
        for one in own
    )
    question = Question(
        id=0,
        seat=seat,
        shape="order",
        kind="order",
        text="In which order do your abilities go into the reaction queue?",
        items=options,
        default=tuple(range(len(options))),
    )
    chosen = yield from duel.game.ask(question)
    return list(chosen)


def refs_of(trigger: Trigger) -> tuple[Ref, ...]:
    """What an automatic ability comes from, and what it is about."""
    source = trigger.record.source.object
    found = [source] if source is not None else []
    return (*found, *trigger.message.subjects[:1])


def item_of(duel: Duel, trigger: Trigger) -> ChainItem:
    """The item of an automatic ability whose condition was met."""
    record = trigger.record
    seat = _responsible(duel, trigger.controller)
    return ChainItem(
        id=0,
        kind="ability",
        controller=seat,
        card=None,
        ability=record.ability,
        source=msgspec.structs.replace(record.source, controller=seat),
        names=record.captured,
        event=trigger.message,
        record=record,
        cause=trigger.noted,
    )


def reflexive(duel: Duel, program: Program, scope: Scope) -> None:
    """ "Do this:" makes a new item, with what its maker's words meant."""
    item = add(
        duel,
        ChainItem(
            id=0,
            kind="ability",
            controller=_responsible(duel, scope.controller),
            card=None,
            ability=Ability(kind="triggered", program=program),
            source=scope.source,
            names=tuple(scope.names.items()),
            event=scope.message,
            cause=duel.game.cause,
        ),
    )
    chain.note(duel.game, item, "ability triggered")


# ---------------------------------------------------------------- the process


def process(duel: Duel) -> Steps[bool]:
    """Choose for what is new, react, let come about, until the queue is empty. True if anything
    went through it."""
    went_through = False
    while True:
        yield from acting.check(duel)
        waiting = chain.pending(duel.game)
        if waiting is not None:
            went_through = True
            yield from play.finalize(duel, waiting)
            continue
        queued = chain.items(duel.game)
        if not queued:
            return went_through
        went_through = True
        if not (yield from _react(duel, queued[-1].controller)):
            yield from resolve(duel, chain.items(duel.game)[-1])


def _react(duel: Duel, seat: Seat) -> Steps[bool]:
    """Whether one of the players reacts; the opponent is asked first."""
    for asked in (duel.opponent(seat), seat):
        if (yield from offers.act(duel, asked, "react")):
            return True
    return False


# ---------------------------------------------------------------- coming about


def resolve(duel: Duel, item: ChainItem) -> Steps[None]:
    """The newest item comes about."""
    game = duel.game
    outer, game.cause = game.cause, item.cause
    since = game.last_ordinal
    why = ""
    if item.card is not None:
        yield from play.come_about(duel, item)
    else:
        if _has_stopped_working(duel, item):
            why = "its last temporary counter has fallen"
        else:
            scope = scope_of(duel, item)
            choosing.drop_illegal(duel, item.ability.program, scope)
            yield from run(item.ability.program.body, scope, duel)
        if chain.present(game, item):
            remove(duel, item)
    chain.note_outcome(game, item, since, lambda: (why or _why_nothing(duel, item), ""))
    game.cause = outer


def _why_nothing(duel: Duel, item: ChainItem) -> str:
    """Why an item that came about has had no effect, as far as its choices say."""
    scope = scope_of(duel, item)
    program = item.ability.program if item.ability is not None else _program(duel, item)
    choosing.drop_illegal(duel, program, scope)
    return "what it chose is gone" if chain.has_lost_all(item, scope.names) else ""


def _program(duel: Duel, item: ChainItem) -> Program:
    assert item.card is not None
    program: Program = duel.game.board.card(item.card).definition.program
    return program


def _has_stopped_working(duel: Duel, item: ChainItem) -> bool:
    """D13, D20: whether an ability goes from the queue when its last temporary counter falls."""
    gate, ref = item.ability.gate, item.source.object
    if gate is None or gate.works != "open" or ref is None:
        return False
    option = "D13" if item.ability.kind == "activated" else "D20"
    return duel.option(option) == "stops" and not asking.gate_holds(duel.game.look(ref), gate)


def scope_of(duel: Duel, item: ChainItem) -> Scope:
    """What an item's words refer to."""
    return Scope(
        duel,
        item.controller,
        item.source,
        names=dict(item.names),
        message=item.event,
        record=item.record,
        item=item.id,
    )


def prevent(duel: Duel, item: ChainItem) -> None:
    """It does not come about and leaves the queue; a card goes to the discard, and was never
    successfully played (127.0.0)."""
    remove(duel, item)
    if item.card is not None and duel.game.board.is_there(item.card):
        card = duel.game.board.card(item.card)
        duel.game.move_card(card.id, f"discard:{card.owner}")
