"""Advice: imagining what a program does to a position.

Owns the game actions as a player thinks of them: what they change on a `Table`, and what they are
worth besides. Delayed abilities that a program creates are handed to `advice_waiting`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from longfuse.abilities.ability import Create, Do, Effect, ForEach, If, May, Modes, Program, Then
from longfuse.abilities.nodes import (
    Compare,
    Each,
    Named,
    NamedAmount,
    Players,
    Selector,
    Stat,
    This,
    Who,
)
from longfuse.rulesets.riftbound.advice_combat import CARD, POINT, Events
from longfuse.rulesets.riftbound.advice_table import Piece, Table, at_battlefield

Names = dict[str, tuple[str, ...]]
"""Keys of entities under the names of a program."""
Creating = Callable[["Imagined", Create, Names], None]


class Imagined:
    """A position with a program carried out in it. worth: what it gave besides, in Might."""

    def __init__(self, table: Table, mine: bool, source: str = "", create: Creating | None = None):
        self.table = table
        self.mine = mine
        self.source = source
        self.worth = 0.0
        self.create = create
        self.waits: list[Any] = []
        """What `create` has to say of the abilities that were created."""
        self.boost = 0
        """Bonus Damage of the spell that is imagined."""
        self.hit: list[str] = []
        self.acted: set[int] = set()

    @property
    def sign(self) -> int:
        """Whose gain it is."""
        return 1 if self.mine else -1

    # -------------------------------------------------------------- running

    def run(self, body: Sequence[Effect], names: Names) -> None:
        """Carry out effects in order; what depends on more than the board is taken as it reads."""
        for effect in body:
            match effect:
                case Do():
                    self._do(effect, names)
                case If(then=then) | May(body=then):
                    self.run(then, names)
                case ForEach(body=each, objects=what):
                    for piece in self.pieces(what, names)[:8]:
                        self.run(each, {**names, "each": (piece.key,)})
                case Modes(options=options, most=most):
                    self._modes(options, most, names)
                case Create():
                    if self.create is not None:
                        self.create(self, effect, names)
                case Then(program=program):
                    self.run(program.body, names)

    def _modes(self, options: Sequence[tuple[str, Program]], most: int, names: Names) -> None:
        del names
        self.worth += self.sign * 1.5 * min(most, len(options))

    # -------------------------------------------------------------- looking

    def pieces(self, what: Any, names: Names) -> list[Piece]:
        """The pieces that an expression speaks of."""
        table = self.table
        match what:
            case This():
                keys: tuple[str, ...] = (self.source,)
            case Named(name=name):
                keys = names.get(name, ())
            case Each(selector=selector):
                return [p for p in table.pieces.values() if self.fits(selector, p)]
            case _:
                keys = ()
        return [table.pieces[key] for key in keys if key in table.pieces]

    def fits(self, selector: Selector, piece: Piece) -> bool:
        """Whether a piece matches, as far as a table can tell."""
        if selector.zone not in ("board", "any"):
            return False
        if not {"card", "permanent", piece.kind} & set(selector.kinds):
            return False
        friendly = piece.mine == self.mine
        if (selector.control == "friendly" and not friendly) or (
            selector.control == "enemy" and friendly
        ):
            return False
        if selector.another and piece.key == self.source:
            return False
        if not self._is_at(selector.place, piece):
            return False
        if any(not self._is(state, piece) for state in selector.states):
            return False
        where = selector.where
        return not isinstance(where, Compare) or self._compares(where, piece)

    def _is_at(self, place: str, piece: Piece) -> bool:
        match place:
            case "battlefield":
                return at_battlefield(piece)
            case "base":
                return not at_battlefield(piece)
            case "here" | "elsewhere":
                source = self.table.pieces.get(self.source)
                here = source is not None and source.place == piece.place
                return here == (place == "here")
        return True

    def _is(self, state: str, piece: Piece) -> bool:
        word = state.removeprefix("not ")
        fighting = bool(self.table.combat) and piece.place == self.table.combat
        attacks = piece.mine == self.table.attacking
        found = {
            "exhausted": piece.exhausted,
            "ready": not piece.exhausted,
            "damaged": piece.damage > 0,
            "stunned": piece.stunned,
            "mighty": piece.might >= 5,
            "attacking": fighting and attacks,
            "defending": fighting and not attacks,
        }.get(word)
        return found is None or found == (word == state)

    def _compares(self, where: Compare, piece: Piece) -> bool:
        if not isinstance(where.left, Stat) or not isinstance(where.right, int):
            return True
        number = {
            "might": piece.might,
            "energy": piece.known.definition.energy,
            "damage": piece.damage,
        }.get(where.left.stat)
        if number is None:
            return True
        return {
            "<": number < where.right,
            "<=": number <= where.right,
            "==": number == where.right,
            "!=": number != where.right,
            ">=": number >= where.right,
            ">": number > where.right,
        }[where.operator]

    def number(self, amount: Any, names: Names) -> int:
        """An amount, as far as it can be told; else 1."""
        match amount:
            case int():
                return amount
            case Stat(stat="might", of=of):
                found = self.pieces(of, names)
                return found[0].might if found else 0
            case NamedAmount():
                return 2
        return 1

    def side(self, who: Players | None) -> int:
        """1 if that player is the seat, -1 if it is the other; about an object's player it guesses
        that it is the other."""
        role = who.role if isinstance(who, Who) else "you" if who is None else "opponent"
        match role:
            case "you":
                return self.sign
            case "each player" | "any player":
                return 0
        return -self.sign

    # -------------------------------------------------------------- game actions

    def _do(self, do: Do, names: Names) -> None:
        many = self.number(do.amount, names)
        flat = FLAT.get(do.verb)
        if flat is not None:
            self.worth += self.side(do.who) * flat * many
            if do.verb == "points":
                self.table.points[0 if self.side(do.who) > 0 else 1] += many
            return
        for piece in self.pieces(do.what, names):
            act(self, do, piece, many)
        if do.verb == "counter":
            self._counter(names.get(getattr(do.what, "name", ""), ()))
        elif do.verb == "token":
            self.worth += self.sign * 1.5 * many

    def _counter(self, keys: tuple[str, ...]) -> None:
        for link in self.table.chain:
            if link.key in keys and link.key is not None:
                cost = link.known.definition.energy if link.known is not None else 1
                self.worth += (1.0 + 0.7 * cost) * (-1 if link.mine else 1)
        left = tuple(link for link in self.table.chain if link.key not in keys)
        self.table.chain = left


FLAT: dict[str, float] = {
    "draw": CARD, "discard": -CARD * 0.7, "channel": 1.2, "add": 0.6, "points": 0.1 * POINT,
    "xp": 0.5, "spend xp": -0.5, "predict": 0.4, "mill": 0.0, "banish top": -0.2, "extra turn": 8.0,
    "win": 1000.0, "lose": -1000.0, "look top": 0.3, "reveal top": 0.1, "play": 1.5,
    "recycle from trash": -0.1, "score": POINT, "end turn": -1.0, "look hand": -0.2,
}  # fmt: skip
"""What game actions are worth to who does them, each time, that change nothing on the table."""


def act(self: Imagined, do: Do, piece: Piece, many: int) -> None:
    """What a game action does to one piece."""
    mine = 1 if piece.mine else -1
    match do.verb:
        case "deal":
            deal(self, piece, many + self.boost)
        case "control" | "move" | "recall":
            _displace(self, do, piece)
        case "kill" | "banish" | "return" | "recycle" | "trash" | "put on top":
            remove(self, piece, 0.0 if do.verb in ("kill", "banish", "trash") else 0.5)
        case "stun":
            piece.stunned = True
            self.worth -= mine * 0.2
        case "exhaust":
            if not piece.exhausted:
                self.worth -= mine * (0.4 if piece.kind == "unit" else 0.05)
            piece.exhausted = True
        case "ready":
            self.worth += mine * (0.6 if piece.exhausted else 0.0)
            piece.exhausted = False
        case "heal":
            piece.damage = 0
        case "buff":
            piece.might += 1
        case "attach" | "equip":
            self.worth += mine * 0.8


def _displace(self: Imagined, do: Do, piece: Piece) -> None:
    """It changes sides, or goes home; where else it would go is not worked out."""
    if do.verb == "control":
        piece.mine = self.side(do.who) > 0
        piece.place = self.table.home(piece)
    elif (do.verb == "recall" or do.to == "base") and at_battlefield(piece):
        piece.place = self.table.home(piece)
        self.worth -= 0.3 if piece.mine else -0.3


def deal(self: Imagined, piece: Piece, amount: int) -> None:
    """Damage that is no combat damage; what it kills dies once the program is over."""
    for mark in piece.marks:
        match mark.kind:
            case "shield":
                self.acted.add(mark.id)
                return
            case "prevent":
                amount -= int(mark.number)
                self.acted.add(mark.id)
            case "times":
                amount = int(amount * mark.number)
                self.acted.add(mark.id)
    if amount > 0:
        piece.damage += amount
        self.hit.append(piece.key)


def settle(self: Imagined) -> Events:
    """What was dealt damage dies if that is enough, or saves itself; returns what happened."""
    died = []
    for key in dict.fromkeys(self.hit):
        piece = self.table.pieces.get(key)
        if piece is None:
            continue
        dooms = [mark for mark in (*piece.marks, *self.table.marks) if mark.kind == "doom"]
        self.acted.update(mark.id for mark in dooms)
        if dooms or piece.damage >= piece.might:
            died.append(key)
            _dies(self, piece)
    return Events(damaged=frozenset(self.hit), died=frozenset(died), acted=frozenset(self.acted))


def _dies(self: Imagined, piece: Piece) -> None:
    save = next((mark for mark in piece.marks if mark.kind == "save"), None)
    if save is not None:
        self.acted.add(save.id)
        piece.place, piece.exhausted = self.table.home(piece), True
        piece.damage = 0
        return
    for mark in piece.marks:
        if mark.kind == "bounty":
            self.acted.add(mark.id)
            self.worth += mark.number
    del self.table.pieces[piece.key]


def remove(self: Imagined, piece: Piece, kept: float) -> None:
    """It leaves the board. kept: the share of its worth that its owner keeps elsewhere."""
    if self.table.pieces.pop(piece.key, None) is not None and kept:
        self.worth += (1 if piece.mine else -1) * kept * piece.worth
