"""One game while it is played: prompts, whose time counts, and what is answered for whom.

A match makes one for each game, and the table's task alone calls it. Around `Play`, which knows the
game and its journal, this has what the seats have agreed on or set: clocks, and passing. Each
prompt is either told to its seat or, where the seat's settings say so, answered for it by an
ordinary decision: others are shown the same either way. It knows nothing of the match's other
games.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence

import trio

from longfuse.game.entries import Interruption, Refused, Result
from longfuse.host.alarms import Alarms
from longfuse.host.audience import Audience, Shown
from longfuse.host.clocks import Clocks
from longfuse.host.feeds import Feeds
from longfuse.host.history import History
from longfuse.host.passing import Ask, Pass, Passer
from longfuse.host.peers import Peer
from longfuse.host.play import GameCommand, Play, Step
from longfuse.host.ports import Game, Header
from longfuse.host.wall import wall_ms
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import (
    Answered,
    Asked,
    Clock,
    Decide,
    Passed,
    ServerMessage,
    TakeBack,
    Terms,
)
from longfuse_protocol.prompts import Answer

AlarmKey = tuple[str, object]
CLOCK: AlarmKey = ("clock", None)
PASS: AlarmKey = ("pass", None)
TAKEN_BACK_MAX = 200
"""How often a seat may take something back in one game, a play of its own or, as the others agree,
its last decision: each stays in the journal, and none ends a game.
"""
HEARD_MAX = 512
"""Events kept for a seat between two of its prompts, for its settings to go by."""


class Playing:
    """One game from its first card to its result."""

    def __init__(
        self,
        play: Play,
        terms: Terms,
        passers: Mapping[int, Passer],
        audience: Audience,
        feeds: Feeds,
        alarms: Alarms[AlarmKey],
    ) -> None:
        self.play = play
        if terms.take_back == "by agreement":
            play.history = History()
        self._terms = terms
        self._passers = passers
        self._audience = audience
        self._feeds = feeds
        self._alarms = alarms
        self._clocks = Clocks(terms.clock, len(audience.seats), wall_ms)
        self._before_play = self._clocks.saved()
        """The clocks of the state that a seat goes back to if it takes its open play back."""
        self._heard: list[deque[dict[str, object]]] = [
            deque(maxlen=HEARD_MAX) for _ in range(len(audience.seats))
        ]
        self._taken_back = [0] * len(audience.seats)
        """How often each seat has."""
        self._pass: Pass | None = None
        """How the open prompt is about to be answered for its seat."""
        self._has_moved = False
        self._asks_itself = False
        """Whether the next prompt is asked in spite of all settings."""

    def has_moved(self) -> bool:
        """Say whether an entry has come that all know of, since this was last said.

        What a seat does in an open play is no move yet: nobody else may know of it.
        """
        moved, self._has_moved = self._has_moved, False
        return moved

    @property
    def result(self) -> Result | None:
        """How the game has ended."""
        return self.play.game.result

    async def begin(self, header: Header) -> None:
        """Show the first cards and ask the first seat."""
        self._show(await self.play.begin(header))

    async def command(self, seat: int, peer: Peer, command: GameCommand, at: float) -> None:
        """Do what a seat commands, which arrived at that time, and answer; or raise `Refused`."""
        if isinstance(command, TakeBack) and not self.play.is_known(seat, command):
            self._check_take_back(seat)
        passed = isinstance(command, Decide) and self._lets_go(seat, command.answer)
        step = await self.play.command(seat, command)
        answer = Answered(command=command.command, ok=True)
        if step is None:  # the very same was done before
            self._audience.send(peer, answer)
            return
        if isinstance(command, TakeBack):
            self._taken_back[seat] += 1
            self._clocks.answered(seat, at, moved=False)
            self._clocks.restore(self._before_play, taken_back_by=seat)
        else:
            self._clocks.answered(seat, at, passed=passed)
        self._show(step, (peer, answer), taken_back=isinstance(command, TakeBack))

    def refused(self, seat: int, at: float) -> None:
        """Hear that a seat's command, which arrived at that time, was refused: it cost nothing."""
        self._clocks.refused(seat, at, trio.current_time())
        self._watch_clock()

    async def interrupt(
        self, entry: Interruption, answered: tuple[Peer, Answered] | None = None
    ) -> None:
        """End the game from outside, and give that answer with it; or raise `Refused`."""
        step = await self.play.interrupt(entry)
        self._show(step, answered)

    def check_rewind(self, seat: int) -> None:
        """Raise `Refused` if the seat has nothing to take back, or has done so too often."""
        assert self.play.history is not None, "the terms allow it"
        if self._taken_back[seat] >= TAKEN_BACK_MAX:
            text = f"you have taken back {TAKEN_BACK_MAX} times in this game; play on"
            raise Refused(Code.TOO_MANY, text)
        self.play.history.before_last_of(seat)

    async def rewind(
        self, seat: int, make: Callable[[], Game], now: float, answered: tuple[Peer, Answered]
    ) -> None:
        """Go back to before the seat's last decision, as all have agreed; or raise `Refused`.

        Its settings may have made that decision: then the seat is asked itself now.
        """
        step, undone = await self.play.rewind(seat, make)
        self._taken_back[seat] += 1
        if self._clocks.asked is not None:
            self._clocks.answered(self._clocks.asked, now, moved=False)
        if undone.clocks is not None:
            self._clocks.restore(undone.clocks)
        self._asks_itself = True
        self._show(step, answered)
        self._has_moved = False

    async def run_out(self, now: float) -> None:
        """Do what the terms say of a seat whose time has run out."""
        seat, prompt = self._clocks.asked, self.play.game.open_prompt
        if seat is None or prompt is None or not self._clocks.has_run_out(seat, now):
            return
        if self._pass is not None:  # how long a bluff takes is the server's, not the seat's
            await self.pass_now(now)
            return
        if self._terms.clock.out == "lose":
            step = await self.play.interrupt(Interruption("clock out", seat))
            self._clocks.answered(seat, now, moved=False)
        else:
            step = await self.play.decide_for(prompt, prompt.default, "clock: the default")
            # It earns as any decision does: else its seat would never have time again.
            self._clocks.answered(seat, now)
        self._show(step)

    async def pass_now(self, now: float) -> None:
        """Answer the prompt that is to be passed for its seat, if it is still the one."""
        passing, self._pass = self._pass, None
        prompt = self.play.game.open_prompt
        if passing is None or prompt is None or self.play.shown(prompt).id != passing.prompt:
            return
        seat = prompt.seat
        passed = self._lets_go(seat, passing.answer)
        step = await self.play.decide_for(prompt, passing.answer, passing.rule)
        self._clocks.answered(seat, now, passed=passed)
        holder = self._audience.seats.holders[seat]
        if holder is not None:
            self._audience.send(holder, Passed(prompt=passing.prompt, rule=passing.rule))
        self._show(step)

    def pause(self, now: float) -> None:
        """Stop the clocks, and answer nothing for anybody: not yet, what is about to be passed."""
        self._clocks.pause(now)
        self._alarms.cancel(CLOCK)
        self._alarms.cancel(PASS)
        self._tell_clock(now)

    def unpause(self, now: float) -> None:
        """Go on: the seat that is asked is asked again, and its settings may answer for it."""
        self._clocks.unpause(now)
        self._pass = None
        self._tell_clock(now)
        prompt = self.play.game.open_prompt
        if prompt is not None:
            asked = self.play.asked_of(prompt.seat)
            assert asked is not None
            messages = self._to_ask(asked)
            holder = self._audience.seats.holders[prompt.seat]
            if holder is not None:
                self._audience.send_all(holder, messages)

    def reconsider(self, seat: int) -> None:
        """Hear that a seat has other settings: they may answer the prompt that is open."""
        prompt = self.play.game.open_prompt
        if prompt is None or prompt.seat != seat or self._clocks.is_paused:
            return
        self._pass = None
        self._alarms.cancel(PASS)
        asked = self.play.asked_of(seat)
        assert asked is not None
        holder = self._audience.seats.holders[seat]
        if holder is not None:
            self._audience.send_all(holder, self._to_ask(asked))

    def stop(self, now: float) -> None:
        """Let nothing happen any more."""
        self._clocks.stop(now)
        self._pass = None
        self._alarms.cancel(CLOCK)
        self._alarms.cancel(PASS)

    def told(self, seat: int | None) -> list[ServerMessage]:
        """Return what somebody who comes must know of it besides the frames: clocks, prompt, end.

        seat: None for a spectator, who is told no prompt and no end: both are in what is shown.
        """
        told: list[ServerMessage] = []
        if self._terms.clock.kind != "none" and self.result is None:
            told.append(self._clock_for(seat, trio.current_time()))
        if seat is None:
            return told
        over = self.play.over(self._feeds.of(seat).n)
        if over is not None:
            told.append(over)
        asked = self.play.asked_of(seat)
        if asked is not None and self._pass is None:
            told.append(asked)
        return told

    # ---------------------------------------------------------------- one step

    def _show(
        self,
        step: Step,
        answered: tuple[Peer, Answered] | None = None,
        *,
        taken_back: bool = False,
    ) -> None:
        """Show what an entry has brought, and ask who is asked next.

        taken_back: the entry takes an open play back, so that to all others nothing has happened.
        """
        self._pass = None
        self._alarms.cancel(PASS)
        for seat, frame in enumerate(step.frames[:-1]):
            if frame is not None and seat in self._passers:
                self._heard[seat].extend(frame.events)
        for_one: dict[int, Sequence[ServerMessage]] = {}
        if step.asked is not None:
            for_one[step.asked.prompt.seat] = self._ask(step.asked)
        steps: list[Sequence[Shown | None]] = [step.frames]
        if step.overs is not None:
            steps.append(step.overs)
        self._audience.show(steps, for_one, answered)
        now = trio.current_time()
        if self.result is not None:
            self.stop(now)
        self._has_moved = not taken_back and not self.play.game.has_open_play
        self._tell_clock(now, to_all=self._has_moved)

    def _ask(self, asked: Asked) -> list[ServerMessage]:
        """Begin to count a seat's time for a prompt; return what it is told."""
        now, before = trio.current_time(), self._clocks.asked
        if before != asked.prompt.seat:
            if before is not None:  # who was asked has left, and the game goes on
                self._clocks.answered(before, now, moved=False)
            self._clocks.ask(asked.prompt.seat, now)
        self.play.asked_with = self._clocks.saved()
        if not self.play.game.has_open_play:
            self._before_play = self.play.asked_with
        return self._to_ask(asked)

    def _to_ask(self, asked: Asked) -> list[ServerMessage]:
        """Return what the prompt's seat is told; nothing, if the prompt is answered for it."""
        seat = asked.prompt.seat
        passer = self._passers.get(seat)
        asks_itself, self._asks_itself = self._asks_itself, False
        if passer is None:
            return [asked]
        heard, self._heard[seat] = list(self._heard[seat]), deque(maxlen=HEARD_MAX)
        verdict = passer.consider(asked.prompt, self._feeds.of(seat).view, heard)
        if isinstance(verdict, Pass) and not asks_itself:
            self._pass = verdict
            self._alarms.set(PASS, trio.current_time() + self._terms.bluff_ms / 1_000)
            return [passer.message()] if verdict.changed else []
        stopped = verdict.stopped if isinstance(verdict, Ask) else ""
        return [passer.message(stopped), asked] if verdict.changed else [asked]

    def _lets_go(self, seat: int, answer: Answer) -> bool:
        """Say whether an answer to the open prompt is a pass, whoever gives it."""
        prompt, passer = self.play.game.open_prompt, self._passers.get(seat)
        if prompt is None or prompt.seat != seat or passer is None:
            return False
        return passer.lets_go(self.play.shown(prompt), self._feeds.of(seat).view, answer)

    def _tell_clock(self, now: float, *, to_all: bool = True) -> None:
        """Tell the clocks; or, of what others may not know yet, only the seat that is asked."""
        if self._terms.clock.kind == "none":
            return
        own = self._clocks.asked if self.play.game.has_open_play or not to_all else None
        holder = self._audience.seats.holders[own] if own is not None else None
        if holder is not None:
            self._audience.send(holder, self._clock_for(own, now))
        if to_all:
            self._audience.tell(self._clock_for(None, now), but=holder)
        self._watch_clock()

    def _watch_clock(self) -> None:
        """Set the alarm to when the time of the seat that is asked has run out."""
        deadline = self._clocks.running_out()
        if deadline is None:
            self._alarms.cancel(CLOCK)
        else:
            self._alarms.set(CLOCK, deadline)

    def _clock_for(self, seat: int | None, now: float) -> Clock:
        """Return the clocks as a seat, or with None a spectator, may know them."""
        hides = self.play.game.has_open_play and seat != self._clocks.asked
        return self._clocks.message(now, self._before_play if hides else None)

    def _check_take_back(self, seat: int) -> None:
        if self._terms.take_back == "no":
            raise Refused(Code.NOT_NOW, "at this table nothing is taken back")
        if self._taken_back[seat] >= TAKEN_BACK_MAX:
            text = f"you have taken back {TAKEN_BACK_MAX} plays; finish this one"
            raise Refused(Code.TOO_MANY, text)
        is_own = self.play.game.has_open_play and self._clocks.asked == seat
        if is_own and not self._clocks.has_time_after(self._before_play, seat):
            raise Refused(Code.NOT_NOW, "you have no time left to go back to")
