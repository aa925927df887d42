"""The task tree of one game: a nursery per zone, in it a task per object.

    open_task_tree (owned by the table's task)
     └─ zone actor's task, holding a nursery
         └─ object actors' tasks

The game ends by ending its actors; the tasks then finish by themselves and the nurseries close.
Cancelling is the fallback: when the table's task is cancelled, or when a task does not finish
within a grace period (which no behaviour can cause, since none awaits).

A fault on a told message stops the tree and reaches the table's task as one `ActorFault`, not
wrapped in the groups of nurseries that are nobody else's business.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import trio

from longfuse.actors.actor import EndReason, SomeActor
from longfuse.actors.faults import ActorFault
from longfuse.actors.host import InlineHost

GRACE_S = 1.0


class UnfinishedTasksError(Exception):
    """Tasks of ended actors did not finish within the grace period and were cancelled."""

    def __init__(self, grace_s: float) -> None:
        super().__init__(grace_s)
        self.grace_s = grace_s

    def __str__(self) -> str:
        return f"the game's tasks did not finish within {self.grace_s} s of its end"


class _Zone:
    """A zone's actor with the nursery of its objects, once its task has opened one."""

    __slots__ = ("actor", "nursery", "waiting")

    def __init__(self, actor: SomeActor) -> None:
        self.actor = actor
        self.nursery: trio.Nursery | None = None
        self.waiting: list[SomeActor] = []


class TrioHost(InlineHost):
    """Gives each actor of one game a task, from the moment on that it is `running`.

    A game may be set up before: its actors can be asked at once, and get their tasks then.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fault: ActorFault | None = None
        """The first fault on a told message: what stopped the tree."""
        self._zones_nursery: trio.Nursery | None = None
        self._zones: dict[str, _Zone] = {}

    def start_zone(self, actor: SomeActor) -> None:
        """Start a zone's task; objects can be started in it before that task first runs."""
        super().start_zone(actor)
        zone = self._zones[actor.name] = _Zone(actor)
        if self._zones_nursery is not None:
            self._zones_nursery.start_soon(self._run_zone, zone, name=actor.name)

    def start_object(self, zone_name: str, actor: SomeActor) -> None:
        """Start an object's task in its zone's nursery."""
        super().start_object(zone_name, actor)
        zone = self._zones[zone_name]
        if zone.nursery is None:
            zone.waiting.append(actor)
        else:
            zone.nursery.start_soon(self._run, actor, name=actor.name)

    def ended(self, actor: SomeActor) -> None:
        """Forget an actor that has ended; its task finishes when it next runs."""
        super().ended(actor)
        zone = self._zones.get(actor.name)
        if zone is not None and zone.actor is actor:
            del self._zones[actor.name]

    async def _run_zone(self, zone: _Zone) -> None:
        async with trio.open_nursery() as objects:
            zone.nursery = objects
            for actor in zone.waiting:
                objects.start_soon(self._run, actor, name=actor.name)
            zone.waiting.clear()
            await self._run(zone.actor)

    async def _run(self, actor: SomeActor) -> None:
        try:
            await actor.run()
        except ActorFault as fault:
            if self.fault is None:
                self.fault = fault
            assert self._zones_nursery is not None, "a task runs in it"
            self._zones_nursery.cancel_scope.cancel()

    @asynccontextmanager
    async def running(self, *, grace_s: float = GRACE_S) -> AsyncGenerator[None, None]:
        """Run the tasks of all actors, as `open_task_tree` says. Once only."""
        failure: Exception | None = None
        reason = EndReason.CLOSED
        async with trio.open_nursery() as zones:
            self._zones_nursery = zones
            for zone in self._zones.values():
                zones.start_soon(self._run_zone, zone, name=zone.actor.name)
            try:
                yield
                reason = EndReason.GAME_OVER
            except Exception as error:  # noqa: BLE001 - carried past the nursery, which would wrap it
                failure = error
                reason = EndReason.GAME_FAILED
            finally:
                self.close(reason if self.fault is None else EndReason.GAME_FAILED)
                zones.cancel_scope.deadline = trio.current_time() + grace_s
        if self.fault is not None:
            raise self.fault
        if failure is not None:
            raise failure
        if zones.cancel_scope.cancelled_caught:
            raise UnfinishedTasksError(grace_s)


@asynccontextmanager
async def open_task_tree(*, grace_s: float = GRACE_S) -> AsyncGenerator[TrioHost, None]:
    """Open the task tree of one game; leaving the block ends the actors that are still live.

    What the block raises comes out as it is, unless a told message had a fault: then that fault
    comes out, whatever the block was doing (it is cancelled at its next await).

    Raises:
        ActorFault: a behaviour raised on a told message.
        UnfinishedTasksError: tasks had to be cancelled after the end.
    """
    host = TrioHost()
    async with host.running(grace_s=grace_s):
        yield host
