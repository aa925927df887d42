"""One client at a table: the reference client, its connections, and what it has seen checked.

A table owns its guests. Every message that a guest hears goes through its check before the table
acts on it, and every command that it sends is known to the check before it is sent.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable

import trio

from longfuse.load.checks import ClientCheck
from longfuse.load.dialer import Dialer
from longfuse.load.meter import Meter
from longfuse.load.plan import SEATS
from longfuse_protocol import messages as m
from longfuse_protocol.client import Client, Ended, Event, open_client


class Lost(Exception):
    """A client's connection has ended for good."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(f"the connection ended with {ended.code}: {ended.reason}")
        self.code = ended.code


class Guest:
    """One client, for as long as it has its session."""

    def __init__(self, number: int, client: Client, dialer: Dialer, meter: Meter) -> None:
        self.seat = number if number < SEATS else None
        name = f"seat {number}" if number < SEATS else f"spectator {number - SEATS}"
        self.client = client
        self.check = ClientCheck(name, self.seat)
        self.back_at = 0.0
        """When it was welcomed last; infinite while it is away."""
        self._has_joined = trio.Event()
        self._has_left = trio.Event()
        self._dialer = dialer
        self._meter = meter
        self._cut_at: float | None = None

    async def command(self, command: m.Command) -> m.Answered:
        """Send a command and wait for its answer; raises what the client raises."""
        self.check.sent(command.command)
        return await self.client.command(command)

    async def enter(self, wish: m.Create | m.Join | m.Spectate) -> str:
        """Ask for a place; return the table's id once it is had and everything is ready for it."""
        self._has_joined = trio.Event()
        await self.command(wish)
        await self._has_joined.wait()
        return self.check.table

    async def leave(self) -> None:
        """Give the place up, and wait until it is."""
        self._has_left = trio.Event()
        await self.command(m.Leave(command=self.client.new_id()))
        await self._has_left.wait()

    async def listen(self, hear: Callable[[Guest, Event, float], None]) -> None:
        """Pass on all that is heard, with when, checked; raise `Lost` in the end."""
        async for event in self.client:
            if isinstance(event, Ended):
                raise Lost(event)
            now = trio.current_time()
            self._meter.found(self.check.hear(event))
            if isinstance(event, m.Welcome) and self._cut_at is not None:
                self._meter.resumed += 1
                self._meter.time("resume", now - self._cut_at)
                self._cut_at = None
                self.back_at = now
            elif isinstance(event, m.Joined):
                self._has_joined.set()
            elif isinstance(event, m.Left):
                self._has_left.set()
            hear(self, event, now)

    async def drop_at(self, moments: tuple[float, ...]) -> None:
        """Cut the connection at each of these moments, unless it is away or none is left."""
        for moment in moments:
            if moment < trio.current_time():
                continue
            await trio.sleep_until(moment)
            if self._cut_at is None and self._dialer.cut():
                self._cut_at = trio.current_time()
                self.back_at = float("inf")
                self.check.dropped()
                self._meter.drops += 1

    def count_bytes(self) -> None:
        """Add what has gone through its connections."""
        self._meter.bytes_received += self._dialer.received
        self._meter.bytes_sent += self._dialer.sent


@contextlib.asynccontextmanager
async def open_guest(url: str, number: int, name: str, meter: Meter) -> AsyncIterator[Guest]:
    """Connect as a client; raises what `open_client` raises."""
    dialer = Dialer(url)
    async with open_client(url, name=name, program="longfuse load", dial=dialer.dial) as client:
        guest = Guest(number, client, dialer, meter)
        try:
            yield guest
        except Exception:
            guest.check.dropped()  # what ended this table took answers along
            raise
        finally:
            meter.found(guest.check.end())
            guest.count_bytes()
