"""Playing: the steps from a pending item to a finalized one (349-359), and choices on the way.

Owns choices, costs and legality of cards, activated and triggered abilities. A play that turns out
illegal is undone (358.4): `TakenBack` unwinds it to where it began.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.abilities.ability import Ability, Cost, Do, Program
from longfuse.abilities.interpreter import run
from longfuse.abilities.scope import Scope
from longfuse.abilities.watching import digest
from longfuse.game import chain as listed
from longfuse.game.choosing import may_question
from longfuse.game.game import TakenBack
from longfuse.game.questions import Steps
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import (
    asking,
    chain,
    choosing,
    costs,
    entering,
    extras,
    looking,
    possible,
    riders,
)
from longfuse.rulesets.riftbound.definition import Definition
from longfuse.timing.records import Source
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

# ---------------------------------------------------------------- finalizing


def finalize(duel: Duel, item: ChainItem) -> Steps[None]:
    """Steps 2 to 6 for a pending item that an instruction or a condition put on the chain."""
    outer, duel.game.cause = duel.game.cause, item.cause
    if item.card is not None:
        yield from _finalize_instructed(duel, item)
    else:
        yield from _finalize_ability(duel, item)
    duel.game.cause = outer


def _finalize_ability(duel: Duel, item: ChainItem) -> Steps[None]:
    """383.3: a triggered ability: "you may" first, then choices and costs; else it is removed."""
    ability: Ability = item.ability
    scope = chain.scope_of(duel, item)
    if not _can_trigger(duel, item, ability, scope):
        _goes(duel, item, listed.NOT_POSSIBLE)
        return
    if duel.is_optional(ability):
        if not (yield from ask_may(duel, item.controller, item.source.card, "383.3.a")):
            listed.note(duel.game, item, "declined", clause="383.3.a")
            _goes(duel, item)
            return
    agreed = yield from choosing.choose_all(duel, ability.program, scope)
    if agreed:
        agreed = yield from _pay_ability(duel, item, ability.cost, scope)
    if not agreed:
        _goes(duel, item, listed.NOT_POSSIBLE)
        return
    yield from _finalized(duel, item, scope, "ability finalized")
    yield from _add_at_once(duel, item)


def _pay_ability(duel: Duel, item: ChainItem, cost: Cost | None, scope: Scope) -> Steps[bool]:
    """Pay an ability's cost, and Deflect's for what it chooses (809.1.d)."""
    more = extras.deflect(duel, item.controller, scope.names)
    return (yield from pay_cost(duel, item.controller, cost, scope, item.source.card, more))


def _can_trigger(duel: Duel, item: ChainItem, ability: Ability, scope: Scope) -> bool:
    """Whether a "may" can be said yes to: nobody is asked what cannot be."""
    if not duel.is_optional(ability):
        return True
    if not possible.choices_possible(duel, ability.program, scope):
        return False
    return ability.cost is None or cost_possible(duel, item.controller, ability.cost, scope)


def _goes(duel: Duel, item: ChainItem, why: str = "") -> None:
    """A pending ability goes from the chain. why: what forbids it; "" if that has been told."""
    if why:
        listed.came_to_nothing(duel.game, item, why, "383.3")
    _decline(duel, item)
    chain.remove(duel, item)


def _decline(duel: Duel, item: ChainItem) -> None:
    """R4: a "next time" that was declined waits on, or is used up; "once each turn" is unspent."""
    record = item.record
    if record is None or not duel.is_optional(item.ability):
        return
    if item.ability.once:
        duel.game.store.put(duel.game.usage_key(record), None)
    if duel.option("R4") == "stays":
        duel.game.installed.give_back(record)
    else:
        duel.game.installed.declined(record)


def _finalize_instructed(duel: Duel, item: ChainItem) -> Steps[None]:
    """A card that an effect plays: choices, what it still costs, then finalized or put back."""
    assert item.card is not None
    done = yield from _steps(duel, item)
    if not done:
        # It can't be played: the instruction is ignored and the card stays where it came from.
        listed.came_to_nothing(duel.game, item, "it can't be played", "419")
        yield from riders.leave_chain(duel, item, dict(item.facts).get("from", "hand"))


def begin_card(
    duel: Duel, seat: Seat, ref: Ref, *, cause: int, instructed: bool = False, **facts: Any
) -> ChainItem:
    """354: the card leaves its zone and becomes a pending item."""
    definition: Definition = duel.game.board.card(ref).definition
    zone = duel.game.zone_word(ref)
    card = duel.game.move_card(ref.card, "chain")
    source = _source(duel, card, definition, seat, zone)
    if instructed:
        # A player's own play is told when it stands, but this can't be taken back.
        duel.game.happened("play begun", subjects=(card,), player=seat, clause="419")
    return chain.add(
        duel,
        ChainItem(
            id=0,
            kind=definition.type,
            controller=seat,
            card=card,
            ability=None,
            source=source,
            cause=cause,
            instructed=instructed,
            facts=tuple({"from": zone, "was": ref, **facts}.items()),
        ),
    )


def _source(duel: Duel, card: Ref, definition: Definition, seat: Seat, zone: str) -> Source:
    return Source(card, definition.name, seat, "chain", 0, zone)


def play_card(duel: Duel, seat: Seat, ref: Ref, **facts: Any) -> Steps[None]:
    """A player's own play: taken back, or undone where it can't be completed (358.4)."""
    free = asking.set_cost(duel, seat, ref)
    if free:
        facts.setdefault("free", free)
    item = begin_card(duel, seat, ref, cause=duel.game.cause, **facts)
    done = yield from _steps(duel, item)
    if not done:
        raise TakenBack


def activate(duel: Duel, seat: Seat, ref: Ref, ability: Ability) -> Steps[None]:
    """398: use an activated ability."""
    value = duel.game.store.values[ref]
    source = Source(ref, duel.card_name(ref), seat, value.zone, 0, value.place)
    item = chain.add(
        duel,
        ChainItem(id=0, kind="ability", controller=seat, card=None, ability=ability, source=source),
    )
    scope = chain.scope_of(duel, item)
    chosen = yield from choosing.choose_all(duel, ability.program, scope)
    if not chosen or not (yield from _pay_ability(duel, item, ability.cost, scope)):
        raise TakenBack
    if ability.once:
        duel.game.note_this_turn(use_key(ability, ref))
    yield from _finalized(duel, item, scope, "ability activated")
    yield from _add_at_once(duel, item)


def adds(ability: Ability) -> bool:
    """Whether all it does is to add resources."""
    body = ability.program.body
    return bool(body) and all(isinstance(node, Do) and node.verb == "add" for node in body)


def _add_at_once(duel: Duel, item: ChainItem) -> Steps[None]:
    """429.2: what adds resources resolves as it is finalized; nobody may react to it."""
    if adds(item.ability) and chain.present(duel, item):
        yield from chain.resolve(duel, item)


def use_key(ability: Ability, ref: Ref) -> tuple[Any, ...]:
    """Under which key it is noted that a once-each-turn activated ability was used."""
    return ("used", digest(ability), ref, 0)


def _steps(duel: Duel, item: ChainItem) -> Steps[bool]:
    """Steps 2 to 6 for a card; False if it turns out that it can't be played."""
    assert item.card is not None
    definition: Definition = duel.game.board.card(item.card).definition
    scope = chain.scope_of(duel, item)
    if definition.type in ("unit", "gear"):
        place = yield from entering.choose_place(duel, item, definition)
        if place is None:
            return False
        scope.names["place"] = place
    elif not (yield from choosing.choose_all(duel, definition.program, scope)):
        return False
    taken = yield from extras.choose(duel, item, definition, scope)
    if taken is None:
        return False
    price = total(duel, item, definition, taken, scope)
    name = definition.name
    if not (yield from costs.ask_payment(duel, item.controller, price, name, name)):
        return False
    yield from extras.carry_out(duel, taken, scope)
    facts = {**dict(item.facts), "energy": price.energy, "power": len(price.power)}
    item = chain.write(duel, item, facts=tuple(facts.items()))
    yield from _finalized(duel, item, scope, "card finalized")
    return True


