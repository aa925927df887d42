"""Offers: what a player may do when they have priority or focus, and doing what they pick.

Owns the list of discretionary actions (410.1), each with the reason why it is not legal. It decides
legality only; how an action is carried out is in `play.py` and `moving.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from longfuse.abilities.ability import Ability
from longfuse.abilities.evaluate import holds
from longfuse.abilities.scope import Scope
from longfuse.game.parts import forbidden_by
from longfuse.game.questions import Option, Question, Steps
from longfuse.rulesets.riftbound import (
    asking,
    chain,
    costs,
    entering,
    extras,
    grants,
    hidden,
    looking,
    moving,
    play,
    possible,
    seeing,
)
from longfuse.rulesets.riftbound.definition import Definition
from longfuse.rulesets.riftbound.state import HIDDEN_AT, Permanent
from longfuse.timing.records import Source
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


class Play(NamedTuple):
    """Play a card from where it is. how: "", "ambush", "flow" or "hidden"."""

    ref: Ref
    how: str = ""


class Activate(NamedTuple):
    """Use an activated ability of an object."""

    ref: Ref
    ability: Ability


class Move(NamedTuple):
    """Take the standard move with units (which, and where to, are asked next)."""

    refs: tuple[Ref, ...]


class Pass(NamedTuple):
    """Pass priority or focus."""


class EndTurn(NamedTuple):
    """End the turn."""


class Hide(NamedTuple):
    """Hide a card (at which battlefield is asked next)."""

    ref: Ref


Action = Play | Activate | Move | Hide | Pass | EndTurn

PASS = Option(label="Pass", value=Pass())
END_TURN = Option(label="End the turn", value=EndTurn())

# ---------------------------------------------------------------- asking and doing


def act(duel: Duel, seat: Seat, kind: str) -> Steps[bool]:
    """Ask a seat for one action and carry it out; False if it passed.

    kind: "main" in a Neutral Open state, "focus" in a Showdown Open state, "priority" on a chain.
    """
    while True:
        action = yield from _ask(duel, seat, kind)
        if isinstance(action, Pass | EndTurn):
            return False
        done = yield from duel.game.open_play(seat, _carry_out(duel, seat, action))
        if done and not (kind != "main" and _keeps_the_turn(duel, action)):
            return True


def _keeps_the_turn(duel: Duel, action: Action) -> bool:
    """Focus passes when a chain comes to its end (346): hiding opens none, nor does adding
    resources, after which priority does not pass either (429.2.a)."""
    if isinstance(action, Activate):
        return play.adds(action.ability) and chain.pending(duel) is None
    return isinstance(action, Hide)


def _ask(duel: Duel, seat: Seat, kind: str) -> Steps[Action]:
    items = tuple(options(duel, seat, kind))
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="focus" if kind == "focus" else "priority",
        text=_TEXTS[kind],
        items=items,
        source=seeing.item_name(duel, chain.items(duel)[-1]) if kind == "priority" else "",
        clause=_CLAUSES[kind],
        public=False,
        default=len(items) - 1,
    )
    action: Action = yield question
    return action


_TEXTS = {
    "main": "Your turn: what do you do?",
    "focus": "You have focus: what do you do?",
    "priority": "You have priority: do you react?",
}
_CLAUSES = {"main": "316.2", "focus": "347", "priority": "338"}


def _carry_out(duel: Duel, seat: Seat, action: Action) -> Steps[None]:
    duel.game.cause = 0
    match action:
        case Play(ref=ref, how="hidden"):
            yield from hidden.play_hidden(duel, seat, ref)
        case Hide(ref=ref):
            yield from hidden.hide(duel, seat, ref)
        case Play(ref=ref, how=how):
            facts = {how: True} if how else {}
            yield from play.play_card(duel, seat, ref, **facts)
        case Activate(ref=ref, ability=ability):
            yield from play.activate(duel, seat, ref, ability)
        case Move(refs=refs):
            yield from moving.standard_move(duel, seat, refs)


# ---------------------------------------------------------------- listing


def options(duel: Duel, seat: Seat, kind: str) -> Iterator[Option]:
    """Everything that could be done, in a fixed order; passing, or ending the turn, comes last."""
    for zone in (f"hand:{seat}", f"champion:{seat}"):
        for ref in duel.game.board.zone(zone):
            yield from card_options(duel, seat, ref, kind)
    yield from hidden.options(duel, seat, kind)
    yield from _elsewhere(duel, seat, kind)
    yield from _abilities(duel, seat, kind)
    if kind == "main":
        yield from _moves(duel, seat)
        yield END_TURN
    else:
        yield PASS


def _moves(duel: Duel, seat: Seat) -> Iterator[Option]:
    """The standard move, where there are units; why not, where none of them can."""
    units = looking.permanents_of(duel, seat, "unit")
    whys = {ref: moving.why_not(duel, seat, ref) for ref in units}
    movers = tuple(ref for ref in units if not whys[ref])
    if movers:
        yield Option(label="Move units", value=Move(movers), refs=movers)
    elif units:
        first = whys[units[0]]
        is_all = all(why == first for why in whys.values())
        reason = first if is_all else "state: none of your units can move"
        yield Option(label="Move units", value=Move(()), legal=False, reason=reason, refs=(*units,))


def card_options(duel: Duel, seat: Seat, ref: Ref, kind: str) -> Iterator[Option]:
    """A card in hand: playing it, and why not."""
    definition: Definition = duel.game.board.card(ref).definition
    how = ""
    if "Ambush" in definition.keyword_amounts and kind != "main":
        how = "ambush"
    reason = why_not(duel, seat, ref, definition, kind, how)
    yield Option(
        label=f"Play {definition.name}",
        value=Play(ref, how),
        legal=not reason,
        reason=reason,
        refs=(ref,),
    )


def _elsewhere(duel: Duel, seat: Seat, kind: str) -> Iterator[Option]:
    """Cards that may be played from other zones: Flow from the trash (829), and by permission."""
    for ref in asking.playable(duel, seat):
        if duel.game.zone_word(ref) != "hand":
            definition: Definition = duel.game.board.card(ref).definition
            reason = why_not(duel, seat, ref, definition, kind)
            yield Option(
                label=f"Play {definition.name} ({duel.game.zone_word(ref)})",
                value=Play(ref),
                legal=not reason,
                reason=reason,
                refs=(ref,),
            )
    for ref in duel.game.board.zone(f"trash:{seat}"):
        definition = duel.game.board.card(ref).definition
        if "Flow" in definition.keyword_amounts:
            reason = why_not(duel, seat, ref, definition, kind, "flow")
            yield Option(
                label=f"Play {definition.name} from your trash (Flow)",
                value=Play(ref, "flow"),
                legal=not reason,
                reason=reason,
                refs=(ref,),
            )


def why_not(
    duel: Duel, seat: Seat, ref: Ref, definition: Definition, kind: str, how: str = ""
) -> str:
    """Why a card can't be played now, with the clause; "" if it can."""
    timing = _timing(duel, seat, ref, definition, kind, how)
    if timing:
        return timing
    record = asking.forbidden(duel, "play cards", seat, ref)
    if record is not None:
        return forbidden_by(duel.game, record, seat)
    names = {HIDDEN_AT: duel.game.place_of(ref)} if how == "hidden" else None
    scope = Scope(duel, seat, Source(ref, definition.name, seat, "hand"), names=names)
    is_spell = definition.type == "spell"
    if is_spell and not possible.choices_possible(duel, definition.program, scope):
        return "target: there is nothing it could choose (355.8)"
    free = "all" if how == "hidden" else asking.set_cost(duel, seat, ref)
    base = costs.base_price(definition, free, is_flow=how == "flow")
    return extras.why_not(duel, seat, ref, definition, base, scope)


