"""The spectators of one table, and the delay after which they are shown anything.

The table owns one. Everything that leaves the table for anybody but its seats goes through here:
game frames, who came and went, clocks, talk of the seats, and what the lobby says of the table.
With a delay it waits here, and leaves in order; nothing else holds what spectators may know. What
waits is kept as it is spelt: that takes the least room, and its bytes can be bounded. A spectator
who comes is told what the others have been shown, and no more. What is shown is spelt once for all.
"""

from collections import deque
from typing import NamedTuple

import trio
from msgspec.structs import replace

from longfuse.host.feeds import Stream
from longfuse.host.peers import Outgoing
from longfuse.host.people import Person
from longfuse_protocol.codec import CODECS, MSGPACK
from longfuse_protocol.messages import (
    Asked,
    Clock,
    Events,
    Presence,
    Said,
    ServerMessage,
    TableChanged,
    TableInfo,
)

WAITING_MAX = 4_096
WAITING_BYTES_MAX = 1 << 20
"""Messages that may wait, and their bytes: a game between people has half as many in all. Beyond
either, the oldest frames are folded into one, and in its time a whole view is shown in its place.
"""

_codec = CODECS[MSGPACK]


class _Waiting(NamedTuple):
    """A message that waits."""

    at: float
    kind: type[ServerMessage]
    data: bytes

    def message(self) -> ServerMessage:
        return _codec.server_message(self.data, len(self.data))


class Spectators:
    """Spectators, and what they have been shown."""

    def __init__(self, public: Stream, info: TableInfo, delay_s: float) -> None:
        """public: the spectators' stream as it is taken from the game."""
        self.people: dict[Person, None] = {}
        self.delay_s = delay_s
        self.info = info
        """The table as spectators and the lobby know it."""
        self.shown = public if delay_s == 0 else Stream(public.name)
        self._waiting: deque[_Waiting] = deque()
        self._waiting_bytes = 0
        self._is_folded = False
        self._clock: Clock | None = None
        """The clocks as they were shown last."""

    def tell(self, message: ServerMessage) -> list[Outgoing]:
        """Take a message for all spectators; return what may be shown at once."""
        assert not isinstance(message, Asked), "a prompt is for its seat alone"
        if self.delay_s == 0 or (not self._waiting and _is_before(message)):
            return self._show(message)
        waiting = _Waiting(
            trio.current_time() + self.delay_s, type(message), _codec.encode(message)
        )
        self._waiting.append(waiting)
        self._waiting_bytes += len(waiting.data)
        while len(self._waiting) > 1 and (
            len(self._waiting) > WAITING_MAX or self._waiting_bytes > WAITING_BYTES_MAX
        ):
            self._fold()
        return []

    def standing(self) -> list[ServerMessage]:
        """Return what somebody who comes late must know besides the view, as others know it."""
        is_played = self.info.status in ("playing", "paused")
        return [self._clock] if is_played and self._clock is not None else []

    def next_at(self) -> float | None:
        """Return when the next message may be shown."""
        return self._waiting[0].at if self._waiting else None

    def due(self, now: float) -> list[Outgoing]:
        """Return what may be shown by now."""
        shown: list[Outgoing] = []
        while self._waiting and self._waiting[0].at <= now:
            waiting = self._waiting.popleft()
            self._waiting_bytes -= len(waiting.data)
            shown.extend(self._show(waiting.message()))
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

        Where there is only one, the oldest line of chat, or else the oldest of what is no frame: a
        frame that is lost leaves every view after it wrong.
        """
        frames = (place for place, one in enumerate(self._waiting) if one.kind is Events)
        oldest, following = next(frames, None), next(frames, None)
        if oldest is None or following is None:
            others = [place for place, one in enumerate(self._waiting) if one.kind is not Events]
            talk = (place for place in others if self._waiting[place].kind is Said)
            self._drop(next(talk, others[0]))
            return
        before, after = self._waiting[oldest].message(), self._waiting[following].message()
        assert isinstance(before, Events)
        assert isinstance(after, Events)
        data = _codec.encode(replace(after, changes={**before.changes, **after.changes}))
        self._waiting_bytes += len(data) - len(self._waiting[following].data)
        self._waiting[following] = self._waiting[following]._replace(data=data)
        self._drop(oldest)
        self._is_folded = True

    def _drop(self, place: int) -> None:
        self._waiting_bytes -= len(self._waiting[place].data)
        del self._waiting[place]


def _is_before(message: ServerMessage) -> bool:
    """Say whether it tells only of a table at which nothing has been dealt yet."""
    return isinstance(message, TableChanged) and message.info.status in ("waiting", "starting")
