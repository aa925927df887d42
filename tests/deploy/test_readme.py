"""The page of deploy/ tells of all that lies there, and of nothing that is not there."""

from __future__ import annotations

import re

import pytest

from deploy.files import DATA_AT, DEPLOY, EXAMPLE, ROOT
from longfuse.cli.commands import COMMANDS
from longfuse.config import Config
from longfuse.host.secret_ledger import FOLDER

PAGE = (DEPLOY / "README.md").read_text(encoding="utf-8")
TEXTS = sorted(path for path in DEPLOY.iterdir() if path.is_file())
SETTING = re.compile(r"\b[a-z]+(?:_[a-z]+)*_(?:max|s)\b")
"""What a setting looks like: a count or a time with its unit."""


def test_every_file_is_told_of() -> None:
    """A file that the page does not name is one that nobody finds."""
    named = re.findall(r"`([^`\s]+)`", PAGE)

    assert {path.name for path in TEXTS} - {"README.md"} <= set(named)


def test_every_path_is_there() -> None:
    """What commands and sentences name below deploy/ and tests/ exists."""
    paths = re.findall(r"\b(?:deploy|tests)/[\w./-]*\w", PAGE)

    assert paths
    assert [
        path
        for path in paths
        if not path.startswith("deploy/secrets") and not (ROOT / path).exists()
    ] == []


def test_commands_are_those_of_the_program() -> None:
    """`longfuse …` in any of these files begins with a command that there is."""
    found = {
        word
        for path in TEXTS
        for word in re.findall(r"`longfuse (\w+)", path.read_text(encoding="utf-8"))
    }

    assert "verify" in found
    assert found <= set(COMMANDS)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_settings_are_those_of_the_server(path) -> None:
    """A setting that is renamed is renamed here, and a value that is told is the default."""
    text = path.read_text(encoding="utf-8")
    told = re.findall(r"\b(\w+_(?:max|s)) \((\d+)\)", text)

    assert set(SETTING.findall(text)) <= set(Config.__struct_fields__)
    assert [(key, getattr(Config(), key)) for key, _ in told] == [(k, int(v)) for k, v in told]
    assert path != EXAMPLE or "grace_s" in SETTING.findall(text)


def test_events_are_those_that_the_server_logs() -> None:
    """What an operator is told to look for is there to be found."""
    told = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", PAGE.partition("## Health and logs")[2]))
    source = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "server" / "longfuse").rglob("*.py")
    )
    logged = set(re.findall(r"log\b.*\.(?:info|warning|error|exception)\(\s*\"(\w+)\"", source))

    assert "server_started" in told
    assert told <= logged


def test_backups_of_running_games_leave_out_their_secrets() -> None:
    """The command that copies the data folder names the folder where the secrets are."""
    (command,) = re.findall(r"^rsync .*$", PAGE, re.MULTILINE)

    assert f"--exclude=/{FOLDER}/" in command
    assert f" {DATA_AT}/ " in command


def test_what_is_not_checked_is_said() -> None:
    """Whoever trusts these files knows how far they were tried."""
    assert "Not built in CI" in PAGE
