"""Looking: what kinds, states, places and numbers mean for objects and players of a duel.

Owns the meaning of the vocabulary's KINDS, STATES, STATS, ZONES, PLACES and STATE_WORDS. It reads
and changes nothing. An object that has left is seen as it was (359.3.e.13); about what is unknown
it says no.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.abilities.ability import Ability
from longfuse.abilities.evaluate import happens, objects
from longfuse.abilities.nodes import Objects, Selector, Tally, This, When
from longfuse.abilities.scope import Scope, Unresolved
from longfuse.game.parts import summed
from longfuse.game.state import Card, ObjectState
from longfuse.rulesets.riftbound import asking, numbers, standins
from longfuse.rulesets.riftbound.definition import Definition
from longfuse.rulesets.riftbound.state import (
    Battlefield,
    Permanent,
    base,
    is_battlefield,
    kind_of_place,
)
from longfuse.timing.messages import ask
from longfuse.timing.records import Record
from longfuse.timing.references import NOBODY, Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

BOARD_ZONES = ("board", "facedown")
VICTORY_SCORE = 8
MIGHTY = 5

# ---------------------------------------------------------------- stays


def behaves(card: Card, zone: str) -> bool:
    """On the board everything behaves; elsewhere what has an ability that functions there."""
    word = zone.partition(":")[0]
    if word in BOARD_ZONES:
        return True
    return any(works_in(ability, word) for ability in card.definition.abilities)


def works_in(ability: Ability, zone: str) -> bool:
    """Whether an ability functions in a zone: where it says (385.2), and one that waits for its own
    discarding where it is discarded from (422.1.b)."""
    if zone in ability.zones:
        return True
    when = ability.when
    return (
        zone == "hand"
        and isinstance(when, When)
        and when.event == "discarded"
        and isinstance(when.subject, This)
    )


def new_object(duel: Duel, ref: Ref, card: Card, zone: str, **fields: Any) -> ObjectState:
    """The value of a new stay; on the board units are exhausted unless `fields` say otherwise."""
    fields.setdefault("controller", card.owner)
    kind = card.definition.type
    if kind == "battlefield":
        return Battlefield(ref=ref, owner=card.owner, zone=zone, **fields)
    turn = duel.game.now.turn
    return Permanent(ref=ref, owner=card.owner, zone=zone, type=kind, entered=turn, **fields)


def printed(state: ObjectState, definition: Definition) -> tuple[Ability, ...]:
    """The printed abilities that listen from there, with those that its keywords stand for."""
    word = state.zone.partition(":")[0]
    if word == "facedown":
        return ()
    found = [
        ability
        for ability in definition.abilities
        if ability.kind in ("triggered", "replacement", "passive") and works_in(ability, word)
    ]
    if word == "board":
        found.extend(definition.built_in)
    return tuple(found)


def functions(duel: Duel, record: Record) -> bool:
    """A printed ability works while its object has its abilities."""
    if record.delayed or not duel.game.subscriptions.live.get(ask("no abilities")):
        return True
    ref = record.source.object
    return ref is None or not asking.lost_abilities(duel, ref)


def remembered_of(duel: Duel, ref: Ref) -> tuple[tuple[str, Any], ...]:
    """The numbers of an object that a trigger or an instruction may look back at."""
    value = duel.game.store.values.get(ref)
    if not isinstance(value, Permanent):
        return ()
    known: list[tuple[str, Any]] = [("controller", asking.controller(duel, ref))]
    if value.type == "unit":
        known.append(("might", asking.might(duel, ref)))
        have = asking.keywords_of(duel, ref)
        known.append(("keywords", tuple(sorted(have))))
        if "Hunt" in have:
            known.append(("hunt", have["Hunt"]))
        known.append(("alone", is_state(duel, ref, "alone")))
        if attached(duel, ref, to_it=True):
            known.append(("equipped", True))
    return tuple(known)


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
        case "board":
            return board.zone("board")
        case "chain" | "facedown":
            return board.zone(selector.zone)
        case "any":
            return tuple(ref for ref in objects(selector.among, scope) if board.is_there(ref))
        case "top of deck":
            return tuple(ref for seat in duel.seats() for ref in board.zone(f"deck:{seat}")[-1:])
        case "rune deck":
            return tuple(ref for seat in duel.seats() for ref in board.zone(f"runes:{seat}"))
        case word:
            return tuple(ref for seat in duel.seats() for ref in board.zone(f"{word}:{seat}"))


def targets_of(duel: Duel, ref: Ref) -> tuple[Ref, ...]:
    """What an item on the chain has chosen."""
    item = standins.item_of(duel, ref)
    if item is None:
        return ()
    return tuple(
        found
        for name, value in item.names
        if name.startswith("t") and isinstance(value, tuple)
        for found in value
        if isinstance(found, Ref)
    )


def is_at(duel: Duel, ref: Ref, place: str, scope: Scope, place_of: Objects | None) -> bool:
    """Whether a place word holds for an object (where it is, or was)."""
    here = place_of_object(duel, ref)
    match place:
        case "battlefield":
            return is_battlefield(here)
        case "base":
            return here.startswith("base:")
        case "here" | "elsewhere":
            return (here != "" and here == source_place(duel, scope)) == (place == "here")
        case "same" | "other":
            wanted = {place_of_object(duel, other) for other in objects(place_of, scope)}
            return (here in wanted) == (place == "same")
        case "open battlefield":
            return is_battlefield(here) and not _enemies_at(duel, here, scope.controller)
        case "controlled battlefield" | "enemy battlefield":
            field = duel.battlefield(here)
            wanted_seat = scope.controller
            if place == "enemy battlefield":
                wanted_seat = duel.opponent(scope.controller)
            return field is not None and field.controller == wanted_seat
    raise Unresolved(f"no such place word: {place!r}")


def place_of_object(duel: Duel, ref: Ref) -> str:
    """The place of an object on the board, or where it was when it left this turn."""
    value = duel.game.look(ref)
    return value.place if value is not None else ""


def source_place(duel: Duel, scope: Scope) -> str:
    """ "Here": the source's place; of one that is gone, its last (359.3.f)."""
    ref = scope.source.object
    if ref is not None:
        found = place_of_object(duel, ref)
        if found:
            return found
    return scope.source.place


