"""The calendar: turns, phases and steps as marks that are passed once and never again.

Owns the monotone sequence of occurrences. A game has one; the ruleset's turn moves it on. It never
decides what comes next and never tells anybody: the game publishes a mark after it is reached.
"""

from __future__ import annotations

import msgspec

from longfuse.timing.references import NOBODY, Seat


class Mark(msgspec.Struct, frozen=True):
    """One occurrence of a named moment: `id` grows through the game, `turn` counts players'
    turns.
    """

    id: int
    name: str
    turn: int
    owner: Seat


class Now(msgspec.Struct, frozen=True):
    """Where the game stands: the latest mark, and the phase and step it lies in.

    passed: names of the marks reached in the present turn, in order, each as often as it came.
    open: occurrences that last (a phase, a step, a combat) and are not over, as (name, id).
    """

    mark: Mark = Mark(0, "start", 0, NOBODY)
    phase: str = ""
    step: str = ""
    passed: tuple[str, ...] = ()
    open: tuple[tuple[str, int], ...] = ()

    @property
    def turn(self) -> int:
        """The number of the present turn, from 1; every player's turn counts."""
        return self.mark.turn

    @property
    def owner(self) -> Seat:
        """Whose turn it is."""
        return self.mark.owner

    def occurrence(self, name: str) -> int:
        """The id of the latest occurrence of that name that is not over; 0 if there is none."""
        return next((number for known, number in reversed(self.open) if known == name), 0)

    @property
    def place(self) -> str:
        """The name of the step the game is in, or of the phase where it has no step."""
        return self.step or self.phase


def next_turn(now: Now, owner: Seat) -> Now:
    """The calendar at the start of a new turn of `owner`."""
    mark = Mark(now.mark.id + 1, "turn", now.turn + 1, owner)
    return Now(mark=mark, passed=("turn",), open=())


def reach(
    now: Now,
    name: str,
    *,
    phase: str | None = None,
    step: str | None = None,
    opens: tuple[str, ...] = (),
) -> Now:
    """The calendar after the mark `name` is reached within the present turn.

    phase, step: the new phase or step, where the mark begins one. opens: what lasts from here until
    it is `over` ("phase", "step", "combat").
    """
    mark = Mark(now.mark.id + 1, name, now.turn, now.owner)
    return msgspec.structs.replace(
        now,
        mark=mark,
        phase=now.phase if phase is None else phase,
        step=now.step if step is None else step,
        passed=(*now.passed, name),
        open=(*now.open, *((word, mark.id) for word in opens)),
    )


def over(now: Now, name: str) -> Now:
    """The calendar after the latest occurrence of `name` has ended."""
    number = now.occurrence(name)
    left = tuple(entry for entry in now.open if entry != (name, number))
    return msgspec.structs.replace(now, open=left)
