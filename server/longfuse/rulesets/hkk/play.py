"""Playing: from a declaration to a successful play, and using abilities.

Owns choices, costs and what comes of a card: a permanent enters play, a spell is done and goes to
the discard. A play that turns out impossible is undone: `TakenBack` unwinds it to where it began.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from longfuse.abilities.ability import Ability, Cost, Do, Program
from longfuse.abilities.evaluate import objects
from longfuse.abilities.interpreter import run
from longfuse.abilities.nodes import Named, This
from longfuse.abilities.scope import Scope
from longfuse.abilities.watching import digest
from longfuse.game import chain
from longfuse.game.choosing import may_question
from longfuse.game.game import TakenBack
from longfuse.game.questions import Steps
from longfuse.game.state import ChainItem
from longfuse.rulesets.hkk import acting, asking, choosing, commits, reactions
from longfuse.rulesets.hkk.definition import Definition
from longfuse.timing.messages import Proposed
from longfuse.timing.records import Source
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

# ---------------------------------------------------------------- cards


def play_card(duel: Duel, seat: Seat, ref: Ref) -> Steps[None]:
    """A player's own play: declared, chosen for, paid; then it is in the queue."""
    price = asking.price(duel, seat, ref)
    definition: Definition = duel.game.board.card(ref).definition
    zone = duel.game.zone_word(ref)
    card = duel.game.move_card(ref.card, "chain")
    item = reactions.add(
        duel,
        ChainItem(
            id=0,
            kind=definition.type,
            controller=seat,
            card=card,
            ability=None,
            source=Source(card, definition.name, seat, "chain", 0, zone),
            cause=duel.game.cause,
            facts=(("from", zone), ("magic", price)),
        ),
    )
    scope = reactions.scope_of(duel, item)
    if not (yield from choosing.choose_all(duel, definition.program, scope)):
        raise TakenBack
    _pay_magic(duel, seat, price)
    yield from _stands(duel, item, scope, "card finalized")


def come_about(duel: Duel, item: ChainItem) -> Steps[None]:
    """A card in the queue is played successfully."""
    assert item.card is not None
    definition: Definition = duel.game.board.card(item.card).definition
    scope = reactions.scope_of(duel, item)
    choosing.drop_illegal(duel, definition.program, scope)
    if definition.is_permanent:
        chain.remove(duel.game, item)
        yield from _enter(duel, item, definition, scope)
        return
    yield from run(definition.program.body, scope, duel)
    if chain.present(duel.game, item):
        card = duel.game.board.card(item.card)
        reactions.remove(duel, item)
        duel.game.move_card(card.id, f"discard:{card.owner}")
    facts = {"by": "hand", **dict(item.facts)}
    yield from duel.game.announce(
        duel.game.happened(
            "card played", subjects=(item.card,), player=item.controller, facts=facts
        )
    )


def _enter(duel: Duel, item: ChainItem, definition: Definition, scope: Scope) -> Steps[None]:
    assert item.card is not None
    on = None
    if definition.type == "enchantment":
        chosen = scope.names.get(definition.program.choices[0].name, ())
        if not chosen:
            # What it was to be put on is gone: it is not played successfully.
            card = duel.game.board.card(item.card)
            duel.game.move_card(card.id, f"discard:{card.owner}")
            return
        on = chosen[0]
    yield from enter(duel, item.card, item.controller, definition, attached_to=on)


def enter(
    duel: Duel,
    ref: Ref,
    seat: Seat,
    definition: Definition,
    source: Ref | None = None,
    **facts: Any,
) -> Steps[list[Any]]:
    """127.0.0: a permanent enters play, with its counters. facts: bare, token, by, attached_to."""
    proposal = Proposed(
        event="enter",
        subjects=(ref,),
        player=seat,
        source=source,
        facts={"card": ref.card, "passive": commits.enters_passive(definition), **facts},
    )
    done = yield from duel.game.publish(proposal)
    if duel.option("D19") == "both":
        yield from _offer_to_replace(duel, done)
    yield from acting.check(duel)
    return done


def _offer_to_replace(duel: Duel, done: list[Any]) -> Steps[None]:
    """D19 "both": what changes the putting of counters changes these, too."""
    for ref in [message.subjects[0] for message in done if message.event == "entered"]:
        for kind, number in duel.game.store.values[ref].counters:
            proposal = Proposed(
                event="place",
                subjects=(ref,),
                player=duel.controller_of(ref),
                amount=number,
                facts={"kind": kind, "rule": True},
                clause="127.0.0",
            )
            placed = yield from duel.game.publish(proposal)
            if not placed and duel.is_there(ref):
                _take_off(duel, ref, kind)


def _take_off(duel: Duel, ref: Ref, kind: str) -> None:
    """Something else was done: it has entered without this kind."""
    value = duel.game.store.values[ref]
    duel.game.change(
        ref,
        counters=tuple(one for one in value.counters if one[0] != kind),
        entered_with=tuple(one for one in value.entered_with if one != kind),
    )


# ---------------------------------------------------------------- abilities


