"""The words of position files that are the same for every ruleset.

Owns the keys of each table and the fixed words of prompts, reasons and windows. A ruleset adds its
own phases, zones and facts (`rules.Vocabulary`).
"""

from __future__ import annotations

from longfuse.game.positions.schema import (
    ANY,
    BOOLEAN,
    COUNT,
    LIST,
    NUMBER,
    TABLE,
    TEXT,
    Field,
)

SEATS = ("P1", "P2")

PROMPT_KINDS = (
    "priority", "focus", "target", "card", "may", "mode", "order", "first", "divide", "number",
    "pay", "replacement", "mulligan", "assign", "action",
)  # fmt: skip
WAITING_KINDS = ("trigger", "replacement", "passive", "link")
ENDED_REASONS = ("fired", "expired", "declined", "ended by another", "not created", "player left")
BECAUSE = (
    "timing", "priority", "cost", "target", "location", "ownership", "state", "forbidden",
    "limit", "hidden", "over",
)  # fmt: skip
CHAIN_KINDS = (
    "spell", "ability", "unit", "gear", "creature", "building", "item", "skill", "location",
    "enchantment",
)  # fmt: skip
CHAIN_STATES = ("pending", "finalized")

HEAD = {
    "id": Field(TEXT, needed=True),
    "title": Field(TEXT),
    "ruleset": Field(TEXT, needed=True),
    "rules": Field(LIST),
    "why": Field(TEXT),
    "options": Field(TABLE),
    "card": Field(LIST),
    "start": Field(TABLE),
    "battlefield": Field(LIST),
    "object": Field(LIST),
    "step": Field(LIST, needed=True),
}

SHOWDOWN = {
    "at": Field(TEXT, needed=True),
    "combat": Field(BOOLEAN),
    "attacker": Field(TEXT, SEATS),
    "focus": Field(TEXT, SEATS),
}

BATTLEFIELD = {
    "ref": Field(TEXT, needed=True),
    "card": Field(TEXT),
    "controller": Field(TEXT, (*SEATS, "none")),
    "contested_by": Field(TEXT, (*SEATS, "none")),
}

OBJECT = {
    "ref": Field(TEXT, needed=True),
    "card": Field(TEXT, needed=True),
    "zone": Field(TEXT, needed=True),
    "owner": Field(TEXT, SEATS, needed=True),
    "at": Field(TEXT, ("top", "bottom")),
    "controller": Field(TEXT, SEATS),
    "damage": Field(COUNT),
    "exhausted": Field(BOOLEAN),
    "buffs": Field(COUNT),
    "counters": Field(TABLE),
    "entered_with": Field(LIST),
    "attached_to": Field(TEXT),
    "stunned": Field(BOOLEAN),
    "suppressed": Field(BOOLEAN),
    "token": Field(BOOLEAN),
    "hidden_since": Field(TEXT, ("earlier turn", "this turn")),
}

_COMMON = {
    "do": Field(TEXT),
    "expect": Field(TABLE),
    "illegal": Field(BOOLEAN),
    "because": Field(TEXT, BECAUSE),
}
_SEAT = Field(TEXT, SEATS, needed=True)
_CHOICES = Field(LIST)
_UNTIL = Field(TEXT)

