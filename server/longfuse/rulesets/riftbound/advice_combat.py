"""Advice: how a fight at a battlefield would end, and what a position is worth.

Owns the simulation of one combat without further plays, and `value`.
It works on a `Table` and never asks the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import NamedTuple

from longfuse.rulesets.riftbound.advice_table import VICTORY_SCORE, Mark, Piece, Table

POINT = 4.0
CONTROL = 3.5
CARD = 1.2
WIN = 1000.0


class Events(NamedTuple):
    """What would happen, by the keys of pieces. acted: the ids of waiting abilities that would."""

    damaged: frozenset[str] = frozenset()
    died: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    conquered: frozenset[str] = frozenset()
    acted: frozenset[int] = frozenset()


NOTHING = Events()


class Side(NamedTuple):
    """One side's losses. worth: of what died. bonus: of marks that acted, to the seat."""

    damaged: list[Piece]
    died: list[Piece]
    saved: list[Piece]
    acted: list[int]
    worth: float
    bonus: float


def strike(table: Table, total: int, targets: list[Piece], order: Iterable[Piece]) -> Side:
    """Deal damage to units one after the other, each its lethal damage in full; the rest to the
    last."""
    amounts: list[tuple[Piece, int]] = []
    left = total
    for piece in order:
        points = sum(int(mark.number) for mark in piece.marks if mark.kind == "prevent")
        given = min(left, piece.lethal + points)
        if given > 0:
            amounts.append((piece, given))
            left -= given
    if left > 0 and amounts:
        piece, given = amounts[-1]
        amounts[-1] = (piece, given + left)
    side = Side([], [], [], [], 0.0, 0.0)
    worth = bonus = 0.0
    saves = [
        mark for mark in table.marks if mark.kind == "save" and (mark.number > 0) == _own(targets)
    ]
    dooms = [mark for mark in table.marks if mark.kind == "doom"]
    for piece, given in amounts:
        dead, more = _suffer(side, piece, given, dooms)
        bonus += more
        if dead:
            save = next((mark for mark in piece.marks if mark.kind == "save"), None)
            if save is None and saves:
                save = saves.pop(0)
            if save is not None:
                side.saved.append(piece)
                side.acted.append(save.id)
            else:
                side.died.append(piece)
                worth += piece.worth
                for mark in piece.marks:
                    if mark.kind == "bounty":
                        bonus += mark.number
                        side.acted.append(mark.id)
    return side._replace(worth=worth, bonus=bonus)


def _own(pieces: list[Piece]) -> bool:
    return bool(pieces) and pieces[0].mine


def _suffer(side: Side, piece: Piece, given: int, dooms: list[Mark]) -> tuple[bool, float]:
    """Whether a unit dies of damage, and what its marks bring meanwhile."""
    bonus = 0.0
    for mark in piece.marks:
        match mark.kind:
            case "shield":
                side.acted.append(mark.id)
                return False, bonus
            case "prevent":
                given -= int(mark.number)
                side.acted.append(mark.id)
            case "times":
                given = int(given * mark.number)
                side.acted.append(mark.id)
            case "plus":
                given += int(mark.number)
                side.acted.append(mark.id)
    if given <= 0:
        return False, bonus
    side.damaged.append(piece)
    dead = given >= piece.lethal
    for mark in (*piece.marks, *dooms):
        if mark.kind == "doom":
            side.acted.append(mark.id)
            dead = True
        elif mark.kind == "hurt":
            side.acted.append(mark.id)
            bonus += mark.number
    return dead, bonus


def best_strike(table: Table, total: int, targets: list[Piece], *, harm: float) -> Side:
    """The order of assigning damage that is best for who assigns it. harm: 1 if that is the seat's
    own side, -1 if it is the other."""
    found: Side | None = None
    for order in orders(targets):
        side = strike(table, total, targets, order)
        if found is None or side.worth + harm * side.bonus > found.worth + harm * found.bonus:
            found = side
    return found if found is not None else Side([], [], [], [], 0.0, 0.0)


