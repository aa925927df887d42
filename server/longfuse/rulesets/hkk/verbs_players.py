"""Verbs that players carry out or that happen to them: draw, discard, skip a phase, win, lose.

Owns those verbs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from longfuse.abilities.ability import Do
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Option, Question, Steps
from longfuse.rulesets.hkk import acting, ending
from longfuse.rulesets.hkk.verbs import Done, each, number, source_of, verb, who
from longfuse.timing.messages import Happened
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel


@verb("draw")
def _draw(duel: Duel, node: Do, scope: Scope) -> Done:
    done: list[Happened] = []
    for seat in who(node, scope):
        done += yield from acting.draw(duel, seat, number(node, scope), source_of(node, scope))
    return done


@verb("discard")
def _discard(duel: Duel, node: Do, scope: Scope) -> Done:
    if node.what is not None:
        return (yield from each(duel, "discard", node, scope))
    done: list[Happened] = []
    for seat in who(node, scope):
        hand = duel.game.board.zone(f"hand:{seat}")
        wanted = min(number(node, scope), len(hand))
        chosen = yield from _from_hand(duel, seat, hand, wanted, scope)
        done += yield from acting.about(duel, "discard", chosen, player=seat)
    return done


def _from_hand(
    duel: Duel, seat: Seat, hand: Iterable[Ref], wanted: int, scope: Scope
) -> Steps[tuple[Ref, ...]]:
    if not wanted:
        return ()
    items = tuple(Option(label=duel.card_name(ref), value=ref, refs=(ref,)) for ref in hand)
    question = Question(
        id=0,
        seat=seat,
        shape="some",
        kind="card",
        text=f"{scope.source.card}: discard {wanted}.",
        items=items,
        least=wanted,
        most=wanted,
        source=scope.source.card,
        public=wanted == len(items),
        default=tuple(range(wanted)),
    )
    chosen: tuple[Ref, ...] = yield from duel.game.ask(question)
    return chosen


@verb("skip preparation")
def _skip(duel: Duel, node: Do, scope: Scope) -> Done:
    for seat in who(node, scope):
        duel.game.change_seat(seat, skips=duel.player(seat).skips + 1)
        duel.game.happened("skip announced", player=seat)
    yield from ()
    return []


@verb("win")
def _win(duel: Duel, node: Do, scope: Scope) -> Done:
    for seat in who(node, scope)[:1]:
        ending.win(seat, f"{scope.source.card} says so")
    yield from ()
    return []


@verb("lose")
def _lose(duel: Duel, node: Do, scope: Scope) -> Done:
    for seat in who(node, scope)[:1]:
        ending.win(duel.opponent(seat), f"{scope.source.card} says so")
    yield from ()
    return []
