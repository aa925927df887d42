"""The chain's list: the items on their way to happen, oldest first.

Owns where items are kept: each under its number, the order, and which item an object on the chain
stands for; and the messages that tell its course where nothing else does: that it triggered, came
to nothing, was declined. Who may act while there are items, and what an item does, are a ruleset's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from longfuse.abilities.ability import Ability, Modes, Program
from longfuse.game.rules import Trigger
from longfuse.game.state import ChainItem
from longfuse.game.world import World
from longfuse.timing.messages import Happened
from longfuse.timing.references import Ref, Seat
from longfuse_protocol.views import Entity


def items(game: World) -> list[ChainItem]:
    """The items on the chain, oldest first."""
    store = game.store
    return [store.values[("item", number)] for number in store.get(("chain",)) or ()]


def add(game: World, item: ChainItem, stay: Ref) -> ChainItem:
    """Put an item on the chain under the next number. stay: the object that it is there."""
    store = game.store
    number = (store.get(("items made",)) or 0) + 1
    store.put(("items made",), number)
    item = msgspec.structs.replace(item, id=number, object=stay)
    store.put(("item", number), item)
    store.put(("chain",), (*(store.get(("chain",)) or ()), number))
    store.put(("item of", stay), number)
    return item


def write(game: World, item: ChainItem, **fields: Any) -> ChainItem:
    """Write an item's new fields."""
    item = msgspec.structs.replace(item, **fields)
    game.store.put(("item", item.id), item)
    return item


def present(game: World, item: ChainItem) -> bool:
    """Whether an item is still on the chain."""
    return item.id in (game.store.get(("chain",)) or ())


def remove(game: World, item: ChainItem) -> None:
    """Take an item off the list; the object that it was is its remover's business."""
    store = game.store
    store.put(("chain",), tuple(n for n in store.get(("chain",)) or () if n != item.id))
    store.put(("item", item.id), None)
    if item.object is not None:
        store.put(("item of", item.object), None)


def note_triggers(
    game: World, triggers: list[Trigger], clause: Callable[[Ability], str]
) -> list[Trigger]:
    """Note that abilities have triggered, before anybody is asked for their order; nothing waits
    for that. clause: by which clause an ability does.
    """
    return [one if one.noted else _noted(game, one, clause) for one in triggers]


def _noted(game: World, trigger: Trigger, clause: Callable[[Ability], str]) -> Trigger:
    record = trigger.record
    source = record.source.object
    facts: dict[str, Any] = {"label": record.source.card}
    if record.delayed:
        facts["acts"] = record.id
    message = game.happened(
        "ability triggered",
        cause=trigger.message.id,
        subjects=(source,) if source is not None else (),
        player=trigger.controller,
        facts=facts,
        clause=clause(record.ability),
    )
    return msgspec.structs.replace(trigger, noted=message.id)


def note_added(game: World, item: ChainItem) -> None:
    """Note that an ability goes on the chain, if it was told before the last entry that it has
    triggered; nothing waits for that."""
    if is_fresh(game, item):
        return
    write(game, item, cause=note(game, item, "ability added", cause=item.cause).id)


def is_fresh(game: World, item: ChainItem) -> bool:
    """Whether what has brought an item about has come since the last entry."""
    return item.cause > game.entered_at


NOT_POSSIBLE = "nothing can be chosen for it, or it can't be paid for"
"""Why a pending item comes to nothing."""


def came_to_nothing(game: World, item: ChainItem, why: str = "", clause: str = "") -> None:
    """Note that an item is over and has done nothing; nothing waits for that.

    why: a reason for people ("what it chose is gone"); "" if it just had nothing to do.
    """
    note(game, item, "came to nothing", clause=clause, facts={"why": why})


def note_outcome(
    game: World, item: ChainItem, since: int, why_nothing: Callable[[], tuple[str, str]]
) -> None:
    """Note that an item has been carried out, where its effects do not tell it.

    since: the number of the latest message before. why_nothing: the reason and the clause, asked
    where it had no effect at all.
    """
    if not _is_told_of(game, since):
        came_to_nothing(game, item, *why_nothing())
    elif not _is_told_of(game, game.entered_at):
        note(game, item, "done")


