"""Seeing: what each viewer may know of a duel's objects, players and chain (1.2 of the zones'
rules).

Owns which zones are public, private or secret, and the fields of every entity of a view. Default
deny: a field that is not put here is not shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from longfuse.abilities.evaluate import players
from longfuse.game.chain import chosen_by, more_of_item
from longfuse.game.faces import Face
from longfuse.rulesets.passing_facts import source_name
from longfuse.rulesets.riftbound import asking, chain, hidden, looking, numbers
from longfuse.rulesets.riftbound.state import Battlefield, Permanent
from longfuse.timing.messages import ask
from longfuse.timing.references import NOBODY, Ref, Seat

if TYPE_CHECKING:
    from longfuse.game.state import ChainItem
    from longfuse.rulesets.riftbound.duel import Duel

Keys = Callable[[Ref], str | None]
Entity = dict[str, Any]

PUBLIC = ("board", "chain", "trash", "banishment", "champion")


def sees(duel: Duel, viewer: object, ref: Ref, zone: str) -> bool:
    """Public zones are seen by all, a hand by its player, a hidden card by its controller."""
    word, _, seat = zone.partition(":")
    if word in PUBLIC:
        return True
    if word == "hand":
        return viewer == int(seat)
    if word == "facedown":
        return viewer == duel.owner_of(ref)
    return False


def is_public(duel: Duel, ref: Ref) -> bool:
    """Whether all players see an object's face where it is."""
    return duel.game.board.place(ref.card).zone.partition(":")[0] in PUBLIC


def object_view(duel: Duel, ref: Ref) -> Face:
    """An object that is seen: its card, and on the board its state."""
    card = duel.game.board.card(ref)
    definition = duel.definition(ref)
    found: Entity = {
        "card": duel.card_name(ref),
        "type": definition.type,
        "owner": card.owner,
        "zone": duel.game.board.place(ref.card).zone,
        "energy": definition.energy,
        "power": list(definition.power),
        "text": definition.text,
    }
    value = duel.game.store.values.get(ref)
    if definition.type == "unit":
        found["might"] = (
            asking.might(duel, ref) if isinstance(value, Permanent) else definition.might
        )
    if card.token:
        found["token"] = True
    if isinstance(value, Battlefield):
        found |= _battlefield(value)
        found["facedown"] = hidden.shown(duel, value.place)
    if not isinstance(value, Permanent):
        return Face(found)
    is_in_play = value.zone == "board"
    found |= _permanent(duel, ref, value) if is_in_play else {"place": value.place}
    more, parts = numbers.changed(duel, ref, value, found)
    return Face(found | more, value.attached_to if is_in_play else None, parts)


_ANY = tuple(ask(word) for word in ("controller", "ability", "no abilities"))
_UNIT = (*_ANY, *(ask(word) for word in ("might", "keyword", "no keyword")))


def view_asks(duel: Duel, ref: Ref) -> tuple[str, ...] | None:
    """What passives are asked to show an object with a state; a battlefield shows what is at it."""
    value = duel.game.store.values[ref]
    if isinstance(value, Battlefield):
        return None
    return _UNIT if value.type == "unit" else _ANY


def _permanent(duel: Duel, ref: Ref, value: Permanent) -> Entity:
    found: Entity = {
        "controller": asking.controller(duel, ref),
        "place": value.place,
        "exhausted": value.exhausted,
    }
    if value.type == "unit":
        keywords = asking.keywords_of(duel, ref)
        found |= {
            "damage": value.damage,
            "buffs": value.buffs,
            "stunned": value.stunned,
            "designation": value.designation,
            "keywords": sorted(keywords),
        }
        amounts = {word: amount for word, amount in keywords.items() if amount > 1}
        if amounts:
            found["keyword_amounts"] = amounts
    return found


def _battlefield(value: Battlefield) -> Entity:
    return {
        "place": value.place,
        "controller": None if value.controller == NOBODY else value.controller,
        "contested_by": None if value.contested_by == NOBODY else value.contested_by,
    }


def seat_view(duel: Duel, seat: Seat) -> Entity:
    """A player's public numbers."""
    player = duel.player(seat)
    return {
        "name": player.name,
        "points": player.points,
        "energy": player.energy,
        "power": dict(player.power),
        "xp": player.xp,
        "scored": list(player.scored),
    }


def more_views(duel: Duel, key: Keys) -> dict[str, Entity]:
    """The points that win, the chain from bottom to top, and the showdown."""
    found: dict[str, Entity] = {
        "goal": numbers.goal(duel, looking.victory_score(duel), looking.printed_score(duel), key)
    }
    on_chain = chain.items(duel)
    found["chain"] = {"items": [f"item:{item.id}" for item in on_chain]}
    for item in on_chain:
        targets = [key(ref) for ref in chosen_by(item) if duel.is_there(ref)]
        found[f"item:{item.id}"] = {
            "source": item.source.card,
            "controller": item.controller,
            "kind": item.kind,
            "state": item.state,
            "object": key(item.object) if item.object is not None else None,
            "targets": [target for target in targets if target is not None],
        }
        if item.kind == "ability" and item.ability is not None:
            found[f"item:{item.id}"]["words"] = _words(duel, item)
        found[f"item:{item.id}"] |= more_of_item(duel.game, item)
    for seat in shown_hands(duel):
        hand = duel.game.board.zone(f"hand:{seat}")
        found[f"shown:hand:{seat}"] = {"cards": [duel.card_name(ref) for ref in hand]}
    showdown = duel.showdown
    if showdown is not None:
        found["showdown"] = {
            "place": showdown.place,
            "combat": showdown.combat,
            "focus": showdown.focus,
        }
    return found


def shown_hands(duel: Duel) -> list[Seat]:
    """Whose hands a passive reveals to everybody for as long as it applies."""
    found = [
        seat
        for _, change, scope in asking.answers(duel, "hand size shown", None)
        for seat in players(change.who, scope)
    ]
    return [seat for seat in duel.seats() if seat in found]


def _words(duel: Duel, item: ChainItem) -> str:
    """What an ability on the chain says: as its card says it, else in the rules' words."""
    ref = item.source.object
    is_delayed = item.record is not None and item.record.delayed
    if ref is None or item.ability.text or is_delayed or not duel.game.board.is_there(ref):
        return duel.words(item.ability)
    return duel.definition(ref).text or duel.words(item.ability)


def item_name(duel: Duel, item: ChainItem) -> str:
    """An item as prompts and yields name it."""
    is_ability = item.kind == "ability" and item.ability is not None
    return source_name(item.source.card, _words(duel, item) if is_ability else "")
