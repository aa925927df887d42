"""Position files of riftbound: the words they may use, their cards, and a game that stands there.

Owns what is particular to riftbound in the fixed format of `game/positions`. The game itself is
built in `position_start`, and looked at in `position_table`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from longfuse.abilities.text.errors import TextError
from longfuse.game.positions import CardErrors, CardUnreadable, PositionRules, Vocabulary
from longfuse.game.positions.schema import (
    BOOLEAN,
    COUNT,
    LIST,
    NUMBER,
    TABLE,
    TEXT,
    Field,
    check,
    check_value,
)
from longfuse.game.positions.words import SEATS
from longfuse.rulesets.riftbound import cards, runnable
from longfuse.rulesets.riftbound.definition import Definition, define
from longfuse.rulesets.riftbound.duel import OPTIONS
from longfuse.rulesets.riftbound.position_events import EVENTS
from longfuse.rulesets.riftbound.position_places import (
    BATTLEFIELDS,
    OFF_BOARD,
    is_location,
    read_place,
    zone_words,
)
from longfuse.rulesets.riftbound.position_table import Table, stand
from longfuse.rulesets.riftbound.vocabulary import DOMAINS

if TYPE_CHECKING:
    from longfuse.game.positions.file import Position

PHASES = ("awaken", "beginning", "scoring", "channel", "draw", "main", "ending", "expiration")

VOCABULARY = Vocabulary(
    phases=PHASES,
    main_phase="main",
    refs=BATTLEFIELDS,
    actions=(
        "play", "activate", "move", "hide", "choose", "pass", "pass until empty", "end turn",
        "advance", "take back", "concede", "repeat",
    ),
    options=OPTIONS,
    start={
        "turn": Field(TEXT, SEATS),
        "phase": Field(TEXT, PHASES),
        "turn_number": Field(COUNT),
        "P1": Field(TABLE),
        "P2": Field(TABLE),
        "showdown": Field(TABLE),
    },
    seat_start={
        "points": Field(COUNT),
        "energy": Field(COUNT),
        "power": Field(TABLE),
        "runes": Field(LIST),
        "xp": Field(COUNT),
        "cards_played_this_turn": Field(COUNT),
        "scored_this_turn": Field(LIST),
    },
    object={},
    object_facts={"energy": Field(NUMBER)},
    seat_facts={
        "points": Field(NUMBER),
        "energy": Field(NUMBER),
        "power": Field(TABLE),
        "hand": Field(NUMBER),
        "hand_has": Field(LIST),
        "deck": Field(NUMBER),
        "trash": Field(NUMBER),
        "banishment": Field(NUMBER),
        "runes": Field(NUMBER),
        "rune_deck": Field(NUMBER),
        "xp": Field(NUMBER),
    },
    happened=tuple(EVENTS),
    is_location=is_location,
)  # fmt: skip


class RiftboundPositions:
    """Riftbound, as position files need it."""

    name = "riftbound"
    vocabulary = VOCABULARY

    def define(self, fields: Mapping[str, Any]) -> Definition:
        """The card of a [[card]] table."""
        try:
            card = cards.make_card(fields)
        except cards.SetError as wrong:
            raise CardErrors(wrong.errors) from wrong
        except TextError as wrong:
            raise CardUnreadable([one.sentence() for one in wrong.errors]) from wrong
        return _playable(card)

    def shipped(self, name: str) -> Definition | None:
        """A card of the shipped sets."""
        card = _shipped().get(name)
        return _playable(card) if card is not None else None

    def complaints(
        self,
        start: Mapping[str, Any],
        battlefields: list[dict[str, Any]],
        objects: list[dict[str, Any]],
        cards: Mapping[str, Any],
    ) -> list[str]:
        """Zones that are not there, cards that can't be where they are put, wrong runes."""
        found: list[str] = []
        for seat in SEATS:
            _check_seat(seat, start.get(seat, {}), found)
        _check_start(start, found)
        _check_battlefields(battlefields, cards, found)
        facedown: set[str] = set()
        for number, table in enumerate(objects, 1):
            _check_object(f"[[object]] {number}", table, cards, facedown, found)
        _check_attached(objects, found)
        return found

    def table(self, position: Position) -> Table:
        """A game that stands at the start of a position."""
        return stand(position)


POSITIONS: PositionRules = RiftboundPositions()
"""What is given to `game.positions.run_files`."""


@lru_cache(maxsize=1)
def _shipped() -> dict[str, cards.CardDefinition]:
    return dict(cards.shipped())


def _playable(card: cards.CardDefinition) -> Definition:
    wanting = runnable.missing(card)
    if wanting:
        raise CardUnreadable([f"not played yet: {', '.join(wanting)}"])
    return define(card)


