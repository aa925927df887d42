"""The processes of a run come up, are heard, and are gone with their block."""

from __future__ import annotations

import os
import sys
import time
import tomllib

import msgspec
import pytest

from longfuse.config import Config
from longfuse.load.plan import Run
from longfuse.load.processes import Usage, open_child, server_settings, usage_of
from longfuse.load.run import Load

RUN = Run(tables=30, spectators=500, seconds=0.2, rulesets=("toy",), processes=2)
NOBODY = "ws://127.0.0.1:9/ws"
"""Nothing listens there."""


def python(program: str) -> list[str]:
    """The command that runs a program."""
    return [sys.executable, "-c", program]


def test_a_server_of_its_own_has_room_for_the_run() -> None:
    """Its settings are such as a server takes, and large enough for all clients."""
    config = msgspec.convert(tomllib.loads(server_settings(RUN)), Config)

    assert config.connections_max > 30 * 502
    assert config.spectators_max > 500
    assert config.tables_max > 30


def test_cpu_time_of_a_process_is_known() -> None:
    """Of one that is there; nothing is made up for one that is not."""
    while time.process_time() < 0.05:
        pass

    used = usage_of(os.getpid())

    assert used is not None
    assert used.cpu_s > 0
    assert usage_of(2**30) is None


def test_usage_is_counted_from_a_moment_on() -> None:
    """What the system does not tell stays unknown."""
    before, after = Usage(cpu_s=1.0, waited_s=0.5), Usage(cpu_s=1.5, waited_s=0.75)
    silent = Usage(cpu_s=1.0, waited_s=None)

    assert after.since(before) == Usage(cpu_s=0.5, waited_s=0.25)
    assert after.since(silent) == Usage(cpu_s=0.5, waited_s=None)


@pytest.mark.realtime
async def test_a_child_is_heard_and_ended() -> None:
    """Its address and its last words are kept; it does not outlive the block."""
    program = (
        "import sys, time\n"
        "print('started', 'url=ws://127.0.0.1:1/ws', file=sys.stderr, flush=True)\n"
        "print('a line', flush=True)\n"
        "time.sleep(600)\n"
    )
    async with open_child("child", python(program)) as child:
        await child.spoke.wait()
        line = await child.lines.read()

    assert child.address == "ws://127.0.0.1:1/ws"
    assert line == b"a line"
    assert "started" in child.said
    assert child.process.returncode is not None


@pytest.mark.realtime
async def test_a_child_that_does_not_listen_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ending is bounded."""
    monkeypatch.setattr("longfuse.load.processes.GRACE_S", 0.2)
    program = (
        "import signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "print('deaf', flush=True)\n"
        "time.sleep(600)\n"
    )
    async with open_child("child", python(program)) as child:
        await child.lines.read()

    assert child.process.returncode == -9


@pytest.mark.realtime
@pytest.mark.slow
async def test_a_dead_worker_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what it said last; nobody waits for it."""
    monkeypatch.setattr(
        "longfuse.load.run.open_worker",
        lambda number: open_child(f"worker {number}", python("raise SystemExit('broken')")),
    )
    outcome = await Load(RUN, lambda _progress: None).run(NOBODY, None)

    assert outcome.failures == (
        "worker 0 has not reported: broken",
        "worker 1 has not reported: broken",
    )


@pytest.mark.realtime
@pytest.mark.slow
async def test_a_server_that_is_not_there_is_an_error_of_every_table() -> None:
    """The run ends at once, with nothing decided."""
    run = msgspec.structs.replace(RUN, tables=4, spectators=0, seconds=500.0)
    outcome = await Load(run, lambda _progress: None).run(NOBODY, None)

    assert outcome.failures == ()
    assert outcome.tally.errors["not connected"] >= 4
    assert outcome.tally.decisions == {}
