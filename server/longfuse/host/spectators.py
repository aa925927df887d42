"""The spectators of one table, and the delay after which they are shown anything.

The table owns one. Everything that leaves the table for anybody but its seats goes through here:
game frames, who came and went, clocks, talk of the seats, and what the lobby says of the table.
With a delay it waits here, and leaves in order; nothing else holds what spectators may know. A
spectator who comes is told what the others have been shown, and no more. Each message is spelt once
for all of them.
"""

from collections import deque

import trio
from msgspec.structs import replace

from longfuse.host.feeds import Stream
from longfuse.host.peers import Outgoing
from longfuse.host.people import Person
from longfuse_protocol.messages import (
    Asked,
    Clock,
    Events,
    Presence,
    ServerMessage,
    TableChanged,
    TableInfo,
)

WAITING_MAX = 4_096
"""Messages that may wait. Beyond, the oldest are folded into the view, and a snapshot is shown."""


class Spectators:
    """Spectators, and what they have been shown."""

    def __init__(self, public: Stream, info: TableInfo, delay_s: float) -> None:
        """public: the spectators' stream as it is taken from the game."""
        self.people: dict[Person, None] = {}
        self.delay_s = delay_s
        self.info = info
        """The table as spectators and the lobby know it."""
        self.shown = public if delay_s == 0 else Stream(public.name)
        self._waiting: deque[tuple[float, ServerMessage]] = deque()
        self._is_folded = False
        self._clock: Clock | None = None
        """The clocks as they were shown last."""

    def tell(self, message: ServerMessage) -> list[Outgoing]:
        """Take a message for all spectators; return what may be shown at once."""
        assert not isinstance(message, Asked), "a prompt is for its seat alone"
        if self.delay_s == 0 or (not self._waiting and _is_before(message)):
            return self._show(message)
        self._waiting.append((trio.current_time() + self.delay_s, message))
        if len(self._waiting) > WAITING_MAX:
            self._fold()
        return []

    def standing(self) -> list[ServerMessage]:
        """Return what somebody who comes late must know besides the view, as others know it."""
        is_played = self.info.status in ("playing", "paused")
        return [self._clock] if is_played and self._clock is not None else []

    def next_at(self) -> float | None:
        """Return when the next message may be shown."""
        return self._waiting[0][0] if self._waiting else None

    def due(self, now: float) -> list[Outgoing]:
        """Return what may be shown by now."""
        shown: list[Outgoing] = []
        while self._waiting and self._waiting[0][0] <= now:
            shown.extend(self._show(self._waiting.popleft()[1]))
        return shown

    def _show(self, message: ServerMessage) -> list[Outgoing]:
        if isinstance(message, TableChanged):
            self.info = message.info
        elif isinstance(message, Clock):
            self._clock = message
        elif isinstance(message, Presence):
            seats = list(self.info.seats)
            seats[message.seat] = replace(seats[message.seat], here=message.here)
            self.info = replace(self.info, seats=tuple(seats))
        elif isinstance(message, Events) and self.delay_s > 0:
            if self._is_folded:
                self._is_folded = False
                self.shown.forget()
                self.shown.show(message)
                return [Outgoing(self.shown.snapshot())]
            self.shown.show(message)
        return [Outgoing(message)]

    def _fold(self) -> None:
        """Drop the oldest frame that waits, with its effect kept in the one after it.

        Where there is only one, the oldest of what else waits: a frame that is lost leaves every
        view after it wrong.
        """
        frames = (
            (place, at, message)
            for place, (at, message) in enumerate(self._waiting)
            if isinstance(message, Events)
        )
        oldest, following = next(frames, None), next(frames, None)
        if oldest is None or following is None:
            del self._waiting[1 if oldest is not None and oldest[0] == 0 else 0]
            return
        place, at, after = following
        changes = {**oldest[2].changes, **after.changes}
        self._waiting[place] = (at, replace(after, changes=changes))
        del self._waiting[oldest[0]]
        self._is_folded = True


def _is_before(message: ServerMessage) -> bool:
    """Say whether it tells only of a table at which nothing has been dealt yet."""
    return isinstance(message, TableChanged) and message.info.status in ("waiting", "starting")
