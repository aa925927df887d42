"""Faces: what an object shows, the same for all who see it, and how each viewer reads it.

Owns the faces of all objects that anybody sees, and when one is made anew: when its own value has
changed, or anything in the game while passives may have a say. An object without a state of its own
keeps its face for its whole stay. Who sees what is `views.py`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from longfuse.game.parts import Part, told
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.game.rules import Keys
    from longfuse.game.world import World
    from longfuse_protocol.views import Entity


class Face(NamedTuple):
    """An object as whoever sees it may know it.

    fields: those that name no other object. attached_to: what it is attached to. parts: why what
    is shown is not what is printed.
    """

    fields: Entity
    attached_to: Ref | None = None
    parts: tuple[Part, ...] = ()

    @property
    def names_others(self) -> bool:
        """Whether each viewer reads it by ids of its own."""
        return self.attached_to is not None or bool(self.parts)


def read(game: World, face: Face, key: Keys) -> Entity:
    """The entity that a viewer is shown. key: names objects for that viewer.

    It hangs on the face, on the ids of that viewer and on the records of the game, and on nothing
    else.
    """
    found = dict(face.fields)
    if face.attached_to is not None:
        found["attached_to"] = key(face.attached_to)
    if face.parts:
        found["parts"] = told(game, face.parts, key)
    return found


class Made(NamedTuple):
    """A face, and what it was made of: the object's value, and the answers to what was asked.

    was_quiet: none of the passives that may answer was there.
    """

    face: Face
    value: Any
    asks: tuple[str, ...] | None
    was_quiet: bool


class Faces:
    """The faces of one game."""

    def __init__(self, game: World) -> None:
        self.game = game
        self._at = -1
        self._still: dict[Ref, Face] = {}
        """Of objects without a state of their own."""
        self._lively: dict[Ref, Made] = {}

    def of(self, ref: Ref) -> Face:
        """The face of an object that is there, once all have been brought up to date."""
        made = self._lively.get(ref)
        if made is not None:
            return made.face
        face = self._still.get(ref)
        if face is not None:
            return face
        value = self.game.store.values.get(ref)
        if value is None:
            face = self._still[ref] = self.game.rules.object_view(ref)
            return face
        made = self._lively[ref] = self._make(ref, value)
        return made.face

    def bring_up_to_date(self) -> list[Ref]:
        """Make anew what may have changed; return what has. A face that comes out the same stays
        the same object, also to those who have seen it."""
        if self._at == self.game.version:
            return []
        self._at = self.game.version
        values = self.game.store.values
        quiet: dict[tuple[str, ...] | None, bool] = {}
        changed = []
        for ref, made in self._lively.items():
            value = values.get(ref)
            if value is None:
                continue  # its stay is over
            if value is made.value and made.was_quiet:
                if made.asks not in quiet:
                    quiet[made.asks] = self._is_quiet(made.asks)
                if quiet[made.asks]:
                    continue
            now = self._make(ref, value)
            if now.face == made.face:
                now = now._replace(face=made.face)
            else:
                changed.append(ref)
            self._lively[ref] = now
        return changed

    def naming_others(self) -> list[Ref]:
        """The objects whose faces viewers read by ids of their own."""
        return [ref for ref, made in self._lively.items() if made.face.names_others]

    def forget(self, ref: Ref) -> None:
        """Let go of an object whose stay is over."""
        self._still.pop(ref, None)
        self._lively.pop(ref, None)

    def clear(self) -> None:
        """Let go of all: the same stays may come about again, as something else."""
        self._still.clear()
        self._lively.clear()

    def _make(self, ref: Ref, value: Any) -> Made:
        asks = self.game.rules.view_asks(ref)
        return Made(self.game.rules.object_view(ref), value, asks, self._is_quiet(asks))

    def _is_quiet(self, asks: tuple[str, ...] | None) -> bool:
        live = self.game.subscriptions.live
        return asks is not None and not any(live.get(word) for word in asks)
