"""Standing a duel where a position file says: cards, numbers, calendar and showdown.

Owns how the start is laid out before the first prompt. What happens from there on is the rules'.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from longfuse.game.board import BOTTOM, TOP
from longfuse.game.positions.words import SEATS
from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound import attaching, showdown, turn
from longfuse.rulesets.riftbound.definition import Definition, blank
from longfuse.rulesets.riftbound.entry import rune
from longfuse.rulesets.riftbound.position_places import (
    BATTLEFIELDS,
    Place,
    field_place,
    read_place,
)
from longfuse.rulesets.riftbound.setup import Deck
from longfuse.rulesets.riftbound.state import Showdown, base
from longfuse.rulesets.riftbound.vocabulary import DOMAINS
from longfuse.timing.calendar import next_turn, reach
from longfuse.timing.references import NOBODY, Ref, Seat

if TYPE_CHECKING:
    from longfuse.game.positions.file import Position
    from longfuse.rulesets.riftbound.duel import Duel

BLANKS = 10
TURN_NUMBER = 3


def deck(position: Position, seat: Seat) -> Deck:
    """A seat's blank deck, six runes, and its battlefield: blank unless the file names one."""
    name = BATTLEFIELDS[seat]
    table = next((one for one in position.battlefields if one["ref"] == name), {})
    field = position.cards[table["card"]] if "card" in table else blank(name, "battlefield", 0)
    # The last card of a deck is its top.
    main = tuple(blank(f"Blank {number}") for number in range(BLANKS, 0, -1))
    return Deck(f"deck of {SEATS[seat]}", main, tuple(rune(one) for one in DOMAINS), field)


def turn_seat(start: Mapping[str, Any]) -> Seat:
    """Whose turn it is at the start."""
    return SEATS.index(start.get("turn", "P1"))


