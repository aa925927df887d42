"""The seats' time, told as what is left until the deadline.

Owns when the player is warned. The deadline is the server's, counted down by this machine's clock
from what the server's own clock said: a message that is late makes nobody's time longer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import trio

from longfuse.cli.play_book import Book
from longfuse.cli.play_desk import Desk
from longfuse.cli.play_words import HelpRow, Word
from longfuse.cli.terms import span, told_clock
from longfuse_protocol.client import Client, Event
from longfuse_protocol.messages import Clock

WARNINGS_S = (60.0, 30.0, 10.0)
"""So long before the time runs out, the player is warned."""


class ClockWords:
    """The clock of one table."""

    title = "Time"
    help = (HelpRow("clock", "how much time everybody has left"),)

    def __init__(self, client: Client, desk: Desk) -> None:
        self._client = client
        self._desk = desk
        self._changed = trio.Event()

    @property
    def words(self) -> Mapping[str, Word]:
        """What can be typed."""
        return {"clock": self._clock}

    @property
    def counts(self) -> bool:
        """Whether anybody's time is counted at this table."""
        table = self._client.table
        return table is not None and table.terms.clock.kind != "none"

    def hear(self, event: Event) -> None:
        """Watch the new deadline."""
        if isinstance(event, Clock):
            self._changed.set()
            self._changed = trio.Event()

    def left_s(self, seat: int) -> float | None:
        """How much time a seat has, in seconds; None where none is counted."""
        clock, deadline = self._client.clock, self._client.deadline(seat)
        if deadline is not None:
            return max(0.0, deadline - trio.current_time())
        if clock is None or seat >= len(clock.seats):
            return None
        return clock.seats[seat].left_ms / 1_000

    def own(self) -> str:
        """How much time the player has for what is asked; "" where none is counted."""
        left_s = self.left_s(self._book.seat)
        return "" if left_s is None or not self.counts else f"Your time: {span(left_s)}."

    async def run(self) -> None:
        """Warn the player while their time runs out."""
        while True:
            changed = self._changed
            deadline = self._client.deadline(self._book.seat)
            with trio.move_on_after(self._wait_s(deadline)) as waiting:
                await changed.wait()
            if waiting.cancelled_caught and deadline is not None:
                left_s = deadline - trio.current_time()
                if self._desk.prompt is not None and left_s > 0:
                    self._desk.screen.aside(f"{span(math.ceil(left_s))} left.", "strong")

    @property
    def _book(self) -> Book:
        return self._desk.book

    def _wait_s(self, deadline: float | None) -> float:
        """How long until the next warning."""
        if deadline is None:
            return math.inf
        left_s = deadline - trio.current_time()
        return min((left_s - warn for warn in WARNINGS_S if warn < left_s), default=math.inf)

    async def _clock(self, _: str) -> bool:
        table = self._client.table
        screen = self._desk.screen
        if table is None or not self.counts:
            screen.line("Nobody's time is counted at this table.")
            return True
        column = max(map(len, self._book.players), default=0)
        for seat, player in enumerate(self._book.players):
            left_s = self.left_s(seat)
            runs = ", and it runs" if self._client.deadline(seat) is not None else ""
            if left_s is not None:
                screen.row(player, f"{span(left_s)} left{runs}", column=column)
        screen.line(f"{told_clock(table.terms.clock)}.", "dim")
        return True