def total(
    duel: Duel, item: ChainItem, definition: Definition, taken: list[extras.Extra], scope: Scope
) -> costs.Price:
    """356: the total cost of a card, with the additional costs that are taken and Deflect."""
    assert item.card is not None
    facts = dict(item.facts)
    base = costs.base_price(definition, facts.get("free", ""), is_flow=bool(facts.get("flow")))
    base = base._replace(energy=max(0, base.energy - facts.get("less", 0)))
    more = extras.price(taken).plus(extras.deflect(duel, item.controller, scope.names))
    return costs.card_price(duel, item.controller, item.card, definition, base, more, scope)


def _finalized(duel: Duel, item: ChainItem, scope: Scope, event: str) -> Steps[None]:
    """359: the item is finalized; permanents enter at once. The play stands from here on."""
    game = duel.game
    names = tuple((name, value) for name, value in scope.names.items() if name != "paid")
    paid = scope.names.get("paid", ())
    item = chain.write(duel, item, state="finalized", names=names, paid=paid)
    game.batch += 1
    subjects = (item.card,) if item.card is not None else _source_ref(item)
    card = item.card.card if item.card is not None else -1
    facts = {**_plain(dict(item.facts)), "card": card, "label": item.source.card}
    if item.record is not None and item.record.delayed:
        facts["acts"] = item.record.id
    facts["chosen"] = listed.chosen_by(item)
    facts["late"] = not listed.is_fresh(game, item)
    if item.card is not None:
        player = duel.player(item.controller)
        game.change_seat(item.controller, finalized=player.finalized + 1)
    message = game.happened(
        event,
        subjects=subjects,
        player=item.controller,
        facts=facts,
        clause="359" if item.card is not None else "383.3",
    )
    item = chain.write(duel, item, cause=message.id)
    outer, game.cause = game.cause, message.id
    chosen = chosen_messages(duel, item)
    game.play_stands()
    if dict(item.facts).get("flow") and item.card is not None:
        # 829: a card played by Flow is banished when it leaves the chain.
        yield from duel.create(riders.rider("banish"), scope.with_name("rider", (item.card,)))
    yield from game.announce(message, *chosen)
    if item.kind in ("unit", "gear"):
        yield from entering.enter(duel, item)
    game.cause = outer


