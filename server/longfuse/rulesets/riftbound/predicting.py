"""Looking ahead and into hands: Predict, revealing until something comes (436).

Owns these game actions. What is looked at or revealed does not move by that: the same objects are
still in the deck or hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.ability import Do
from longfuse.abilities.evaluate import matches
from longfuse.abilities.nodes import Each
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Option, Question, Steps
from longfuse.rulesets.riftbound import actions
from longfuse.rulesets.riftbound.verbs import number, source_of, verb, who
from longfuse.timing.messages import Happened
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

Done = Steps[list[Happened]]


# ---------------------------------------------------------------- predicting


@verb("predict")
def _predict(duel: Duel, node: Do, scope: Scope) -> Done:
    """436.1: look at the top cards, recycle any of them, put the others back in any order."""
    done: list[Happened] = []
    for seat in who(node, scope):
        top = tuple(reversed(duel.game.board.zone(f"deck:{seat}")[-max(0, number(node, scope)) :]))
        if not top or number(node, scope) <= 0:
            continue
        duel.game.play_stands()
        looked = duel.game.happened(
            "looked", subjects=top, player=seat, amount=len(top), secret=(seat,), clause="436.1"
        )
        yield from duel.game.announce(looked)
        recycled = yield from _which_go(duel, seat, top, scope)
        done += yield from actions.send(
            duel,
            recycled,
            "recycle",
            player=seat,
            source=source_of(node, scope),
            clause="436.1.a",
        )
        yield from _arrange(duel, seat, top, scope)
    return done


def _which_go(duel: Duel, seat: Seat, top: tuple[Ref, ...], scope: Scope) -> Steps[tuple[Ref, ...]]:
    chosen: tuple[Ref, ...] = yield from duel.game.ask(
        Question(
            id=0,
            seat=seat,
            shape="some",
            kind="card",
            text=f"{scope.source.card}: which do you recycle?",
            items=tuple(Option(label=duel.card_name(ref), value=ref, refs=(ref,)) for ref in top),
            least=0,
            most=len(top),
            source=scope.source.card,
            clause="436.1",
            public=False,
            default=(),
        )
    )
    return chosen


def _arrange(duel: Duel, seat: Seat, top: tuple[Ref, ...], scope: Scope) -> Steps[None]:
    """436.1.b: what was not recycled goes back on top in any order."""
    left = tuple(ref for ref in top if duel.is_there(ref) and duel.game.zone_word(ref) == "deck")
    if len(left) < 2:
        return
    order: tuple[Ref, ...] = yield from duel.game.ask(
        Question(
            id=0,
            seat=seat,
            shape="order",
            kind="order",
            text=f"{scope.source.card}: in which order do they go back, the first on top?",
            items=tuple(Option(label=duel.card_name(ref), value=ref, refs=(ref,)) for ref in left),
            source=scope.source.card,
            clause="436.1.b",
            public=False,
            default=tuple(range(len(left))),
        )
    )
    zone = duel.game.board.zone(f"deck:{seat}")
    below = tuple(ref for ref in zone if ref not in left)
    duel.game.board.arrange(f"deck:{seat}", (*below, *reversed(order)))


# ---------------------------------------------------------------- hands, and until something comes


def _reveal(duel: Duel, refs: tuple[Ref, ...], seat: Seat) -> list[Happened]:
    return [duel.game.happened("revealed", subjects=(ref,), player=seat) for ref in refs]


@verb("look hand")
def _look_hand(duel: Duel, node: Do, scope: Scope) -> Done:
    """A player reveals their hand."""
    done: list[Happened] = []
    seen: list[Ref] = []
    duel.game.play_stands()
    for seat in who(node, scope):
        hand = duel.game.board.zone(f"hand:{seat}")
        seen += hand
        done += _reveal(duel, hand, seat)
    yield from duel.game.announce(*done)
    if node.name:
        scope.names[node.name] = tuple(seen)
    return []


@verb("reveal until")
def _reveal_until(duel: Duel, node: Do, scope: Scope) -> Done:
    """Reveal from the top until a card matches `what` (Each of a selector), at most the whole deck
    (431.1.c). Under `name`: that card, or nothing; under `name` and " revealed": all of them."""
    duel.game.play_stands()
    found: tuple[Ref, ...] = ()
    revealed: list[Ref] = []
    for seat in who(node, scope)[:1]:
        for ref in reversed(duel.game.board.zone(f"deck:{seat}")):
            revealed.append(ref)
            if isinstance(node.what, Each) and matches(node.what.selector, ref, scope):
                found = (ref,)
                break
        yield from duel.game.announce(*_reveal(duel, tuple(revealed), seat))
    if node.name:
        scope.names[node.name] = found
        scope.names[f"{node.name} revealed"] = tuple(revealed)
        scope.names[f"did {node.name}"] = bool(found)
    return []
