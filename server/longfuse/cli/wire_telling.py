"""Telling a game that is played elsewhere: what a spectator's connection hears, in sentences.

Owns the step from the wire's messages to lines. Sentences come ready from the server: what it may
not tell a spectator is not among them.
"""

from __future__ import annotations

import trio

from longfuse.cli.telling import Teller, told_result
from longfuse.game.words import seat_words
from longfuse_protocol.client import Client, Ended, Event
from longfuse_protocol.messages import Events, Joined, Notice, Over, TableChanged, TableInfo

LINES_MAX = 100_000
"""Lines that wait to be shown; a game has far fewer."""


class Spectator:
    """Hears one table and shows it, at most one sentence each `pace_s`."""

    def __init__(self, client: Client, teller: Teller, *, pace_s: float = 0.0) -> None:
        self._client = client
        self._teller = teller
        self._pace_s = pace_s
        self._names: tuple[str, ...] = ()
        self.ended: Ended | None = None
        """Why the connection ended, if that came before the game's end."""

    async def tell(self) -> Over | None:
        """Tell until the game is over; None if the connection ended first."""
        lines, to_show = trio.open_memory_channel[tuple[str, str]](LINES_MAX)
        over: Over | None = None
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._show, to_show)
            # Heard at once and shown at leisure: a connection that is not read is cut off.
            with lines:
                async for event in self._client:
                    for line in self._lines(event):
                        await lines.send(line)
                    if isinstance(event, Over):
                        over = event
                        break
                    if isinstance(event, Ended):
                        self.ended = event
        return over

    async def _show(self, to_show: trio.MemoryReceiveChannel[tuple[str, str]]) -> None:
        async for kind, text in to_show:
            if kind == "note":
                self._teller.note(text)
            elif kind == "closing":
                self._teller.closing(text)
            else:
                self._teller.event(kind, text)
                await trio.sleep(self._pace_s)

    def _lines(self, event: Event) -> list[tuple[str, str]]:
        match event:
            case Joined(info=info) | TableChanged(info=info):
                return self._changed(info)
            case Events():
                return [
                    (str(one.get("event")), str(one["text"]))
                    for one in event.events
                    if one.get("text")
                ]
            case Over():
                return [("closing", told_result(event.winner, event.reason, self._names))]
            case Notice(text=text):
                return [("note", text)]
            case _:
                return []

    def _changed(self, info: TableInfo) -> list[tuple[str, str]]:
        names = tuple(seat.name for seat in info.seats)
        if names == self._names or not all(names):
            return []
        self._names = names
        seated = (f"{name} ({seat_words(seat)})" for seat, name in enumerate(names))
        return [("note", f"table {info.table}, {info.ruleset}: {' against '.join(seated)}")]
