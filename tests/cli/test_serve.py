"""A server as a process: it says where it is, takes connections, and ends when it is told to."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import structlog
import trio

from longfuse.cli import main
from longfuse.config import Config
from longfuse_protocol import messages as m
from longfuse_protocol import receipts
from longfuse_protocol.client import NEVER, Client, ClientClosed, Refused, open_client

pytestmark = pytest.mark.slow

DEADLINE_S = 240
"""Real time that anything may take. No test measures it; one that hangs fails."""


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process on a free port, and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "longfuse", "serve", "--port", "0", *arguments],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "server_started" in line)
        found = re.search(r"ws://[^\s\x1b\"]+", line)
        assert found is not None
        yield process, found.group()
    finally:
        process.kill()
        process.communicate(timeout=DEADLINE_S)


def test_a_server_ends_when_it_is_told_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It answers a client; SIGTERM drains it, and the process ends with code 0."""
    with serving("--data", str(tmp_path / "games")) as (process, url):
        assert main(["watch", url]) == 1
        assert "no game is being played there now" in capsys.readouterr().err
        process.send_signal(signal.SIGTERM)

        assert process.wait(DEADLINE_S) == 0
    assert (tmp_path / "games").is_dir()


@pytest.mark.realtime
async def test_games_that_a_server_takes_along_can_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SIGTERM ends a game under way: both players are told its end and secret before it is gone.

    Their receipts hold against the saved game, and the count of shuffles says how it ended, now and
    after the next start.
    """
    data, overs, signals = tmp_path / "games", [], [signal.SIGTERM]
    with trio.fail_after(DEADLINE_S), serving("--data", str(data)) as (process, url):

        async def play(client: Client) -> None:
            async for event in client:
                match event:
                    case m.Asked(prompt=prompt):
                        with contextlib.suppress(ClientClosed, Refused):
                            await client.decide(prompt, prompt.default)
                        if event.n >= 5 and signals:  # a second one would cut everything off
                            process.send_signal(signals.pop())
                    case m.Over():
                        overs.append((event.winner, event.reason))

        async with (
            open_client(url, name="Ada", retry=NEVER, receipts=tmp_path / "Ada") as ada,
            open_client(url, name="Bob", retry=NEVER, receipts=tmp_path / "Bob") as bob,
            trio.open_nursery() as nursery,
        ):
            place = await ada.create("riftbound", 2)
            await bob.join(place.info.table)
            for client in (ada, bob):
                nursery.start_soon(play, client)
        assert await trio.to_thread.run_sync(process.wait, DEADLINE_S) == 0

    assert overs == [(None, "the operator ended it")] * 2
    [game] = data.glob("*.jsonl")
    for name in ("Ada", "Bob"):
        [receipt] = (tmp_path / name).iterdir()
        assert main(["verify", str(game), "--receipt", str(receipt)]) == 0
    with serving("--data", str(data)):
        pass
    capsys.readouterr()
    assert main(["shuffles", str(data)]) == 0
    assert f"{game.stem}  aborted: the operator ended it (" in capsys.readouterr().out


def test_a_second_signal_ends_a_server_at_once(tmp_path: Path) -> None:
    """A connection that says nothing holds up a drain; nobody has to wait for it."""
    config = tmp_path / "longfuse.toml"
    config.write_text("grace_s = 3000\nhello_s = 3000\nlog_format = 'json'\n")
    with serving("--config", str(config)) as (process, url):
        address = urlsplit(url)
        with socket.create_connection((address.hostname, address.port)):
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            # Before it has seen the first, two would be one to it.
            assert any("server_draining" in line for line in process.stderr)
            process.send_signal(signal.SIGINT)

            assert process.wait(DEADLINE_S) == 0


def test_a_log_that_nobody_reads_holds_no_server_up() -> None:
    """Its standard error is a full pipe: it goes on answering, and ends when it is told to."""
    with serving() as (process, url):
        assert process.stderr is not None
        others_end = os.open(f"/proc/{process.pid}/fd/2", os.O_WRONLY | os.O_NONBLOCK)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(others_end, b"." * 100)
        os.close(others_end)
        for _ in range(3):  # each leaves a line in the log
            assert main(["tables", url]) == 0
        process.send_signal(signal.SIGTERM)

        assert process.wait(DEADLINE_S) == 0


def test_a_fault_that_ends_a_server_is_logged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line of the log's form, which nobody has to read at once; the code is 1."""

    def fail(_given: Config) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("longfuse.cli.running.open_server", fail)
    monkeypatch.setattr(logging.root, "handlers", [])
    config = tmp_path / "longfuse.toml"
    config.write_text("log_format = 'json'\n")
    try:
        assert main(["serve", "--config", str(config)]) == 1
    finally:
        structlog.reset_defaults()
    (line,) = capsys.readouterr().err.splitlines()

    assert json.loads(line)["event"] == "server_failed"
    assert "broken on purpose" in line


