"""Verbs that bring cards into play or move hidden ones: play, copy, token, mill, look.

Owns those verbs. What a permanent gets on its way into play is `play.enter` (127.0.0).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.ability import Do
from longfuse.abilities.evaluate import objects
from longfuse.abilities.scope import Scope, Unresolved
from longfuse.rulesets.hkk import acting, counters, looking, play
from longfuse.rulesets.hkk.definition import Definition
from longfuse.rulesets.hkk.state import Permanent
from longfuse.rulesets.hkk.verbs import Done, number, source_of, verb, what, who
from longfuse.timing.messages import Happened
from longfuse.timing.records import Reason
from longfuse.timing.references import Ref
from longfuse.timing.windows import InZone

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel


@verb("play")
def _play(duel: Duel, node: Do, scope: Scope) -> Done:
    """D1: bringing a card into play, by whatever way, is playing it: it gets its counters."""
    done = []
    bare = node.word == "without counters" or duel.option("D1") == "bare"
    for seat in who(node, scope)[:1]:
        for ref in what(duel, node, scope):
            definition: Definition = duel.game.board.card(ref).definition
            if not definition.is_permanent or definition.type == "enchantment":
                continue
            if duel.game.zone_word(ref) == "board":
                continue
            source = source_of(node, scope)
            done += yield from play.enter(
                duel, ref, seat, definition, source, bare=bare, by="effect"
            )
    return [message for message in done if message.event == "entered"]


@verb("token")
def _token(duel: Duel, node: Do, scope: Scope) -> Done:
    """D2: a stand-alone counter of that name. It is made, not played."""
    definition = duel.setup.tokens.get(node.word)
    if definition is None:
        raise Unresolved(f"there is no token {node.word!r}")
    done = []
    for seat in who(node, scope)[:1]:
        for _ in range(number(node, scope)):
            card = duel.game.board.new_card(definition, seat, token=True)
            ref = Ref(card.id, 0)
            done += yield from play.enter(
                duel, ref, seat, definition, source_of(node, scope), token=True
            )
    return [message for message in done if message.event == "token made"]


@verb("mill")
def _mill(duel: Duel, node: Do, scope: Scope) -> Done:
    done = []
    for seat in who(node, scope):
        for _ in range(number(node, scope)):
            deck = duel.game.board.zone(f"deck:{seat}")
            if deck:
                duel.game.play_stands()
                done += yield from acting.about(duel, "discard", deck[-1:], player=seat)
    return done


@verb("look top")
def _look_top(duel: Duel, node: Do, scope: Scope) -> Done:
    for seat in who(node, scope)[:1]:
        deck = duel.game.board.zone(f"deck:{seat}")
        duel.game.play_stands()
        seen = tuple(reversed(deck))[: number(node, scope)]
        scope.names[node.name] = seen
        message = duel.game.happened("looked", player=seat, amount=len(seen))
        yield from duel.game.announce(message)
        return [message]
    return []


# ---------------------------------------------------------------- becoming a copy


@verb("copy")
def _copy(duel: Duel, node: Do, scope: Scope) -> Done:
    done = []
    for model in objects(node.to_objects, scope)[:1]:
        for ref in what(duel, node, scope):
            if become(duel, ref, model):
                done.append(duel.game.happened("copied", subjects=(ref, model)))
                done += copy_counters(duel, ref, model)
    yield from duel.game.announce(*done)
    yield from acting.check(duel)
    return done[:1]


def become(duel: Duel, ref: Ref, model: Ref) -> bool:
    """Make a permanent a copy of another for as long as it stays."""
    value, other = duel.game.store.values.get(ref), duel.game.look(model)
    if not isinstance(value, Permanent) or not isinstance(other, Permanent) or ref == model:
        return False
    copied = other.copy_of if other.copy_of is not None else model.card
    # What effects give it has a window of its own, and stays.
    for record in looking.records_of(duel, ref):
        if isinstance(record.window, InZone):
            duel.game.installed.end(record.id, Reason.ENDED)
    definition: Definition = duel.game.board.cards[copied].definition
    duel.game.store.put(("copies",), duel.game.next_stamp())
    value = duel.game.change(ref, copy_of=copied, type=definition.type)
    for ability in duel.printed(value, duel.game.board.card(ref)):
        duel.game.installed.printed(ref, ability, value.controller, value.zone)
    return True


def copy_counters(duel: Duel, ref: Ref, model: Ref) -> list[Happened]:
    """D3: a copy gets the counters that belong to what it has now: the X of the text, or as many
    as there are on what it copies."""
    gates = duel.definition(ref).gates
    if duel.option("D3") == "current":
        other = duel.game.look(model)
        gates = tuple((kind, other.count(kind)) for kind, _ in gates if kind in other.entered_with)
    return counters.give(duel, ref, gates, "127.0.0")