def _source_ref(item: ChainItem) -> tuple[Ref, ...]:
    return (item.source.object,) if item.source.object is not None else ()


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if name in ("energy", "power", "from")}


def chosen_messages(duel: Duel, item: ChainItem) -> list[Any]:
    """383.4.b: what was chosen, for abilities that see it."""
    if not duel.game.subscriptions.live.get("chosen"):
        return []
    found = []
    for name, value in item.names:
        if not name.startswith("t") or not isinstance(value, tuple):
            continue
        found += [
            duel.game.happened(
                "chosen",
                subjects=(ref,),
                player=item.controller,
                source=item.card or item.source.object,
                clause="383.4.b",
            )
            for ref in value
            if isinstance(ref, Ref)
        ]
    return found


# ---------------------------------------------------------------- may, and costs of abilities


def ask_may(
    duel: Duel, seat: Seat, source: str, clause: str, kind: str = "may", words: str = ""
) -> Steps[bool]:
    """Ask yes or no."""
    question = may_question(seat, source, words, clause)
    if kind != question.kind:
        question = msgspec.structs.replace(question, kind=kind)
    return bool((yield from duel.game.ask(question)))


def may(duel: Duel, seat: Seat, text: str, scope: Scope, cost: Cost | None) -> Steps[bool]:
    """A later "you may": asked only of a seat that could pay; then it pays."""
    if cost is not None and not cost_possible(duel, seat, cost, scope):
        return False
    if not (yield from ask_may(duel, seat, scope.source.card, "383.3.a", words=text)):
        return False
    return cost is None or (yield from pay_now(duel, seat, cost, scope))


def pay_now(duel: Duel, seat: Seat, cost: Cost, scope: Scope) -> Steps[bool]:
    """Pay a cost within instructions: it is told, since nothing is finalized with it."""
    paid = yield from pay_cost(duel, seat, cost, scope, scope.source.card)
    if paid:
        duel.game.happened("paid", player=seat, facts={"label": scope.source.card}, clause="357")
    return paid


def cost_possible(
    duel: Duel, seat: Seat, cost: Cost, scope: Scope, more: costs.Price = costs.NOTHING
) -> bool:
    """Whether a seat could pay a cost now, and more with it."""
    if not costs.can_pay(duel, seat, costs.price_of(cost).plus(more)):
        return False
    if not costs.actions_possible(duel, seat, cost, scope):
        return False
    program = Program(choices=cost.choices, body=cost.actions)
    if cost.choices:
        program = Program(choices=costs.payable(cost).choices, body=cost.actions)
    return possible.choices_possible(duel, program, scope) and discards_possible(duel, seat, cost)


def discards_possible(duel: Duel, seat: Seat, cost: Cost) -> bool:
    """Whether there are as many cards, or as much experience, as the actions of a cost use up."""
    for action in cost.actions:
        verb = getattr(action, "verb", "")
        number = getattr(action, "amount", None)
        needed = number if isinstance(number, int) else 1
        own = verb == "discard" and getattr(action, "what", None) is None
        if own and len(duel.game.board.zone(f"hand:{seat}")) < needed:
            return False
        if verb == "recycle from trash" and looking.seat_stat(duel, seat, "trash") < needed:
            return False
        if verb == "spend xp" and duel.player(seat).xp < needed:
            return False
    return True


def pay_cost(
    duel: Duel,
    seat: Seat,
    cost: Cost | None,
    scope: Scope,
    what: str,
    more: costs.Price = costs.NOTHING,
) -> Steps[bool]:
    """Pay resources and carry out the actions of a cost (357.2.a: replaced ones count as paid).

    more: resources on top of the cost's own.
    """
    if cost is None:
        if more.free:
            return True
        return (yield from costs.ask_payment(duel, seat, more, what, scope.source.card))
    if not cost_possible(duel, seat, cost, scope, more):
        return False
    for choice in costs.payable(cost).choices if cost.choices else ():
        if not (yield from choosing.choose(duel, choice, scope)):
            return False
    price = costs.price_of(cost).plus(more)
    if not (yield from costs.ask_payment(duel, seat, price, what, scope.source.card)):
        return False
    yield from run(cost.actions, scope, duel)
    return True
