"""Verbs: the game actions that card programs are made of.

Owns how each verb of the vocabulary reads its fields and carries itself out. A verb's result is
kept under the node's name: the objects (as they are now) and whether it happened ("if you do").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from longfuse.abilities.ability import Do
from longfuse.abilities.evaluate import amount, objects, players
from longfuse.abilities.scope import Scope, Unresolved
from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound.delayed import current, where_put
from longfuse.timing.messages import Happened
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

Verb = Callable[["Duel", Do, Scope], Steps[list[Happened]]]
VERBS: dict[str, Verb] = {}

MOVES_CARDS = frozenset(
    {"banish", "return", "recycle", "trash", "put on top", "discard", "kill", "banish top"}
)
"""After these "it" is the card where it has been put (359.3.e.13, 390.5.c.1)."""


def verb(name: str) -> Callable[[Verb], Verb]:
    """Register a verb."""

    def register(function: Verb) -> Verb:
        VERBS[name] = function
        return function

    return register


def do(duel: Duel, node: Do, scope: Scope) -> Steps[None]:
    """Carry out one instruction; one that is about nothing is ignored (359.3.e.6)."""
    carry_out = VERBS.get(node.verb)
    if carry_out is None:
        raise Unresolved(f"the action {node.verb!r} is not played yet")
    done = yield from carry_out(duel, node, scope)
    if node.verb in MOVES_CARDS or node.verb == "play":
        note_moved(duel, node, scope)
    if node.name:
        remember_result(duel, node, scope, done)


def note_moved(duel: Duel, node: Do, scope: Scope) -> None:
    """390.5.c.1: where the objects of an instruction are now, for later ones that speak of them."""
    moved = dict(scope.names.get("moved", ()))
    for ref in objects(node.what, scope):
        if not duel.is_there(ref) and (now := current(duel, ref)) is not None:
            moved[ref] = now
    if moved:
        scope.names["moved"] = tuple(moved.items())


def remember_result(duel: Duel, node: Do, scope: Scope, done: list[Happened]) -> None:
    """Name the objects an instruction touched, and whether what it says happened."""
    expected = EVENTS.get(node.verb)
    happened = [m for m in done if expected is None or m.event in expected]
    scope.names["did " + node.name] = bool(happened)
    if node.name in scope.names and node.verb not in MOVES_CARDS and not happened:
        return
    refs = [ref for message in happened for ref in message.subjects[:1]]
    found = [current(duel, ref) or ref for ref in refs]
    if found or node.name not in scope.names:
        scope.names[node.name] = tuple(found)


EVENTS: dict[str, tuple[str, ...]] = {
    "kill": ("killed",),
    "banish": ("banished",),
    "banish top": ("banished",),
    "return": ("returned",),
    "recycle": ("recycled",),
    "discard": ("discarded",),
    "draw": ("drew",),
    "deal": ("damage dealt",),
    "move": ("moved",),
    "recall": ("recalled",),
    "ready": ("readied",),
    "exhaust": ("exhausted",),
    "stun": ("stunned",),
    "buff": ("buffed",),
    "spend buff": ("buff spent",),
    "heal": ("healed",),
    "channel": ("channeled",),
    "token": ("token made",),
    "points": ("points gained",),
    "predict": ("recycled",),
    "xp": ("xp gained",),
    "spend xp": ("xp spent",),
    "control": ("control changed",),
    "counter": ("countered",),
}
"""What must have happened for an instruction to have been done as written (359.3.e.14)."""


def what(node: Do, scope: Scope) -> tuple[Ref, ...]:
    """The objects that an instruction acts on."""
    return objects(node.what, scope)


def looked_back(duel: Duel, ref: Ref, scope: Scope) -> Ref:
    """359.3.e.13: what is moved may be looked for where the event that woke the ability, or an
    earlier instruction, has put it; if it has left there too it is another object."""
    return dict(where_put(duel, scope)).get(ref, ref)


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
