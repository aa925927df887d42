"""A game: the kernel's one entrance for rules, for entries, and for viewers.

Owns the order in which things enter a game. Rules are generators that it drives; what enters is an
entry; between two entries nothing waits. The state itself is the `World` that it is. It is
synchronous and knows neither trio nor any rule book; whoever drives it (a table, a test, a replay)
owns it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from longfuse.actors import ActorHost, EndReason
from longfuse.game.board import Restore
from longfuse.game.entries import (
    Decision,
    Entry,
    GameFault,
    Interruption,
    Refused,
    Result,
    TakeBack,
)
from longfuse.game.eyes import Viewer
from longfuse.game.questions import Question, Steps
from longfuse.game.rules import Rules
from longfuse.game.store import Savepoint
from longfuse.game.views import Views
from longfuse.game.world import World
from longfuse.timing.calendar import Mark
from longfuse.timing.references import Seat
from longfuse_protocol.answers import fits
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import Frame, View


class TakenBack(Exception):
    """Thrown into an open play's generator: its seat takes it back, or it turned out illegal."""


class Game(World):
    """One game under one rule book."""

    def __init__(
        self,
        rules: Rules,
        host: ActorHost,
        *,
        seats: int,
        key: bytes,
        options: dict[str, Any] | None = None,
        keep_events: bool = False,
        views: bool = True,
    ) -> None:
        """key: from which randomness is drawn. keep_events: keep the whole log, for explaining.
        views: whether anybody will ever look; without, viewers' ids are not kept.
        """
        super().__init__(
            rules, host, seats=seats, key=key, options=options, keep_events=keep_events
        )
        rules.game = self
        self.views = Views(self) if views else None
        self.prompt: Question | None = None
        self.result: Result | None = None
        self.fault: GameFault | None = None
        self.held: Mark | None = None
        self.hold: Callable[[Mark], bool] | None = None
        self.entries = 0
        self.acting: Seat | None = None
        """Who answered last; until the next prompt is open, the one who acts."""
        self._prompts = [0] * seats
        """Questions asked so far, by seat: nobody can count how often another was asked."""
        self._saved: tuple[int, ...] = ()
        self._steps: Steps[Result] | None = None

    # ================================================================ driving

    def start(self) -> None:
        """Begin: set up and run to the first prompt (or the first mark that is held)."""
        self._steps = self.rules.play()
        self._drive(None)

    def advance(self, entry: Entry) -> None:
        """Take one entry and run to the next prompt, held mark or result.

        Raises:
            Refused: it does not fit; nothing has changed.
            GameFault: a rule or card raised; the game is suspended.
        """
        if self.result is not None:
            raise Refused("over", f"The game is over: {self.result.reason}.")
        if self.fault is not None:
            raise Refused("suspended", f"The game is suspended: {self.fault}.")
        match entry:
            case Decision():
                self._check_decision(entry)
                self._enter()
                self._drive(entry.answer)
            case TakeBack(seat=seat):
                self._check_take_back(seat)
                self._enter()
                self._throw(TakenBack())
            case Interruption():
                self._interrupt(entry)

    def go_on(self) -> None:
        """Leave the held mark."""
        if self.held is None:
            raise Refused("no mark", "The game does not wait at a mark.")
        self.held = None
        self._drive(None)

    def _enter(self) -> None:
        self.entries += 1
        self.entered_at = self.last_ordinal
        self.settled.clear()
        self.acting = self.prompt.seat if self.prompt is not None else None
        if self.store.savepoint is None:
            # What an open play has brought about is not told to everybody yet.
            if self.views is not None:
                self.views.number_events()
                self.views.forget_gone()
            if not self.log.keep:
                self.log.events.clear()

    def _check_decision(self, entry: Decision) -> None:
        prompt = self.prompt
        if prompt is None:
            raise Refused("no prompt", "Nobody is asked anything now.")
        if entry.seat != prompt.seat:
            raise Refused("seat", f"Seat {prompt.seat} is asked, not seat {entry.seat}.")
        if entry.prompt != prompt.id:
            raise Refused("stale", f"Prompt {entry.prompt} is not open; prompt {prompt.id} is.")
        wrong = fits(prompt, entry.answer)
        if wrong:
            raise Refused("shape", wrong)

    def _check_take_back(self, seat: Seat) -> None:
        save = self.store.savepoint
        if save is None or save.seat != seat or self.prompt is None or self.prompt.seat != seat:
            raise Refused("no play", f"Seat {seat} has no open play to take back.")

    def _interrupt(self, entry: Interruption) -> None:
        if entry.kind in ("concede", "clock out", "removed") and not 0 <= entry.seat < self.seats:
            raise Refused("seat", f"There is no seat {entry.seat}.")
        result = self.rules.interrupt(entry)
        self._enter()
        if result is not None:
            if self._steps is not None:
                self._steps.close()
            if self.store.savepoint is not None:
                # What was in the making never came about, and the others are not to see it.
                self._undo_play()
                result = self.rules.interrupt(entry) or result
            self._end(result)

    def _drive(self, answer: Any) -> None:
        steps = self._steps
        assert steps is not None, "the game has not started"
        prompt, self.prompt = self.prompt, None
        value = prompt.chosen(answer) if prompt is not None else None
        self._run(lambda: steps.send(value))

    def _throw(self, error: Exception) -> None:
        steps = self._steps
        assert steps is not None, "the game has not started"
        self.prompt = None
        self._run(lambda: steps.throw(error))

    def _run(self, step: Callable[[], Question | Mark]) -> None:
        steps = self._steps
        assert steps is not None
        try:
            item = step()
            while isinstance(item, Mark):
                if self.hold is not None and self.hold(item):
                    self.held = item
                    return
                item = steps.send(None)
        except StopIteration as stop:
            self._end(stop.value)
        except Exception as error:
            self.fault = GameFault(self._where(), error)
            raise self.fault from error
        else:
            self._open(item)

    def _where(self) -> str:
        return f"game at mark {self.now.mark.name!r} of turn {self.now.turn}, cause {self.cause}"

    def _open(self, question: Question) -> None:
        save = self.store.savepoint
        if save is not None and save.seat != question.seat:
            self.play_stands()
        self._prompts[question.seat] += 1
        self.prompt = msgspec.structs.replace(question, id=self._prompts[question.seat])

    def _end(self, result: Result) -> None:
        self.prompt = None
        self.store.savepoint = None
        self.result = result
        self.store.put(("result",), result)
        for ref in list(self.board.objects):
            self.board.end_object(ref, EndReason.GAME_OVER)
        for actor in self.board.zones.values():
            actor.end(EndReason.GAME_OVER)

    # ================================================================ open plays

    @property
    def has_open_play(self) -> bool:
        """Whether the seat that acts may still take back what it does."""
        return self.store.savepoint is not None

    def open_play(self, seat: Seat, steps: Steps[Any]) -> Steps[bool]:
        """Run a play that its seat may take back until it stands; False if it was taken back."""
        if self.views is not None:
            self.views.play_begins(seat)
        self.store.savepoint = Savepoint(seat)
        self._saved = self._numbers()
        try:
            yield from steps
        except TakenBack:
            self._undo_play()
            return False
        self.play_stands()
        return True

    def _numbers(self) -> tuple[int, ...]:
        return (
            self._messages,
            self._stamps,
            self.batch,
            self.cause,
            self.installed.last_id,
            self.installed.ended_count,
            len(self.board.cards),
            len(self._of_this_turn),
        )

    def _undo_play(self) -> None:
        save = self.store.savepoint
        assert save is not None, "a play that stands cannot be taken back"
        self.store.savepoint = None
        for key, old in reversed(save.before.items()):
            if self.board.restore(key, old):
                continue
            if key[0] == "record":
                self.subscriptions.remove(key[1])
                if old is not None:
                    self.subscriptions.install(old)
            if key[0] == "seat" and old is not None:
                self._seat_actors[key[1]].ask(Restore(old))
            self.store.put(key, old)
        (
            self._messages,
            self._stamps,
            self.batch,
            self.cause,
            self.installed.last_id,
            self.installed.ended_count,
            cards,
            of_this_turn,
        ) = self._saved
        del self._of_this_turn[of_this_turn:]
        self.board.forget_cards(cards)
        self.log.cut(self._messages)
        self.entered_at = min(self.entered_at, self._messages)
        self.committing = None
        self.lineage = None
        if self.views is not None:
            self.views.play_undone()

    # ================================================================ showing

    @property
    def open_prompt(self) -> Prompt | None:
        """What is asked now, as its seat may see it; None when nobody is asked."""
        return self.views.prompt() if self.views is not None else self.prompt

    def view(self, viewer: Viewer) -> View:
        """All that a viewer may know now."""
        assert self.views is not None, "this game was made without views"
        return self.views.view(viewer)

    def frames(self, viewer: Viewer) -> Frame:
        """What is new for a viewer since this was last asked."""
        assert self.views is not None, "this game was made without views"
        return self.views.frames(viewer)
