"""One client at a table: the reference client, its connections, and what it has seen checked.

A table owns its guests. Every message that a guest hears goes through its check before the table
acts on it, and every command that it sends is known to the check before it is sent.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import AsyncIterator, Callable

import trio

from longfuse.load.checks import ClientCheck
from longfuse.load.dialer import Dialer
from longfuse.load.meter import Meter
from longfuse.load.plan import SEATS
from longfuse_protocol import messages as m
from longfuse_protocol.client import (
    Client,
    Dropped,
    Ended,
    Resumed,
    Retry,
    ShuffleDoubted,
    open_client,
)

RETRY = Retry(tries=50, within_s=60.0, base_s=0.1, most_s=2.0, steady_s=0.1)
"""Who is cut again and again comes back each time; a server that is gone is given up soon."""


PassOn = Callable[["Guest", m.ServerMessage, float], None]
"""Takes a message, with whom it came to and when."""


class Lost(Exception):
    """A client's connection has ended for good, or its place is lost; the message says which."""

    def __init__(self, which: str, reason: str = "", *, is_cut_off: bool = False) -> None:
        """is_cut_off: nothing of the server is to be reached any more."""
        super().__init__(which)
        self.reason = reason
        self.is_cut_off = is_cut_off


class Guest:
    """One client, for as long as it has its session."""

    def __init__(self, number: int, dialer: Dialer, meter: Meter, pass_on: PassOn) -> None:
        self.seat = number if number < SEATS else None
        name = f"seat {number}" if number < SEATS else f"spectator {number - SEATS}"
        self.check = ClientCheck(name, self.seat)
        self.client: Client
        """Set once it is welcome."""
        self.dialer = dialer
        self.back_at = 0.0
        """When it came back last; infinite while it is away."""
        self.cut_off = ""
        """Why it could not come back, for as long as it has not and has tried."""
        self._has_joined = trio.Event()
        self._has_left = trio.Event()
        self._meter = meter
        self._pass_on = pass_on
        self._away_since: float | None = None
        self._is_leaving = True
        """It has no place, or gives it up."""

    async def command(self, command: m.Command) -> m.Answered:
        """Send a command and wait for its answer; raises what the client raises."""
        self.check.sent(command.command, is_away=self._away_since is not None)
        return await self.client.command(command)

    async def enter(self, wish: m.Create | m.Join | m.Spectate) -> str:
        """Ask for a place; return the table's id once it is had and everything is ready for it."""
        self._has_joined = trio.Event()
        self._is_leaving = False
        await self.command(wish)
        await self._has_joined.wait()
        return self.check.table

    async def leave(self) -> None:
        """Give the place up, and wait until it is."""
        self._has_left = trio.Event()
        self._is_leaving = True
        await self.command(m.Leave(command=self.client.new_id()))
        await self._has_left.wait()

    def hear(self, message: m.ServerMessage) -> None:
        """Check a message as it comes and pass it on: the tap of the client."""
        now = trio.current_time()
        if isinstance(message, m.Welcome):
            self._come_back(now)
        self._meter.found(self.check.hear(message))
        if isinstance(message, m.Joined):
            self._has_joined.set()
        elif isinstance(message, m.Left):
            self._has_left.set()
        self._pass_on(self, message, now)

    async def listen(self) -> None:
        """Take what else the client tells; raise `Lost` when its connection or place is lost."""
        async for event in self.client:
            match event:
                case Ended():
                    is_cut_off = event.retry and not event.rejected
                    raise Lost(f"closed {event.code}", event.reason, is_cut_off=is_cut_off)
                case Dropped():
                    self._lose(event)
                case Resumed(place=None) if not self._is_leaving:
                    raise Lost("place lost")
                case Resumed(place=None):
                    self._has_left.set()
                case ShuffleDoubted():
                    wrong = "; ".join(event.wrong)
                    self._meter.found([self.check.found("shuffle", f"game {event.game}: {wrong}")])
                case _:
                    pass

    def drop(self) -> None:
        """Cut the connection, unless it is away already."""
        if self._away_since is None and self.dialer.cut():
            self._meter.drops += 1
            self._away_since = trio.current_time()
            self.back_at = math.inf
            self.check.dropped()

    def _lose(self, dropped: Dropped) -> None:
        """The connection is lost, maybe not by us, or could not be had again."""
        if self.client.is_connected:
            return
        if dropped.tries:
            self.cut_off = dropped.reason
        if self._away_since is not None:
            return
        self._meter.failed("connection dropped", dropped.reason)
        self._away_since = trio.current_time()
        self.back_at = math.inf
        self.check.dropped()

    def _come_back(self, now: float) -> None:
        if self._away_since is not None:
            self._meter.resumed += 1
            self._meter.time("resume", now - self._away_since)
            self.check.resumed()
        self._away_since = None
        self.cut_off = ""
        self.back_at = now


@contextlib.asynccontextmanager
async def open_guest(
    url: str, number: int, name: str, meter: Meter, pass_on: PassOn
) -> AsyncIterator[Guest]:
    """Connect as a client; raises what `open_client` raises.

    What the server says is passed on as it comes, with when, and is checked by then.
    """
    guest = Guest(number, Dialer(url), meter, pass_on)
    async with open_client(
        url,
        name=name,
        program="longfuse load",
        dial=guest.dialer.dial,
        retry=RETRY,
        tap=guest.hear,
    ) as guest.client:
        try:
            yield guest
        except Exception:
            guest.check.dropped()  # what ended this table took answers along
            raise
        finally:
            meter.found(guest.check.end())
            meter.bytes_received += guest.dialer.received
            meter.bytes_sent += guest.dialer.sent
