"""The task tree of a game: real tasks, where they live, how they end, who learns of a fault."""

from __future__ import annotations

from collections import Counter

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from longfuse.actors import (
    Actor,
    ActorFault,
    EndReason,
    TrioHost,
    UnfinishedTasksError,
    open_task_tree,
)
from support.cancelling import cancel_everywhere


class Echo:
    """A behaviour that returns what it receives; it chokes on `boom`."""

    def receive(self, message: str) -> str:
        if message == "boom":
            raise ValueError(message)
        return message


def echo(name: str) -> Actor[str, str]:
    return Actor(name, Echo())


def running_tasks() -> Counter[str]:
    """Count the tasks below the current one, by name."""
    todo = list(trio.lowlevel.current_task().child_nurseries)
    names: Counter[str] = Counter()
    while todo:
        for task in todo.pop().child_tasks:
            names[task.name] += 1
            todo.extend(task.child_nurseries)
    return names


async def test_tasks_agree_with_the_books() -> None:
    """Each live actor has exactly one task, objects below their zone, before and after an end."""
    async with open_task_tree() as host:
        early, late = echo("early"), echo("late")
        host.start_zone(echo("board"))
        host.start_object("board", early)
        await wait_all_tasks_blocked()
        host.start_object("board", late)
        await wait_all_tasks_blocked()
        with_both = running_tasks()
        early.end(EndReason.LEFT_ZONE)
        await wait_all_tasks_blocked()

        assert with_both == Counter(["board", "early", "late"])
        assert running_tasks() == Counter(host.tasks())


async def test_an_undone_stay_and_the_restored_one_do_not_disturb_each_other() -> None:
    """Until the old task has finished there are two of one name; then one."""
    async with open_task_tree() as host:
        undone, restored = echo("unit#1"), echo("unit#1")
        host.start_zone(echo("board"))
        host.start_object("board", undone)
        await wait_all_tasks_blocked()
        undone.end(EndReason.UNDONE)
        host.start_object("board", restored)
        await wait_all_tasks_blocked()

        assert running_tasks() == Counter(["board", "unit#1"])
        assert restored.ask("here") == "here"


async def test_a_zone_may_be_opened_again() -> None:
    """The end of a zone's first stay leaves the second alone."""
    async with open_task_tree() as host:
        first, second = echo("set aside"), echo("set aside")
        host.start_zone(first)
        await wait_all_tasks_blocked()
        first.end(EndReason.CLOSED)
        host.start_zone(second)
        host.start_object("set aside", echo("card#1"))
        await wait_all_tasks_blocked()

        assert running_tasks() == Counter(["set aside", "card#1"])


async def test_the_end_of_the_game_ends_every_actor() -> None:
    """Leaving the block is the end of the game, and no task is cancelled for it."""
    async with open_task_tree(grace_s=0) as host:
        board, unit = echo("board"), echo("unit#1")
        host.start_zone(board)
        host.start_object("board", unit)

    assert board.reason is unit.reason is EndReason.GAME_OVER
    assert host.tasks() == set()


async def test_a_fault_on_a_told_message_reaches_the_owner_as_it_is() -> None:
    """The table's task, wherever it waits, gets the fault itself and not a group of groups."""
    unit = echo("unit#1")
    with pytest.raises(ActorFault) as raised:
        async with open_task_tree() as host:
            host.start_zone(echo("board"))
            host.start_object("board", unit)
            unit.tell("boom")
            await trio.sleep_forever()

    assert raised.value.actor == "unit#1"
    assert raised.value.message == "boom"
    assert isinstance(raised.value.cause, ValueError)
    assert unit.reason is EndReason.GAME_FAILED


async def test_the_first_of_several_faults_is_the_one_told() -> None:
    """A second fault in the same step is a consequence for nobody."""
    with pytest.raises(ActorFault):
        async with open_task_tree() as host:
            for name in ("hand", "deck"):
                zone = echo(name)
                host.start_zone(zone)
                zone.tell("boom")
            await trio.sleep_forever()


async def test_one_games_fault_is_not_anothers() -> None:
    """Two games in one process: one fails, the other goes on."""
    outcomes: list[str] = []

    async def game(name: str, message: str) -> None:
        try:
            async with open_task_tree() as host:
                zone = echo("board")
                host.start_zone(zone)
                zone.tell(message)
                await trio.sleep(1)
                outcomes.append(f"{name} goes on")
        except ActorFault:
            outcomes.append(f"{name} failed")

    async with trio.open_nursery() as tables:
        tables.start_soon(game, "one", "boom")
        tables.start_soon(game, "two", "hello")

    assert outcomes == ["one failed", "two goes on"]


async def test_what_the_game_raises_comes_out_as_it_is() -> None:
    """The tree's nurseries are its own business and wrap nothing."""
    board = echo("board")
    with pytest.raises(LookupError):
        async with open_task_tree() as host:
            host.start_zone(board)
            raise LookupError("the driver's own mistake")

    assert board.reason is EndReason.GAME_FAILED


async def test_a_cancelled_game_is_closed() -> None:
    """Cancelling the table's task is not a fault of the game."""
    board = echo("board")
    with trio.move_on_after(1):
        async with open_task_tree() as host:
            host.start_zone(board)
            await trio.sleep_forever()

    assert board.reason is EndReason.CLOSED


async def test_tasks_that_do_not_finish_are_cancelled_and_reported() -> None:
    """The fallback ends the game all the same, and does not keep it to itself."""

    class Stuck(Actor[str, str]):
        async def run(self) -> None:
            await trio.sleep_forever()

    with pytest.raises(UnfinishedTasksError, match=r"within 1\.0 s"):
        async with open_task_tree() as host:
            host.start_zone(Stuck("stuck", Echo()))


def test_a_game_cancelled_anywhere_leaves_nothing_behind() -> None:
    """Whatever step it is stopped at, every actor that was started has ended, none is parked."""
    started: list[Actor[str, str]] = []
    hosts: list[TrioHost] = []

    def start(name: str) -> Actor[str, str]:
        started.append(echo(name))
        return started[-1]

    async def scenario() -> None:
        started.clear()
        async with open_task_tree() as host:
            hosts.append(host)
            host.start_zone(start("board"))
            host.start_object("board", start("early"))
            await trio.sleep(1)
            host.start_object("board", unit := start("late"))
            unit.tell("hello")
            await trio.sleep(1)
            unit.end(EndReason.LEFT_ZONE)
            host.start_object("board", start("late"))
            await trio.sleep(1)

    def check(step: int) -> None:
        left = [actor for actor in started if not actor.is_ended]
        parked = [actor for actor in started if actor.statistics().is_parked]

        assert not left, f"cancelled at step {step}"
        assert not parked, f"cancelled at step {step}"
        assert all(not host.tasks() for host in hosts)

    runs = cancel_everywhere(scenario, check)

    assert runs > 10