def orders(targets: list[Piece]) -> Iterator[tuple[Piece, ...]]:
    """The orders worth trying: Tank first, Backline last (460.2.c)."""
    first = [one for one in targets if "Tank" in one.keywords]
    last = [one for one in targets if "Backline" in one.keywords and one not in first]
    rest = [one for one in targets if one not in first and one not in last]
    if len(targets) < 2:
        yield tuple(targets)
        return
    rest.sort(key=lambda one: (any(m.kind == "doom" for m in one.marks), -one.worth / one.lethal))
    if len(rest) <= 3:
        for middle in permutations(rest):
            yield (*first, *middle, *last)
    else:
        yield (*first, *rest, *last)
        yield (*first, *sorted(rest, key=lambda one: one.lethal), *last)


def fight(table: Table, place: str, *, attacking: bool) -> tuple[Events, float]:
    """Let both sides at a place deal their damage; the table is changed. Returns what happened, and
    what marks brought the seat."""
    mine, theirs = table.units_at(place, mine=True), table.units_at(place, mine=False)
    if not mine or not theirs:
        return NOTHING, 0.0
    attackers, defenders = (mine, theirs) if attacking else (theirs, mine)
    # Shield counts in the defenders' Might, for what kills them, too.
    for pieces, is_attacking in ((attackers, True), (defenders, False)):
        for piece in pieces:
            piece.might += piece.assault if is_attacking else piece.shield
    dealt, taken = _might(mine), _might(theirs)
    hit = best_strike(table, dealt, theirs, harm=1.0)
    hurt = best_strike(table, taken, mine, harm=-1.0)
    for pieces, is_attacking in ((attackers, True), (defenders, False)):
        for piece in pieces:
            piece.might -= piece.assault if is_attacking else piece.shield
    for side in (hit, hurt):
        for piece in side.died:
            del table.pieces[piece.key]
        for piece in side.saved:
            piece.place, piece.exhausted = table.home(piece), True
    _recall(table, place, attackers, defenders)
    return (
        Events(
            damaged=frozenset(piece.key for side in (hit, hurt) for piece in side.damaged),
            died=frozenset(p.key for side in (hit, hurt) for p in (*side.died, *side.saved)),
            acted=frozenset((*hit.acted, *hurt.acted)),
        ),
        hit.bonus + hurt.bonus,
    )


def _might(pieces: list[Piece]) -> int:
    return sum(piece.might for piece in pieces if not piece.stunned)


def _recall(table: Table, place: str, attackers: list[Piece], defenders: list[Piece]) -> None:
    """Attackers who have not won go home."""
    left = [one for one in attackers if one.key in table.pieces and one.place == place]
    stay = any(one.key in table.pieces and one.place == place for one in defenders)
    if left and stay:
        for piece in left:
            piece.place, piece.exhausted = table.home(piece), True


# ---------------------------------------------------------------- what a position is worth


def value(table: Table) -> float:
    """What a position is worth to its seat, nothing else happening this turn."""
    mine, theirs = table.points
    total = _points(mine) - _points(theirs) + CARD * (table.cards[0] - table.cards[1])
    threat = {True: 0, False: 0}
    standing: dict[tuple[str, bool], int] = {}
    for piece in table.pieces.values():
        total += piece.worth if piece.mine else -piece.worth
        if piece.kind == "unit":
            key = (piece.place, piece.mine)
            standing[key] = standing.get(key, 0) + piece.might + piece.shield
            if not piece.stunned:
                threat[piece.mine] += piece.might
    for place, controller in table.fields.items():
        if controller is not None:
            own = controller == table.seat
            here = max(0, standing.get((place, own), 0))
            held = 0.45 + 0.55 * (here + 0.5) / (here + 0.5 + 0.5 * max(0, threat[not own]))
            total += CONTROL * (held if own else -held) * _near(mine if own else theirs)
    return total


def _points(points: int) -> float:
    return POINT * points + (WIN if points >= VICTORY_SCORE else 0.0)


def _near(points: int) -> float:
    """Holding is worth more to who needs few points more."""
    return 3.0 if points >= VICTORY_SCORE - 1 else 1.5 if points >= VICTORY_SCORE - 2 else 1.0
