"""Verbs: the game actions that card programs are made of.

Owns how each verb of the vocabulary reads its fields and carries itself out. A verb's result is
kept under the node's name: the objects (as they are now) and whether it happened ("if you do").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from longfuse.abilities.ability import Do
from longfuse.abilities.evaluate import amount, objects, players
from longfuse.abilities.nodes import Named, This
from longfuse.abilities.scope import Scope, Unresolved
from longfuse.game import chain
from longfuse.game.questions import Steps
from longfuse.rulesets.hkk import acting, asking, counters
from longfuse.rulesets.hkk.delayed import current
from longfuse.timing.messages import Happened, Proposed
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

Done = Steps[list[Happened]]
Verb = Callable[["Duel", Do, Scope], Done]
VERBS: dict[str, Verb] = {}

EVENT = Named("event")
MOVES_CARDS = frozenset({"play", "return", "throw", "to hand", "to bottom"})
"""What may still be done with a card that has just left play."""


def verb(name: str) -> Callable[[Verb], Verb]:
    """Register a verb."""

    def register(function: Verb) -> Verb:
        VERBS[name] = function
        return function

    return register


def do(duel: Duel, node: Do, scope: Scope) -> Steps[None]:
    """Carry out one instruction; one that is about nothing is ignored."""
    carry_out = VERBS.get(node.verb)
    if carry_out is None:
        raise Unresolved(f"there is no action {node.verb!r}")
    done = yield from carry_out(duel, node, scope)
    if node.name and node.verb != "look top":
        _remember(duel, node, scope, done)


def _remember(duel: Duel, node: Do, scope: Scope, done: list[Happened]) -> None:
    scope.names["did " + node.name] = bool(done)
    refs = (ref for message in done for ref in message.subjects[:1])
    found = dict.fromkeys(current(duel, ref) or ref for ref in refs)
    if found or node.name not in scope.names:
        scope.names[node.name] = tuple(found)


# ---------------------------------------------------------------- reading an instruction


def what(duel: Duel, node: Do, scope: Scope) -> tuple[Ref, ...]:
    """The objects that an instruction acts on, those that are still there; of what an event or the
    source's own end put into the discard, the card where it lies.
    """
    found = objects(node.what, scope)
    if node.verb not in MOVES_CARDS or not (node.what == EVENT or isinstance(node.what, This)):
        return tuple(ref for ref in found if duel.is_there(ref))
    return tuple(there for ref in found if (there := _followed(duel, ref)) is not None)


def _followed(duel: Duel, ref: Ref) -> Ref | None:
    if duel.is_there(ref):
        return ref
    now = current(duel, ref)
    if now is None or now.residency != ref.residency + 1:
        return None
    return now if duel.game.zone_word(now) == "discard" else None


def who(node: Do, scope: Scope) -> tuple[Seat, ...]:
    """The players who carry an instruction out, in turn order."""
    return players(node.who, scope)


def number(node: Do, scope: Scope, default: int = 1) -> int:
    """The instruction's amount."""
    return default if node.amount is None else amount(node.amount, scope)


def source_of(node: Do, scope: Scope) -> Ref | None:
    """What does it: the object named after "by", or the ability's source."""
    if node.by is not None:
        found = objects(node.by, scope)
        return found[0] if found else None
    return scope.source.object


# ---------------------------------------------------------------- damage and life


def _dealt(duel: Duel, node: Do, scope: Scope) -> int:
    """An amount of damage, with what is added to a spell's."""
    total = number(node, scope)
    source = scope.source.object
    if node.by is None and source is not None and duel.is_kind(source, "spell"):
        total += asking.spell_damage(duel, scope.controller)
    return total


@verb("deal")
def _deal(duel: Duel, node: Do, scope: Scope) -> Done:
    return (
        yield from acting.about(
            duel,
            "damage",
            what(duel, node, scope),
            player=scope.controller,
            source=source_of(node, scope),
            amount=_dealt(duel, node, scope),
        )
    )


def _to_players(duel: Duel, event: str, node: Do, scope: Scope, total: int) -> Done:
    source = source_of(node, scope)
    batch = [
        Proposed(event=event, player=seat, amount=total, source=source) for seat in who(node, scope)
    ]
    return (yield from acting.publish(duel, batch))


@verb("hurt")
def _hurt(duel: Duel, node: Do, scope: Scope) -> Done:
    return (yield from _to_players(duel, "hurt", node, scope, _dealt(duel, node, scope)))


@verb("gain life")
def _gain_life(duel: Duel, node: Do, scope: Scope) -> Done:
    return (yield from _to_players(duel, "gain life", node, scope, number(node, scope)))