def _enemies_at(duel: Duel, place: str, seat: Seat) -> bool:
    return any(asking.controller(duel, ref) != seat for ref in units_at(duel, place))


def units_at(duel: Duel, place: str) -> list[Ref]:
    """The units at a place, in the board's order."""
    values = duel.game.store.values
    return [ref for ref in duel.split.of("unit") if values[ref].place == place]


def sides_at(duel: Duel, place: str) -> tuple[Seat, ...]:
    """The seats with units at a place, in turn order."""
    return duel.at_present(("sides", place), lambda: _sides_at(duel, place))


def _sides_at(duel: Duel, place: str) -> tuple[Seat, ...]:
    present = {asking.controller(duel, ref) for ref in units_at(duel, place)}
    return tuple(seat for seat in duel.seats() if seat in present)


def permanents_of(duel: Duel, seat: Seat, kind: str) -> list[Ref]:
    """The objects of a type that a player controls on the board; not to be changed."""
    return duel.at_present(
        (kind, seat),
        lambda: [ref for ref in duel.split.of(kind) if asking.controller(duel, ref) == seat],
    )


def home(duel: Duel, ref: Ref) -> str:
    """The base that an object is recalled to."""
    return base(asking.controller(duel, ref))


# ---------------------------------------------------------------- kinds and states

COPIES = ("copies",)
"""Under which key it is noted when an object last became a copy of another."""


def definition(duel: Duel, ref: Ref) -> Definition:
    """What is printed on an object, or on what it is, or was when it left, a copy of."""
    cards = duel.game.board.cards
    if COPIES in duel.game.store.values:
        copied = getattr(duel.game.look(ref), "copy_of", None)
        if copied is not None:
            return cards[copied].definition  # type: ignore[no-any-return]
    found: Definition = cards[ref.card].definition
    return found


