"""Looking: what kinds, states, places and numbers mean for objects and players of a game of hkk.

Owns the meaning of the vocabulary's KINDS, STATES, STATS, ZONES, PLACES and STATE_WORDS. It reads
and changes nothing. An object that has left is seen as it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from longfuse.abilities.ability import Ability
from longfuse.abilities.evaluate import happens, objects
from longfuse.abilities.nodes import Selector, Tally
from longfuse.abilities.scope import Scope, Unresolved
from longfuse.game import chain
from longfuse.game.state import Card, ObjectState
from longfuse.rulesets.hkk import asking
from longfuse.rulesets.hkk.definition import Definition
from longfuse.rulesets.hkk.state import Permanent, word_of
from longfuse.timing.records import Record
from longfuse.timing.references import NOBODY, Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

# ---------------------------------------------------------------- stays


def behaves(card: Card, zone: str) -> bool:
    """In play everything behaves; elsewhere what has an ability that functions there."""
    word = zone.partition(":")[0]
    if word == "board":
        return True
    return any(word in ability.zones for ability in card.definition.abilities)


def new_object(duel: Duel, ref: Ref, card: Card, zone: str, **fields: Any) -> ObjectState:
    """The value of a new stay."""
    fields.setdefault("controller", card.owner)
    kind, turn = card.definition.type, duel.game.now.turn
    return Permanent(ref=ref, owner=card.owner, zone=zone, type=kind, entered=turn, **fields)


def printed(state: ObjectState, definition: Definition) -> tuple[Ability, ...]:
    """The printed abilities that listen from there."""
    word = state.zone.partition(":")[0]
    return tuple(
        ability
        for ability in definition.abilities
        if ability.kind in ("triggered", "replacement", "passive") and word in ability.zones
    )


def remembered_of(duel: Duel, ref: Ref) -> tuple[tuple[str, Any], ...]:
    """What of an object that leaves may be looked back at."""
    value = duel.game.store.values.get(ref)
    if not isinstance(value, Permanent) or value.zone != "board":
        return ()
    known: list[tuple[str, Any]] = [
        ("controller", asking.controller(duel, ref)),
        ("lost", tuple(asking.lost(duel, ref))),
    ]
    if value.type == "creature":
        known.append(("damage", asking.number(duel, ref, "damage")))
        known.append(("life", asking.number(duel, ref, "life")))
        known.append(("keywords", asking.keywords_of(duel, ref)))
    return tuple(known)


def definition(duel: Duel, ref: Ref) -> Definition:
    """What is printed on an object, or on what it is, or was when it left, a copy of."""
    cards = duel.game.board.cards
    if duel.game.store.get(("copies",)):
        copied = getattr(duel.game.look(ref), "copy_of", None)
        if copied is not None:
            return cards[copied].definition  # type: ignore[no-any-return]
    found: Definition = cards[ref.card].definition
    return found


# ---------------------------------------------------------------- zones and places


def zone_of(duel: Duel, ref: Ref) -> str:
    """The zone word of where an object is, or was."""
    if duel.game.board.is_there(ref):
        return duel.game.zone_word(ref)
    value = duel.game.look(ref)
    return value.zone.partition(":")[0] if value is not None else ""


def in_zone(duel: Duel, selector: Selector, scope: Scope) -> Iterable[Ref]:
    """The objects in a selector's zone: the board in its order, else both seats' zones."""
    board = duel.game.board
    match selector.zone:
        case "board" | "chain":
            return board.zone(selector.zone)
        case "any":
            return tuple(ref for ref in objects(selector.among, scope) if board.is_there(ref))
        case "top of deck":
            return tuple(ref for seat in duel.seats() for ref in board.zone(f"deck:{seat}")[-1:])
        case word:
            return tuple(ref for seat in duel.seats() for ref in board.zone(f"{word}:{seat}"))


def is_at(duel: Duel, ref: Ref, place: str, scope: Scope) -> bool:
    """Whether a place word holds for an object (where it is, or was)."""
    here = duel.game.place_of(ref)
    match place:
        case "reserve" | "guard" | "table":
            return word_of(here) == place
        case "here" | "elsewhere":
            return (here != "" and here == source_place(duel, scope)) == (place == "here")
    raise Unresolved(f"no such place word: {place!r}")


def source_place(duel: Duel, scope: Scope) -> str:
    """ "Here": the source's place, or its last."""
    ref = scope.source.object
    return (duel.game.place_of(ref) if ref is not None else "") or scope.source.place


def creatures_of(duel: Duel, seat: Seat, where: str = "") -> list[Ref]:
    """The creatures that a player controls, in the board's order; only those in one place."""
    values = duel.game.store.values
    return [
        ref
        for ref in duel.game.board.zone("board")
        if values[ref].type == "creature"
        and (not where or word_of(values[ref].place) == where)
        and asking.controller(duel, ref) == seat
    ]