@verb("magic")
def _magic(duel: Duel, node: Do, scope: Scope) -> Done:
    return (yield from _to_players(duel, "magic", node, scope, number(node, scope)))


@verb("heal")
def _heal(duel: Duel, node: Do, scope: Scope) -> Done:
    total = 0 if node.amount is None else amount(node.amount, scope)
    return (yield from each(duel, "heal", node, scope, total))


# ---------------------------------------------------------------- permanents


def each(
    duel: Duel, event: str, node: Do, scope: Scope, total: int = 0, **facts: str | int | bool
) -> Done:
    """The same event about each object of an instruction, at once."""
    return (
        yield from acting.about(
            duel,
            event,
            what(duel, node, scope),
            source=source_of(node, scope),
            amount=total,
            facts=dict(facts),
        )
    )


def _plain(name: str, event: str) -> None:
    """A verb that is the same event about each of its objects."""

    @verb(name)
    def carry_out(duel: Duel, node: Do, scope: Scope) -> Done:
        return (yield from each(duel, event, node, scope))


for _name, _event in (
    ("destroy", "death"),
    ("throw", "throw"),
    ("return", "return"),
    ("to hand", "return"),
    ("to bottom", "bottom"),
    ("turn", "turn"),
    ("ready", "ready"),
):
    _plain(_name, _event)


@verb("move")
def _move(duel: Duel, node: Do, scope: Scope) -> Done:
    return (yield from each(duel, "move", node, scope, to=node.to))


@verb("control")
def _control(duel: Duel, node: Do, scope: Scope) -> Done:
    for seat in who(node, scope)[:1]:
        return (
            yield from acting.about(
                duel, "control", what(duel, node, scope), player=seat, source=source_of(node, scope)
            )
        )
    return []


@verb("prevent")
def _prevent(duel: Duel, node: Do, scope: Scope) -> Done:
    from longfuse.rulesets.hkk import reactions

    done = []
    for ref in what(duel, node, scope):
        item = chain.item_of(duel.game, ref)
        if item is None:
            continue
        message = duel.game.happened(
            "prevented",
            subjects=(ref,),
            player=item.controller,
            source=source_of(node, scope),
            facts={"label": item.source.card},
        )
        reactions.prevent(duel, item)
        done.append(message)
    yield from duel.game.announce(*done)
    return done


# ---------------------------------------------------------------- counters


@verb("place counters")
def _place(duel: Duel, node: Do, scope: Scope) -> Done:
    """127.0.6: none on what has lost its last one, or never had any (D15)."""
    source = source_of(node, scope)
    refs = yield from _takers(duel, what(duel, node, scope), node.word, source)
    total = number(node, scope)
    facts = {"kind": node.word}
    return (yield from acting.about(duel, "place", refs, source=source, amount=total, facts=facts))


def _takers(
    duel: Duel, refs: tuple[Ref, ...], kind: str, source: Ref | None
) -> Steps[tuple[Ref, ...]]:
    """Those that may get counters; of the others it is told why not."""
    wrong = [ref for ref in refs if counters.why_not_add(duel, ref, kind)]
    if wrong:
        yield from duel.game.announce(*(counters.refused(duel, ref, kind, source) for ref in wrong))
    return tuple(ref for ref in refs if ref not in wrong)


@verb("double counters")
def _double(duel: Duel, node: Do, scope: Scope) -> Done:
    source = source_of(node, scope)
    takers = yield from _takers(duel, what(duel, node, scope), node.word, source)
    batch = [
        Proposed(
            event="place",
            subjects=(ref,),
            player=scope.controller,
            source=source,
            amount=have,
            facts={"kind": node.word},
        )
        for ref in takers
        if (have := _have(duel, ref, node.word))
    ]
    return (yield from acting.publish(duel, batch))


@verb("remove counters")
def _remove(duel: Duel, node: Do, scope: Scope) -> Done:
    """127.0.5: by a source, in anybody's turn, frozen or not."""
    batch = []
    for ref in what(duel, node, scope):
        have = _have(duel, ref, node.word)
        total = have if node.amount is None else min(have, amount(node.amount, scope))
        if total > 0:
            batch.append(
                Proposed(
                    event="remove",
                    subjects=(ref,),
                    player=scope.controller,
                    source=source_of(node, scope),
                    amount=total,
                    facts={"kind": node.word},
                )
            )
    return (yield from acting.publish(duel, batch))


def _have(duel: Duel, ref: Ref, kind: str) -> int:
    value = duel.game.store.values.get(ref)
    return value.count(kind) if value is not None else 0
