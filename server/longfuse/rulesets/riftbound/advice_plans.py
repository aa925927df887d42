"""Advice: which units to move where, and what the rest of the turn would bring.

Owns the choice of a standard move and `outlook`: the events and the value that a position leads to
when its seat goes on sensibly, as far as that can be told from the board alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from longfuse.rulesets.riftbound.advice_combat import CARD, NOTHING, POINT, Events, fight, value
from longfuse.rulesets.riftbound.advice_table import VICTORY_SCORE, Piece, Table, at_battlefield

MOVES_MAX = 2
"""How many moves one after the other are looked ahead."""
LEAST_GAIN = 0.05
GROUP_MAX = 6


class Move(NamedTuple):
    """Some units to one place, and what that leads to."""

    units: tuple[str, ...]
    place: str
    table: Table
    events: Events
    bonus: float
    gain: float


def outlook(table: Table) -> tuple[Events, float]:
    """What is going to happen this turn, and what the position is worth then."""
    now = table
    events, bonus = NOTHING, 0.0
    if table.combat:
        now = table.copy()
        events, bonus = fight(now, table.combat, attacking=table.attacking)
        taken = _take(now, table.combat) if table.attacking else _lose(now, table.combat)
        events = joined(events, taken[0])
        bonus += taken[1]
    if table.my_turn and table.phase == "main":
        for _ in range(MOVES_MAX if table.looks[0] > 0 else 0):
            move = best_move(now)
            if move is None:
                break
            now = move.table
            events = joined(events, move.events)
            bonus += move.bonus
    return events, value(now) + bonus


def joined(one: Events, other: Events) -> Events:
    """Both."""
    if other is NOTHING:
        return one
    if one is NOTHING:
        return other
    return Events(
        one.damaged | other.damaged,
        one.died | other.died,
        one.moved | other.moved,
        one.conquered | other.conquered,
        one.acted | other.acted,
    )


def best_move(table: Table) -> Move | None:
    """The standard move that gains most; None if none gains anything."""
    best: Move | None = None
    before = value(table)
    for units, place in _candidates(table):
        table.look()
        move = imagine(table, units, place, before)
        if move.gain > (best.gain if best is not None else LEAST_GAIN):
            best = move
    return best


def movers(table: Table) -> list[Piece]:
    """The seat's units that could take a standard move."""
    return [
        piece
        for piece in table.pieces.values()
        if piece.mine and piece.kind == "unit" and not piece.exhausted and "move" not in piece.fixed
    ]


def _candidates(table: Table) -> Iterator[tuple[list[Piece], str]]:
    """Per battlefield: the strongest one, two, … that can go there, and each single one."""
    able = movers(table)
    if not able:
        return
    for place in table.fields:
        enemies = table.units_at(place, mine=False)
        here = [
            piece
            for piece in able
            if piece.place != place
            and (not at_battlefield(piece) or "Ganking" in piece.keywords)
            and not (enemies and "attack" in piece.fixed)
        ]
        here.sort(key=lambda piece: -(piece.might + piece.assault))
        for many in range(1, min(len(here), GROUP_MAX) + 1):
            yield here[:many], place
        for piece in here[1:] if len(enemies) < 2 else ():
            yield [piece], place


def imagine(table: Table, units: list[Piece], place: str, before: float) -> Move:
    """Move units and let come what comes of it."""
    after = table.copy()
    bonus = 0.0
    contested = bool(after.units_at(place, mine=False))
    moved = [after.pieces[unit.key] for unit in units]
    for piece in moved:
        if at_battlefield(piece) and len(after.units_at(piece.place, mine=True)) == 1:
            _leave(after, piece.place)
        piece.place = place
        piece.exhausted = True
    acted: list[int] = []
    if contested:
        for piece in moved:
            bonus += _attacks(piece, acted)
    events = Events(moved=frozenset(piece.key for piece in moved), acted=frozenset(acted))
    fought, more = fight(after, place, attacking=True)
    for piece in moved if contested else ():
        piece.might -= sum(int(mark.number) for mark in piece.marks if mark.kind == "attack")
    taken, won = _take(after, place)
    bonus += more + won
    events = joined(joined(events, fought), taken)
    keys = tuple(unit.key for unit in units)
    return Move(keys, place, after, events, bonus, value(after) + bonus - before)


def _leave(table: Table, place: str) -> None:
    """Nobody is left there: control is lost."""
    if not table.units_at(place, mine=False):
        table.fields[place] = None


def _attacks(piece: Piece, acted: list[int]) -> float:
    """What waits for an attack gives the attacker its Might for the combat."""
    bonus = 0.0
    for mark in piece.marks:
        if mark.kind == "attack":
            piece.might += int(mark.number)
            acted.append(mark.id)
            bonus += 0.3
    return bonus


def _take(table: Table, place: str) -> tuple[Events, float]:
    """The seat conquers a battlefield where only its units are."""
    if table.units_at(place, mine=False) or not table.units_at(place, mine=True):
        return NOTHING, 0.0
    if table.fields.get(place) == table.seat:
        return NOTHING, 0.0
    table.fields[place] = table.seat
    bonus = 0.0
    acted = []
    if place not in table.scored:
        table.scored = table.scored | {place}
        bonus += conquer(table)
        for mark in table.marks:
            if mark.kind == "conquer":
                bonus += mark.number
                acted.append(mark.id)
    return Events(conquered=frozenset({place}), acted=frozenset(acted)), bonus


def conquer(table: Table) -> float:
    """470: a point, or for the last one a card unless every battlefield was scored."""
    last = table.points[0] + 1 >= VICTORY_SCORE
    if last and any(place not in table.scored for place in table.fields):
        return CARD
    table.points[0] += 1
    return POINT * 0.1


def _lose(table: Table, place: str) -> tuple[Events, float]:
    """The other conquers what the seat has lost."""
    if table.units_at(place, mine=True) or not table.units_at(place, mine=False):
        return NOTHING, 0.0
    table.fields[place] = 1 - table.seat
    table.points[1] += 1
    return NOTHING, 0.0
