"""Eyes: one viewer of a game, with ids of its own.

Owns the ids that the viewer has been given, what it sees, and what of that is new to it. It asks
the game nothing: `views.py` looks, and lets it see.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, NamedTuple

from longfuse.game.faces import Face
from longfuse.timing.references import Ref
from longfuse_protocol.views import Delta, Entity

Viewer = int | Literal["spectator"]


@lru_cache(maxsize=1024)
def _key(number: int) -> str:
    """The entity key of an object's number, the same string in every view."""
    return f"o{number}"


class Zone(NamedTuple):
    """A zone as a viewer sees it: what is in it, and the keys of the objects seen there.

    refs: None: whatever is in it now is to be looked at.
    """

    refs: tuple[Ref, ...] | None
    seen: dict[Ref, str]


class Reading(NamedTuple):
    """A face as a viewer reads it, and as of when it names others so."""

    face: Face
    at: int
    entity: Entity


class Eyes:
    """One viewer: the ids given so far, what it sees, and what of that is new to it."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.ids: dict[Ref, int] = {}
        self.last_id = 0
        self.at = -1
        """As of when it sees what it sees."""
        self.seen: dict[str, Entity] = {}
        self.zones: dict[str, Zone] = {}
        self.others: list[str] = []
        """The keys of what is neither a zone, nor in one, nor always there."""
        self.changed: set[Ref] = set()
        """Objects that may be seen otherwise since it last looked."""
        self.readings: dict[Ref, Reading] = {}
        self.taken = 0
        self.numbered = 0
        """Up to which event of the game's log this viewer's numbers are given."""
        self.numbers: dict[int, int] = {}
        """By ordinal, the latest events' numbers; below 1, what of one that is not told counts as
        its own: the number of what brought it about, negated."""
        self.made: dict[int, int] = {}
        """By record, the number of the event by which an ability that waits was made."""
        self.last_number = 0
        self._news: dict[str, Entity | None] = {}
        """By key, what was seen when news were last taken, of all that has changed since."""

    def key(self, ref: Ref) -> str | None:
        """The entity key of an object that this viewer sees; None if it does not."""
        number = self.ids.get(ref)
        return None if number is None else _key(number)

    def number_of(self, ordinal: int) -> int:
        """The number under which this viewer knows an event, or what brought it about; 0: none."""
        return abs(self.numbers.get(ordinal, 0))

    def save(self) -> tuple[Any, ...]:
        """What a taken-back play brings back."""
        return (dict(self.ids), self.last_id)

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Bring it back. The same stays may come about again, elsewhere and under other ids."""
        self.ids, self.last_id = dict(saved[0]), saved[1]
        self.zones = {name: Zone(None, zone.seen) for name, zone in self.zones.items()}
        self.readings.clear()

    def forget(self, ref: Ref) -> None:
        """Let go of the id of a stay that is over and told."""
        self.ids.pop(ref, None)
        self.readings.pop(ref, None)

    # ------------------------------------------------------------ seeing

    def see(self, key: str, entity: Entity) -> None:
        """See an entity as it now is."""
        before = self.seen.get(key)
        if before is entity:
            return
        if before != entity:
            self._news.setdefault(key, before)
        self.seen[key] = entity

    def lose(self, key: str) -> None:
        """See an entity no more."""
        self._news.setdefault(key, self.seen.pop(key))

    def take_news(self) -> Delta:
        """What is seen otherwise than when this was last called; in an order that tells nothing."""
        changes: Delta = {}
        for key in sorted(self._news):
            before, now = self._news[key], self.seen.get(key)
            if before != now:
                changes[key] = now
        self._news.clear()
        return changes
