"""What is told of a table and its connection beside the game: who is there, what comes next.

Owns the words for it, and that the same is not said twice. It sends nothing.
"""

from __future__ import annotations

import trio

from longfuse.cli.play_desk import Desk
from longfuse.cli.terms import USUAL, span, told_terms
from longfuse_protocol.client import Client, Dropped, Event, Resumed, ShuffleDoubted
from longfuse_protocol.messages import (
    Joined,
    Left,
    Notice,
    Place,
    Presence,
    TableChanged,
    TableInfo,
)

INVITES = "Waiting for somebody to sit down. They join with:"
WATCHES = "Spectators come with:"
DECKS = "`deck D` changes your deck for the next game."


class News:
    """The news of one place."""

    def __init__(self, client: Client, desk: Desk, url: str) -> None:
        """url: where others find the table; "" where nobody does."""
        self._client = client
        self._desk = desk
        self._screen = desk.screen
        self._url = url
        self._seats = ""
        self._status = ""
        self._game = ""
        self._is_lost = False

    def begin(self, place: Place) -> None:
        """Tell where the player has come to."""
        self._told_table(place.info)
        told = told_terms(place.info.terms)
        if told != USUAL:
            self._screen.line(f"Its terms: {told}.", "dim")
        if self._url and any(seat.kind == "open" for seat in place.info.seats):
            self._invite(place)

    def hear(self, event: Event) -> None:
        """Tell what is new."""
        match event:
            case Joined(place=place):
                self._told_table(place.info)
            case TableChanged(info=info):
                self._told_table(info)
            case Presence():
                self._told_presence(event)
            case Notice(text=text):
                self._screen.aside(text, "strong")
            case Left(reason=reason) if reason:
                self._screen.aside(f"Your place at the table is gone: {reason}.", "strong")
            case ShuffleDoubted(wrong=wrong):
                text = "This game's shuffle is in doubt: the server may have stacked the decks."
                self._screen.aside(f"{text} {' '.join(wrong)}", "strong")
            case Dropped() | Resumed():
                self._told_connection(event)
            case _:
                pass

    # ------------------------------------------------------------ the table

    def _told_table(self, info: TableInfo) -> None:
        names = [seat.name or f"P{number}" for number, seat in enumerate(info.seats, 1)]
        self._desk.book.seat_players(tuple(names))
        who = ", ".join(
            f"{name} ({seat.kind})" if seat.kind in ("open", "gone") else name
            for name, seat in zip(names, info.seats, strict=True)
        )
        if who != self._seats:
            self._seats = who
            self._screen.aside(f"Table {info.table}, {info.ruleset}: {who}.", "dim")
        before, self._status = self._status, info.status
        if before == info.status:
            return
        if info.status == "playing" and info.game != self._game:
            self._game = info.game
            self._screen.aside(f"Game {info.game}.", "dim")
        if info.status == "paused":
            self._screen.aside("The game is paused. `unpause` goes on with it.", "strong")
        elif before == "paused" and info.status == "playing":
            self._screen.aside("The game goes on.", "strong")
        elif info.status == "between games":
            self._screen.aside(f"The match stands {_score(info)}. {DECKS}", "strong")
        elif info.status == "over" and info.terms.best_of > 1:
            self._screen.aside(f"The match is over, {_score(info)}.", "strong")

    def _invite(self, place: Place) -> None:
        info = place.info
        where = f"--url {self._url} --table {info.table}"
        is_open = info.terms.listed
        code = "" if is_open else f" --invitation {place.invitation}"
        self._screen.line(INVITES, "dim")
        self._screen.echo(f"  longfuse play {where}{code}")
        if info.terms.watch == "invited":
            self._screen.line(WATCHES, "dim")
            self._screen.echo(
                f"  longfuse watch {self._url} {info.table} --invitation {place.invitation}"
            )

    # ------------------------------------------------------------ who is there

    def _told_presence(self, presence: Presence) -> None:
        if presence.seat == self._desk.book.seat:
            return
        if presence.here:
            self._screen.aside(f"{presence.name} is back.", "dim")
            return
        text = f"{presence.name} has lost the connection"
        if presence.until_ms is not None:
            left_s = self._client.local_time(presence.until_ms) - trio.current_time()
            text += f", and loses the seat without coming back within {span(left_s)}"
        self._screen.aside(f"{text}.", "strong")

    def _told_connection(self, event: Dropped | Resumed) -> None:
        if isinstance(event, Resumed):
            self._is_lost = False
            text = "Connected again."
            if event.place is None:
                text += " Your place at the table is gone."
            self._screen.aside(text, "strong")
        elif not self._is_lost:
            self._is_lost = True
            why = f" ({event.reason})" if event.reason else ""
            self._screen.aside(f"The connection is lost{why}. Reconnecting\u2026", "strong")
        else:
            self._screen.aside(f"Reconnecting\u2026 (try {event.tries})", "dim")


def _score(info: TableInfo) -> str:
    return "-".join(map(str, info.score))
