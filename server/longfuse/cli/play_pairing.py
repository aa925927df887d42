"""Waiting to be paired, at a terminal where the player can say something meanwhile.

Owns the words for that time, and what is told of the connection in it; there is no table yet, so
the session's words come later, and the session hears what comes after the seat. A script has
nothing to say before a game: its lines are left for that, and without any it does not wait.
"""

from __future__ import annotations

import contextlib

import trio

from longfuse.cli.play_input import Lines
from longfuse.cli.play_screen import Screen
from longfuse.cli.play_words import HelpRow
from longfuse.cli.terms import span, told_clock
from longfuse_protocol.client import (
    ANSWER_S,
    Client,
    ClientClosed,
    Dropped,
    NotPaired,
    Refused,
    Resumed,
)
from longfuse_protocol.client_commands import PAIR_S
from longfuse_protocol.messages import ClockTerms, Joined, Place

HELP = (
    HelpRow("quit", "wait no longer, and leave; `cancel` and the end of the input do the same"),
    HelpRow("help", "this list"),
    HelpRow("Enter", "how long it has been"),
)


class Pairing:
    """One player who waits for another."""

    def __init__(
        self, client: Client, lines: Lines, screen: Screen, ruleset: str, clock: ClockTerms
    ) -> None:
        self._client = client
        self._lines = lines
        self._screen = screen
        self._ruleset = ruleset
        self._clock = clock
        self._since = trio.current_time()
        self._is_ended = False
        """The player has ended the waiting."""
        self._has_no_lines = False
        """Nothing is left that could be played: the script has ended."""
        self._is_seated = trio.Event()

    async def wait(self, deck: str) -> Place | None:
        """A seat opposite somebody; None if the player waits no longer.

        Raises `NotPaired` where nobody came in time, or before the lines of a script ended; and
        what `Client.pair` raises else.
        """
        told = f"{self._ruleset}, {told_clock(self._clock)}"
        self._screen.line(f"Waiting for somebody who wants to play {told}.", "dim")
        failure: Exception | None = None
        async with trio.open_nursery() as nursery:
            if self._lines.is_live:
                self._screen.line("`quit` ends that, `help` tells more.", "dim")
                nursery.start_soon(self._read, nursery.cancel_scope)
            else:
                nursery.start_soon(self._await_end, nursery.cancel_scope)
            nursery.start_soon(self._hear)
            try:
                await self._client.pair(self._ruleset, deck=deck, clock=self._clock)
                with trio.move_on_after(ANSWER_S):
                    await self._is_seated.wait()
            except trio.TooSlowError:
                failure = NotPaired(f"no other player came within {PAIR_S / 60:.0f} minutes")
            except Exception as error:  # noqa: BLE001  raised again, outside the nursery
                failure = error
            nursery.cancel_scope.cancel()
        self._screen.leave_cursor()
        if self._is_ended:
            if self._client.place is not None:  # whoever was found at that moment is told at once
                with contextlib.suppress(ClientClosed, Refused, trio.TooSlowError):
                    await self._client.leave()
            if self._has_no_lines:
                raise NotPaired("the input ended before anybody came")
            return None
        if failure is not None:
            raise failure
        return self._client.place

    async def _hear(self) -> None:
        """Tell of the connection, up to the event that brings the seat."""
        is_lost = False
        async for event in self._client:
            match event:
                case Joined():
                    break
                case Resumed(place=place):
                    is_lost = False
                    self._screen.aside("Connected again.", "strong")
                    if place is not None:
                        break
                case Dropped(reason=reason) if not is_lost:
                    is_lost = True
                    told = f"The connection is lost ({reason}). Reconnecting\u2026"
                    self._screen.aside(told, "strong")
                case _:
                    pass
        self._is_seated.set()

    async def _read(self, waiting: trio.CancelScope) -> None:
        while not self._is_ended:
            self._screen.cursor()
            line = await self._lines.next()
            self._screen.typed()
            match line if line is None else line.strip().casefold():
                case None | "quit" | "exit" | "cancel":
                    self._is_ended = True
                case "help" | "?":
                    self._screen.heading("While you wait")
                    for word, told in HELP:
                        self._screen.row(word, told, "strong", len(HELP[-1].word))
                case "":
                    waited = span(trio.current_time() - self._since)
                    self._screen.line(f"Nobody has come yet, for {waited}.")
                case _:
                    self._screen.line("There is no game yet. `help` lists what you can type now.")
        await self._unpair(waiting)

    async def _await_end(self, waiting: trio.CancelScope) -> None:
        if not await self._lines.has_more():
            self._is_ended = self._has_no_lines = True
            await self._unpair(waiting)

    async def _unpair(self, waiting: trio.CancelScope) -> None:
        with contextlib.suppress(ClientClosed, Refused, trio.TooSlowError):
            await self._client.unpair()
        waiting.cancel()