def card_name(duel: Duel, ref: Ref) -> str:
    """An object's name; an ability goes by its source's."""
    found = definition(duel, ref)
    return standins.name(duel, ref) if found is standins.ABILITY else found.name


def is_kind(duel: Duel, ref: Ref, word: str) -> bool:
    """Whether an object is of a kind."""
    definition = duel.definition(ref)
    match word:
        case "card":
            if definition.type == "ability":
                return False
            return definition.type not in ("battlefield", "rune") or zone_of(duel, ref) != "board"
        case "permanent":
            return definition.type in ("unit", "gear") and zone_of(duel, ref) in BOARD_ZONES
        case "equipment":
            return definition.type == "gear" and (
                bool(definition.equips) or duel.has_tag(ref, "Equipment")
            )
        case _:
            return bool(definition.type == word)


def is_state(duel: Duel, ref: Ref, word: str) -> bool:
    """Whether a state word holds for an object."""
    card = duel.game.board.card(ref)
    match word:
        case "token":
            return card.token
        case "signature" | "champion":
            return word in duel.definition(ref).supertypes
        case "mighty":
            return stat_of(duel, ref, "might") >= MIGHTY
    value = duel.game.look(ref)
    return isinstance(value, Permanent) and _board_state(duel, value, word)


_SIDES = {"attacking": "attacker", "defending": "defender"}


def _board_state(duel: Duel, value: Permanent, word: str) -> bool:
    turn = duel.game.now.turn
    match word:
        case "exhausted" | "stunned" | "facedown":
            return bool(getattr(value, word))
        case "ready":
            return not value.exhausted
        case "damaged":
            return value.damage > 0
        case "buffed":
            return value.buffs > 0
        case "attacking" | "defending":
            return value.designation == _SIDES[word]
        case "attached":
            return value.attached_to is not None
        case "equipped":
            known = duel.game.last_known(value.ref, "equipped")
            return bool(known) or bool(attached(duel, value.ref, to_it=True))
        case "played this turn":
            return value.played == turn
        case "moved this turn":
            return value.moved == turn
        case "alone":
            return _alone(duel, value)
        case "together":
            # Which place it is is asked when the choice is made.
            return True
    raise Unresolved(f"no such state: {word!r}")


def _alone(duel: Duel, value: Permanent) -> bool:
    known = duel.game.last_known(value.ref, "alone")
    if known is not None:
        return bool(known)
    seat = asking.controller(duel, value.ref)
    friends = [ref for ref in units_at(duel, value.place) if asking.controller(duel, ref) == seat]
    return friends == [value.ref]


def attached(duel: Duel, ref: Ref, to_it: bool) -> tuple[Ref, ...]:
    """What is attached to an object, or what it is attached to."""
    values = duel.game.store.values
    if not to_it:
        value = values.get(ref)
        to = value.attached_to if isinstance(value, Permanent) else None
        return (to,) if to is not None else ()
    return tuple(gear for gear in duel.split.of("gear") if values[gear].attached_to == ref)


# ---------------------------------------------------------------- numbers


def stat_of(duel: Duel, ref: Ref, stat: str) -> int:
    """A number of an object; 0 where it has none (null)."""
    definition = duel.definition(ref)
    match stat:
        case "might":
            if ref in duel.game.store.values:
                return asking.might(duel, ref)
            known = duel.game.last_known(ref, "might")
            return int(known if known is not None else definition.might)
        case "base might":
            return int(definition.might)
        case "energy":
            return int(definition.energy)
        case "power":
            return len(definition.power)
    value = duel.game.look(ref)
    if not isinstance(value, Permanent):
        return 0
    match stat:
        case "damage":
            return value.damage
        case "buffs":
            return value.buffs
        case "hunt":
            known = duel.game.last_known(ref, "hunt")
            return int(known or 0) if known is not None else _hunt(duel, ref)
        case "lethal":
            return max(0, stat_of(duel, ref, "might") - value.damage)
    raise Unresolved(f"no such number of an object: {stat!r}")


