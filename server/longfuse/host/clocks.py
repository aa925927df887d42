"""The seats' time in one game: who has how much left, and when it has run out.

`Playing` owns one per game, tells it who is asked and when answers *arrived*, and sets an alarm to
`running_out`. Time counts only from the moment a seat is asked until its answer arrives. Whatever
the server does in between costs nobody anything: handling, the disk, a pause, a drain. It reads no
clock, fires nothing, and decides nothing; what a seat that has run out gets is said by the table's
terms and done by `Playing`.

- bank: so much for the game, and an increment for every decision. A play of several choices is as
  many decisions, each earning its own. Passing only gets back the time it took, up to the
  increment: a game has passes without number, and time is no reward for them. A pass that the
  server makes for a seat is one like any other: else others could see who was asked at all.
- decision: so much for each decision, afresh.
- none: nobody's time is counted, and nothing ever runs out.

Taking back makes no time. Who takes its own play back gets the clock of the state it goes back to,
less what it has spent since: otherwise it could think for ever, one play after the other. If the
others have agreed, everybody gets exactly the clock of that state.
"""

from collections.abc import Callable

import msgspec

from longfuse_protocol.messages import Clock, ClockTerms, SeatClock

FORGIVEN_MAX = 10
"""Refusals of one prompt that cost nothing."""


class Saved(msgspec.Struct, frozen=True):
    """The clocks of one state of the game, in seconds, by seat. It may be kept with the state."""

    left: tuple[float, ...]
    spent: tuple[float, ...]