def _timing(duel: Duel, seat: Seat, ref: Ref, definition: Definition, kind: str, how: str) -> str:
    if definition.type not in ("unit", "gear", "spell"):
        return f"timing: a {definition.type} is not played (351)"
    if kind == "main":
        return ""
    if how == "ambush":
        if entering.ambush_places(duel, seat):
            return ""
        return "location: Ambush needs a battlefield where you control units (822.1.b)"
    if definition.timing == "reaction" or how == "hidden":
        return ""
    if kind == "focus" and definition.timing == "action":
        return ""
    given = asking.given_timing(duel, seat, ref)
    if given == "reaction" or (given == "action" and kind == "focus"):
        return ""
    if kind == "focus":
        return "timing: only Action and Reaction in a showdown (347.1)"
    return "timing: only Reaction on a chain (338.1.a)"


ATTACHED = "state: what is attached has no abilities of its own to use (722.1)"


def _abilities(duel: Duel, seat: Seat, kind: str) -> Iterator[Option]:
    values = duel.game.store.values
    given = duel.game.subscriptions.live.get(grants.ACTIVATED)
    for ref in duel.game.board.zone("board") if given else duel.split.users:
        definition = duel.definition(ref)
        if asking.controller(duel, ref) != seat:
            continue
        value = values[ref]
        if not isinstance(value, Permanent):
            continue
        # 722.1, 135.4.b: what is attached can't use its own abilities; those given to it, it can.
        barred = ATTACHED if value.attached_to is not None else ""
        abilities = [(ability, barred) for ability in definition.activated]
        if given:
            abilities += [(ability, "") for ability in grants.activated(duel, ref)]
        for ability, why in abilities:
            reason = why or _why_not_use(duel, seat, ref, ability, kind)
            yield Option(
                label=f"Use {definition.name}: {duel.words(ability)}",
                value=Activate(ref, ability),
                legal=not reason,
                reason=reason,
                refs=(ref,),
            )


def _why_not_use(duel: Duel, seat: Seat, ref: Ref, ability: Ability, kind: str) -> str:
    if kind == "priority" and ability.timing != "reaction":
        return "timing: only Reaction on a chain (381)"
    if kind == "focus" and not ability.timing:
        return "timing: only Action and Reaction in a showdown (381)"
    record = asking.forbidden(duel, "activate", seat, ref)
    if record is not None:
        return forbidden_by(duel.game, record, seat)
    if asking.lost_abilities(duel, ref):
        return "state: it has no abilities now"
    if ability.once and duel.game.store.get(play.use_key(ability, ref)):
        return "state: it was used this turn"
    value = duel.game.store.values[ref]
    scope = Scope(duel, seat, Source(ref, duel.card_name(ref), seat, "board", 0, value.place))
    if ability.condition is not None and not holds(ability.condition, scope):
        return "state: its condition does not hold (377.2.b)"
    if ability.cost is not None and not play.cost_possible(duel, seat, ability.cost, scope):
        return "cost: it can't be paid (357)"
    if not possible.choices_possible(duel, ability.program, scope):
        return "target: there is nothing it could choose (355.8)"
    return ""
