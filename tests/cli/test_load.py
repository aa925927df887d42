"""A small load from beginning to end: own server, workers, real sockets, either ruleset."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from longfuse.cli import main
from longfuse.rulesets.catalogue import names

DEADLINE_S = 60
SMALL = ("--tables", "2", "--seconds", "2", "--think", "0.02", "--json")

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("ruleset", names())
def test_a_small_load_is_played_and_right(ruleset: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Clients decide, drop and come back, and nothing is seen that may not be."""
    code = main(["load", *SMALL, "--ruleset", ruleset, "--clients-drop", "50"])
    told = json.loads(capsys.readouterr().out)

    assert (told["violations_told"], told["failures"]) == ([], [])
    assert code == 0
    assert told["decisions_by_ruleset"] == {ruleset: told["decisions"]}
    assert told["decisions"] > 0
    assert told["games_compared"] >= 2
    assert told["drops"] >= told["resumed"] > 0
    assert told["latency"]["other_seat"]["count"] > 0
    assert told["server_cpu_s"] is not None


def test_an_interrupt_ends_a_load_with_its_report() -> None:
    """Long before its time, and with the code of a run that was right."""
    command = ["load", "--tables", "1", "--processes", "1", "--seconds", "500", "--think", "0.02"]
    process = subprocess.Popen(
        [sys.executable, "-m", "longfuse", *command, "--json", "--progress"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        next(line for line in process.stderr if line.startswith("2 s"))
        process.send_signal(signal.SIGINT)
        out, _err = process.communicate(timeout=DEADLINE_S)
    finally:
        process.terminate()  # not killed: it has a server to end
        process.communicate(timeout=DEADLINE_S)
    told = json.loads(out)

    assert process.returncode == 0
    assert told["violations"] == 0
    assert told["decisions"] > 0
    assert told["seconds"] < 500


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--rate", "10", "--think", "1"), "not allowed with"),
        (("--clients-drop", "101"), "a number from 0 to 100"),
        (("--seconds", "0"), "a number above 0"),
        (("--rate", "nan"), "a number"),
        (("--spectators", "-1"), "a whole number, at least 0"),
        (("--url", "cards.example"), "cards.example: the address of a server"),
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