def _hunt(duel: Duel, ref: Ref) -> int:
    return asking.keywords_of(duel, ref).get("Hunt", 0) if duel.is_there(ref) else 0


def seat_stat(duel: Duel, seat: Seat, stat: str) -> int:
    """A number of a player."""
    match stat:
        case "points" | "energy" | "xp":
            return int(getattr(duel.player(seat), stat))
        case "hand" | "trash":
            return len(duel.game.board.zone(f"{stat}:{seat}"))
        case "runes":
            return len(permanents_of(duel, seat, "rune"))
        case "battlefields":
            return sum(field.controller == seat for field in duel.battlefields())
        case "power":
            return sum(amount for _, amount in duel.player(seat).power)
    raise Unresolved(f"no such number of a player: {stat!r}")


def holds(duel: Duel, scope: Scope, word: str, amount: int) -> bool:
    """Whether a state word of the game holds for the ability's controller or source."""
    seat = scope.controller
    if seat == NOBODY:
        return word in _OF_SOURCE and _source_holds(duel, scope, word)
    you = duel.player(seat)
    match word:
        case "legion":
            # 812.1.c: another card; the one being played counts once it is finalized itself.
            return you.finalized > (1 if _counts_itself(duel, scope) else 0)
        case "this turn played cards":
            return you.finalized >= amount
        case "level":
            return you.xp >= amount
        case "first turn":
            return duel.turn_player() == seat and you.turns == 1
        case "opponent near victory":
            return victory_score(duel) - duel.player(duel.opponent(seat)).points <= amount
        case "you near victory":
            return victory_score(duel) - you.points <= amount
        case "conquered this turn" | "scored this turn":
            events = ["conquered"] if word.startswith("conquered") else ["conquered", "held"]
            log = duel.game.log
            return any(done.player == seat for event in events for done in log.this_turn(event))
        case "showdown":
            return duel.showdown is not None
    return _source_holds(duel, scope, word)


def _counts_itself(duel: Duel, scope: Scope) -> bool:
    done = duel.game.log.this_turn("card finalized")
    return any(message.fact("card") == _card(scope.source.object) for message in done)


def _card(ref: Ref | None) -> int:
    return ref.card if ref is not None else -1


_OF_SOURCE = ("combat here", "at battlefield", "attacking", "defending", "in combat")
"""What may be so of the source of an ability that nobody controls (187.6.c)."""


def _source_holds(duel: Duel, scope: Scope, word: str) -> bool:
    ref = scope.source.object
    place = source_place(duel, scope)
    going_on = duel.showdown
    match word:
        case "combat here":
            return going_on is not None and going_on.combat and going_on.place == place
        case "at battlefield":
            return is_battlefield(place)
        case "attacking" | "defending":
            return ref is not None and is_state(duel, ref, word)
        case "in combat":
            return ref is not None and (
                is_state(duel, ref, "attacking") or is_state(duel, ref, "defending")
            )
    raise Unresolved(f"no such state of the game: {word!r}")


def victory_score(duel: Duel) -> int:
    """194: the points needed to win."""
    return printed_score(duel) + summed(numbers.score_parts(duel))


def printed_score(duel: Duel) -> int:
    """The same before anything changes it."""
    return duel.setup.victory_score or VICTORY_SCORE


def tally(duel: Duel, scope: Scope, node: Tally) -> int:
    """How often an event happened this turn."""
    if node.window != "this turn":
        raise Unresolved(f"events are counted for this turn only, not {node.window!r}")
    events = duel.game.log.this_turn(node.when.event)
    return sum(happens(node.when, message, scope) for message in events)


def place_facts(old: str, new: str) -> dict[str, Any]:
    """The facts of a move: the kinds of both places, and the places."""
    return {
        "from": kind_of_place(old),
        "to": kind_of_place(new),
        "from_place": old,
        "to_place": new,
    }


def replace(value: Permanent, **fields: Any) -> Permanent:
    """A permanent's value with other fields, for asking what would be."""
    return msgspec.structs.replace(value, **fields)
