"""Reading words: what players, objects, amounts and conditions mean in a scope.

Owns the meaning of every node in `nodes.py`. It reads a game through `Table` and changes nothing.
Information about something that is gone is null, and what uses it counts as nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from longfuse.abilities.nodes import (
    AllOf,
    Amount,
    AnyOf,
    Arithmetic,
    Attached,
    Candidate,
    Compare,
    Condition,
    ControllerOf,
    Count,
    Did,
    Each,
    Exists,
    Linked,
    Matches,
    Named,
    NamedAmount,
    NamedPlayer,
    Not,
    Objects,
    OwnerOf,
    Paid,
    Players,
    Same,
    Selector,
    Stat,
    State,
    Tally,
    This,
    TurnOf,
    When,
    Who,
)
from longfuse.abilities.scope import Scope, Unresolved
from longfuse.timing.messages import Message
from longfuse.timing.references import NOBODY, Ref, Seat

# ---------------------------------------------------------------- players


def players(node: Players | None, scope: Scope) -> tuple[Seat, ...]:
    """The seats that a player expression names; no expression means the controller.

    Of what nobody controls, "you" is nobody, and whatever "you" are told to do is ignored.
    """
    match node:
        case None:
            return _role("you", scope)
        case Who(role=role):
            return _role(role, scope)
        case ControllerOf(of=of):
            return tuple(scope.table.controller_of(ref) for ref in objects(of, scope)[:1])
        case OwnerOf(of=of):
            return tuple(scope.table.owner_of(ref) for ref in objects(of, scope)[:1])
        case NamedPlayer(name=name):
            value = named(name, scope)
            if value is None:
                return ()
            return value if isinstance(value, tuple) else (value,)
    raise Unresolved(f"no such player expression: {node!r}")


def _role(role: str, scope: Scope) -> tuple[Seat, ...]:
    everybody = scope.table.seats()
    match role:
        case "you" | "opponent" | "each opponent" if scope.controller == NOBODY:
            return ()
        case "you":
            return (scope.controller,)
        case "opponent" | "each opponent":
            return tuple(seat for seat in everybody if seat != scope.controller)
        case "turn player":
            return (scope.table.turn_player(),)
        case _:
            return everybody


# ---------------------------------------------------------------- objects


def objects(node: Objects | None, scope: Scope) -> tuple[Ref, ...]:
    """The objects that an expression names, those that have left included."""
    match node:
        case None:
            return ()
        case This():
            return (scope.source.object,) if scope.source.object is not None else ()
        case Named(name=name):
            value = named(name, scope)
            if value is None:
                return ()
            return (value,) if isinstance(value, Ref) else tuple(value)
        case Each(selector=selector):
            return select(selector, scope)
        case Attached(of=of, to_it=to_it):
            return tuple(
                found for ref in objects(of, scope) for found in scope.table.attached(ref, to_it)
            )
        case Linked(name=name):
            return scope.table.linked(scope, name)
    raise Unresolved(f"no such object expression: {node!r}")


def named(name: str, scope: Scope) -> Any:
    """The value of a name: a given one, or a part of the message that woke the ability."""
    if name in scope.names:
        return scope.names[name]
    message = scope.message
    if message is not None and name.startswith("event"):
        return _of_message(name, message)
    if name == "bound" and scope.record is not None:
        return scope.record.bound
    raise Unresolved(f"nothing is called {name!r} in an ability of {scope.source.card}")


def _of_message(name: str, message: Message) -> Any:
    match name.partition(".")[2]:
        case "":
            return message.subject
        case "source":
            return message.source
        case "player":
            return message.player
        case "others":
            return message.subjects[1:]
        case fact:
            return message.fact(fact)


def select(selector: Selector, scope: Scope) -> tuple[Ref, ...]:
    """Everything in the selector's zone that matches, in the game's own order."""
    return tuple(
        ref for ref in scope.table.in_zone(selector, scope) if matches(selector, ref, scope)
    )


def matches(selector: Selector, ref: Ref, scope: Scope) -> bool:
    """Whether one object matches, wherever it is (its zone is not looked at here)."""
    table = scope.table
    if not any(table.is_kind(ref, kind) for kind in selector.kinds):
        return False
    if selector.another and ref == scope.source.object:
        return False
    if not _side(selector.control, table.controller_of, ref, scope):
        return False
    if not _side(selector.owner, table.owner_of, ref, scope):
        return False
    if selector.controller is not None:
        if table.controller_of(ref) not in players(selector.controller, scope):
            return False
    if selector.name and table.card_name(ref) != selector.name:
        return False
    return _details(selector, ref, scope)


def _side(word: str, seat_of: Callable[[Ref], Seat], ref: Ref, scope: Scope) -> bool:
    if word == "any":
        return True
    return (seat_of(ref) == scope.controller) == (word == "friendly")


def _details(selector: Selector, ref: Ref, scope: Scope) -> bool:
    table = scope.table
    if selector.among is not None and ref not in objects(selector.among, scope):
        return False
    if selector.not_in and any(ref in objects(other, scope) for other in selector.not_in):
        return False
    if selector.place and not table.is_at(ref, selector.place, scope, selector.place_of):
        return False
    for word in selector.states:
        wanted = not word.startswith("not ")
        if table.is_state(ref, word.removeprefix("not ")) != wanted:
            return False
    if not all(table.has_tag(ref, tag) for tag in selector.tags):
        return False
    if not all(table.has_keyword(ref, keyword) for keyword in selector.keywords):
        return False
    return selector.where is None or holds(selector.where, scope.with_name("candidate", ref))


# ---------------------------------------------------------------- amounts


def amount(node: Amount | None, scope: Scope) -> int:
    """The number an expression stands for; about something that is gone it is 0 (null)."""
    match node:
        case None:
            return 0
        case int():
            return node
        case Count(selector=selector):
            return len(select(selector, scope))
        case Stat(stat=stat, of=of):
            return _stat(stat, of, scope)
        case Arithmetic():
            return _arithmetic(node, scope)
        case Tally():
            return scope.table.tally(scope, node)
        case NamedAmount(name=name):
            value = named(name, scope)
            return int(value) if value is not None else 0
    raise Unresolved(f"no such amount: {node!r}")


def _stat(stat: str, of: Objects | Candidate | Players, scope: Scope) -> int:
    if isinstance(of, Candidate):
        return scope.table.stat_of(scope.names["candidate"], stat)
    if isinstance(of, (Who, ControllerOf, OwnerOf, NamedPlayer)):
        return sum(scope.table.seat_stat(seat, stat) for seat in players(of, scope))
    found = objects(of, scope)
    return sum(scope.table.stat_of(ref, stat) for ref in found)


def _arithmetic(node: Arithmetic, scope: Scope) -> int:
    left = amount(node.left, scope)
    right = amount(node.right, scope)
    match node.operation:
        case "plus":
            return left + right
        case "minus":
            return max(0, left - right)
        case "times":
            return left * right
        case "half up":
            return (left + 1) // 2
        case "half down":
            return left // 2
        case "most":
            return max(left, right)
        case "least":
            return min(left, right)


# ---------------------------------------------------------------- conditions

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}


TARGETS = Named("candidate.targets")
"""What the item on the chain that is being looked at has chosen."""


def holds(node: Condition, scope: Scope) -> bool:
    """Whether a condition holds now."""
    match node:
        case Exists(selector=selector, least=least, most=most):
            found = len(select(selector, scope))
            return found >= amount(least, scope) and (most < 0 or found <= most)
        case Compare(left=left, operator=sign, right=right):
            return _COMPARE[sign](amount(left, scope), amount(right, scope))
        case Matches(objects=which, selector=selector):
            if which == TARGETS:
                # "A spell that chooses a friendly unit": one of what it chooses is enough.
                chosen = scope.table.targets_of(scope.names["candidate"])
                return any(matches(selector, ref, scope) for ref in chosen)
            found_objects = _candidates(which, scope)
            return bool(found_objects) and all(
                matches(selector, ref, scope) for ref in found_objects
            )
        case Did(name=name):
            return bool(scope.names.get("did " + name))
        case Paid(label=label):
            return label in scope.names.get("paid", ())
        case TurnOf(who=who):
            return scope.table.turn_player() in players(who, scope)
        case Same(left=one, right=other):
            return players(one, scope) == players(other, scope)
        case _:
            return _compound(node, scope)


def _candidates(which: Objects, scope: Scope) -> tuple[Ref, ...]:
    if isinstance(which, Named) and which.name == "candidate":
        return (scope.names["candidate"],)
    return objects(which, scope)


def _compound(node: Condition, scope: Scope) -> bool:
    match node:
        case Not(condition=condition):
            return not holds(condition, scope)
        case AllOf(conditions=conditions):
            return all(holds(condition, scope) for condition in conditions)
        case AnyOf(conditions=conditions):
            return any(holds(condition, scope) for condition in conditions)
        case State(word=word, amount=number):
            return scope.table.holds(scope, word, amount(number, scope))
    raise Unresolved(f"no such condition: {node!r}")


# ---------------------------------------------------------------- events


def happens(when: When, message: Message, scope: Scope) -> bool:
    """Whether a message is what the words wait for (its ordinal, `nth`, is the caller's
    business).
    """
    if when.subject is not None and not _about(when.subject, message.subjects, scope):
        return False
    if message.fact("token") and _is_about_cards(when.subject):
        return False
    if when.source is not None:
        if message.source is None or not _about(when.source, (message.source,), scope):
            return False
    if when.player is not None and message.player not in players(when.player, scope):
        return False
    return all(_fact(message, name, value, scope) for name, value in when.facts)


def _is_about_cards(subject: Objects | Selector | None) -> bool:
    """Whether it speaks of cards, which tokens are not: a token is played, yet no card is."""
    if not isinstance(subject, Selector):
        return False
    return subject.kinds == ("card",) and "token" not in subject.states


def _fact(message: Message, name: str, value: int | str | bool, scope: Scope) -> bool:
    """Whether a fact is as it must be; "here" is the source's own place."""
    if value == "here":
        here = scope.table.source_place(scope)
        return bool(here) and message.fact(f"{name}_place") == here
    return bool(message.fact(name) == value)


def _about(what: Objects | Selector, subjects: tuple[Ref, ...], scope: Scope) -> bool:
    if isinstance(what, Selector):
        return any(matches(what, ref, scope) for ref in subjects)
    wanted = objects(what, scope)
    return any(ref in wanted for ref in subjects)
