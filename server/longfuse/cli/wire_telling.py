"""Telling a table that is elsewhere: what a spectator's connection hears, in sentences.

Owns the step from the wire's messages to lines. Sentences come ready from the server: what it may
not tell a spectator is not among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import trio

from longfuse.cli.telling import Teller, told_result
from longfuse.cli.terms import USUAL, span, told_terms
from longfuse.game.words import seat_words
from longfuse_protocol.client import Client, Dropped, Ended, Event, Resumed
from longfuse_protocol.messages import (
    Events,
    Left,
    Notice,
    Over,
    Presence,
    Said,
    Snapshot,
    TableChanged,
    TableInfo,
)

LINES_MAX = 100_000
"""Lines that wait to be shown; a match has far fewer."""

Line = tuple[str, str]
"""How it is shown, and the words."""


class Spectator:
    """Hears one table and shows it, at most one sentence each `pace_s`."""

    def __init__(self, client: Client, teller: Teller, *, pace_s: float = 0.0) -> None:
        self._client = client
        self._teller = teller
        self._pace_s = pace_s
        self._names: tuple[str, ...] = ()
        self._info: TableInfo | None = None
        """The table as it was told last; the client may know it later already."""
        self._heard: dict[str, int] = {}
        """The last line of each room."""
        self._shown = 0
        """The number of the last game frame that was told."""
        self._is_lost = False
        self.is_over = False
        """All that is played there has been played."""
        self.ended: Ended | None = None
        """Why the connection ended, if that came first."""
        self.left = ""
        """Why the place was lost, if that came first."""

    async def tell(self) -> None:
        """Tell until all games are over, the table is gone, or the connection has ended."""
        lines, to_show = trio.open_memory_channel[Line](LINES_MAX)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._show, to_show)
            # Heard at once and shown at leisure: a connection that is not read is cut off.
            with lines:
                assert self._client.place is not None
                for line in self._begin(self._client.place.info):
                    await lines.send(line)
                async for event in self._client:
                    for line in self._lines(event):
                        await lines.send(line)
                    if self.is_over or self.left or self.ended is not None:
                        break

    async def _show(self, to_show: trio.MemoryReceiveChannel[Line]) -> None:
        async for kind, text in to_show:
            if kind == "note":
                self._teller.note(text)
            elif kind == "closing":
                self._teller.closing(text)
            else:
                self._teller.event(kind, text)
                await trio.sleep(self._pace_s)

    def _begin(self, info: TableInfo) -> Iterable[Line]:
        yield from self._changed(info)
        told = told_terms(info.terms)
        if told != USUAL:
            yield "note", told
        if info.terms.delay_s:
            yield "note", f"you see everything {span(info.terms.delay_s)} late"

    def _lines(self, event: Event) -> Iterable[Line]:
        match event:
            case TableChanged(info=info):
                return self._changed(info)
            case Snapshot():
                return self._recap(event)
            case Events(n=n):
                self._shown = n
                return _told(event.events)
            case Over():
                return self._ended(event)
            case Ended():
                self.ended = event
                return []
            case _:
                return self._besides(event)

    def _besides(self, event: Event) -> Iterable[Line]:
        match event:
            case Notice(text=text):
                return [("note", text)]
            case Said(room=room, line=line) if line > self._heard.get(room, -1):
                self._heard[room] = line
                return [("note", f"[{room}] {event.name}: {event.text}")]
            case Presence(name=name, here=here):
                return [("note", f"{name} {'is back' if here else 'has lost the connection'}")]
            case Left(reason=reason):
                self.left = reason or "the table is gone"
                return [("note", f"no longer watching: {self.left}")]
            case Dropped() if not self._is_lost:
                self._is_lost = True
                return [("note", f"the connection is lost ({event.reason}); reconnecting\u2026")]
            case Resumed():
                self._is_lost = False
                if event.place is None:
                    self.left = "the place at the table was lost with the connection"
                    return [("note", f"no longer watching: {self.left}")]
                return [("note", "connected again"), *self._changed(event.place.info)]
            case _:
                return []

    def _recap(self, snapshot: Snapshot) -> Iterable[Line]:
        """What happened last, for who comes late; and that all is over, if it is."""
        is_new, self._shown = snapshot.n > self._shown, snapshot.n
        told = list(_told(snapshot.recap)) if is_new else []
        if told:
            yield "note", "what happened last:"
            yield from told
            yield "note", "and now:"
        info = self._info
        if info is not None and info.status == "over" and not self.is_over:
            self.is_over = True
            most = max(info.score, default=0)
            won = [n for n, games in zip(self._names, info.score, strict=False) if games == most]
            yield "closing", f"{won[0] if len(won) == 1 else 'Nobody'} wins: all is over here."

    def _ended(self, over: Over) -> Iterable[Line]:
        """How a game ended; and the match, where no further game of it can follow."""
        yield "closing", told_result(over.winner, over.reason, self._names)
        info = self._info
        if info is None or info.terms.best_of == 1:
            self.is_over = True
            return
        score = [games + (seat == over.winner) for seat, games in enumerate(info.score)]
        if max(score) > info.terms.best_of // 2:
            self.is_over = True
            yield "note", _match_over(score)

    def _changed(self, info: TableInfo) -> Iterable[Line]:
        before, self._info = "" if self._info is None else self._info.status, info
        names = tuple(seat.name for seat in info.seats)
        if names != self._names and all(names):
            self._names = names
            seated = (f"{name} ({seat_words(seat)})" for seat, name in enumerate(names))
            yield "note", f"table {info.table}, {info.ruleset}: {' against '.join(seated)}"
        if before == info.status:
            return
        if info.status == "paused":
            yield "note", "the game is paused"
        elif before == "paused" and info.status == "playing":
            yield "note", "the game goes on"
        elif info.status == "between games":
            yield "note", f"the match stands {'-'.join(map(str, info.score))}"
        elif info.status == "over" and before:
            if info.terms.best_of > 1 and not self.is_over:
                yield "note", _match_over(info.score)
            self.is_over = True


def _match_over(score: Iterable[int]) -> str:
    return f"the match is over, {'-'.join(map(str, score))}"


def _told(events: Iterable[Mapping[str, Any]]) -> Iterable[Line]:
    return [(str(one.get("event")), str(one["text"])) for one in events if one.get("text")]
