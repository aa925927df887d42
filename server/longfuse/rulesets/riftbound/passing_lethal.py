"""The lethal sum in riftbound: what would win the game for another, or kill all units at a place.

Owns what a seat is warned of before it passes, read from its own view: the combat and the
showdowns as they stand, what others have on the chain, and the points that another is about to
score. It is a warning, not a forecast: words of cards that change damage or scoring are not read,
an amount that has no number counts as enough, and the rule about the last point (470) is left out.
So it rather warns once too often.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from longfuse.rulesets import passing_facts as facts
from longfuse.rulesets.passing import Interruption
from longfuse_protocol.views import View

Entity = Mapping[str, Any]
Objects = Sequence[tuple[str, Entity]]

DEALS = re.compile(r"\b[Dd]eals? (\d+)?")
KILLS = re.compile(r"\b[Kk]ill (?!this\b|me\b)")
MASS = re.compile(r"\b(all|each|every)\b")
POINTS = re.compile(r"\b(?:(\d+)|a|one) points?\b")


def lethal(view: View, seat: int, then: Sequence[str]) -> Iterator[Interruption]:
    """All that is lethal for the seat as it stands.

    then: the marks of the next turn that come if nobody does anything now.
    """
    yield from _in_combat(view, seat)
    for key, item in facts.of_others(view, seat):
        yield from _by_an_item(view, seat, key, item)
    for other in facts.others(view, seat):
        yield from _by_points(view, seat, other, then)


# ---------------------------------------------------------------- units


def _in_combat(view: View, seat: int) -> Iterator[Interruption]:
    showdown = facts.entity(view, "showdown")
    if showdown and showdown["combat"] and _is_overwhelmed(view, showdown["place"], seat):
        place = showdown["place"]
        text = f"the combat at {_name(view, place)} would kill all your units there"
        yield Interruption("lethal", text, f"lethal:combat:{place}")


def _is_overwhelmed(view: View, place: str, seat: int) -> bool:
    """Whether the others' Might there is enough for all units of the seat's."""
    mine = _units(view, seat, place)
    theirs = [
        unit
        for other in facts.others(view, seat)
        for _, unit in _units(view, other, place)
        if not unit["stunned"]
    ]
    needed = sum(_left(unit) for _, unit in mine)
    return bool(mine) and bool(theirs) and sum(unit["might"] for unit in theirs) >= needed


def _by_an_item(view: View, seat: int, key: str, item: Entity) -> Iterator[Interruption]:
    """An item that deals damage to, or kills, what it has chosen, or all units that it names."""
    text = facts.text_of(view, item)
    enough = _damage(text)
    if not enough:
        return
    mine = _units(view, seat)
    hit = {one for one, _ in mine} if MASS.search(text) else set(item["targets"])
    for place in dict.fromkeys(unit["place"] for _, unit in mine):
        there = _units(view, seat, place)
        if all(one in hit and _left(unit) <= enough for one, unit in there):
            words = f"{item['source']} would kill all your units at {_name(view, place)}"
            name = facts.name_of(item)
            yield Interruption("lethal", words, f"lethal:{key}:{place}", source=name)


def _damage(text: str) -> float:
    """How much a text deals to one unit at the most."""
    if KILLS.search(text):
        return float("inf")
    amounts = [found[1] for found in DEALS.finditer(text)]
    return sum(float("inf") if one is None else int(one) for one in amounts)


def _units(view: View, seat: int, place: str = "") -> Objects:
    """A seat's units there, or anywhere on the board, in its order."""
    return [
        (key, unit)
        for key, unit in _on_board(view, "unit")
        if unit["controller"] == seat and (not place or unit["place"] == place)
    ]


def _on_board(view: View, type_: str) -> Objects:
    keys = facts.entity(view, "zone:board").get("objects", ())
    found = ((key, facts.entity(view, key)) for key in keys)
    return [(key, fields) for key, fields in found if fields.get("type") == type_]


def _left(unit: Entity) -> int:
    """How much damage kills it: at least 1, whatever its Might."""
    return int(max(1, unit["might"] - unit["damage"]))


# ---------------------------------------------------------------- points


def _by_points(view: View, seat: int, other: int, then: Sequence[str]) -> Iterator[Interruption]:
    """The victory score, with what another is about to conquer, to hold, and to be given."""
    player, goal = facts.entity(view, f"seat:{other}"), facts.entity(view, "goal")
    found: dict[str, int] = {}
    for key, field in _on_board(view, "battlefield"):
        is_held = field["controller"] == other and _holds_next(view, other, then)
        if is_held or _takes(view, seat, other, field):
            found[key] = 1
    for key, item in facts.of_others(view, seat):
        given = [int(one[1] or 1) for one in POINTS.finditer(facts.text_of(view, item))]
        if given and item["controller"] == other:
            found[key] = sum(given)
    total = player.get("points", 0) + sum(found.values())
    if found and total >= goal["points"]:
        text = f"{player['name']} would have {total} of {goal['points']} points"
        yield Interruption("lethal", text, f"lethal:points:{','.join(found)}")


def _takes(view: View, seat: int, other: int, field: Entity) -> bool:
    """Whether a battlefield is about to be conquered: contested, and nobody there keeps it."""
    place = field["place"]
    if field["contested_by"] != other or place in facts.entity(view, f"seat:{other}")["scored"]:
        return False
    return not _units(view, seat, place) or _is_overwhelmed(view, place, seat)


def _holds_next(view: View, other: int, then: Sequence[str]) -> bool:
    """Whether the next that happens is that player's Scoring Step."""
    return "scoring" in then and facts.next_seat(view) == other


def _name(view: View, place: str) -> str:
    """A place in words."""
    fields = _on_board(view, "battlefield")
    return next((str(one["card"]) for _, one in fields if one["place"] == place), "your base")