def finalize(duel: Duel, item: ChainItem) -> Steps[None]:
    """An automatic ability in the queue: "may" first, then choices and costs; else it is gone."""
    game = duel.game
    outer, game.cause = game.cause, item.cause
    ability: Ability = item.ability
    scope = reactions.scope_of(duel, item)
    agreed = choosing.possible(duel, ability.program, scope)
    is_declined = False
    if agreed and ability.cost is not None:
        agreed = payable(duel, item.controller, ability.cost, scope)
    if agreed and ability.optional:
        agreed = yield from game.ask(may_question(item.controller, item.source.card))
        is_declined = not agreed
    if agreed:
        agreed = yield from choosing.choose_all(duel, ability.program, scope)
    if agreed:
        agreed = yield from pay(duel, item.controller, ability.cost, scope)
    if agreed:
        yield from _stands(duel, item, scope, "ability finalized")
    else:
        if is_declined:
            chain.note(game, item, "declined")
        else:
            chain.came_to_nothing(game, item, chain.NOT_POSSIBLE)
        reactions.remove(duel, item)
    game.cause = outer


def use(duel: Duel, seat: Seat, ref: Ref, ability: Ability) -> Steps[None]:
    """127.1.3, 127.2.2: use an activated ability; once it is paid for it stands (D13)."""
    value = duel.game.store.values[ref]
    source = Source(ref, duel.card_name(ref), seat, value.zone, 0, value.place)
    item = reactions.add(
        duel,
        ChainItem(id=0, kind="ability", controller=seat, card=None, ability=ability, source=source),
    )
    scope = reactions.scope_of(duel, item)
    if not (yield from choosing.choose_all(duel, ability.program, scope)):
        raise TakenBack
    if not (yield from pay(duel, seat, ability.cost, scope)):
        raise TakenBack
    if ability.once:
        duel.game.note_this_turn(use_key(ability, ref))
    yield from _stands(duel, item, scope, "ability used")


def use_key(ability: Ability, ref: Ref) -> tuple[Any, ...]:
    """Under which key it is noted that a once-each-turn activated ability was used."""
    return ("used", digest(ability), ref, 0)


def _stands(duel: Duel, item: ChainItem, scope: Scope, event: str) -> Steps[None]:
    """It is declared and paid for: it cannot be taken back any more."""
    game = duel.game
    names = tuple(scope.names.items())
    game.batch += 1
    item = chain.write(game, item, names=names)
    subject = item.card if item.card is not None else item.source.object
    message = game.happened(
        event,
        subjects=(subject,) if subject is not None else (),
        player=item.controller,
        facts={
            "label": item.source.card,
            **dict(item.facts),
            "chosen": chain.chosen_by(item),
            "late": not chain.is_fresh(game, item),
        },
        clause="" if item.ability is None else clause_of(item.ability),
    )
    chain.write(game, item, state="finalized", cause=message.id)
    outer, game.cause = game.cause, message.id
    game.play_stands()
    yield from game.announce(message)
    game.cause = outer


def clause_of(ability: Ability) -> str:
    """The clause of 127 by which a gated ability comes about or is used."""
    if ability.gate is None:
        return ""
    if ability.gate.works == "open":
        return "127.2.2"
    return "127.1.3" if ability.kind == "activated" else "127.1.2"


# ---------------------------------------------------------------- costs


def may(duel: Duel, seat: Seat, text: str, scope: Scope, cost: Cost | None) -> Steps[bool]:
    """A "may": asked only of a player who could pay; then it is paid."""
    if cost is not None and not payable(duel, seat, cost, scope):
        return False
    if not (yield from duel.game.ask(may_question(seat, scope.source.card, text))):
        return False
    if not (yield from pay(duel, seat, cost, scope)):
        return False
    if cost is not None:
        duel.game.happened("paid", player=seat, facts={"label": scope.source.card})
    return True


def magic_of(cost: Cost) -> int:
    """The magic points in a cost."""
    return sum(number for name, number in cost.resources if name == "magic")


def payable(duel: Duel, seat: Seat, cost: Cost, scope: Scope) -> bool:
    """Whether a player could pay a cost now."""
    if duel.player(seat).magic < magic_of(cost):
        return False
    if not choosing.possible(duel, Program(choices=cost.choices), scope):
        return False
    return all(_action_possible(duel, seat, node, scope) for node in cost.actions)


def _action_possible(duel: Duel, seat: Seat, node: Any, scope: Scope) -> bool:
    if not isinstance(node, Do):
        return True
    if isinstance(node.what, This | Named) and node.verb in ("turn", "destroy", "throw", "return"):
        if isinstance(node.what, Named) and node.what.name not in scope.names:
            return True
        refs = objects(node.what, scope)
        if not refs or not all(duel.is_there(ref) for ref in refs):
            return False
        return node.verb != "turn" or not any(duel.is_state(ref, "passive") for ref in refs)
    number = node.amount if isinstance(node.amount, int) else 1
    if node.verb == "discard" and node.what is None:
        return len(duel.game.board.zone(f"hand:{seat}")) >= number
    if node.verb == "remove counters":
        word = "cost counters" if node.word == "cost" else node.word
        return sum(duel.stat_of(ref, word) for ref in objects(node.what, scope)) >= number
    if node.verb == "hurt":
        return duel.player(seat).life > number
    return True


def pay(duel: Duel, seat: Seat, cost: Cost | None, scope: Scope) -> Steps[bool]:
    """Pay magic points and carry out the actions of a cost."""
    if cost is None:
        return True
    if not payable(duel, seat, cost, scope):
        return False
    for choice in cost.choices:
        if not (yield from choosing.choose(duel, choice, scope)):
            return False
    _pay_magic(duel, seat, magic_of(cost))
    yield from run(cost.actions, scope, duel)
    return True


def _pay_magic(duel: Duel, seat: Seat, number: int) -> None:
    if number:
        duel.game.change_seat(seat, magic=duel.player(seat).magic - number)
