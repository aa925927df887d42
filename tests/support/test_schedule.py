"""The test runner itself: seeded schedules, virtual time, deadlocks that fail at once."""

from __future__ import annotations

import random
import secrets

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from longfuse.host.wall import now_s
from support.cancelling import cancel_everywhere
from support.schedule import run, schedule_seed

A_LONG_WHILE_S = 3_600


async def order_of_tasks() -> tuple[int, ...]:
    """Start eight tasks and report the order in which the scheduler ran them."""
    ran: list[int] = []

    async def note(number: int) -> None:
        await trio.lowlevel.checkpoint()
        ran.append(number)

    async with trio.open_nursery() as nursery:
        for number in range(8):
            nursery.start_soon(note, number)
    return tuple(ran)


def test_a_seed_fixes_the_order_of_tasks() -> None:
    """The private names of trio that the runner uses still do what it needs."""
    repeated = {run(order_of_tasks, seed=7) for _ in range(20)}
    others = {run(order_of_tasks, seed=seed) for seed in range(20)}

    assert len(repeated) == 1
    assert len(others) > 10


async def drawn() -> tuple[object, ...]:
    """Draw from everything that the product draws from."""
    await trio.lowlevel.checkpoint()
    return (secrets.token_hex(6), secrets.token_urlsafe(24), secrets.randbits(128), random.random())


def test_a_seed_fixes_what_is_drawn_at_random() -> None:
    """Another run with the seed draws the same; what no run has seeded is the system's."""
    repeated = {run(drawn, seed=7) for _ in range(3)}
    others = {run(drawn, seed=seed) for seed in range(20)}

    assert len(repeated) == 1
    assert len({draw[0] for draw in others}) == len({draw[3] for draw in others}) == 20
    assert secrets.token_hex(6) != secrets.token_hex(6)
    assert run(drawn, seed=7)[0] != secrets.token_hex(6)


def test_a_deadlock_fails_at_once() -> None:
    """A test that waits for ever meets its virtual deadline without waiting for it."""
    with pytest.raises(trio.TooSlowError):
        run(trio.sleep_forever, seed=0)


async def test_async_tests_run_on_virtual_time() -> None:
    """An hour passes at once, for trio and on the host's wall."""
    began, wall_began = trio.current_time(), now_s()

    await trio.sleep(A_LONG_WHILE_S)

    assert isinstance(trio.lowlevel.current_clock(), MockClock)
    assert trio.current_time() - began == now_s() - wall_began == A_LONG_WHILE_S


@pytest.mark.realtime
async def test_realtime_tests_run_on_the_real_clock() -> None:
    """The marker brings trio's own clock back."""
    await trio.lowlevel.checkpoint()

    assert not isinstance(trio.lowlevel.current_clock(), MockClock)


async def test_async_tests_may_use_fixtures(tmp_path) -> None:
    """Arguments come from fixtures, as in any other test."""
    await trio.lowlevel.checkpoint()

    assert tmp_path.is_dir()


@given(number=st.integers())
async def test_async_tests_may_be_properties(number: int) -> None:
    """Each example of a property runs in a trio of its own."""
    await trio.sleep(A_LONG_WHILE_S)

    assert trio.current_time() >= A_LONG_WHILE_S
    assert isinstance(number, int)


def test_a_test_keeps_its_seed_unless_another_is_asked_for(monkeypatch) -> None:
    """The environment overrules a seed that is otherwise the test's own."""
    monkeypatch.delenv("SCHEDULE_SEED", raising=False)
    own = schedule_seed("one"), schedule_seed("one"), schedule_seed("two")
    monkeypatch.setenv("SCHEDULE_SEED", "12")

    assert own[0] == own[1] != own[2]
    assert schedule_seed("one") == 12


def test_cancelling_everywhere_finds_a_leak() -> None:
    """A scenario that leaves something behind when it is cancelled is caught."""
    seats: set[str] = set()

    async def join_and_leak() -> None:
        seats.add("a seat")
        await trio.sleep(1)
        seats.discard("a seat")

    def check(_step: int) -> None:
        assert not seats

    with pytest.raises(AssertionError):
        cancel_everywhere(join_and_leak, check)
