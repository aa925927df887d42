"""Seeing: what each viewer may know of a game's objects, players and queue.

Owns which zones are public, private or secret, and the fields of every entity of a view. Default
deny: a field that is not put here is not shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from longfuse.game import chain
from longfuse.game.faces import Face
from longfuse.rulesets.hkk import asking, counters, numbers
from longfuse.rulesets.hkk.combat import standing
from longfuse.rulesets.hkk.state import LIFE, Permanent
from longfuse.rulesets.passing_facts import source_name
from longfuse.timing.messages import ask
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.game.state import ChainItem
    from longfuse.rulesets.hkk.duel import Duel

Keys = Callable[[Ref], str | None]
Entity = dict[str, Any]

PUBLIC = ("board", "chain", "discard", "nothing")


def sees(viewer: object, zone: str) -> bool:
    """Public zones are seen by all, a hand by its player, a deck by nobody."""
    word, _, seat = zone.partition(":")
    if word in PUBLIC:
        return True
    return word == "hand" and viewer == int(seat)


def object_view(duel: Duel, ref: Ref) -> Face:
    """An object that is seen: its card, and in play its state and counters."""
    card = duel.game.board.card(ref)
    definition = duel.definition(ref)
    found: Entity = {
        "card": duel.card_name(ref),
        "type": definition.type,
        "owner": card.owner,
        "zone": duel.game.board.place(ref.card).zone,
        "cost": definition.cost,
        "text": definition.text,
    }
    value = duel.game.store.values.get(ref)
    is_in_play = isinstance(value, Permanent) and value.zone == "board"
    if definition.type == "creature":
        found["damage"] = asking.number(duel, ref, "damage") if is_in_play else definition.damage
        found["life"] = asking.number(duel, ref, "life") if is_in_play else definition.life
        found["keywords"] = sorted(
            asking.keywords_of(duel, ref) if is_in_play else definition.keywords
        )
    if card.token:
        found["token"] = True
    if not isinstance(value, Permanent) or not is_in_play:
        return Face(found)
    found |= _permanent(duel, ref, value)
    more, parts = numbers.changed(duel, ref, value, found)
    is_attached = value.attached_to is not None and duel.is_there(value.attached_to)
    return Face(found | more, value.attached_to if is_attached else None, parts)


_ANY = tuple(ask(word) for word in ("controller", "ability", "no abilities"))
_CREATURE = (*_ANY, *(ask(word) for word in ("damage", "life", "keyword", "no keyword")))


def view_asks(duel: Duel, ref: Ref) -> tuple[str, ...] | None:
    """What passives are asked to show an object with a state. What is attached shows whether that
    is still there."""
    value: Permanent = duel.game.store.values[ref]
    if value.attached_to is not None:
        return None
    return _CREATURE if value.type == "creature" else _ANY


def _permanent(duel: Duel, ref: Ref, value: Permanent) -> Entity:
    found: Entity = {
        "controller": asking.controller(duel, ref),
        "place": value.place,
        "passive": value.passive,
        "wounds": value.wounds,
    }
    if value.entered_with or value.counters:
        found["counters"] = dict(value.counters)
        found["entered_with"] = list(value.entered_with)
    if asking.suppressed(duel, ref, None):
        found["suppressed"] = True
        found["frozen"] = [
            kind for kind in found.get("counters", ()) if counters.is_frozen(duel, ref, kind)
        ]
    return found


def seat_view(duel: Duel, seat: Seat) -> Entity:
    """A player's public numbers."""
    player = duel.player(seat)
    return {
        "name": player.name,
        "life": player.life,
        "magic": player.magic,
        "turns": player.turns,
    }


def more_views(duel: Duel, key: Keys) -> dict[str, Entity]:
    """The life that players begin with, the queue from bottom to top, and the combat."""
    found: dict[str, Entity] = {"goal": {"life": LIFE}}
    queued = chain.items(duel.game)
    found["chain"] = {"items": [f"item:{item.id}" for item in queued]}
    for item in queued:
        targets = [key(ref) for ref in chain.chosen_by(item) if duel.is_there(ref)]
        found[f"item:{item.id}"] = {
            "source": item.source.card,
            "controller": item.controller,
            "kind": item.kind,
            "state": item.state,
            "object": key(item.object) if item.object is not None else None,
            "targets": [target for target in targets if target is not None],
        }
        if item.ability is not None:
            found[f"item:{item.id}"]["words"] = duel.words(item.ability)
        found[f"item:{item.id}"] |= chain.more_of_item(duel.game, item)
    combat = duel.combat
    if combat is not None:
        found["combat"] = {
            "attacker": combat.attacker,
            "attacks": [
                [key(one.attacker), key(one.target) if one.target is not None else None]
                for one in standing(duel, combat)
            ],
        }
    return found


def item_name(duel: Duel, item: ChainItem) -> str:
    """An item as prompts and yields name it."""
    is_ability = item.kind == "ability" and item.ability is not None
    return source_name(item.source.card, duel.words(item.ability) if is_ability else "")
