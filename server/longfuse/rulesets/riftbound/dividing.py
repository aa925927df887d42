"""Dividing: damage that is split among targets (355.14), cards milled, and attacking by an effect.

Owns verbs that share something out or send it on: their other parts are ordinary actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.ability import Do
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Option, Question, Steps, default_some
from longfuse.rulesets.riftbound import actions, asking, looking
from longfuse.rulesets.riftbound.state import Permanent
from longfuse.rulesets.riftbound.verbs import number, source_of, verb, what, who
from longfuse.timing.messages import Happened
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

Done = Steps[list[Happened]]


@verb("split")
def _split(duel: Duel, node: Do, scope: Scope) -> Done:
    """355.14: each target gets at least 1; who deals it decides how much, as it is dealt. Bonus
    Damage is added to the whole."""
    total = number(node, scope, 0)
    values = duel.game.store.values
    targets = [ref for ref in what(node, scope) if isinstance(values.get(ref), Permanent)]
    if total <= 0 or not targets:
        return []
    total += _bonus(duel, scope)
    seat = who(node, scope)[0] if who(node, scope) else duel.turn_player()
    if len(targets) > total:
        targets = yield from _which(duel, seat, scope, targets, total)
    shares = yield from _shares(duel, seat, scope, targets, total)
    pairs = list(zip(targets, shares, strict=True))
    return (
        yield from actions.deal(duel, pairs, source=source_of(node, scope), player=scope.controller)
    )


def _bonus(duel: Duel, scope: Scope) -> int:
    item = duel.game.store.get(("item", scope.item))
    return asking.bonus_damage(duel, item.object) if item is not None else 0


def _which(
    duel: Duel, seat: Seat, scope: Scope, targets: list[Ref], total: int
) -> Steps[list[Ref]]:
    """355.14.h: more targets than damage: some of them are targets no more."""
    options = _options(duel, targets)
    question = Question(
        id=0,
        seat=seat,
        shape="some",
        kind="target",
        text=f"{scope.source.card}: which {total} of them are dealt damage?",
        items=options,
        least=total,
        most=total,
        source=scope.source.card,
        clause="355.14.h",
        default=default_some(options, total),
    )
    return list((yield from duel.game.ask(question)))


def _shares(
    duel: Duel, seat: Seat, scope: Scope, targets: list[Ref], total: int
) -> Steps[tuple[int, ...]]:
    most = total - len(targets) + 1
    question = Question(
        id=0,
        seat=seat,
        shape="divide",
        kind="divide",
        text=f"{scope.source.card}: how do you split {total} damage?",
        items=_options(duel, targets),
        total=total,
        bounds=((1, most),) * len(targets),
        source=scope.source.card,
        clause="355.14.e",
        default=(most, *(1,) * (len(targets) - 1)),
    )
    shares: tuple[int, ...] = yield from duel.game.ask(question)
    return shares


def _options(duel: Duel, targets: list[Ref]) -> tuple[Option, ...]:
    return tuple(Option(label=duel.card_name(ref), value=ref, refs=(ref,)) for ref in targets)


@verb("mill")
def _mill(duel: Duel, node: Do, scope: Scope) -> Done:
    """Put the top cards of a deck into its owner's trash, as many as there are."""
    done: list[Happened] = []
    for seat in who(node, scope):
        top = duel.game.board.zone(f"deck:{seat}")[-max(0, number(node, scope)) :]
        if top and number(node, scope) > 0:
            duel.game.play_stands()
            done += yield from actions.send(
                duel, tuple(reversed(top)), "trash", player=seat, source=source_of(node, scope)
            )
    return done


@verb("attack with")
def _attack_with(duel: Duel, node: Do, scope: Scope) -> Done:
    """Units move to where the source is: if opposing units are there, they attack (323.2)."""
    place = looking.source_place(duel, scope)
    if not place:
        return []
    return (
        yield from actions.move(
            duel, what(node, scope), place, player=scope.controller, source=source_of(node, scope)
        )
    )
