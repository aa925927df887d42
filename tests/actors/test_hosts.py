"""The contract of a host, which the one with tasks and the one without both keep."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from longfuse.actors import Actor, ActorHost, EndReason, InlineHost, open_task_tree


class Echo:
    """A behaviour that returns what it receives."""

    def receive(self, message: object) -> object:
        return message


def echo(name: str) -> Actor[object, object]:
    return Actor(name, Echo())


@asynccontextmanager
async def open_inline() -> AsyncGenerator[InlineHost, None]:
    host = InlineHost()
    yield host
    host.close(EndReason.GAME_OVER)


OpenHost = Callable[[], AbstractAsyncContextManager[ActorHost]]
both_hosts = pytest.mark.parametrize("open_host", [open_inline, open_task_tree])


@both_hosts
async def test_what_is_started_is_named_and_answers_at_once(open_host: OpenHost) -> None:
    """No task has run yet when the game asks its first question."""
    async with open_host() as host:
        board, unit = echo("board"), echo("unit#1")
        host.start_zone(board)
        host.start_object("board", unit)

        assert host.tasks() == {"board", "unit#1"}
        assert unit.ask("are you there?") == "are you there?"


@both_hosts
async def test_an_ended_actor_is_forgotten_at_once(open_host: OpenHost) -> None:
    """The books agree with the game within the same step, whatever the task still has to do."""
    async with open_host() as host:
        unit = echo("unit#1")
        host.start_zone(echo("board"))
        host.start_object("board", unit)
        unit.end(EndReason.LEFT_ZONE)
        host.ended(unit)

        assert host.tasks() == {"board"}


@both_hosts
async def test_only_an_ended_actor_can_be_forgotten(open_host: OpenHost) -> None:
    """Forgetting a live one would leave a task that nobody owns."""
    async with open_host() as host:
        board = echo("board")
        host.start_zone(board)

        with pytest.raises(ValueError, match="has not ended"):
            host.ended(board)


@both_hosts
async def test_a_restored_stay_is_a_new_actor_with_the_old_name(open_host: OpenHost) -> None:
    """The end of the undone stay does not take the new one off the books."""
    async with open_host() as host:
        undone, restored = echo("unit#1"), echo("unit#1")
        host.start_zone(echo("board"))
        host.start_object("board", undone)
        undone.end(EndReason.UNDONE)
        host.start_object("board", restored)
        host.ended(undone)

        assert host.tasks() == {"board", "unit#1"}
        assert restored.ask("still here") == "still here"


@both_hosts
async def test_a_name_is_live_once(open_host: OpenHost) -> None:
    """Two live actors of one name would be one reference to two things."""
    async with open_host() as host:
        host.start_zone(echo("board"))

        with pytest.raises(ValueError, match="live already"):
            host.start_zone(echo("board"))


@both_hosts
async def test_an_actor_starts_once(open_host: OpenHost) -> None:
    """An actor is one stay."""
    async with open_host() as host:
        unit = echo("unit#1")
        host.start_zone(echo("board"))
        host.start_object("board", unit)
        unit.end(EndReason.LEFT_ZONE)

        with pytest.raises(ValueError, match="started before"):
            host.start_object("board", unit)


@both_hosts
async def test_an_object_starts_in_a_live_zone(open_host: OpenHost) -> None:
    """Neither an unknown zone nor an object will do."""
    async with open_host() as host:
        host.start_zone(echo("board"))
        host.start_object("board", echo("unit#1"))

        for nowhere in ("attic", "unit#1"):
            with pytest.raises(ValueError, match="no live zone"):
                host.start_object(nowhere, echo("unit#2"))


@both_hosts
async def test_objects_end_with_their_zone(open_host: OpenHost) -> None:
    """A zone that ends takes along what lives in it, and nothing else."""
    async with open_host() as host:
        board, unit, trash = echo("board"), echo("unit#1"), echo("trash")
        host.start_zone(board)
        host.start_zone(trash)
        host.start_object("board", unit)
        host.start_object("trash", echo("unit#2"))
        board.end(EndReason.CLOSED)

        assert unit.reason is EndReason.CLOSED
        assert host.tasks() == {"trash", "unit#2"}


@both_hosts
async def test_closing_ends_objects_before_zones(open_host: OpenHost) -> None:
    """At the end of the game everything live ends, for that reason, from the leaves up."""
    ends: list[str] = []
    async with open_host() as host:
        host.start_zone(echo("board"))
        host.start_object("board", echo("unit#1"))
        forget = host.ended
        for actor in host._live.values():
            actor.on_end = lambda actor: (ends.append(actor.name), forget(actor))
        left = echo("unit#2")
        host.start_object("board", left)
        left.end(EndReason.LEFT_ZONE)

    assert ends == ["unit#1", "board"]
    assert left.reason is EndReason.LEFT_ZONE
    assert host.tasks() == set()
