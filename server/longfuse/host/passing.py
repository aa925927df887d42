"""Passing for one seat: its settings, and whether a prompt is passed for it or asked.

The table owns one per seat, for as long as the seat is held. What it decides follows from the
settings and from what the seat's own client has been sent (prompts, views, events), from nothing
else: it has no game to look into. So whether a seat was asked tells nobody more than a player who
answers at once would. It never answers a prompt: the table enters what it says, as it enters what a
player says, one answer for one prompt.

What comes first: yields, then stops, then `until`, then the mode. Choices, targets, payments and
orders are no chances to pass and are always asked. So is what the seat begins by itself (its main
phase): that is passed for `until` alone, which names something beyond it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from longfuse.game.entries import Refused
from longfuse.rulesets.passing import Chance, Interruption, PassingRules, Where
from longfuse.rulesets.passing_facts import turns_begun
from longfuse_protocol.errors import Code
from longfuse_protocol.from_server import PassingSet
from longfuse_protocol.passing import Passing, Until, Whose
from longfuse_protocol.prompts import Answer, Prompt
from longfuse_protocol.views import View

Events = Sequence[Mapping[str, Any]]

PASS_UNTIL = "Pass until "


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """The seat is to be asked.

    stopped: why `until` has ended early, for `message`; "" if it has not. changed: whether it has
    ended, early or not: then the seat is sent `message`.
    """

    stopped: str = ""
    changed: bool = False


class Pass(msgspec.Struct, frozen=True, kw_only=True):
    """The prompt with this id, and no other, is to be answered for the seat.

    rule: the setting that does it, for the journal and the seat. changed: as with `Ask`.
    """

    prompt: int
    answer: Answer
    rule: str
    changed: bool = False


Verdict = Ask | Pass


class Passer:
    """What the server does for one seat."""

    def __init__(self, rules: PassingRules, seat: int) -> None:
        self.seat = seat
        self.passing = Passing()
        self._rules = rules
        self._label = ""
        self._start = Where(0, None, "")
        self._owners: dict[int, int] = {}
        """Whose each turn is, since `until` was set, as far as the seat was told."""
        self._known: frozenset[str] = frozenset()
        """What there was to notice when the seat was last asked, or passed for."""
        self._fresh: dict[str, Interruption] = {}
        """Those that came with events since the seat last had a chance."""

    def set(self, passing: Passing, view: View) -> str:
        """Take all settings anew; return in words until when it passes, or "".

        view: the seat's own, now; empty before the game. Raises `Refused`, and keeps what was set,
        where a phase is none of the ruleset's.
        """
        named = [stop.phase for stop in passing.stops]
        if passing.until is not None:
            named.append(passing.until.phase)
        for phase in named:
            if phase not in self._rules.phases:
                known = ", ".join(self._rules.phases) or "none at which passing may stop"
                raise Refused(Code.REFUSED, f"there is no phase {phase!r}; there is {known}")
        self.passing = passing
        self._label = ""
        if passing.until is not None:
            self._start = self._rules.where(view)
            self._owners = {}
            self._label = self._words(passing.until, view)
        return self._label

    def new_game(self) -> None:
        """Another game begins: `until` and yields spoke of the last one; the rest stays."""
        self.passing = msgspec.structs.replace(self.passing, until=None, yields=())
        self._label = ""
        self._known = frozenset()
        self._fresh = {}

    def message(self, stopped: str = "") -> PassingSet:
        """Return what the seat is told of its settings."""
        return PassingSet(passing=self.passing, until=self._label, stopped=stopped)

    def consider(self, prompt: Prompt, view: View, events: Events) -> Verdict:
        """Say whether this prompt of the seat is passed.

        view: the seat's own, as the prompt finds it. events: what the seat was told since this was
        last called, oldest first. Call it once for every prompt of the seat, and again, without
        events, for an open one after `set`.
        """
        assert prompt.seat == self.seat, f"a prompt of seat {prompt.seat} at seat {self.seat}"
        chance = self._rules.chance(prompt, view)
        changed = self._until_is_over(view, events)
        found = self._rules.interruptions(view, events, self.seat)
        noticed = [one for one in found if self._is_wanted(one)]
        stopped = self._interrupted(noticed)
        self._known = frozenset(one.key for one in found)
        self._fresh.update((one.key, one) for one in noticed if one.fresh)
        changed = changed or bool(stopped)
        rule = ""
        if chance is not None:
            noticed = [*noticed, *self._fresh.values()]
            self._fresh = {}
            rule = "" if stopped else self._rule(prompt, chance, view, noticed)
        if chance is None or not rule:
            return Ask(stopped=stopped, changed=changed)
        return Pass(prompt=prompt.id, answer=chance.answer, rule=rule, changed=changed)

    def lets_go(self, prompt: Prompt, view: View, answer: Answer) -> bool:
        """Say whether this answer lets a chance go by. Ending one's own main phase does not."""
        chance = self._rules.chance(prompt, view)
        return chance is not None and not chance.own and chance.answer == answer

    # ------------------------------------------------------------ the decision

    def _rule(
        self, prompt: Prompt, chance: Chance, view: View, noticed: Sequence[Interruption]
    ) -> str:
        """The setting that passes; "" to ask."""
        passing = self.passing
        if prompt.source and prompt.source in passing.yields:
            return f"yield: {prompt.source}"
        if self._stops_at(view):
            return ""
        if passing.until is not None:
            return f"until: {self._label.removeprefix(PASS_UNTIL)}"
        if chance.own or passing.mode == "ask":
            return ""
        if passing.mode == "smart":
            return "" if chance.options else "smart: nothing but passing"
        return "" if noticed and chance.options else "mode: pass"

    def _stops_at(self, view: View) -> bool:
        at = self._rules.where(view)
        return any(
            stop.phase == at.phase and self._is_of(at.seat, stop.whose)
            for stop in self.passing.stops
        )

    def _is_of(self, owner: int | None, whose: Whose) -> bool:
        """Whether a turn of `owner` is one of those meant. One that nobody knows may be."""
        return whose == "any" or owner is None or (owner == self.seat) == (whose == "own")

    # ------------------------------------------------------------ interrupts

    def _is_wanted(self, one: Interruption) -> bool:
        """Whether the seat wants to be asked about it, and does not always pass to it."""
        wanted = self.passing.interrupts
        is_yielded = bool(one.source) and one.source in self.passing.yields
        return (one.kind in wanted or "anything" in wanted) and not is_yielded

    def _interrupted(self, noticed: Sequence[Interruption]) -> str:
        """End `until` if anything is new; return why, or ""."""
        new = [one for one in noticed if one.fresh or one.key not in self._known]
        if not new or self.passing.until is None:
            return ""
        self._end_until()
        return f"Stopped: {new[0].text}"

    # ------------------------------------------------------------ until

    def _end_until(self) -> None:
        self.passing = msgspec.structs.replace(self.passing, until=None)
        self._label = ""

    def _until_is_over(self, view: View, events: Events) -> bool:
        """End `until` if its phase has begun, or would have in a turn that has gone further."""
        until = self.passing.until
        if until is None:
            return False
        now = self._rules.where(view)
        for back, owner in enumerate(reversed(turns_begun(events))):
            self._owners[now.turn - back] = owner
        for turn in range(max(1, self._start.turn), now.turn + 1):
            if self._has_come(until, turn, now):
                self._end_until()
                return True
        return False

    def _has_come(self, until: Until, turn: int, now: Where) -> bool:
        """Whether the phase has come in that turn. Of a turn that nobody knows it is believed."""
        wanted = self._index(until.phase)
        owner = self._owners.get(turn)
        if turn == now.turn:
            owner = now.seat
        elif turn == self._start.turn:
            owner = self._start.seat
        if not self._is_of(owner, until.whose):
            return False
        if turn == self._start.turn and wanted <= self._index(self._start.phase):
            return False
        return turn < now.turn or wanted <= self._index(now.phase)

    def _index(self, phase: str) -> int:
        """A phase's place in the turn; what is none comes before all of them."""
        phases = list(self._rules.phases)
        return phases.index(phase) if phase in phases else -1

    def _words(self, until: Until, view: View) -> str:
        """The end condition, for people. "next": this turn's has begun and is not meant."""
        start, phase = self._start, self._rules.phases[until.phase]
        if until.whose == "any":
            return f"{PASS_UNTIL}the next {phase}"
        is_past = (
            start.seat is not None
            and self._is_of(start.seat, until.whose)
            and self._index(until.phase) <= self._index(start.phase)
        )
        phase = f"next {phase}" if is_past else phase
        if until.whose == "own":
            return f"{PASS_UNTIL}your {phase}"
        seats = sum(key.startswith("seat:") for key in view.entities)
        return f"{PASS_UNTIL}{'the opponent' if seats <= 2 else 'another player'}'s {phase}"
