"""Offers: what a player may do when it is their right to act, and doing what they pick.

Owns the list of actions, each with the reason why it is not possible now. How an action is carried
out is in `play.py`, `exchange.py` and `combat.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from longfuse.abilities.ability import Ability
from longfuse.abilities.evaluate import holds
from longfuse.abilities.scope import Scope
from longfuse.game import chain
from longfuse.game.parts import forbidden_by
from longfuse.game.questions import Option, Question, Steps
from longfuse.rulesets.hkk import asking, choosing, combat, exchange, grants, play, seeing
from longfuse.rulesets.hkk.definition import Definition
from longfuse.rulesets.hkk.state import Permanent
from longfuse.timing.records import Source
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel


class Play(NamedTuple):
    """Play a card from hand."""

    ref: Ref


class Activate(NamedTuple):
    """Use an activated ability of an object."""

    ref: Ref
    ability: Ability


class Move(NamedTuple):
    """Move creatures between reserve and guard post (which, and where to, are asked next)."""

    refs: tuple[Ref, ...]


class Strike(NamedTuple):
    """Attack (who attacks whom is asked next)."""

    refs: tuple[Ref, ...]


class Pass(NamedTuple):
    """Pass."""


Action = Play | Activate | Move | Strike | Pass

PASS = Option(label="Pass", value=Pass())

TEXTS = {
    "main": "Your main phase: what do you do?",
    "preparation": "Your preparation phase: do you use anything before the next effect?",
    "exchange": "The exchange: which creatures change places?",
    "combat": "Combat: do you attack?",
    "instants": "You may act: instants, and abilities that can be used at any time.",
    "react": "The reaction queue: do you react?",
}

ELSEWHERE = {
    "exchange": "timing: in the exchange nothing is played or used; that comes after it",
    "combat": "timing: nothing is played or used before attacks are declared",
}
"""Why no card or ability is any use where only creatures are moved, or attack."""

# ---------------------------------------------------------------- asking and doing


def act(duel: Duel, seat: Seat, kind: str) -> Steps[bool]:
    """Ask a player for one action and carry it out; False if they passed.

    kind: "main", "preparation", "exchange", "combat": the active player's own; "instants": what can
    be done at any time; "react": the same while something is in the queue.
    """
    while True:
        action = yield from _ask(duel, seat, kind)
        if isinstance(action, Pass):
            return False
        if (yield from duel.game.open_play(seat, _carry_out(duel, seat, action))):
            return True


def _ask(duel: Duel, seat: Seat, kind: str) -> Steps[Action]:
    items = (*options(duel, seat, kind), PASS)
    if kind in ELSEWHERE and sum(item.legal for item in items) == 1:
        # That there is nothing to do is known to all.
        return Pass()
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="priority" if kind == "react" else "action",
        text=TEXTS[kind],
        items=items,
        source=seeing.item_name(duel, chain.items(duel.game)[-1]) if kind == "react" else "",
        public=False,
        default=len(items) - 1,
    )
    action: Action = yield question
    return action


def _carry_out(duel: Duel, seat: Seat, action: Action) -> Steps[None]:
    duel.game.cause = 0
    match action:
        case Play(ref=ref):
            yield from play.play_card(duel, seat, ref)
        case Activate(ref=ref, ability=ability):
            yield from play.use(duel, seat, ref, ability)
        case Move(refs=refs):
            yield from exchange.move(duel, seat, refs)
        case Strike(refs=refs):
            yield from combat.declare(duel, seat, refs)


# ---------------------------------------------------------------- listing


def options(duel: Duel, seat: Seat, kind: str) -> Iterator[Option]:
    """Everything that could be done, in a fixed order; passing comes last."""
    movers = exchange.movers(duel, seat) if kind == "exchange" else ()
    if movers:
        yield Option(label="Move creatures", value=Move(movers), refs=movers)
    attackers = combat.able(duel, seat) if kind == "combat" else ()
    if attackers:
        yield Option(label="Attack", value=Strike(attackers), refs=attackers)
    for ref in duel.game.board.zone(f"hand:{seat}"):
        definition: Definition = duel.game.board.card(ref).definition
        reason = why_not(duel, seat, ref, definition, kind)
        yield Option(
            label=f"Play {definition.name}",
            value=Play(ref),
            legal=not reason,
            reason=reason,
            refs=(ref,),
        )
    yield from _abilities(duel, seat, kind)


def why_not(duel: Duel, seat: Seat, ref: Ref, definition: Definition, kind: str) -> str:
    """Why a card can't be played now; "" if it can."""
    if kind in ELSEWHERE:
        return ELSEWHERE[kind]
    if kind != "main" and definition.type != "instant":
        return "timing: only instants are played outside one's main phase"
    record = asking.forbidden(duel, "play cards", seat, ref)
    if record is not None:
        return forbidden_by(duel.game, record, seat)
    price = asking.price(duel, seat, ref)
    if duel.player(seat).magic < price:
        printed = "" if price == definition.cost else f", {definition.cost} is printed"
        return f"cost: it costs {price} magic points{printed}"
    if definition.program.choices:
        scope = Scope(duel, seat, Source(ref, definition.name, seat, "hand"))
        if not choosing.possible(duel, definition.program, scope):
            return "target: there is nothing it could choose"
    return ""


