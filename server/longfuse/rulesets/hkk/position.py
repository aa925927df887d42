"""Position files of hkk: the words they may use, their cards, and a game that stands there.

Owns what is particular to hkk in the fixed format of `game/positions`. The game itself is built in
`position_start`, and looked at in `position_table`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from longfuse.abilities.text.errors import TextError
from longfuse.game.positions import CardErrors, CardUnreadable, PositionRules, Vocabulary
from longfuse.game.positions.schema import COUNT, LIST, NUMBER, TABLE, TEXT, Field
from longfuse.game.positions.words import SEATS
from longfuse.rulesets.hkk import cards, entry
from longfuse.rulesets.hkk.definition import Definition, DefinitionError
from longfuse.rulesets.hkk.options import OPTIONS
from longfuse.rulesets.hkk.position_events import EVENTS
from longfuse.rulesets.hkk.position_start import ELSEWHERE, IN_PLAY, MAIN
from longfuse.rulesets.hkk.position_table import Table, stand
from longfuse.rulesets.hkk.turn import NAMES
from longfuse.rulesets.hkk.vocabulary import COUNTERS

if TYPE_CHECKING:
    from longfuse.game.positions.file import Position

PLACES = ("guard", "reserve", "table")

VOCABULARY = Vocabulary(
    phases=tuple(NAMES),
    main_phase=MAIN,
    refs=(),
    actions=(
        "play", "activate", "move", "attack", "choose", "pass", "pass until empty", "end turn",
        "advance", "take back", "concede", "repeat",
    ),
    options=OPTIONS,
    start={
        "turn": Field(TEXT, SEATS),
        "phase": Field(TEXT, tuple(NAMES)),
        "turn_number": Field(COUNT),
        "P1": Field(TABLE),
        "P2": Field(TABLE),
    },
    seat_start={"life": Field(COUNT), "magic": Field(COUNT)},
    object={},
    object_facts={
        "cost": Field(NUMBER),
        "life": Field(NUMBER),
        "entered_with": Field(LIST),
    },
    seat_facts={
        "life": Field(NUMBER),
        "magic": Field(NUMBER),
        "hand": Field(NUMBER),
        "hand_has": Field(LIST),
        "deck": Field(NUMBER),
        "discard": Field(NUMBER),
        "nothing": Field(NUMBER),
    },
    happened=tuple(EVENTS),
    is_location=lambda name: name in PLACES,
)  # fmt: skip


class HkkPositions:
    """hkk, as position files need it."""

    name = "hkk"
    vocabulary = VOCABULARY

    def define(self, fields: Mapping[str, Any]) -> Definition:
        """The card of a [[card]] table."""
        try:
            return entry.defined(cards.make_card(fields))
        except cards.SetError as wrong:
            raise CardErrors(wrong.errors) from wrong
        except TextError as wrong:
            raise CardUnreadable([one.sentence() for one in wrong.errors]) from wrong
        except DefinitionError as wrong:
            raise CardErrors(wrong.reasons) from wrong

    def shipped(self, name: str) -> Definition | None:
        """A card of the shipped sets."""
        return entry.definitions().get(name)

    def complaints(
        self,
        start: Mapping[str, Any],
        battlefields: list[dict[str, Any]],
        objects: list[dict[str, Any]],
        cards: Mapping[str, Any],
    ) -> list[str]:
        """Zones that are not there, and cards that can't be where they are put."""
        found = ["hkk has no battlefields"] if battlefields else []
        if start.get("turn_number", 1) == 0:
            found.append("[start], “turn_number”: turns are counted from 1")
        for number, table in enumerate(objects, 1):
            _check(f"[[object]] {number}", table, cards, found)
        return found

    def table(self, position: Position) -> Table:
        """A game that stands at the start of a position."""
        return stand(position)


def _check(
    place: str, table: Mapping[str, Any], cards: Mapping[str, Any], found: list[str]
) -> None:
    zone = table.get("zone")
    if not isinstance(zone, str):
        return
    if zone not in (*IN_PLAY, *ELSEWHERE):
        allowed = ", ".join((*ELSEWHERE, *IN_PLAY))
        found.append(f"{place}: there is no zone “{zone}”; allowed: {allowed}")
        return
    found += [f"{place}: hkk has no “{key}”" for key in ("buffs", "stunned") if table.get(key)]
    for key in ("counters", "entered_with"):
        said = table.get(key, ())
        kinds = said if isinstance(said, dict | list) else ()
        found += [
            f"{place}: there are no {kind} counters" for kind in kinds if kind not in COUNTERS
        ]
        if said and zone not in IN_PLAY:
            found.append(f"{place}: only in play has something “{key}”")
    if "at" in table and zone != "deck":
        found.append(f"{place}: “at” is for cards in a deck")
    card = cards.get(str(table.get("card")))
    if card is None or zone not in IN_PLAY:
        return
    if not card.is_permanent:
        found.append(f"{place}: “{card.name}” is a {card.type}, which is never in play")
    elif (card.type == "creature") == (zone == "table"):
        found.append(f"{place}: a {card.type} can't be in the zone “{zone}”")


POSITIONS: PositionRules = HkkPositions()
"""What is given to `game.positions.run_files`."""
