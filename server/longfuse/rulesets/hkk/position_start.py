"""Standing a game where a position file says: cards, numbers, calendar.

Owns how the start is laid out before the first prompt. What happens from there on is the rules'.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from longfuse.abilities.ability import Ability, Change
from longfuse.abilities.nodes import Named
from longfuse.game.board import BOTTOM, TOP
from longfuse.game.positions.words import SEATS
from longfuse.game.questions import Steps
from longfuse.rulesets.hkk import acting, reactions, turn
from longfuse.rulesets.hkk.definition import Definition, blank
from longfuse.rulesets.hkk.setup import Deck
from longfuse.rulesets.hkk.state import LIFE, place
from longfuse.timing.calendar import next_turn, reach
from longfuse.timing.records import Source
from longfuse.timing.references import Ref, Seat
from longfuse.timing.windows import InZone

if TYPE_CHECKING:
    from longfuse.game.positions.file import Position
    from longfuse.rulesets.hkk.duel import Duel

BLANKS = 10
TURN_NUMBER = 3
IN_PLAY = ("reserve", "guard", "table")
ELSEWHERE = ("deck", "hand", "discard", "nothing")
MAIN = "first main"
SUPPRESSED = Ability(kind="passive", changes=(Change("no abilities", of=Named("it")),))


def deck(seat: Seat) -> Deck:
    """A seat's deck of blank creatures; the last card of a deck is its top."""
    cards = tuple(blank(f"Blank {number}") for number in range(BLANKS, 0, -1))
    return Deck(f"deck of {SEATS[seat]}", cards)


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
        seat, phase = turn_seat(start), start.get("phase", MAIN)
        self._calendar(duel, seat, phase)
        self._place_objects(duel)
        for number, name in enumerate(SEATS):
            table = start.get(name, {})
            duel.game.change_seat(number, life=table.get("life", LIFE), magic=table.get("magic", 0))
        if phase != MAIN:
            yield from turn.take_turn(duel, seat, phase)
            return
        yield from acting.check(duel)
        yield from reactions.process(duel)
        yield from turn.actions(duel, seat, "main")
        yield from duel.game.over("phase")
        yield from turn.take_turn(duel, seat, "exchange")

    # ------------------------------------------------------------ the calendar

    def _calendar(self, duel: Duel, seat: Seat, phase: str) -> None:
        """The marks up to the phase have been passed, without anything having come of them."""
        number = self.position.start.get("turn_number", TURN_NUMBER)
        first = seat if number % 2 else duel.opponent(seat)
        is_new = phase == "preparation"
        now, owner = duel.game.now, first
        for _ in range(number - is_new):
            now = next_turn(now, owner)
            owner = duel.opponent(owner)
        names = list(turn.NAMES)
        for name in names[: names.index(phase)]:
            now = reach(now, name, phase=name, step="")
        if phase == MAIN:
            now = reach(now, MAIN, phase=MAIN, step="", opens=("phase",))
        duel.game.store.put(("now",), now)
        for one in (0, 1):
            begun = (number + 1) // 2 if one == first else number // 2
            duel.game.change_seat(one, turns=begun - (is_new and one == seat))

    # ------------------------------------------------------------ objects

    def _place_objects(self, duel: Duel) -> None:
        objects = self.position.objects
        # Of several on top of one deck the first in the file is topmost.
        on_top = [one for one in objects if one["zone"] == "deck" and one.get("at") != "bottom"]
        others = [one for one in objects if one not in on_top]
        for table in [*others, *reversed(on_top)]:
            self._place(duel, table)
        for table in objects:
            ref = self.began[table["ref"]]
            if "attached_to" in table:
                duel.game.change(ref, attached_to=self.began[table["attached_to"]])
            if table.get("suppressed"):
                self._suppress(duel, ref)

    def _place(self, duel: Duel, table: Mapping[str, Any]) -> None:
        owner = SEATS.index(table["owner"])
        definition: Definition = self.position.cards[table["card"]]
        card = duel.game.board.new_card(definition, owner, token=bool(table.get("token")))
        controller = SEATS.index(table.get("controller", table["owner"]))
        zone = table["zone"]
        if zone in IN_PLAY:
            ref = duel.game.move_card(
                card.id,
                "board",
                controller=controller,
                place=place(zone, controller),
                **fields_of(table),
            )
        else:
            position = BOTTOM if table.get("at") == "bottom" else TOP
            ref = duel.game.move_card(card.id, f"{zone}:{owner}", position)
        self.cards[table["ref"]] = ref.card
        self.began[table["ref"]] = ref

    def _suppress(self, duel: Duel, ref: Ref) -> None:
        """An outside state without a source, for as long as the object stays."""
        source = Source(None, "the position", duel.controller_of(ref))
        duel.game.installed.give(SUPPRESSED, source, InZone(ref, "board"), (("it", (ref,)),))


def fields_of(table: Mapping[str, Any]) -> dict[str, Any]:
    """What a file says of a permanent. The kinds that `counters` names are those it entered with,
    unless `entered_with` says otherwise."""
    counters = tuple((kind, int(number)) for kind, number in table.get("counters", {}).items())
    return {
        "passive": bool(table.get("exhausted", False)),
        "wounds": table.get("damage", 0),
        "counters": counters,
        "entered_with": tuple(table.get("entered_with", [kind for kind, _ in counters])),
    }
