"""Whether all that changes in a view is told: each change of a frame, held against its events.

Reads frames as a client has them, of both rulesets. An event must be of a kind that can bring the
change about, and name the object, or be of the player whose it is. Not told, because it is the
prompt and not the table: who is asked, and who has focus.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Fields = Mapping[str, Any]
Changes = Mapping[str, Fields | None]

ABOUT: Mapping[str, frozenset[str]] = {
    "exhausted": frozenset({"exhausted", "readied"}),
    "damage": frozenset({"damage dealt", "damage set", "healed"}),
    "buffs": frozenset({"buffed", "buff spent"}),
    "stunned": frozenset({"stunned", "stun ended"}),
    "place": frozenset({"moved", "recalled", "attached", "control changed"}),
    "attached_to": frozenset({"attached", "detached"}),
    "controller": frozenset({"control changed", "battlefield taken", "battlefield lost"}),
    "contested_by": frozenset(
        {"contested", "contest ended", "showdown ended", "battlefield taken"}
    ),
    "passive": frozenset({"turned", "readied"}),
    "wounds": frozenset({"damage dealt", "healed"}),
    "counters": frozenset({"counter placed", "counter removed"}),
    "entered_with": frozenset({"counter placed"}),
}
"""What a card in play has, and the events that name the card and say how that came about."""
WORKED_OUT = frozenset(
    {"might", "keywords", "keyword_amounts", "parts", "suppressed", "frozen", "life"}
)
"""Numbers and words that follow from other things: something has happened, to whatever it was."""
COPIED = frozenset({"card", "type", "text", "energy", "power", "cost"})
DESIGNATED = frozenset({"mark:combat", "attacked", "left combat", "showdown ended"})
PAYING = frozenset(
    {"card finalized", "ability activated", "ability used", "ability finalized", "hidden", "paid"}
)
RUNES = PAYING | {"mark:awaken"}
POOLS = PAYING | {"added"}
OF_A_SEAT: Mapping[str, frozenset[str]] = {
    "points": frozenset({"points gained"}),
    "scored": frozenset({"held", "conquered"}),
    "xp": frozenset({"xp gained", "xp spent"}),
    "energy": POOLS,
    "power": POOLS,
    "life": frozenset({"player hurt", "life gained"}),
    "magic": PAYING | {"magic gained"},
    "turns": frozenset({"mark:turn"}),
}
ENDS_WAITING = frozenset({"ability triggered", "replaced", "ability ended"})


class Told(NamedTuple):
    """The events of one frame, by what they name and whose they are."""

    names: frozenset[str]
    of_object: Mapping[str, set[str]]
    of_player: Mapping[int, set[str]]
    texts: tuple[str, ...]

    @property
    def happened(self) -> bool:
        """Whether anything has but that a phase began."""
        return any(not name.startswith("mark:") for name in self.names)


def told(events: Sequence[Fields]) -> Told:
    """Sort the events of a frame."""
    of_object: dict[str, set[str]] = {}
    of_player: dict[int, set[str]] = {}
    for event in events:
        of_player.setdefault(event["player"], set()).add(event["event"])
        for key in event["objects"]:
            of_object.setdefault(key, set()).add(event["event"])
    names = frozenset(event["event"] for event in events)
    return Told(names, of_object, of_player, tuple(event["text"] for event in events))


class Reader:
    """One viewer's view, frame by frame."""

    def __init__(self, view: Mapping[str, Fields]) -> None:
        self.view = dict(view)
        self.read = 0
        """How many changes of fields were looked at."""

    def unexplained(self, events: Sequence[Fields], changes: Changes) -> Iterator[str]:
        """Take a frame; return each change that none of its events explains, in words."""
        before = self.view
        self.view = {**before, **{key: one for key, one in changes.items() if one is not None}}
        for key in (key for key, one in changes.items() if one is None):
            del self.view[key]
        seen = told(events)
        for key, after in changes.items():
            old = before.get(key)
            for field in _changed(old, after):
                self.read += 1
                if not self._is_explained(key, field, old or {}, after or {}, seen):
                    yield f"{key} {field}: {old} -> {after}, told {sorted(seen.names)}"

    def _is_explained(self, key: str, field: str, old: Fields, new: Fields, seen: Told) -> bool:
        kind, _, rest = key.partition(":")
        if kind == "asked":
            return True
        if kind == "mark":
            return _of_the_mark(field, new, seen)
        if kind == "seat":
            return _of_a_seat(int(rest), field, seen)
        if kind == "showdown":
            wanted = {"+": "mark:showdown", "-": "showdown ended", "combat": "mark:combat"}
            return field == "focus" or wanted[field] in seen.names
        if kind == "combat":
            wanted = {"+": "attacked", "-": "combat ended"}
            return wanted[field] in seen.names if field in wanted else seen.happened
        if kind in ("chain", "item", "goal"):
            return seen.happened
        if kind == "zone":
            # What lies open in it is held against the events by itself.
            return seen.happened
        if kind[0] == "w":
            return self._of_what_waits(field, seen)
        return self._of_an_object(key, field, old, new, seen)

    def _of_what_waits(self, field: str, seen: Told) -> bool:
        return bool(seen.names & ENDS_WAITING) if field == "-" else seen.happened

    def _of_an_object(self, key: str, field: str, old: Fields, new: Fields, seen: Told) -> bool:
        any_of = {**old, **new}
        zones = old.get("zone"), new.get("zone")
        said = seen.of_object.get(key, set())
        if any_of["type"] == "ability" or "chain" in zones:
            return seen.happened
        if any_of["type"] == "rune":
            return bool(said or seen.of_player.get(any_of["owner"], set()) & RUNES)
        if zones[0] != zones[1]:
            return bool(said) or ("board" not in zones and _is_named(any_of["card"], seen))
        if field == "designation":
            return bool(seen.names & DESIGNATED)
        if field == "facedown":
            return bool(seen.names & {"hidden", "revealed", "card finalized"})
        if field in ("place", "attached_to") and old.get("attached_to") in seen.of_object:
            return True
        if field in COPIED:
            return "copied" in said
        if _is_worked_out(field, any_of):
            return bool(seen.names)
        return bool(said & ABOUT[field])


def _changed(old: Fields | None, new: Fields | None) -> list[str]:
    if old is None or new is None:
        return ["+" if old is None else "-"]
    return sorted(field for field in {*old, *new} if old.get(field) != new.get(field))


def _of_the_mark(field: str, new: Fields, seen: Told) -> bool:
    if field in ("turn", "player"):
        return "mark:turn" in seen.names
    return f"mark:{new[field] or new['phase']}" in seen.names


def _of_a_seat(seat: int, field: str, seen: Told) -> bool:
    if field == "scored" and "mark:turn" in seen.names:
        return True
    if field in ("energy", "power") and seen.names & {"mark:main", "mark:expiration"}:
        return True
    return bool(seen.of_player.get(seat, set()) & OF_A_SEAT[field])


def _is_worked_out(field: str, fields: Fields) -> bool:
    """Whether it follows from other things. What one book calls damage, the other calls wounds."""
    is_strength = field == "damage" and "wounds" in fields
    return is_strength or field in WORKED_OUT or field.startswith("printed_")


def _is_named(card: str, seen: Told) -> bool:
    """Whether a sentence speaks of a card that came from where this viewer did not see it."""
    return any(card in text for text in seen.texts)
