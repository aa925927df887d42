"""One table under load: its seats and spectators, and one game after the other until time is up.

A worker runs one task per table; it owns its guests and their tasks. One prompt is open at a table
at a time, so one loop decides for both seats. A table that fails is counted and opened anew, with
new clients, after a moment.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import trio

from longfuse.bots.random import RandomBot
from longfuse.load.checks import TableCheck
from longfuse.load.clock import Clock
from longfuse.load.echoes import Echoes
from longfuse.load.guest import Guest, Lost, open_guest
from longfuse.load.meter import Meter
from longfuse.load.pace import Pace, pace_of
from longfuse.load.plan import SEATS, TablePlan
from longfuse_protocol import messages as m
from longfuse_protocol.client import ClientClosed, NotConnected, Refused
from longfuse_protocol.errors import WireError
from longfuse_protocol.prompts import Prompt

AGAIN_S = 1.0
"""Before a table that failed is opened anew."""
OPENING_S = 60.0
"""For a table to be opened, or left."""
STUCK_S = 60.0
"""For the next question of a game to come."""
SERVER_GONE = "server gone"
"""The error of a table whose clients could not reach the server any more as the run ended."""


class Stuck(Exception):
    """A game goes on and asks nobody."""


class Suspended(Exception):
    """The server has stopped the game by a fault of its own."""


FAILURES = (
    *(Lost, Stuck, Suspended, NotConnected, ClientClosed, Refused, WireError),
    trio.TooSlowError,
)


class Turn(NamedTuple):
    """A question that waits for its answer."""

    guest: Guest
    prompt: Prompt
    at: float


class Table:
    """One table of the plan. `run` is its task."""

    def __init__(self, plan: TablePlan, url: str, clock: Clock, meter: Meter) -> None:
        self.opened = trio.Event()
        """The first game has begun, or the first try has failed."""
        self.is_open = False
        """A game has begun here."""
        self.is_done = False
        """Its task has ended."""
        self._plan = plan
        self._url = url
        self._clock = clock
        self._meter = meter
        self._guests: list[Guest] = []
        self._games = 0
        self._tries = 0
        self._pace: Pace | None = None
        self._news = trio.Event()
        self._playing = trio.Event()
        """A game is being played; another event for each."""
        self._turn: Turn | None = None
        self._over: set[Guest] = set()
        self._is_suspended = False
        self._deciding: tuple[str, float] | None = None
        self._check = TableCheck(())
        self._echoes = Echoes(SEATS)

    async def run(self, gate: trio.CapacityLimiter) -> None:
        """Play until the end of the run; at most as many tables as the gate lets open at once."""
        cut_off: list[str] = []
        try:
            while not self._clock.is_over:
                failures: Iterable[Failure] = ()
                try:
                    await self._play(gate)
                except* FAILURES as failed:
                    failures = _failures(failed)
                for failure in failures:
                    self._meter.failed(failure.error, failure.reason)
                cut_off = [failure.reason for failure in failures if failure.is_cut_off]
                self.opened.set()
                if not self._clock.is_over:
                    with self._clock.until_end():
                        await trio.sleep(AGAIN_S)
        finally:
            self.is_done = True
            cut_off += [guest.cut_off for guest in self._guests if guest.cut_off]
            if cut_off:
                self._meter.failed(SERVER_GONE, cut_off[0])

    @property
    def is_cut_off(self) -> bool:
        """Whether one of its clients has tried in vain to come back."""
        return any(guest.cut_off for guest in self._guests)

    async def _play(self, gate: trio.CapacityLimiter) -> None:
        self._tries += 1
        self._guests = []
        async with contextlib.AsyncExitStack() as stack:
            self._is_suspended = False
            async with gate:
                self._guests = [
                    await stack.enter_async_context(
                        open_guest(self._url, number, self._name(number), self._meter, self._hear)
                    )
                    for number in range(SEATS + self._plan.spectators)
                ]
            async with trio.open_nursery() as nursery:
                for number, guest in enumerate(self._guests):
                    nursery.start_soon(guest.listen)
                    nursery.start_soon(self._drop, number, guest)
                async with gate:
                    await self._open_game()
                self.opened.set()
                await self._clock.begun.wait()
                while await self._play_game():
                    await self._open_game()
                nursery.cancel_scope.cancel()

    def _name(self, number: int) -> str:
        return f"load {self._plan.number}-{number}"

    async def _drop(self, number: int, guest: Guest) -> None:
        """Cut a guest's connection as planned; between two games, once the next one is open."""
        await self._clock.begun.wait()
        for moment in self._plan.drops[number] if self._plan.drops else ():
            due = self._clock.start + moment
            if due >= trio.current_time():
                await trio.sleep_until(due)
                await self._playing.wait()
                guest.drop()

    # One game

    async def _open_game(self) -> None:
        """Open a table; the spectators come before the second seat, and see it from the start."""
        self._games += 1
        self._playing = trio.Event()
        self._turn = None
        self._over = set()
        self._check = TableCheck([guest.check for guest in self._guests])
        self._echoes = Echoes(SEATS)
        began = trio.current_time()
        with trio.fail_after(OPENING_S):
            await self._sit_down()
            await self._next_turn()
        self._playing.set()
        self.is_open = True
        self._meter.games += 1
        self._meter.time("opening", trio.current_time() - began)

    async def _sit_down(self) -> None:
        first, second, *spectators = self._guests
        seats = (m.SeatWish(),) * SEATS
        table = await first.enter(
            m.Create(command=first.client.new_id(), ruleset=self._plan.ruleset, seats=seats)
        )
        async with trio.open_nursery() as nursery:
            for guest in spectators:
                wish = m.Spectate(command=guest.client.new_id(), table=table)
                nursery.start_soon(guest.enter, wish)
        await second.enter(m.Join(command=second.client.new_id(), table=table))

    async def _play_game(self) -> bool:
        """Play the game that is open; say whether there is time for another."""
        if self._pace is None:
            self._pace = pace_of(self._plan, self._clock.start)
        self._pace.skip_to(trio.current_time())
        is_over = await self._decide_all(self._pace)
        violations = self._check.compare(is_over=is_over)
        if violations is not None:
            self._meter.games_compared += 1
            self._meter.found(violations)
        if not is_over:
            self._meter.overdue += self._pace.overdue(self._clock.end)
            return False
        self._meter.games_over += 1
        self._playing = trio.Event()
        with trio.fail_after(OPENING_S):
            async with trio.open_nursery() as nursery:
                for guest in self._guests:
                    nursery.start_soon(guest.leave)
        return not self._clock.is_over

    async def _decide_all(self, pace: Pace) -> bool:
        """Decide for both seats until the game or the run is over; say whether the game is."""
        seed = f"{self._plan.seed}/{self._tries}/{self._games}"
        bots = [RandomBot(seed, seat) for seat in range(SEATS)]
        while True:
            turn = await self._next_turn()
            if turn is None:
                return len(self._over) == len(self._guests)
            asked_at = max(turn.at, self._clock.start)
            intended = pace.intended(asked_at)
            with self._clock.until_end():
                await trio.sleep_until(intended)
            if self._clock.is_over:
                return False
            assert turn.prompt.seat < SEATS
            self._turn = None
            due = max(intended, asked_at)
            self._meter.time("late", trio.current_time() - due)
            await self._decide(turn, intended, bots[turn.prompt.seat])

    async def _decide(self, turn: Turn, intended: float, bot: RandomBot) -> None:
        guest = turn.guest
        command = m.Decide(
            command=guest.client.new_id(), prompt=turn.prompt.id, answer=bot.choose(turn.prompt)
        )
        self._check.closed(guest.seat, turn.prompt.id)
        self._echoes.decided(turn.prompt.seat, intended)
        self._deciding = (command.command, intended)
        try:
            await guest.command(command)
        except Refused as refused:
            self._meter.failed(refused.answer.code, refused.answer.reason)
            if self._turn is None and refused.answer.prompt is not None:
                self._turn = Turn(guest, refused.answer.prompt, trio.current_time())
        else:
            self._meter.decisions[self._plan.ruleset] += 1
            if self._turn is not None and self._turn.prompt == turn.prompt:
                self._turn = None  # asked again after a drop, before the answer was known

    async def _next_turn(self) -> Turn | None:
        """Wait for a question; None if the game is over for everybody, or the run is."""
        with self._clock.until_end(), trio.move_on_after(STUCK_S) as stuck:
            while self._turn is None and len(self._over) < len(self._guests):
                if self._is_suspended:
                    raise Suspended
                self._news = trio.Event()
                await self._news.wait()
        if stuck.cancelled_caught:
            raise Stuck(f"nobody was asked for {STUCK_S:.0f} s")
        return self._turn

    # What the guests hear

    def _hear(self, guest: Guest, message: m.ServerMessage, now: float) -> None:
        match message:
            case m.Asked():
                self._meter.found(self._check.asked(guest.check, message.prompt))
                self._turn = Turn(guest, message.prompt, now)
                self._news.set()
            case m.Events():
                self._meter.frames += 1
                self._see(guest, message, now)
            case m.Snapshot():
                if guest.seat is not None and message.n:
                    self._echoes.lost(guest.seat)
            case m.Answered():
                self._answered(guest, message, now)
            case m.Passed():
                self._check.closed(guest.seat, message.prompt)
            case m.Over():
                self._over.add(guest)
                self._turn = None
                self._news.set()
            case m.Failed() if not message.command:
                self._meter.failed(message.code, message.text)
            case m.Notice(kind="suspended"):
                self._is_suspended = True
                self._news.set()
            case _:
                pass

    def _see(self, guest: Guest, frame: m.Events, now: float) -> None:
        if guest.seat is None:
            return
        echo = self._echoes.frame(guest.seat, frame.shared, now)
        # A frame from before a drop came as a part of the gap: how long that took is counted apart.
        if echo is not None and echo[0] >= max(one.back_at for one in self._guests[:SEATS]):
            self._meter.time("other_seat", echo[1] - echo[0])

    def _answered(self, guest: Guest, answer: m.Answered, now: float) -> None:
        if self._deciding is None or self._deciding[0] != answer.command:
            return
        _command, intended = self._deciding
        self._deciding = None
        if answer.ok and intended >= guest.back_at:
            self._meter.time("answer", now - intended)


class Failure(NamedTuple):
    """What the report says of an error that ended a game."""

    error: str
    reason: str
    is_cut_off: bool = False
    """Nothing of the server was to be reached."""


def _failures(failed: BaseException) -> Iterable[Failure]:
    match failed:
        case BaseExceptionGroup():
            return [failure for one in failed.exceptions for failure in _failures(one)]
        case Refused():
            return [Failure(failed.answer.code, failed.answer.reason)]
        case NotConnected():
            rejected = failed.ended.rejected
            return [Failure(rejected or "not connected", str(failed), is_cut_off=not rejected)]
        case Lost():
            return [Failure(str(failed), failed.reason, is_cut_off=failed.is_cut_off)]
        case WireError():
            return [Failure(f"not sent: {failed.code}", failed.text)]
        case _:
            return [Failure(_WORDS[type(failed)], str(failed))]


_WORDS: Mapping[type[BaseException], str] = {
    Stuck: "nobody asked",
    Suspended: "suspended",
    ClientClosed: "connection lost",
    trio.TooSlowError: "too late",
}
