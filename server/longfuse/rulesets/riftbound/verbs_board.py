"""Verbs about permanents: damage, death, status, places, control, tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.ability import Do
from longfuse.abilities.evaluate import objects
from longfuse.abilities.scope import Scope, Unresolved
from longfuse.game.questions import Option, Question, Steps
from longfuse.rulesets.riftbound import (
    actions,
    asking,
    copying,
    entering,
    hidden,
    looking,
    making,
    tokens,
)
from longfuse.rulesets.riftbound.commits import after_control_change
from longfuse.rulesets.riftbound.state import Battlefield, base
from longfuse.rulesets.riftbound.verbs import number, source_of, verb, what, who
from longfuse.timing.messages import Happened, Proposed
from longfuse.timing.records import Reason
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

Done = Steps[list[Happened]]


# ---------------------------------------------------------------- damage and death


@verb("deal")
def _deal(duel: Duel, node: Do, scope: Scope) -> Done:
    """417; 712-715: Bonus Damage is added to each Deal action of a spell."""
    base_amount = number(node, scope, 0)
    if base_amount <= 0:
        return []
    total = base_amount + _bonus(duel, scope)
    pairs = [(ref, total) for ref in what(node, scope)]
    return (
        yield from actions.deal(duel, pairs, source=source_of(node, scope), player=scope.controller)
    )


def _bonus(duel: Duel, scope: Scope) -> int:
    item = duel.game.store.get(("item", scope.item))
    return asking.bonus_damage(duel, item.object) if item is not None else 0


@verb("kill")
def _kill(duel: Duel, node: Do, scope: Scope) -> Done:
    return (
        yield from actions.kill(
            duel, what(node, scope), source=source_of(node, scope), player=scope.controller
        )
    )


@verb("heal")
def _heal(duel: Duel, node: Do, scope: Scope) -> Done:
    there = [ref for ref in what(node, scope) if entering_value(duel, ref)]
    return (
        yield from actions.act(
            duel,
            "heal",
            there,
            player=scope.controller,
            amount=0 if node.amount is None else number(node, scope),
            clause="418",
        )
    )


def entering_value(duel: Duel, ref: Ref) -> bool:
    """Whether an object is on the board."""
    return ref in duel.game.store.values and duel.is_there(ref)


@verb("fight")
def _fight(duel: Duel, node: Do, scope: Scope) -> Done:
    """Two units deal damage equal to their Mights to each other, at once."""
    one = what(node, scope)[:1]
    other = objects(node.to_objects, scope)[:1]
    if not one or not other or not all(entering_value(duel, ref) for ref in (*one, *other)):
        return []
    pairs = [
        (other[0], asking.might(duel, one[0])),
        (one[0], asking.might(duel, other[0])),
    ]
    return (yield from actions.deal(duel, pairs, source=None, player=scope.controller))


# ---------------------------------------------------------------- status


def _status(event: str) -> None:
    @verb(event)
    def carry_out(duel: Duel, node: Do, scope: Scope) -> Done:
        return (
            yield from actions.status(
                duel, event, what(node, scope), scope.controller, source_of(node, scope)
            )
        )


for _event in ("ready", "exhaust", "stun", "buff", "spend buff"):
    _status(_event)


# ---------------------------------------------------------------- places


@verb("move")
def _move(duel: Duel, node: Do, scope: Scope) -> Done:
    """446: to a base, here, where something is, or to a place that was chosen."""
    refs = what(node, scope)
    done: list[Happened] = []
    for place, group in _by_place(duel, node, scope, refs).items():
        done += yield from actions.move(
            duel, group, place, player=scope.controller, source=source_of(node, scope)
        )
    return done


def _by_place(duel: Duel, node: Do, scope: Scope, refs: tuple[Ref, ...]) -> dict[str, list[Ref]]:
    found: dict[str, list[Ref]] = {}
    for ref in refs:
        if entering_value(duel, ref):
            found.setdefault(_destination(duel, node, scope, ref), []).append(ref)
    found.pop("", None)
    return found


def _destination(duel: Duel, node: Do, scope: Scope, ref: Ref) -> str:
    if node.to == "base":
        return looking.home(duel, ref)
    if node.to == "your base":
        return base(scope.controller)
    if node.to == "here":
        return looking.source_place(duel, scope)
    if node.to_objects is not None:
        value = _chosen_place(node, scope)
        if value:
            return value
        found = objects(node.to_objects, scope)
        return looking.place_of_object(duel, found[0]) if found else ""
    raise Unresolved(f"a move to {node.to!r} is not played yet")


def _chosen_place(node: Do, scope: Scope) -> str:
    name = getattr(node.to_objects, "name", "")
    value = scope.names.get(name)
    return value if isinstance(value, str) else ""


@verb("recall")
def _recall(duel: Duel, node: Do, scope: Scope) -> Done:
    refs = what(node, scope)
    if node.word == "exhausted":
        yield from actions.status(duel, "exhaust", refs, scope.controller)
    return (yield from actions.recall(duel, refs, source_of(node, scope)))


@verb("swap")
def _swap(duel: Duel, node: Do, scope: Scope) -> Done:
    """Two units take each other's places, at once."""
    one, other = what(node, scope)[:1], objects(node.to_objects, scope)[:1]
    if not one or not other or not all(entering_value(duel, ref) for ref in (*one, *other)):
        return []
    first, second = duel.permanent(one[0]).place, duel.permanent(other[0]).place
    proposals = [
        Proposed(
            event="move",
            subjects=(ref,),
            player=scope.controller,
            facts={"place": place},
            clause="446",
        )
        for ref, place in ((one[0], second), (other[0], first))
        if first != second
    ]
    return (yield from duel.game.publish(*proposals)) if proposals else []