ACTIONS: dict[str, dict[str, Field]] = {
    "play": {
        "seat": _SEAT,
        "object": Field(TEXT, needed=True),
        "to": Field(TEXT),
        "choose": _CHOICES,
        "pay": Field(LIST),
        "modes": Field(LIST),
        "from": Field(TEXT),
    },
    "activate": {
        "seat": _SEAT,
        "object": Field(TEXT, needed=True),
        "ability": Field(TEXT),
        "choose": _CHOICES,
        "pay": Field(LIST),
        "modes": Field(LIST),
    },
    "move": {"seat": _SEAT, "objects": Field(LIST, needed=True), "to": Field(TEXT, needed=True)},
    "hide": {"seat": _SEAT, "object": Field(TEXT, needed=True), "to": Field(TEXT)},
    "attack": {"seat": _SEAT, "pairs": Field(ANY, needed=True)},
    "choose": {"seat": _SEAT, "answer": Field(ANY, needed=True), "if_asked": Field(BOOLEAN)},
    "pass": {"seat": _SEAT},
    "pass until empty": {"seat": Field(TEXT, SEATS)},
    "end turn": {"seat": _SEAT, "until": _UNTIL, "turn": Field(TEXT, SEATS)},
    "advance": {
        "until": Field(TEXT, needed=True),
        "turn": Field(TEXT, SEATS),
        "seat": Field(TEXT, SEATS),
    },
    "take back": {"seat": _SEAT},
    "concede": {"seat": _SEAT},
    "repeat": {"steps": Field(LIST, needed=True), "times": Field(COUNT, needed=True)},
}
"""Each action with its keys, those of every step left out."""


def step_fields(do: str) -> dict[str, Field]:
    """The keys of a step with that action ("" for one that only expects)."""
    return {**_COMMON, **ACTIONS.get(do, {})}


WAITING = {
    "source": Field(TEXT),
    "controller": Field(TEXT, SEATS),
    "kind": Field(TEXT, WAITING_KINDS),
    "about": Field(TEXT),
    "window": Field(TEXT),
    "uses": Field(ANY),
}
ENDED = {
    "source": Field(TEXT),
    "reason": Field(TEXT, ENDED_REASONS),
    "controller": Field(TEXT, SEATS),
    "kind": Field(TEXT, WAITING_KINDS),
    "about": Field(TEXT),
}
CHAIN = {
    "source": Field(TEXT),
    "controller": Field(TEXT, SEATS),
    "kind": Field(TEXT, CHAIN_KINDS),
    "state": Field(TEXT, CHAIN_STATES),
}
PROMPT = {
    "seat": Field(TEXT, SEATS),
    "kind": Field(TEXT, PROMPT_KINDS),
    "offers": Field(LIST),
    "not_offers": Field(LIST),
}
SHOWDOWN_FOUND = {
    "at": Field(TEXT),
    "combat": Field(BOOLEAN),
    "attacker": Field(TEXT, (*SEATS, "none")),
    "defender": Field(TEXT, (*SEATS, "none")),
    "focus": Field(TEXT, SEATS),
}
"""The tables within expectations."""

OBJECT_FACTS = {
    "zone": Field(TEXT),
    "owner": Field(TEXT, SEATS),
    "controller": Field(TEXT, SEATS),
    "damage": Field(NUMBER),
    "might": Field(NUMBER),
    "strength": Field(NUMBER),
    "exhausted": Field(BOOLEAN),
    "counters": Field(TABLE),
    "buffs": Field(NUMBER),
    "attached_to": Field(TEXT),
    "stunned": Field(BOOLEAN),
    "suppressed": Field(BOOLEAN),
    "token": Field(BOOLEAN),
    "keywords": Field(LIST),
    "designation": Field(TEXT, ("attacker", "defender", "none")),
    "at": Field(TEXT, ("top", "bottom")),
    "exists": Field(BOOLEAN),
    "same_object": Field(BOOLEAN),
}

FIXED = {
    "chain": Field(LIST),
    "waiting": Field(LIST),
    "waiting_count": Field(NUMBER),
    "ended": Field(LIST),
    "prompt": Field(ANY),
    "legal": Field(LIST),
    "illegal": Field(LIST),
    "happened": Field(TABLE),
    "showdown": Field(ANY),
    "priority": Field(TEXT, (*SEATS, "none")),
    "focus": Field(TEXT, (*SEATS, "none")),
    "turn": Field(TEXT, SEATS),
    "phase": Field(TEXT),
    "winner": Field(TEXT, (*SEATS, "none")),
    "control": Field(TABLE),
    "either": Field(LIST),
}
"""What an expectation may name beside refs and seats."""
