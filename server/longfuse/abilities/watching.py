"""What an ability listens to, and what it has to remember when it is created.

Owns the step from an `Ability` to the data of a record: the index words it waits under, the objects
it must be about, the names its words use. Reads; installs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import msgspec

from longfuse.abilities.ability import Ability, Change, Choice, Do
from longfuse.abilities.evaluate import objects
from longfuse.abilities.nodes import (
    At,
    Each,
    Linked,
    Named,
    NamedAmount,
    NamedPlayer,
    Selector,
    This,
    When,
)
from longfuse.abilities.scope import Scope
from longfuse.timing.messages import ask, reached, would
from longfuse.timing.references import Ref

_encode = msgspec.msgpack.Encoder().encode


def watch_words(ability: Ability) -> tuple[str, ...]:
    """The index words: events, proposals, marks or questions."""
    words: list[str] = []
    if ability.kind == "passive":
        words.extend(ask(change.asks) for change in ability.changes)
        if ability.binds is not None:
            words.append(ability.binds.event)
    elif isinstance(ability.when, At):
        words.append(reached(ability.when.mark))
    elif ability.when is not None:
        event = ability.when.event
        words.append(would(event) if ability.kind == "replacement" else event)
    return tuple(dict.fromkeys(words))


def watched_subjects(ability: Ability, scope: Scope, delayed: bool) -> tuple[Ref, ...]:
    """The objects it must be about, if its words name them; empty: any.

    delayed: "each friendly unit" means those that there are now; printed, those that there will be.
    """
    if ability.kind == "passive":
        return _changed_objects(ability, scope, delayed)
    when = ability.when
    if isinstance(when, When) and isinstance(when.subject, This | Named):
        return objects(when.subject, scope)
    return ()


def _changed_objects(ability: Ability, scope: Scope, delayed: bool) -> tuple[Ref, ...]:
    if ability.binds is not None:
        return ()
    fixed = This | Named | Each if delayed else This | Named
    found: dict[Ref, None] = {}
    for change in ability.changes:
        if not isinstance(change.of, fixed):
            return ()
        found.update(dict.fromkeys(objects(change.of, scope)))
    return tuple(found)


def fixed_sets(ability: Ability, scope: Scope) -> tuple[tuple[str, tuple[Ref, ...]], ...]:
    """The sets that "each …" means for the rest of a delayed passive's time, by `fixed_name`."""
    return tuple(
        (fixed_name(ability, change), objects(change.of, scope))
        for change in ability.changes
        if isinstance(change.of, Each)
    )


def fixed_name(ability: Ability, change: Change) -> str:
    """Under which name a delayed passive keeps the set that one of its changes is about."""
    return f"each {ability.changes.index(change)}"


def reads_state(ability: Ability, delayed: bool) -> bool:
    """Whether its answer may change though it does not: its amounts or objects depend on the
    game.
    """
    if ability.condition is not None or ability.gate is not None or ability.binds is not None:
        return True
    fixed = This | Named | Each if delayed else This | Named
    for change in ability.changes:
        if not isinstance(change.of, fixed):
            return True
        if change.amount is not None and not isinstance(change.amount, int):
            return True
    return False


@lru_cache(maxsize=4096)
def names_used(ability: Ability) -> tuple[str, ...]:
    """The names that its words use and that it must be given at creation, in order."""
    found: dict[str, None] = {}
    for node in walk(ability):
        match node:
            case Named(name=name) | NamedAmount(name=name) | NamedPlayer(name=name):
                found[name] = None
            case _:
                pass
    own = set(names_given(ability))
    # "it" of an ability that waits for an event is that event's; one that waits for a moment, or
    # only states something, speaks of what woke its maker.
    waits = isinstance(ability.when, When)
    return tuple(
        name
        for name in found
        if name not in own
        and name not in ("bound", "candidate")
        and not (waits and name.partition(".")[0] == "event")
    )


@lru_cache(maxsize=4096)
def names_given(ability: Ability) -> tuple[str, ...]:
    """The names that its own program gives when it acts: choices, results, rounds."""
    found: dict[str, None] = dict.fromkeys(("each", "each player", "round"))
    for node in walk(ability):
        given = getattr(node, "name", "")
        if given and type(node).__name__ in ("Choice", "Do", "May", "Remember"):
            found[given] = None
    return tuple(found)


@lru_cache(maxsize=4096)
def names_in(effects: tuple[Any, ...]) -> tuple[str, ...]:
    """The names that instructions give to what they choose or touch, in order."""
    given = (getattr(node, "name", "") for node in walk(effects) if isinstance(node, Choice | Do))
    return tuple(dict.fromkeys(name for name in given if name))


def walk(node: Any) -> Iterator[Any]:
    """Every node in a piece of an ability, itself first, in printed order."""
    if isinstance(node, msgspec.Struct):
        yield node
        for field in node.__struct_fields__:
            yield from walk(getattr(node, field))
    elif isinstance(node, tuple):
        for part in node:
            yield from walk(part)


@lru_cache(maxsize=4096)
def speaks_of_itself(ability: Ability) -> bool:
    """Whether what it does depends on its source or on the event that woke it: two such abilities
    with the same words can be told apart."""
    for node in walk((ability.program, ability.cost)):
        match node:
            case This() | Linked():
                return True
            case Named(name=name) | NamedAmount(name=name) | NamedPlayer(name=name):
                if name.partition(".")[0] == "event":
                    return True
            case Selector(place=place, another=another) if another or place in _FROM_SOURCE:
                return True
            case Do(to="here"):
                return True
    return False


_FROM_SOURCE = ("here", "elsewhere")


@lru_cache(maxsize=8192)
def digest(ability: Ability) -> str:
    """A short digest of what an ability says, for state hashes and catalogues."""
    return blake2b(_encode(ability), digest_size=8).hexdigest()
