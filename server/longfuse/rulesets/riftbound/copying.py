"""Copying, and changing what is on the chain: copies, new choices, control of a chain item.

Owns copies of spells and abilities (no card is behind one, and it has paid for nothing), objects
that become copies of others (472.1.b), and choosing again for an item that is finalized.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.abilities.ability import Do, Program
from longfuse.abilities.evaluate import objects
from longfuse.abilities.nodes import NamedPlayer
from longfuse.abilities.scope import Scope
from longfuse.game.chain import chosen_by, note
from longfuse.game.questions import Steps
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import attaching, chain, choosing, looking, play, repeat, standins
from longfuse.rulesets.riftbound.state import Permanent
from longfuse.rulesets.riftbound.verbs import verb, what, who
from longfuse.rulesets.riftbound.verbs_cards import item_of
from longfuse.timing.messages import Happened
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

Done = Steps[list[Happened]]

# ---------------------------------------------------------------- copies on the chain


@verb("copy item")
def _copy_item(duel: Duel, node: Do, scope: Scope) -> Done:
    """Put a copy of a spell or ability onto the chain. It has the same choices, unless its player
    may make new ones, and none of the additional costs that were paid."""
    for seat in who(node, scope)[:1]:
        for ref in what(node, scope):
            item = item_of(duel, ref)
            if item is None:
                continue
            copy = chain.add(duel, _copy_of(duel, item, seat))
            note(duel.game, copy, "item copied")
            if node.word == "new choices":
                yield from choose_again(duel, copy)
    yield from ()
    return []


def _copy_of(duel: Duel, item: ChainItem, seat: Seat) -> ChainItem:
    card = None
    source = msgspec.structs.replace(item.source, controller=seat)
    if item.card is not None:
        card = standins.copied(duel, duel.definition(item.card), seat)
        source = msgspec.structs.replace(source, object=card)
    return msgspec.structs.replace(
        item,
        controller=seat,
        card=card,
        source=source,
        state="finalized",
        record=None,
        paid=(),
        facts=(("copy", True),),
        cause=duel.game.cause,
    )


# ---------------------------------------------------------------- new choices


@verb("choose new targets")
def _choose_new_targets(duel: Duel, node: Do, scope: Scope) -> Done:
    for ref in what(node, scope):
        item = item_of(duel, ref)
        if item is not None:
            yield from choose_again(duel, item, who(node, scope))
    return []


def choose_again(duel: Duel, item: ChainItem, seats: tuple[Seat, ...] = ()) -> Steps[None]:
    """A player may make an item's choices anew; with nothing to choose, nobody is asked."""
    program = program_of(duel, item)
    seat = seats[0] if seats else item.controller
    if len(repeat.own_names(program)) == 1:
        return
    words = f"make new choices for {item.source.card}"
    if not (yield from play.ask_may(duel, seat, item.source.card, "355.5", words=words)):
        return
    names = dict(item.names)
    for number in range(item.paid.count("Repeat") + 1):
        yield from _anew(duel, item, _asked_of(program), seat, names, number)
    item = chain.write(duel, item, names=tuple(names.items()))
    chosen = chosen_by(item)
    note(duel.game, item, "chosen anew", player=seat, facts={"chosen": chosen}, clause="355.5")
    yield from duel.game.announce(*play.chosen_messages(duel, item))


CHOOSER = "who chooses again"


def _asked_of(program: Program) -> Program:
    """A program whose choices are made by the player under CHOOSER, seen from its controller."""
    choices = tuple(
        msgspec.structs.replace(choice, who=choice.who or NamedPlayer(CHOOSER))
        for choice in program.choices
    )
    return msgspec.structs.replace(program, choices=choices)


def _anew(
    duel: Duel, item: ChainItem, program: Program, seat: Seat, names: dict[str, Any], number: int
) -> Steps[None]:
    """Choose once more for one execution; what can't be chosen again stays as it was."""
    inner = repeat.afresh(program, chain.scope_of(duel, item))
    inner.names[CHOOSER] = seat
    if not (yield from choosing.choose_all(duel, program, inner)):
        return
    for name in repeat.own_names(program):
        if name in inner.names:
            names[f"{name}@{number}" if number else name] = inner.names[name]


def program_of(duel: Duel, item: ChainItem) -> Program:
    """What an item will do."""
    if item.card is not None:
        return duel.definition(item.card).program
    program: Program = item.ability.program
    return program


def take_control(duel: Duel, ref: Ref, seat: Seat) -> bool:
    """Control of a chain item changes: its "you" is the new controller. False if it is none."""
    item = item_of(duel, ref)
    if item is None:
        return False
    source = msgspec.structs.replace(item.source, controller=seat)
    item = chain.write(duel, item, controller=seat, source=source)
    note(duel.game, item, "item taken", clause="477.1.a")
    return True


# ---------------------------------------------------------------- becoming a copy


@verb("copy")
def _copy(duel: Duel, node: Do, scope: Scope) -> Done:
    """472.1.b: objects become copies of another: its copyable traits and its text are theirs."""
    for model in objects(node.to_objects, scope)[:1]:
        for ref in what(node, scope):
            become(duel, ref, model)
            duel.game.happened("copied", subjects=(ref, model), clause="472.1.b")
    yield from ()
    return []


def become(duel: Duel, ref: Ref, model: Ref) -> None:
    """Make an object a copy of another for as long as it stays (472.1.b.3: of what that copies)."""
    value, other = duel.game.store.values.get(ref), duel.game.look(model)
    if not isinstance(value, Permanent) or ref == model:
        return
    copied = getattr(other, "copy_of", None)
    number = copied if copied is not None else model.card
    attaching.silence(duel, ref)
    definition = duel.game.board.cards[number].definition
    duel.game.store.put(looking.COPIES, duel.game.next_stamp())
    value = duel.game.change(ref, copy_of=number, type=definition.type)
    for ability in duel.printed(value, duel.game.board.card(ref)):
        duel.game.installed.printed(ref, ability, value.controller, value.zone)