# ---------------------------------------------------------------- complaints


def _check_start(start: Mapping[str, Any], found: list[str]) -> None:
    if start.get("turn_number", 1) == 0:
        found.append("[start], “turn_number”: turns are counted from 1")
    showdown = start.get("showdown")
    if not isinstance(showdown, dict):
        return
    if showdown.get("at", "BF1") not in BATTLEFIELDS:
        found.append(f"[start.showdown]: there is no battlefield “{showdown['at']}”")
    if start.get("phase", "main") != "main":
        found.append("[start.showdown]: a showdown lies in a main phase")


def _check_seat(seat: str, table: Any, found: list[str]) -> None:
    if not isinstance(table, dict):
        return
    place = f"[start], “{seat}”"
    power = table.get("power", {})
    found += [
        f"{place}, “power”: there is no domain “{domain}”"
        for domain in (power if isinstance(power, dict) else ())
        if domain not in (*DOMAINS, "any")
    ]
    for domain, number in power.items() if isinstance(power, dict) else ():
        check_value(number, Field(COUNT), f"{place}, “power”, “{domain}”", found)
    fields = {"domain": Field(TEXT, DOMAINS, needed=True), "exhausted": Field(BOOLEAN)}
    runes = table.get("runes", [])
    for number, rune in enumerate(runes if isinstance(runes, list) else (), 1):
        check(rune, fields, f"{place}, “runes” {number}", found)
    scored = table.get("scored_this_turn", [])
    found += [
        f"{place}, “scored_this_turn”: there is no battlefield “{name}”"
        for name in (scored if isinstance(scored, list) else ())
        if name not in BATTLEFIELDS
    ]


def _check_battlefields(
    tables: list[dict[str, Any]], cards: Mapping[str, Any], found: list[str]
) -> None:
    seen: set[str] = set()
    for number, table in enumerate(tables, 1):
        place = f"[[battlefield]] {number}"
        ref = table.get("ref")
        if ref not in BATTLEFIELDS:
            allowed = ", ".join(BATTLEFIELDS)
            found.append(f"{place}: there is no battlefield “{ref}”; there is {allowed}")
        elif ref in seen:
            found.append(f"{place}: “{ref}” is there twice")
        seen.add(str(ref))
        card = cards.get(str(table.get("card")))
        if card is not None and card.type != "battlefield":
            found.append(f"{place}: “{card.name}” is a {card.type}, not a battlefield")


def _check_object(
    place: str,
    table: Mapping[str, Any],
    cards: Mapping[str, Any],
    facedown: set[str],
    found: list[str],
) -> None:
    zone = table.get("zone")
    if not isinstance(zone, str):
        return
    read = read_place(zone, 0)
    if read is None:
        found.append(f"{place}: there is no zone “{zone}”; allowed: {zone_words()}")
        return
    found += [
        f"{place}: riftbound has no “{key}”"
        for key in ("counters", "entered_with", "suppressed")
        if table.get(key)
    ]
    if zone.startswith("facedown:"):
        if zone in facedown:
            found.append(f"{place}: a card is at “{zone}” already (a facedown zone holds one)")
        facedown.add(zone)
    if "at" in table and zone != "deck":
        found.append(f"{place}: “at” is for cards in a deck")
    if table.get("token") and read.zone in OFF_BOARD:
        found.append(f"{place}: a token is only on the board (183.1)")
    card = cards.get(str(table.get("card")))
    if card is not None:
        _check_card(place, card, zone, found)


def _check_attached(objects: list[dict[str, Any]], found: list[str]) -> None:
    """Only what is on the board is attached, to what is there too."""
    on_board = {
        str(table.get("ref"))
        for table in objects
        if str(table.get("zone")) in ("base", *BATTLEFIELDS)
    }
    for number, table in enumerate(objects, 1):
        to = table.get("attached_to")
        if isinstance(to, str) and {str(table.get("ref")), to} - on_board:
            found.append(f"[[object]] {number}: only on the board is something attached")
        elif isinstance(to, str) and to == table.get("ref"):
            found.append(f"[[object]] {number}: it can't be attached to itself")


def _check_card(place: str, card: Definition, zone: str, found: list[str]) -> None:
    if card.type == "battlefield":
        found.append(f"{place}: “{card.name}” is a battlefield: it is placed in [[battlefield]]")
    if zone in ("base", *BATTLEFIELDS) and card.type == "spell":
        found.append(f"{place}: “{card.name}” is a spell, which is never on the board")
    if (zone == "rune") != (card.type == "rune"):
        found.append(f"{place}: a {card.type} can't be in the zone “{zone}”")
