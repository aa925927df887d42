"""Facts of a riftbound game that position files may name: objects, players, chain, showdown.

Owns what each of those words stands for. It reads and changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from longfuse.game.positions.words import SEATS
from longfuse.rulesets.riftbound import asking, chain
from longfuse.rulesets.riftbound.position_places import field_name, zone_word
from longfuse.rulesets.riftbound.state import Permanent
from longfuse.timing.references import NOBODY, Ref, Seat

if TYPE_CHECKING:
    from longfuse.game.game import Game
    from longfuse.rulesets.riftbound.duel import Duel


def object_facts(duel: Duel, ref: Ref) -> dict[str, Any]:
    """What an object is like now."""
    card = duel.game.board.card(ref)
    zone = duel.game.board.place(ref.card).zone
    value = duel.game.store.values.get(ref)
    found: dict[str, Any] = {
        "zone": zone_word(zone, duel.game.place_of(ref), card.definition.type),
        "owner": SEATS[card.owner],
        "controller": _seat_name(duel.controller_of(ref)),
        "token": card.token,
        "damage": 0,
        "exhausted": False,
        "buffs": 0,
        "stunned": False,
        "attached_to": None,
        "designation": "none",
        "counters": {},
        "keywords": [],
        "might": card.definition.might,
        "energy": card.definition.energy,
        "at": _in_deck(duel, zone, ref),
    }
    if isinstance(value, Permanent) and zone == "board":
        found.update(_on_board(duel, value))
    return found


def _on_board(duel: Duel, value: Permanent) -> dict[str, Any]:
    found: dict[str, Any] = {
        "damage": value.damage,
        "exhausted": value.exhausted,
        "buffs": value.buffs,
        "stunned": value.stunned,
        "attached_to": value.attached_to,
        "designation": value.designation or "none",
    }
    if value.type == "unit":
        found["might"] = asking.might(duel, value.ref)
        found["keywords"] = _keywords(asking.keywords_of(duel, value.ref))
    return found


def _in_deck(duel: Duel, zone: str, ref: Ref) -> str | None:
    if zone.partition(":")[0] not in ("deck", "runes"):
        return None
    refs = duel.game.board.zone(zone)
    if refs[-1] == ref:
        return "top"
    return "bottom" if refs[0] == ref else "between"


def seat_facts(duel: Duel, seat: Seat) -> dict[str, Any]:
    """A player's numbers."""
    player = duel.player(seat)
    zone = duel.game.board.zone
    runes = [
        ref
        for ref in zone("board")
        if duel.game.store.values[ref].type == "rune" and duel.controller_of(ref) == seat
    ]
    return {
        "points": player.points,
        "energy": player.energy,
        "power": dict(player.power),
        "xp": player.xp,
        "hand": len(zone(f"hand:{seat}")),
        "hand_cards": [ref.card for ref in zone(f"hand:{seat}")],
        "deck": len(zone(f"deck:{seat}")),
        "trash": len(zone(f"trash:{seat}")),
        "banishment": len(zone(f"banishment:{seat}")),
        "runes": len(runes),
        "rune_deck": len(zone(f"runes:{seat}")),
    }


def game_facts(duel: Duel, game: Game, acting: Seat) -> dict[str, Any]:
    """The chain, the showdown, who may act, whose turn and phase it is, who controls what."""
    going_on, result = duel.showdown, game.result
    return {
        "chain": _chain(duel),
        "showdown": _showdown(duel),
        "priority": _seat_name(acting),
        "focus": _seat_name(going_on.focus if going_on is not None else NOBODY),
        "turn": _seat_name(game.now.owner),
        "phase": game.now.place,
        "winner": _seat_name(result.winner if result is not None else None),
        "control": {
            field_name(field.place): _seat_name(field.controller) for field in duel.battlefields()
        },
    }


def _chain(duel: Duel) -> list[dict[str, Any]]:
    found = []
    for item in chain.items(duel):
        source = item.card if item.card is not None else item.source.object
        found.append(
            {
                "source": source.card if source is not None else None,
                "controller": SEATS[item.controller],
                "kind": item.kind,
                "state": item.state,
            }
        )
    return found


def _showdown(duel: Duel) -> dict[str, Any] | str:
    going_on = duel.showdown
    if going_on is None:
        return "none"
    return {
        "at": field_name(going_on.place),
        "combat": going_on.combat,
        "attacker": _seat_name(going_on.attacker),
        "defender": _seat_name(going_on.defender),
        "focus": _seat_name(going_on.focus),
    }


def _seat_name(seat: Seat | None) -> str:
    return SEATS[seat] if seat is not None and seat >= 0 else "none"


def _keywords(have: Mapping[str, int]) -> list[str]:
    """Keywords with and without their amounts: "Assault", "Assault 2"."""
    found = list(have)
    return found + [f"{word} {number}" for word, number in have.items() if number]