# ---------------------------------------------------------------- control


@verb("control")
def _control(duel: Duel, node: Do, scope: Scope) -> Done:
    """477.1.a: control changes; the object stays the same, on the chain, too."""
    seats = who(node, scope)
    if not seats:
        return []
    refs = [
        ref
        for ref in what(node, scope)
        if not copying.take_control(duel, ref, seats[0]) and entering_value(duel, ref)
    ]
    return (
        yield from actions.act(
            duel, "control", refs, player=seats[0], source=source_of(node, scope), clause="477.1.a"
        )
    )


@verb("lose control")
def _lose_control(duel: Duel, node: Do, scope: Scope) -> Done:
    """477.1.a: the effects that gave control to a player end; else the owner has it back."""
    done: list[Happened] = []
    for seat in who(node, scope):
        for ref in what(node, scope):
            if not entering_value(duel, ref) or asking.controller(duel, ref) != seat:
                continue
            before = duel.permanent(ref)
            for record in asking.gives_control(duel, ref, seat):
                duel.game.installed.end(record.id, Reason.ENDED)
            if asking.controller(duel, ref) != seat:
                done += after_control_change(duel, ref, before)
                yield from duel.game.announce(*done[-1:])
            else:
                done += yield from actions.act(
                    duel, "control", [ref], player=duel.owner_of(ref), clause="477.1.a"
                )
    return done


# ---------------------------------------------------------------- tokens


@verb("token")
def _token(duel: Duel, node: Do, scope: Scope) -> Done:
    """184: the tokens that the rules name, or those that the words describe."""
    done: list[Happened] = []
    definition, ready = tokens.definition(node.word)
    for seat in who(node, scope):
        for _ in range(number(node, scope)):
            place = yield from _token_place(duel, node, scope, seat, definition.type)
            if place:
                source = source_of(node, scope)
                done += yield from making.make(duel, seat, definition, place, ready, source)
    return done


def _token_place(duel: Duel, node: Do, scope: Scope, seat: Seat, kind: str) -> Steps[str]:
    if node.to == "here":
        return looking.source_place(duel, scope)
    if node.to == "base" or kind != "unit":
        return base(seat)
    if node.to_objects is not None:
        found = objects(node.to_objects, scope)
        return looking.place_of_object(duel, found[0]) if found else ""
    bound = hidden.unit_place(duel, scope, kind)
    if bound:
        return bound
    places = [base(seat)] + [f.place for f in duel.battlefields() if f.controller == seat]
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="target",
        text=f"{scope.source.card}: where is the token played?",
        items=tuple(_place(duel, place) for place in places),
        source=scope.source.card,
        clause="355.2",
        default=0,
    )
    return str((yield from duel.game.ask(question)))


def _place(duel: Duel, place: str) -> Option:
    return entering.place_option(duel, place)


@verb("score")
def _score(duel: Duel, node: Do, scope: Scope) -> Done:
    """Score a battlefield by an effect: a point that is neither held nor conquered."""
    for seat in who(node, scope):
        for ref in what(node, scope):
            if isinstance(duel.game.store.values.get(ref), Battlefield):
                yield from actions.points(duel, seat, 1, "467")
    return []


@verb("set damage")
def _set_damage(duel: Duel, node: Do, scope: Scope) -> Done:
    for ref in what(node, scope):
        if entering_value(duel, ref):
            damage = number(node, scope, 0)
            duel.game.change(ref, damage=damage)
            duel.game.happened("damage set", subjects=(ref,), amount=damage)
    yield from ()
    return []