@pytest.mark.parametrize("table", ["nowhere", "0" * 64])
def test_a_table_that_is_not_there_is_told(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Watching it is refused with the server's reason."""
    with serving() as (_process, url):
        assert main(["watch", url, table]) == 1
        assert "the server refuses" in capsys.readouterr().err


def refused(*arguments: str) -> str:
    """What a server process says that does not start."""
    process = subprocess.run(
        [sys.executable, "-m", "longfuse", "serve", *arguments],
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    assert process.returncode == 2
    return process.stderr


def test_two_servers_at_one_address() -> None:
    """The second does not start, and names the address that is taken."""
    with serving() as (_process, url):
        port = urlsplit(url).port
        told = f"longfuse: cannot listen at 127.0.0.1:{port}: "
        said = refused("--port", str(port))
        assert said.startswith(told)
        assert "take another port, or 0 for a free one" in said


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ('token_keys = "nowhere.json"\ntoken_audience = "here"', "token_keys = 'nowhere.json'"),
        ('names_reserved = ["--"]', "names_reserved = '--': a name with a letter"),
    ],
)
def test_a_setting_that_only_the_server_finds_wrong(
    setting: str, told: str, tmp_path: Path
) -> None:
    """It is told in a sentence, as the others are, and not as a traceback."""
    config = tmp_path / "longfuse.toml"
    config.write_text(f"port = 0\n{setting}\n")

    assert refused("--config", str(config)).startswith(f"longfuse: {told}")


def test_two_servers_on_one_data_folder(tmp_path: Path) -> None:
    """The second does not start, says why, and leaves the first alone."""
    data = str(tmp_path)
    with serving("--data", data) as (process, url):
        second = subprocess.run(
            [sys.executable, "-m", "longfuse", "serve", "--port", "0", "--data", data],
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
        )
        assert second.returncode == 2
        assert "another server" in second.stderr
        assert main(["tables", url]) == 0
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_S) == 0
    assert main(["shuffles", data]) == 0


def test_a_game_at_a_server_of_one_s_own_that_others_reach(tmp_path: Path) -> None:
    """`play --serve` prints how a friend comes, and the friend plays; a receipt is kept."""
    words = ["--plain", "--receipts", str(tmp_path / "ada"), "--unlisted"]
    with playing("--serve", "127.0.0.1:0", "--name", "Ada", *words) as ada:
        assert ada.stdout is not None
        invited = next(line for line in ada.stdout if "longfuse play" in line).split()[2:]
        assert "--invitation" in invited
        with playing(*invited, "--name", "Bob", "--plain") as bob:
            # Whoever is asked first gives up; which of the two that is, the shuffle says.
            for player in (ada, bob):
                assert player.stdin is not None
                player.stdin.write("concede\nconcede\n")
                player.stdin.flush()
            shown = [player.communicate(timeout=DEADLINE_S)[0] for player in (bob, ada)]
            assert (ada.returncode, bob.returncode) == (0, 0)
    assert sum("You win! " in one for one in shown) == 1
    assert all(" wins: " in one for one in shown)
    (receipt,) = (tmp_path / "ada").iterdir()
    assert receipts.read(receipt.read_bytes()).check_end() == ()


@contextmanager
def playing(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A player's process, whose lines come from a pipe."""
    process = subprocess.Popen(
        [sys.executable, "-m", "longfuse", "play", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=DEADLINE_S)
