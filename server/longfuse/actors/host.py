"""Who is alive in one game: the port through which a game starts its actors, and its plain form.

A game owns its host, and through it every zone actor and object actor. The host keeps them by
name, knows which zone each object lives in, and is told when one ends; it never asks or tells
them anything and knows nothing of what they are.

`InlineHost` has no tasks at all: rule tests, replays and benchmarks play whole games on it without
trio. `TrioHost` (in `trio_host`) keeps the same books and gives each actor a task. A game can't
tell one from the other, which one contract suite checks.
"""

from __future__ import annotations

from typing import Protocol

from longfuse.actors.actor import EndReason, SomeActor


class ActorHost(Protocol):
    """Starts the actors of one game. All of it is synchronous."""

    def start_zone(self, actor: SomeActor) -> None:
        """Start a zone's actor; objects can be started in it at once."""

    def start_object(self, zone_name: str, actor: SomeActor) -> None:
        """Start an object's actor in a zone; it can be asked at once."""

    def ended(self, actor: SomeActor) -> None:
        """Forget an actor that has ended. `Actor.end` calls this; calling it again is harmless."""

    def tasks(self) -> frozenset[str]:
        """Name every actor, zone or object, that has been started and has not ended."""


class InlineHost:
    """Keeps the books of one game's actors and runs nothing: asking them is all they need."""

    def __init__(self) -> None:
        self._live: dict[str, SomeActor] = {}
        self._zone_names: set[str] = set()
        self._zone_of: dict[str, str] = {}
        self._on_end = self.ended  # one bound method for all actors, not one each

    def start_zone(self, actor: SomeActor) -> None:
        """Start a zone's actor; objects can be started in it at once."""
        self._admit(actor)
        self._zone_names.add(actor.name)

    def start_object(self, zone_name: str, actor: SomeActor) -> None:
        """Start an object's actor in a zone; it can be asked at once."""
        if zone_name not in self._zone_names:
            raise ValueError(f"{actor.name} cannot start: there is no live zone {zone_name!r}")
        self._admit(actor)
        self._zone_of[actor.name] = zone_name

    def ended(self, actor: SomeActor) -> None:
        """Forget an actor that has ended. `Actor.end` calls this; calling it again is harmless."""
        if actor.reason is None:
            raise ValueError(f"{actor.name} has not ended")
        # A later stay may have the same name by now (an undone move): that one is not forgotten.
        if self._live.get(actor.name) is not actor:
            return
        del self._live[actor.name]
        if actor.name in self._zone_names:
            self._zone_names.remove(actor.name)
            self._end_objects_of(actor.name, actor.reason)
        else:
            del self._zone_of[actor.name]

    def tasks(self) -> frozenset[str]:
        """Name every actor, zone or object, that has been started and has not ended."""
        return frozenset(self._live)

    def close(self, reason: EndReason) -> None:
        """End all that is live, objects before the zones that they live in."""
        for actor in [self._live[name] for name in (*self._zone_of, *sorted(self._zone_names))]:
            actor.end(reason)

    def _end_objects_of(self, zone_name: str, reason: EndReason) -> None:
        # An object cannot outlive its zone. Zones end with the game, so a scan is cheap enough.
        for name in [name for name, zone in self._zone_of.items() if zone == zone_name]:
            self._live[name].end(reason)

    def _admit(self, actor: SomeActor) -> None:
        if actor.is_ended or actor.on_end is not None:
            raise ValueError(f"{actor.name} has been started before: a new stay is a new actor")
        if actor.name in self._live:
            raise ValueError(f"an actor named {actor.name!r} is live already")
        actor.on_end = self._on_end
        self._live[actor.name] = actor
