"""What cannot be done is told in a line: which value, where, and what to do. Never a traceback."""

from __future__ import annotations

import os
import pathlib
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from longfuse.cli import main
from longfuse.cli.telling import Teller

Refused = Callable[..., str]
LONG = "x" * 200


@pytest.fixture
def refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Refused]:
    """Runs a command that ends with code 2; returns what it says."""

    def call(*argv: object) -> str:
        try:
            code = main([str(one) for one in argv])
        except SystemExit as left:
            code = left.code
        out, err = capsys.readouterr()
        assert (code, out) == (2, "")
        assert "Traceback" not in err
        return err

    with open(os.devnull) as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        yield call


# ---------------------------------------------------------------- addresses and servers

ON_A_SERVER = (("tables",), ("watch",), ("play", "--plain", "--url"))


@pytest.mark.parametrize("command", [*ON_A_SERVER, ("load", "--url")])
@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:8787", "http://127.0.0.1:8787/ws", "ws://", "ws://h:99999/ws"]
)
def test_what_is_no_address_of_a_server(
    command: tuple[str, ...], url: str, refused: Refused
) -> None:
    """The command says what one looks like."""
    told = refused(*command, url)

    assert repr(url) in told
    assert "like ws://127.0.0.1:8787/ws" in " ".join(told.split())


@pytest.mark.parametrize("command", ON_A_SERVER)
def test_nobody_listens_there(command: tuple[str, ...], refused: Refused) -> None:
    """The address is named, and what to look for."""
    with socket.socket() as bound:  # and never listening
        bound.bind(("127.0.0.1", 0))
        url = f"ws://127.0.0.1:{bound.getsockname()[1]}/ws"
        told = refused(*command, url)

    assert told.startswith(f"longfuse: no connection: {url}: ")
    assert told.endswith("does a server run there, at that port?\n")


@pytest.mark.parametrize("command", ON_A_SERVER)
def test_what_no_server_would_take(command: tuple[str, ...], refused: Refused) -> None:
    """It is told before anything is sent."""
    told = refused(*command, "ws://127.0.0.1:9/ws", "--name", LONG)

    assert told.startswith("longfuse: no server would take this: ")
    assert "`$.name`" in told


def test_a_token_in_a_file_that_is_not_there(tmp_path: Path, refused: Refused) -> None:
    """The option and the file are named once."""
    missing = tmp_path / "none"
    told = refused("tables", "ws://127.0.0.1:9/ws", "--token", missing)

    assert told == f"longfuse: --token: {missing}: No such file or directory\n"


# ---------------------------------------------------------------- files and folders


@pytest.mark.parametrize(
    "command",
    [
        ("serve", "--port", "0", "--cards"),
        ("play", "--plain", "--cards"),
        ("demo", "--cards"),
        ("demo", "--serve", "--cards"),
        ("play", "--serve", "127.0.0.1:0", "--cards"),
    ],
)
def test_cards_in_a_file_that_is_not_there(
    command: tuple[str, ...], tmp_path: Path, refused: Refused
) -> None:
    """The file is named once, with what the system says of it."""
    missing = tmp_path / "none.toml"
    told = refused(*command, missing)

    assert told == f"longfuse: {missing}: No such file or directory\n"


@pytest.mark.parametrize(
    "command",
    [("serve", "--port", "0", "--data"), ("demo", "--save"), ("demo", "--serve", "--save")],
)
def test_games_where_none_can_be_kept(
    command: tuple[str, ...], tmp_path: Path, refused: Refused
) -> None:
    """It is told at once, and not when the first game is saved."""
    file = tmp_path / "file"
    file.touch()
    for folder, reason in ((file, "File exists"), (file / "deeper", "Not a directory")):
        told = refused(*command, folder)
        assert told.startswith(f"longfuse: {folder}: {reason}: ")
        assert "a folder that this user may make" in told


def test_a_folder_that_may_not_be_written_to(
    tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same, whoever runs it."""

    def refuse(path: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(pathlib.Path, "mkdir", refuse)
    told = refused("serve", "--port", "0", "--data", tmp_path / "games")

    assert told.startswith(f"longfuse: {tmp_path / 'games'}: Permission denied: ")


@pytest.mark.parametrize("content", [None, "this is no certificate"])
def test_a_certificate_that_is_none(content: str | None, tmp_path: Path, refused: Refused) -> None:
    """The setting and both files are named."""
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    if content is not None:
        certificate.write_text(content)
        key.write_text(content)
    config = tmp_path / "longfuse.toml"
    config.write_text(f'port = 0\ntls_certificate = "{certificate}"\ntls_key = "{key}"\n')
    told = refused("serve", "--config", config)

    assert told.startswith(f"longfuse: tls_certificate = {str(certificate)!r}: with tls_key = ")
    assert str(key) in told


def test_a_port_that_is_none(refused: Refused) -> None:
    """Also where a server is only started for something else."""
    for command in (("serve",), ("demo", "--serve")):
        told = refused(*command, "--port", "99999")
        assert told.startswith("longfuse: port = 99999: a whole number, at least 0 and at most 65,")


def test_a_folder_of_no_server(tmp_path: Path, refused: Refused) -> None:
    """Its shuffles cannot be listed."""
    for folder in (tmp_path, tmp_path / "none"):
        told = refused("shuffles", folder)
        assert told.startswith(f"longfuse: {folder}: this is no data folder of a server")


# ---------------------------------------------------------------- what others put into files

ESCAPE = "\x1b[2J"


@pytest.mark.parametrize(
    ("command", "content"),
    [
        (("deck", "check"), f"Name: {ESCAPE}\n\n{ESCAPE}\n"),
        (("position", "run"), 'title = "\\u001b[2J"\n'),
        (("cards", "check"), '[[card]]\nname = "\\u001b[2J"\ntype = "\\u001b[2J"\ntext = "x"\n'),
    ],
)
def test_no_file_writes_on_the_terminal(
    command: tuple[str, ...], content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is told without what a terminal obeys, on either output."""
    file = tmp_path / "file.toml"
    file.write_text(content)
    assert main([*command, str(file)]) != 0
    out, err = capsys.readouterr()

    assert out + err
    assert "\x1b" not in out + err


def test_no_sentence_writes_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever's server it is: each stays the line that it is told as."""
    teller = Teller()
    for tell in (teller.note, teller.closing, teller.sentence, teller.heading):
        tell(f"{ESCAPE}one\rtwo\nthree")
    out = capsys.readouterr().out

    assert "\x1b" not in out
    assert out.count(" [2Jone two three\n") == 4
