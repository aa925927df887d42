"""A small load from beginning to end: own server, workers, real sockets, either ruleset."""

from __future__ import annotations

import functools
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
import trio

from host.rig import MemoryJournal
from host.toy import ToyFactory
from journal.games import use_toy
from longfuse.cli import main
from longfuse.config import Config
from longfuse.host.feeds import Feed
from longfuse.host.server import serve
from longfuse.rulesets.catalogue import names
from longfuse_protocol.messages import Events

DEADLINE_S = 240
"""Real time that anything may take. No test measures it; one that hangs fails."""
SMALL = ("--tables", "2", "--seconds", "2", "--think", "0.02", "--json")

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("ruleset", names())
def test_a_small_load_is_played_and_right(ruleset: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Clients decide, drop and come back, and nothing is seen that may not be."""
    # With this seed all drops come early: who drops has the rest of the run to come back in.
    code = main(["load", *SMALL, "--ruleset", ruleset, "--clients-drop", "50", "--seed", "4"])
    told = json.loads(capsys.readouterr().out)

    assert (told["violations_told"], told["failures"]) == ([], [])
    assert code == 0
    assert told["decisions_by_ruleset"] == {ruleset: told["decisions"]}
    assert told["decisions"] > 0
    assert told["games_compared"] >= 2
    assert told["drops"] >= told["resumed"] > 0
    assert told["latency"]["other_seat"]["count"] > 0
    assert told["server_cpu_s"] is not None


@contextmanager
def loading() -> Iterator[subprocess.Popen[str]]:
    """A load that goes on for long, with a server of its own, once decisions have been made."""
    command = ["load", "--tables", "1", "--processes", "1", "--seconds", "500", "--think", "0.02"]
    process = subprocess.Popen(
        [sys.executable, "-m", "longfuse", *command, "--json", "--progress"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        next(line for line in process.stderr if re.search(r"[1-9]\d* decisions", line))
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=DEADLINE_S)


def test_an_interrupt_ends_a_load_with_its_report() -> None:
    """Long before its time, and with the code of a run that was right."""
    with loading() as process:
        process.send_signal(signal.SIGINT)
        out, _err = process.communicate(timeout=DEADLINE_S)
    told = json.loads(out)

    assert process.returncode == 0
    assert told["violations"] == 0
    assert told["decisions"] > 0
    assert told["seconds"] < 500


def test_a_load_that_is_killed_leaves_nothing_behind() -> None:
    """Server and worker end themselves when whoever started them is gone."""
    with loading() as process:
        children = children_of(process.pid)
        assert len(children) == 2
        process.kill()
        process.wait()
        for _ in range(DEADLINE_S * 10):
            if not any(map(is_running, children)):
                break
            time.sleep(0.1)

        assert not any(map(is_running, children))


def children_of(pid: int) -> list[Path]:
    """The processes that a process has started and that are there."""
    return [path for path in Path("/proc").glob("[0-9]*") if parent_of(path) == pid]


def parent_of(process: Path) -> int:
    """Who has started a process; 0 where it is gone."""
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def is_running(process: Path) -> bool:
    """Whether a process is there; one that has ended and is not yet taken note of is not."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_server_of_its_own_that_dies_ends_the_run_at_once() -> None:
    """With what it said last, and code 1."""
    with loading() as process:
        (server,) = (
            one for one in children_of(process.pid) if b"serve" in (one / "cmdline").read_bytes()
        )
        os.kill(int(server.name), signal.SIGKILL)
        out, _err = process.communicate(timeout=DEADLINE_S)
    told = json.loads(out)

    assert process.returncode == 1
    assert told["seconds"] < 500
    assert told["failures"][0].startswith("the server has ended with code -9")


def test_a_server_of_its_own_that_does_not_start_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the server's own words."""
    monkeypatch.setattr("longfuse.load.processes.server_settings", lambda _run: "nonsense = 1")

    assert main(["load", *SMALL]) == 2
    told = capsys.readouterr().err
    assert told.startswith("longfuse: no server could be started: longfuse: nonsense = 1: ")


def test_a_server_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """With its address and the reason, and code 1."""
    assert main(["load", *SMALL, "--url", "ws://127.0.0.1:9/ws"]) == 1
    told = json.loads(capsys.readouterr().out)

    assert told["failures"][-1] == "nothing was played"
    assert "ws://127.0.0.1:9/ws: " in told["error_reasons"]["not connected"]


def test_a_server_that_lies_is_found_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From its sockets through the workers to the exit code."""
    use_toy(monkeypatch)
    right = Feed.number

    def number(feed: Feed, *arguments: object) -> Events:
        frame = right(feed, *arguments)
        is_spoiled = feed.viewer == 1 and frame.n == 3
        return msgspec.structs.replace(frame, digest="f" * 32) if is_spoiled else frame

    monkeypatch.setattr(Feed, "number", number)
    with serving_toys() as url:
        assert main(["load", *SMALL, "--url", url]) == 1
    told = json.loads(capsys.readouterr().out.splitlines()[-1])  # behind the server's log

    assert not told["is_clean"]
    assert told["violations"] > 0
    assert {one["kind"] for one in told["violations_told"]} == {"digest"}


@contextmanager
def serving_toys() -> Iterator[str]:
    """A server of this process, in a thread of its own; its address."""
    settings = Config(port=0, messages_per_s=100_000, messages_burst=100_000)
    told: queue.Queue[tuple[str, Callable[[], None]]] = queue.Queue()

    async def serve_till_told() -> None:
        async with trio.open_nursery() as nursery:
            server = await nursery.start(
                functools.partial(serve, settings, ToyFactory(), MemoryJournal())
            )
            token = trio.lowlevel.current_trio_token()
            end = nursery.cancel_scope.cancel
            told.put((server.url, lambda: token.run_sync_soon(end)))

    thread = threading.Thread(target=trio.run, args=(serve_till_told,), daemon=True)
    thread.start()
    url, end = told.get(timeout=DEADLINE_S)
    try:
        yield url
    finally:
        end()
        thread.join(DEADLINE_S)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--rate", "10", "--think", "1"), "not allowed with"),
        (("--clients-drop", "101"), "a number from 0 to 100"),
        (("--seconds", "0"), "a number above 0"),
        (("--rate", "nan"), "a number"),
        (("--spectators", "-1"), "a whole number, at least 0"),
        (("--url", "cards.example"), "'cards.example': the address of a server"),
        (("--url", "ws://cards.example:99999/ws"), "the address of a server"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(
    flags: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what may be, before anything is started."""
    with pytest.raises(SystemExit) as stopped:
        main(["load", *flags])

    assert stopped.value.code == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--pid", "1"), "--pid goes with --url"),
        (("--no-journal", "--url", "ws://127.0.0.1:9/ws"), "--no-journal is for a server"),
    ],
)
def test_what_is_for_another_server_is_refused(
    flags: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The harness knows its own server's process, and has no say in what another keeps."""
    assert main(["load", *flags]) == 2
    assert told in capsys.readouterr().err