class Start:
    """The start of one position, laid out in one game."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.cards: dict[str, int] = {}
        self.began: dict[str, Ref] = {}

    def resume(self, duel: Duel) -> Steps[None]:
        """Lay everything out and play on from there (`Setup.resume`)."""
        start = self.position.start
        seat = turn_seat(start)
        for number, name in enumerate(BATTLEFIELDS):
            self._note(name, duel.battlefields()[number].ref)
        self._place_objects(duel)
        for number, name in enumerate(SEATS):
            self._seat(duel, number, start.get(name, {}))
        phase = start.get("phase", "main")
        self._calendar(duel, seat, phase)
        self._battlefields(duel)
        self._of_this_turn(duel)
        if phase != "main":
            yield from turn.take_turn(duel, seat, start=phase)
            return
        if "showdown" in start:
            yield from self._showdown(duel, start["showdown"])
        yield from turn.main_actions(duel, seat)
        yield from turn.take_turn(duel, seat, start="ending")

    def _note(self, name: str, ref: Ref) -> None:
        self.cards[name] = ref.card
        self.began[name] = ref

    # ------------------------------------------------------------ objects

    def _place_objects(self, duel: Duel) -> None:
        objects = self.position.objects
        # Of several on top of one deck the first in the file is topmost.
        on_top = [one for one in objects if one["zone"] == "deck" and one.get("at") != "bottom"]
        others = [one for one in objects if one not in on_top]
        for table in [*others, *reversed(on_top)]:
            self._place(duel, table)
        for table in objects:
            if "attached_to" in table:
                attaching.link(duel, self.began[table["ref"]], self.began[table["attached_to"]])

    def _place(self, duel: Duel, table: Mapping[str, Any]) -> None:
        owner = SEATS.index(table["owner"])
        definition: Definition = self.position.cards[table["card"]]
        card = duel.game.board.new_card(definition, owner, token=bool(table.get("token")))
        controller = SEATS.index(table.get("controller", table["owner"]))
        where = read_place(table["zone"], controller)
        assert where is not None, "checked when the file was read"
        if where.zone in ("board", "facedown"):
            fields = _fields(table, where)
            ref = duel.game.move_card(card.id, where.zone, controller=controller, **fields)
        else:
            position = BOTTOM if table.get("at") == "bottom" else TOP
            zone = f"{where.zone.partition(':')[0]}:{owner}"
            ref = duel.game.move_card(card.id, zone, position)
        self._note(table["ref"], ref)

    def _of_this_turn(self, duel: Duel) -> None:
        """What entered in the present turn."""
        for table in self.position.objects:
            if table.get("hidden_since") == "this turn":
                duel.game.change(self.began[table["ref"]], entered=duel.game.now.turn)

    # ------------------------------------------------------------ players, battlefields

    def _seat(self, duel: Duel, seat: Seat, table: Mapping[str, Any]) -> None:
        power = tuple((domain, number) for domain, number in table.get("power", {}).items())
        duel.game.change_seat(
            seat,
            points=table.get("points", 0),
            energy=table.get("energy", 0),
            power=power,
            xp=table.get("xp", 0),
            finalized=table.get("cards_played_this_turn", 0),
            scored=tuple(field_place(name) for name in table.get("scored_this_turn", ())),
        )
        for one in table.get("runes", ()):
            card = duel.game.board.new_card(rune(one["domain"]), seat)
            exhausted = bool(one.get("exhausted"))
            duel.game.move_card(
                card.id, "board", place=base(seat), controller=seat, exhausted=exhausted
            )

    def _battlefields(self, duel: Duel) -> None:
        for table in self.position.battlefields:
            duel.game.change(
                self.began[table["ref"]],
                controller=_seat_or_nobody(table.get("controller")),
                contested_by=_seat_or_nobody(table.get("contested_by")),
            )

    # ------------------------------------------------------------ the calendar

    def _calendar(self, duel: Duel, seat: Seat, phase: str) -> None:
        """The marks up to the phase have been passed, without anything having come of them."""
        number = self.position.start.get("turn_number", TURN_NUMBER)
        now = duel.game.now
        owner = seat if number % 2 else duel.opponent(seat)
        turns = number if phase != "awaken" else number - 1
        for _ in range(max(1, turns)):
            now = next_turn(now, owner)
            owner = duel.opponent(owner)
        for name, place, step in MARKS[: _mark(phase)]:
            now = reach(now, name, phase=place, step=step)
        if phase == "main":
            now = reach(now, "main", phase="main", step="", opens=("phase",))
        duel.game.store.put(("now",), now)
        first = seat if number % 2 else duel.opponent(seat)
        duel.setup.second = duel.opponent(first)
        for one in duel.seats():
            turns_begun = (number + 1) // 2 if one == first else number // 2
            begun = turns_begun - (one == seat and phase == "awaken")
            duel.game.change_seat(one, turns=begun)

    # ------------------------------------------------------------ a showdown

    def _showdown(self, duel: Duel, table: Mapping[str, Any]) -> Steps[None]:
        """Go on with a showdown that has begun: what its beginning triggers has happened."""
        place = field_place(table["at"])
        field = duel.battlefield(place)
        assert field is not None
        named = table.get("attacker", table.get("focus", SEATS[duel.turn_player()]))
        contester = SEATS.index(named)
        focus = SEATS.index(table.get("focus", named))
        combat = bool(table.get("combat", False))
        duel.game.change(field.ref, contested_by=contester)
        value = Showdown(place=place, combat=combat, contester=contester, focus=focus)
        yield from showdown.restore(duel, value)


MARKS = (
    ("awaken", "awaken", ""),
    ("beginning", "beginning", "beginning"),
    ("scoring", "beginning", "scoring"),
    ("channel", "channel", ""),
    ("draw", "draw", ""),
    ("main", "main", ""),
    ("ending", "ending", ""),
)
"""The marks of a turn with the phase and step that each begins."""


def _mark(phase: str) -> int:
    """How many marks are passed when that phase begins."""
    names = [name for name, _, _ in MARKS]
    return names.index(phase) if phase in names else len(names)


def _fields(table: Mapping[str, Any], where: Place) -> dict[str, Any]:
    found: dict[str, Any] = {"place": where.place}
    for key in ("damage", "exhausted", "buffs", "stunned"):
        if key in table:
            found[key] = table[key]
    if where.zone == "facedown":
        found["facedown"] = True
    return found


def _seat_or_nobody(name: Any) -> Seat:
    return SEATS.index(name) if name in SEATS else NOBODY