def _abilities(duel: Duel, seat: Seat, kind: str) -> Iterator[Option]:
    for ref, ability in usable_of(duel, seat):
        reason = why_not_use(duel, seat, ref, ability, kind)
        yield Option(
            label=f"Use {duel.card_name(ref)}: {duel.words(ability)}",
            value=Activate(ref, ability),
            legal=not reason,
            reason=reason,
            refs=(ref,),
        )


def usable_of(duel: Duel, seat: Seat) -> Iterator[tuple[Ref, Ability]]:
    """The activated abilities of what a player controls, usable now or not."""
    for ref in duel.game.board.zone("board"):
        abilities = (*duel.definition(ref).activated, *grants.activated(duel, ref))
        if abilities and asking.controller(duel, ref) == seat:
            for ability in abilities:
                yield ref, ability


def why_not_use(duel: Duel, seat: Seat, ref: Ref, ability: Ability, kind: str) -> str:
    """Why an activated ability can't be used now; "" if it can (127.1.3, 127.2.2)."""
    if kind in ELSEWHERE:
        return ELSEWHERE[kind]
    gate, value = ability.gate, duel.game.store.values[ref]
    if gate is not None and not asking.gate_holds(value, gate):
        return _gate_reason(value, gate.counter, gate.works)
    if asking.suppressed(duel, ref, ability):
        return "state: its abilities do not function (127.0.2)"
    if kind not in ("main", "preparation") and ability.timing != "reaction":
        return "timing: it is used in one's own main or preparation phase"
    record = asking.forbidden(duel, "use abilities", seat, ref)
    if record is not None:
        return forbidden_by(duel.game, record, seat)
    if ability.once and duel.game.store.get(play.use_key(ability, ref)):
        return "state: it was used this turn"
    scope = Scope(duel, seat, Source(ref, duel.card_name(ref), seat, "board", 0, value.place))
    if ability.condition is not None and not holds(ability.condition, scope):
        return "state: its condition does not hold"
    if ability.cost is not None and not play.payable(duel, seat, ability.cost, scope):
        return "cost: it can't be paid"
    if not choosing.possible(duel, ability.program, scope):
        return "target: there is nothing it could choose"
    return ""


def _gate_reason(value: Permanent, kind: str, works: str) -> str:
    if kind not in value.entered_with:
        return f"state: it entered without {kind} counters (127.0.4)"
    if works == "open":
        return f"state: its last {kind} counter has fallen (127.2.2)"
    return f"state: {value.count(kind)} {kind} counters are left on it (127.1.3)"