def attached(duel: Duel, ref: Ref, to_it: bool) -> tuple[Ref, ...]:
    """What is put on an object, or what it is put on."""
    values = duel.game.store.values
    if to_it:
        return tuple(o for o in duel.game.board.zone("board") if values[o].attached_to == ref)
    value = duel.game.look(ref)
    to = value.attached_to if isinstance(value, Permanent) else None
    return (to,) if to is not None else ()


# ---------------------------------------------------------------- kinds and states


def is_kind(duel: Duel, ref: Ref, word: str) -> bool:
    """Whether an object is of a kind."""
    kind = duel.definition(ref).type
    match word:
        case "card":
            return kind != "ability"
        case "permanent":
            return zone_of(duel, ref) == "board"
        case "spell":
            return kind in ("spell", "instant")
        case _:
            return bool(kind == word)


def is_state(duel: Duel, ref: Ref, word: str) -> bool:
    """Whether a state word holds for an object."""
    if word == "token":
        return duel.game.board.card(ref).token
    value = duel.game.look(ref)
    if not isinstance(value, Permanent):
        return False
    match word:
        case "passive" | "active":
            return value.passive == (word == "passive")
        case "damaged":
            return value.wounds > 0
        case "attacking":
            combat = duel.combat
            return combat is not None and any(one.attacker == ref for one in combat.attacks)
        case "suppressed":
            return asking.suppressed(duel, ref, None)
        case "attached":
            return value.attached_to is not None
        case "enchanted":
            return bool(attached(duel, ref, to_it=True))
        case "ripe":
            return "delayed" in value.entered_with and not value.count("delayed")
        case "played this turn":
            return value.played == duel.game.now.turn
        case "has delayed" | "has temporary" | "has cost":
            return value.count(word.removeprefix("has ")) > 0
    raise Unresolved(f"no such state: {word!r}")


# ---------------------------------------------------------------- numbers


def stat_of(duel: Duel, ref: Ref, stat: str) -> int:
    """A number of an object; 0 where it has none."""
    if stat == "cost":
        return duel.definition(ref).cost
    value = duel.game.look(ref)
    match stat:
        case "damage" | "max life":
            word = "damage" if stat == "damage" else "life"
            known = duel.game.last_known(ref, word)
            return int(known) if known is not None else asking.number(duel, ref, word)
        case "life":
            wounds = value.wounds if isinstance(value, Permanent) else 0
            return max(0, stat_of(duel, ref, "max life") - wounds)
    if not isinstance(value, Permanent):
        return 0
    match stat:
        case "wounds":
            return value.wounds
        case "delayed" | "temporary":
            return value.count(stat)
        case "cost counters":
            return value.count("cost")
    raise Unresolved(f"no such number of an object: {stat!r}")


def seat_stat(duel: Duel, seat: Seat, stat: str) -> int:
    """A number of a player."""
    match stat:
        case "life" | "magic":
            return int(getattr(duel.player(seat), stat))
        case "hand" | "deck" | "discard":
            return len(duel.game.board.zone(f"{stat}:{seat}"))
        case "creatures":
            return len(creatures_of(duel, seat))
    raise Unresolved(f"no such number of a player: {stat!r}")


def holds(duel: Duel, scope: Scope, word: str) -> bool:
    """Whether a state word of the game holds for the ability's controller or source."""
    match word:
        case "active":
            ref = scope.source.object
            return ref is not None and is_state(duel, ref, "active")
        case "combat":
            return duel.game.now.phase == "combat"
        case "first turn":
            return scope.controller != NOBODY and duel.player(scope.controller).turns == 1
    raise Unresolved(f"no such state word: {word!r}")


def tally(duel: Duel, scope: Scope, tally: Tally) -> int:
    """How often an event happened."""
    log = duel.game.log
    if tally.window != "this turn":
        raise Unresolved(f"nothing is counted for {tally.window!r}")
    return sum(happens(tally.when, message, scope) for message in log.this_turn(tally.when.event))


def has_tag(duel: Duel, ref: Ref, tag: str) -> bool:
    """Whether an object has a tag."""
    return tag.lower() in (known.lower() for known in duel.definition(ref).tags)


def card_name(duel: Duel, ref: Ref) -> str:
    """An object's name; an ability in the queue goes by its source's."""
    found = duel.definition(ref)
    if found.type != "ability":
        return found.name
    item = chain.item_of(duel.game, ref)
    return f"{item.source.card}'s ability" if item is not None else "an ability"


def records_of(duel: Duel, ref: Ref) -> list[Record]:
    """The printed abilities that are installed for an object, oldest first."""
    return [
        record
        for _, record in sorted(duel.game.subscriptions.records.items())
        if not record.delayed and record.source.object == ref
    ]