def _is_told_of(game: World, since: int) -> bool:
    """Whether anything that viewers are told of has happened this turn after an ordinal."""
    return any(game.rules.is_told(message) for message in game.log.since(since))


def note(
    game: World,
    item: ChainItem,
    event: str,
    *,
    player: Seat | None = None,
    facts: Mapping[str, Any] = MappingProxyType({}),
    **fields: Any,
) -> Happened:
    """Note an event of an item's course, labelled with its card; nothing waits for that.

    player: who does it; None: its controller. fields: as in `World.happened`.
    """
    return game.happened(
        event,
        subjects=(item.object,) if item.object is not None else (),
        player=item.controller if player is None else player,
        facts={"label": item.source.card, **facts},
        **fields,
    )


def item_of(game: World, ref: Ref) -> ChainItem | None:
    """The item of an object that is on the chain now."""
    number = game.store.get(("item of", ref))
    found: ChainItem | None = game.store.get(("item", number)) if number else None
    return found


def pending(game: World) -> ChainItem | None:
    """The oldest pending item."""
    return next((item for item in items(game) if item.state == "pending"), None)


def targets_of(game: World, ref: Ref) -> tuple[Ref, ...]:
    """What an item on the chain has chosen."""
    item = item_of(game, ref)
    return chosen_by(item) if item is not None else ()


STAND_INS = ("stand-ins",)


def stand_in(game: World, definition: Any) -> Ref:
    """A new stay on the chain for an ability, which has no card: so it can be chosen and looked up.

    definition: of what stands for abilities. From a small pool; each use is a stay of its own.
    """
    pool: tuple[int, ...] = game.store.get(STAND_INS) or ()
    free = next((number for number in pool if not game.board.place(number).zone), None)
    if free is None:
        free = game.board.new_card(definition, 0, token=True).id
        game.store.put(STAND_INS, (*pool, free))
    return game.arrive(free, "chain")


def dismiss(game: World, ref: Ref) -> None:
    """An ability's stand-in leaves: what refers to it refers to nothing from now on."""
    if game.board.is_there(ref):
        game.remove_card(ref)


def chosen_by(item: ChainItem) -> tuple[Ref, ...]:
    """The objects that an item has chosen, in the order asked."""
    return tuple(
        found
        for name, value in item.names
        if name.startswith("t") and isinstance(value, tuple)
        for found in value
        if isinstance(found, Ref)
    )


def has_lost_all(item: ChainItem, names: Mapping[str, object]) -> bool:
    """Whether an item has chosen objects and none of them is left. names: what it refers to now."""
    asked = [name for name, _ in item.names if name.startswith("t")]
    return bool(chosen_by(item)) and not any(names.get(name) for name in asked)


def more_of_item(game: World, item: ChainItem) -> Entity:
    """What views tell of an item besides its kind: the players that it has chosen, and whether it
    is a delayed ability that acts now.
    """
    found: Entity = {}
    players = _players_chosen(game, item)
    if players:
        found["players"] = list(players)
    if item.record is not None and item.record.delayed:
        found["delayed"] = True
    return found


def _players_chosen(game: World, item: ChainItem) -> tuple[Seat, ...]:
    if item.ability is not None:
        return players_chosen_by(item, item.ability.program)
    if item.card is None:
        return ()
    return players_chosen_by(item, game.board.card(item.card).definition.program)


def players_chosen_by(item: ChainItem, program: Program) -> tuple[Seat, ...]:
    """The players that an item has chosen. program: what it will do."""
    names = dict(item.names)
    programs = [program]
    for node in program.body:
        if isinstance(node, Modes):
            programs += [node.options[number][1] for number in names.get("modes", ())]
    return tuple(
        names[choice.name]
        for one in programs
        for choice in one.choices
        if choice.of == "player" and choice.name in names
    )
