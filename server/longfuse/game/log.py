"""The event log: what has happened, in order, with ordinals.

Owns the messages of the present turn (for "the Nth time this turn") and the count of each event for
the whole game. Older turns are kept only when the game was made to keep them (explaining, telling).
"""

from __future__ import annotations

from collections.abc import Iterator

from longfuse.timing.messages import Happened
from longfuse.timing.references import Ref


class EventLog:
    """The log of one game; the game writes it, rules read it."""

    def __init__(self, keep: bool) -> None:
        self.keep = keep
        self.events: list[Happened] = []
        """Everything kept: the whole game, or what no viewer has taken yet."""
        self.version = 0
        """It changes with everything that `this_turn` says."""
        self._turn: dict[str, list[Happened]] = {}

    def add(self, message: Happened) -> None:
        """Note what has happened."""
        self.version += 1
        self._turn.setdefault(message.event, []).append(message)
        self.events.append(message)

    def this_turn(self, event: str) -> list[Happened]:
        """The events of that name in the present turn, in order."""
        return self._turn.get(event, [])

    def latest(self, event: str, ref: Ref | None = None) -> int:
        """The number of the latest such event of the present turn, about an object if one is
        given; 0 if there is none. It serves as the cause of what comes of it."""
        found = reversed(self.this_turn(event))
        return next((one.id for one in found if ref is None or ref in one.subjects), 0)

    def since(self, ordinal: int) -> Iterator[Happened]:
        """What has happened in the present turn after an ordinal, event by event."""
        for found in self._turn.values():
            for message in reversed(found):
                if message.ordinal <= ordinal:
                    break
                yield message

    def new_turn(self) -> None:
        """A turn begins: "this turn" is counted anew."""
        self.version += 1
        self._turn = {}

    def cut(self, ordinal: int) -> None:
        """Forget everything after an ordinal: a play was taken back."""
        self.version += 1
        while self.events and self.events[-1].ordinal > ordinal:
            self.events.pop()
        for found in self._turn.values():
            while found and found[-1].ordinal > ordinal:
                found.pop()