class Clocks:
    """The clocks of one game. At most one seat is asked at a time.

    Times are in seconds of one clock that never goes back. `wall_ms` turns one into wall time, in
    milliseconds of the epoch.
    """

    def __init__(self, terms: ClockTerms, seats: int, wall_ms: Callable[[float], int]) -> None:
        self.asked: int | None = None
        """The seat whose time counts, or would if there were no pause."""
        self.is_paused = False
        self.is_stopped = False
        self._terms = terms
        self._wall_ms = wall_ms
        self._full = terms.bank_s if terms.kind == "bank" else terms.decision_s
        self._left = [float(self._full)] * seats
        """What each seat has for the decision it is asked for, or will be next."""
        self._spent = [0.0] * seats
        self._since = 0.0
        self._used = 0.0
        """What the open prompt has cost so far."""
        self._refusals = 0
        """Of the open prompt."""

    def ask(self, seat: int, now: float) -> None:
        """Begin to count: the seat has just been told what it is asked. After `stop`, nothing."""
        assert self.asked is None, self.asked
        if not self.is_stopped:
            self.asked = seat
            self._since = now
            self._used = 0.0
            self._refusals = 0

    def answered(self, seat: int, at: float, *, moved: bool = True, passed: bool = False) -> None:
        """Count no more: the seat's answer arrived at this time, and was taken.

        moved: whether it was a decision that earns an increment. Taking back is none, nor is
        whatever else ends a prompt. passed: whether it let a chance go by. Does nothing if this
        seat is not asked.
        """
        if self.asked != seat:
            return
        self._charge(at)
        self.asked = None
        if self._terms.kind == "decision":
            self._left[seat] = self._full
        elif moved:
            earned = self._terms.increment_s
            self._left[seat] += min(earned, self._used) if passed else earned

    def refused(self, seat: int, at: float, now: float) -> None:
        """Go on counting: an answer that arrived at this time was refused, and the seat told now.

        The refusal costs nothing, and earns nothing. Does nothing if this seat is not asked; nor
        beyond so many refusals of one prompt: else wrong answers without end, which wait at a busy
        table, would stop the clock.
        """
        if self.asked == seat and self._refusals < FORGIVEN_MAX:
            self._refusals += 1
            self._charge(at)
            self._since = now

    def pause(self, now: float) -> None:
        """Let nobody's time count until `unpause`. Who is asked stays asked."""
        if not self.is_paused:
            self._charge(now)
            self.is_paused = True

    def unpause(self, now: float) -> None:
        """Go on where the pause began."""
        if self.is_paused:
            self.is_paused = False
            self._since = now

    def stop(self, now: float) -> None:
        """End it for good, with the game or with this server: from here on nothing counts."""
        self._charge(now)
        self.asked = None
        self.is_stopped = True

    def running_out(self) -> float | None:
        """Return when the time of the seat that is asked has run out; None if it does not."""
        if self.asked is None or self.is_paused or self._terms.kind == "none":
            return None
        return self._since + self._left[self.asked]

    def has_run_out(self, seat: int, at: float) -> bool:
        """Say whether the seat is asked and has no time left: it had to answer before this."""
        deadline = self.running_out()
        return self.asked == seat and deadline is not None and at >= deadline

    def saved(self) -> Saved:
        """Return the clocks as they stand, to be kept with the state of the game as it stands.

        What the seat that is asked has spent on the open prompt is not in it yet: saved as a seat
        is asked, it is the clock that the prompt was asked with.
        """
        return Saved(tuple(self._left), tuple(self._spent))

    def has_time_after(self, saved: Saved, taken_back_by: int) -> bool:
        """Say whether a seat would have time left if it took its own play back to that state."""
        return self._terms.kind == "none" or self._left_after(saved, taken_back_by) > 0

    def restore(self, saved: Saved, taken_back_by: int | None = None) -> None:
        """Put the clocks back with the state of the game, while nobody is asked.

        taken_back_by: the seat that took its own play back, and pays for the time it spent since
        (check `has_time_after` before); None if all have agreed on it.
        """
        assert self.asked is None, self.asked
        left, spent = list(saved.left), list(saved.spent)
        if taken_back_by is not None:
            left[taken_back_by] = max(0.0, self._left_after(saved, taken_back_by))
            spent[taken_back_by] = self._spent[taken_back_by]
        self._left, self._spent = left, spent

    def message(self, now: float, play_began: Saved | None = None) -> Clock:
        """Return the clocks for everybody. Without clocks it names no seat, and need not be sent.

        play_began: for those who may not see the open play of the seat that is asked, the clocks
        that it began with: they see its time as if it had decided nothing since, and so as it is
        if it takes the play back. Spectators of a delayed table get it late, as everything.
        """
        at_ms = self._wall_ms(now)
        if self._terms.kind == "none":
            return Clock(at_ms=at_ms, seats=())
        lefts = list(self._left)
        deadline = self.running_out()
        if play_began is not None and self.asked is not None:
            seen = max(0.0, self._left_after(play_began, self.asked))
            deadline = None if deadline is None else deadline + seen - lefts[self.asked]
            lefts[self.asked] = seen
        return Clock(
            at_ms=at_ms,
            seats=tuple(
                _running(at_ms, deadline - now)
                if deadline is not None and seat == self.asked
                else SeatClock(left_ms=round(left * 1_000))
                for seat, left in enumerate(lefts)
            ),
        )

    def _charge(self, at: float) -> None:
        """Take from the seat that is asked what it has used until this time, but no more than all.

        An answer may have arrived before its prompt was asked, or after the time had run out.
        """
        if self.asked is None or self.is_paused or self._terms.kind == "none":
            return
        used = min(max(0.0, at - self._since), self._left[self.asked])
        self._left[self.asked] -= used
        self._spent[self.asked] += used
        self._used += used

    def _left_after(self, saved: Saved, seat: int) -> float:
        return saved.left[seat] - (self._spent[seat] - saved.spent[seat])


def _running(at_ms: int, left_s: float) -> SeatClock:
    """The clock of the seat that is asked. Once it has run out, its deadline still stands."""
    left_ms = round(left_s * 1_000)
    return SeatClock(left_ms=max(0, left_ms), deadline_ms=at_ms + left_ms)
