"""The commands as they are called: what they print, where, and with which exit code."""

from __future__ import annotations

import gc
import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog

from journal.games import journal_lines, use_toy, write
from longfuse.cli import main
from longfuse.cli.commands import COMMANDS
from longfuse.game.entries import Decision
from longfuse.journal.format import NO_DIGEST, Chain, Entered, Line, parse, unseal


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is what is played here."""
    use_toy(monkeypatch)


@pytest.fixture(autouse=True)
def process() -> Iterator[None]:
    """What a command sets up for its whole process does not outlive its test."""
    thresholds = gc.get_threshold()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A saved game in which a fuse has gone off."""
    entries = [Decision(0, 1, 1), Decision(0, 2, 0), Decision(0, 3, (2, 0))]
    return write(tmp_path / "game.jsonl", journal_lines(entries=entries))


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """A saved game that is over."""
    return write(tmp_path / "finished.jsonl", journal_lines())


Ran = tuple[int, str, str]
Runs = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Runs:
    """Run a command: its code, and what it printed on both streams."""

    def call(*argv: object) -> Ran:
        code = main([str(word) for word in argv])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def result_of(ran: Ran) -> dict[str, Any]:
    """The one JSON object on standard output."""
    (line,) = ran[1].splitlines()
    loaded = json.loads(line)
    assert isinstance(loaded, dict)
    return loaded


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_tells_how_to_use_it(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its help begins with what it does and ends with the exit codes."""
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])

    assert left.value.code == 0
    told = capsys.readouterr().out
    assert f"usage: longfuse {command}" in told
    assert "exit codes:" in told


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Each with what it does."""
    with pytest.raises(SystemExit) as left:
        main(["--help"])

    assert left.value.code == 0
    told = capsys.readouterr().out
    assert all(f"  {name:<10}{what}" in told for name, what in COMMANDS.items())


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_terminal(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sentences are as wide as the terminal; what is indented stays as it was written."""
    monkeypatch.setenv("COLUMNS", "72")
    with pytest.raises(SystemExit):
        main([command, "--help"])

    told = capsys.readouterr().out.partition("exit codes:")[0].splitlines()
    assert [line for line in told if len(line) > 72 and not line.startswith("  ")] == []


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """As it is installed."""
    with pytest.raises(SystemExit) as left:
        main(["--version"])

    assert left.value.code == 0
    assert capsys.readouterr().out == f"longfuse {version('longfuse')}\n"


@pytest.mark.parametrize("argv", [[], ["fly"], ["replay"], ["replay", "x", "--at", "one"]])
def test_wrong_arguments_are_told(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The code is 2, and standard output stays empty."""
    with pytest.raises(SystemExit) as left:
        main(argv)

    assert left.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "usage:" in err


def test_the_installed_command_runs() -> None:
    """As a process of its own, too."""
    ran = subprocess.run(
        [sys.executable, "-m", "longfuse", "--help"], capture_output=True, text=True, check=True
    )

    assert ran.stdout.startswith("usage: longfuse")


@pytest.mark.parametrize("command", ["replay", "verify", "explain"])
def test_a_file_that_is_not_there_is_told(command: str, tmp_path: Path, run: Runs) -> None:
    """In one line on standard error, with code 2."""
    code, out, err = run(command, tmp_path / "none.jsonl")

    assert (code, out) == (2, "")
    assert "none.jsonl: No such file" in err


# ---------------------------------------------------------------- replay


def test_what_is_no_text_is_told(run: Runs) -> None:
    """Bytes that are no UTF-8 reach a command as half characters, which no encoder takes."""
    code, _, err = run("demo", "--games", "1", "--json", "--seed", "\udcff")

    assert code == 2
    assert err.startswith("longfuse: this is no text")


def test_what_the_system_refuses_is_told(
    run: Runs, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever in a command that may be."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError("File name too long")

    monkeypatch.setattr("longfuse.cli.verify.verify", refuse)
    code, _, err = run("verify", saved)

    assert code == 2
    assert "File name too long" in err


def test_replay_describes_the_game_at_an_entry(saved: Path, run: Runs) -> None:
    """With the ability that waits there."""
    ran = run("replay", saved, "--at", 2, "--json")

    told = result_of(ran)
    assert ran[0] == 0
    assert (told["entry"], told["entries"]) == (2, 3)
    assert [one["source"] for one in told["waiting"]] == ["Fuse"]


def test_replay_without_an_entry_is_the_last(saved: Path, run: Runs) -> None:
    """For people, a line each."""
    code, out, _ = run("replay", saved)

    assert code == 0
    assert "after entry 3 of 3" in out


@pytest.mark.parametrize("at", [-1, 4])
def test_replay_at_an_entry_that_is_not_there(saved: Path, run: Runs, at: int) -> None:
    """The error names the last one."""
    code, _, err = run("replay", saved, "--at", at)

    assert code == 1
    assert f"there is no entry {at}; the last is 3" in err


def test_replay_of_a_broken_file_names_the_entry(saved: Path, run: Runs) -> None:
    """And its line."""
    lines = saved.read_bytes().splitlines(keepends=True)
    saved.write_bytes(b"".join((*lines[:2], lines[2][:-9], b"\n", *lines[3:])))

    code, _, err = run("replay", saved)

    assert code == 1
    assert "line 3, entry 2: " in err


def test_replay_of_a_file_that_stops_in_a_line(saved: Path, run: Runs) -> None:
    """As the file of a game that is being played may: all before that line is there."""
    lines = saved.read_bytes().splitlines(keepends=True)
    saved.write_bytes(b"".join(lines[:2]) + lines[2][:-9])

    code, out, _ = run("replay", saved, "--json")

    assert code == 0
    assert json.loads(out)["entry"] == 1


@pytest.mark.parametrize("command", [["replay"], ["verify", "--unfinished"], ["explain"]])
def test_a_file_writes_nothing_on_the_terminal(command: list[str], saved: Path, run: Runs) -> None:
    """What others put into a file is told without what a terminal obeys, on either output."""
    lines = saved.read_bytes().splitlines(keepends=True)
    chain = Chain()
    header = msgspec.structs.replace(parse(unseal(lines[0], NO_DIGEST)[0]), rules_version="\x1b[2J")
    saved.write_bytes(chain.seal(header))

    _, out, err = run(*command, saved)

    assert " [2J" in out + err
    assert "\x1b" not in out + err


# ---------------------------------------------------------------- verify


def test_verify_of_a_sound_game(finished: Path, run: Runs) -> None:
    """Code 0, the last state and the digest of all of it."""
    ran = run("verify", finished, "--json")

    told = result_of(ran)
    assert ran[0] == 0
    assert told["same"] is True
    assert told["digest"] == json.loads(finished.read_bytes().splitlines()[-1])["digest"]


def test_verify_of_a_game_that_differs(tmp_path: Path, run: Runs) -> None:
    """Code 1, and the entry is named."""

    def change(line: Line) -> Line:
        if isinstance(line, Entered) and line.n == 2:
            return msgspec.structs.replace(line, state="0" * 32)
        return line

    path = write(tmp_path / "game.jsonl", journal_lines(change=change))
    ran = run("verify", path, "--json")

    assert ran[0] == 1
    assert result_of(ran)["finding"]["entry"] == 2
    code, out, _ = run("verify", path)
    assert code == 1
    assert "at entry 2: the state differs" in out


def test_verify_of_a_file_that_was_cut_off(saved: Path, run: Runs) -> None:
    """Code 1 with the last entry that is there; 0 where the game may still run."""
    code, out, _ = run("verify", saved)

    assert code == 1
    assert "cut off after entry 3" in out
    code, out, _ = run("verify", saved, "--unfinished")
    assert code == 0
    assert "not over" in out


# ---------------------------------------------------------------- explain


def test_explain_lists_events_and_explains_one(saved: Path, run: Runs) -> None:
    """The list has the numbers that --event takes."""
    events = result_of(run("explain", saved, "--json"))["events"]
    (last,) = (one["event"] for one in events if one["told"] == "Ada scores 1.")

    told = result_of(run("explain", saved, "--event", last, "--json"))

    assert [step["clause"] for step in told["steps"]] == ["1.3", "1.1"]
    assert told["began_with"]["entry"] == 3
    code, out, _ = run("explain", saved, "--event", last)
    assert code == 0
    assert "Ada scores 1. [1.3]" in out
    code, out, _ = run("explain", saved)
    assert code == 0
    assert "Ada scores 1." in out


def test_explain_of_no_event(saved: Path, run: Runs) -> None:
    """Code 1 and how far they are numbered."""
    code, _, err = run("explain", saved, "--event", 999)

    assert code == 1
    assert "there is no event 999" in err


# ---------------------------------------------------------------- demo


def test_demo_counts_games(tmp_path: Path, run: Runs) -> None:
    """The object has what it promises, and the games add up."""
    told = result_of(
        run("demo", "--games", 6, "--seed", 7, "--json", "--ruleset", "toy", "--save", tmp_path)
    )

    assert told["games"] == sum(told["winners"].values()) == 6
    assert told["decisions"] > 6
    rate = told["decisions"] / told["cpu_s"] if told["cpu_s"] else None
    assert told["decisions_per_cpu_s"] == pytest.approx(rate, 0.01)
    assert told["calibration"] > 0
    for number in range(6):
        assert main(["verify", str(tmp_path / f"demo-7-{number}.jsonl")]) == 0


def test_demo_is_the_same_for_the_same_seed(run: Runs) -> None:
    """And another for another."""
    first, again, other = (
        result_of(run("demo", "--games", 3, "--seed", seed, "--json")) for seed in (1, 1, 2)
    )

    assert first["state_hash"] == again["state_hash"] != other["state_hash"]
    assert first["decisions"] == again["decisions"]


def test_demo_tells_a_game(tmp_path: Path, run: Runs) -> None:
    """In sentences, under a heading for each turn, up to who won."""
    code, out, _ = run("demo", "--seed", 3, "--save", tmp_path)

    assert code == 0
    assert "\nTurn of Ada\n  " in out
    assert "scores" in out
    assert " wins: " in out
    assert (tmp_path / "demo-3-0.jsonl").exists()


def test_demo_counts_for_people(run: Runs) -> None:
    """Without --json, in lines."""
    code, out, _ = run("demo", "--games", 2, "--seed", 3)

    assert code == 0
    assert out.startswith("2 games of toy, seed 3; won: ")


def test_demo_of_an_unknown_ruleset(run: Runs) -> None:
    """The error names those that there are."""
    code, _, err = run("demo", "--ruleset", "whist")

    assert code == 2
    assert "there is no ruleset 'whist'; there is toy" in err


def test_demo_that_cannot_save(tmp_path: Path, run: Runs) -> None:
    """A file in the way is told."""
    (tmp_path / "file").write_text("")

    code, _, err = run("demo", "--seed", 3, "--games", 1, "--save", tmp_path / "file")

    assert code == 2
    assert "file" in err


def test_demo_of_no_games(capsys: pytest.CaptureFixture[str]) -> None:
    """There is at least one."""
    with pytest.raises(SystemExit) as left:
        main(["demo", "--games", "0"])

    assert left.value.code == 2
    assert "at least 1" in capsys.readouterr().err


@pytest.mark.slow
def test_demo_over_the_wire(tmp_path: Path, run: Runs) -> None:
    """A server, two bots and a spectator that tells; its journal is one that verifies."""
    code, out, _ = run("demo", "--serve", "--save", tmp_path)

    assert code == 0
    assert "to watch from elsewhere: longfuse watch ws://127.0.0.1:" in out
    assert "Ada (P1) against Bo (P2)" in out
    assert "scores" in out
    assert " wins: " in out
    (path,) = tmp_path.glob("*-1.jsonl")
    assert main(["verify", str(path)]) == 0
    assert main(["shuffles", str(tmp_path)]) == 0


def test_demo_over_the_wire_takes_no_seed(run: Runs) -> None:
    """A server shuffles by itself: that is told, and not ignored."""
    code, _, err = run("demo", "--serve", "--seed", 3)

    assert code == 2
    assert "--seed is for games in this process" in err


# ---------------------------------------------------------------- serve, watch


def test_serve_with_a_wrong_setting(tmp_path: Path, run: Runs) -> None:
    """It does not start, and says which setting and what it may be."""
    config = tmp_path / "config.toml"
    config.write_text("prot = 1")

    code, _, err = run("serve", "--config", config)

    assert code == 2
    assert "did you mean port?" in err


@pytest.mark.slow
def test_serve_where_it_cannot_listen(run: Runs) -> None:
    """The system's reason is told in one line."""
    code, _, err = run("serve", "--host", "203.0.113.1", "--port", 9)

    assert code == 2
    assert err.startswith("longfuse: ")


def test_watch_where_nobody_listens(run: Runs) -> None:
    """No connection is an error in one line."""
    code, _, err = run("watch", "ws://127.0.0.1:9/none")

    assert code == 2
    assert "no connection" in err


# ---------------------------------------------------------------- bench


@pytest.mark.slow
def test_bench_prints_one_flat_object_of_numbers(run: Runs) -> None:
    """With the figures that are promised, each time raw and against the fixed loop."""
    told = result_of(run("bench", "--rounds", 1, "--games", 1, "--held", 2, "--json"))

    assert all(isinstance(value, int | float) for value in told.values())
    assert {
        "ask_us",
        "ask_calibration_ppm",
        "publish_10_waiting_us",
        "publish_1000_waiting_us",
        "publish_10000_waiting_us",
        "publish_10000_to_10_waiting_ratio",
        "decisions_per_cpu_s",
        "decisions_per_calibration",
        "decisions_10000_waiting_per_cpu_s",
        "decision_10000_to_10_waiting_ratio",
        "kb_per_game",
        "calibration_ms",
    } <= set(told)
    assert told["ask_us"] > 0


# ---------------------------------------------------------------- a coarse clock


def test_games_that_are_too_fast_for_the_clock_are_counted(
    run: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it has not moved on meanwhile there is no rate, and no failure."""
    monkeypatch.setattr("longfuse.cli.local.time.process_time", lambda: 1.0)
    words = ("demo", "--games", 1, "--seed", 7, "--ruleset", "toy")

    assert result_of(run(*words, "--json"))["decisions_per_cpu_s"] is None
    assert "decisions, too fast for this clock" in run(*words)[1]
