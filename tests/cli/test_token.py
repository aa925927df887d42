"""`longfuse token`: what it writes and prints, and that a server takes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from trio.testing import MockClock

from longfuse.cli import main
from longfuse.config import Config
from longfuse.host.token_keys import ALGORITHMS, read_keys
from longfuse.host.tokens import Tokens
from support.schedule import MIDNIGHT_S, virtual_wall

AUDIENCE = "cards.example"


@pytest.fixture(autouse=True)
def midnight() -> Iterator[None]:
    """It is midnight, and stays so."""
    with virtual_wall(MockClock()):
        yield


class Ran:
    """Runs the command with a key file of its own, and keeps what it printed."""

    def __init__(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file = file
        self._capsys = capsys
        self.out = ""
        self.err = ""

    def __call__(self, action: str, *argv: str) -> int:
        """Run one action; return its exit code."""
        code = main(["token", action, "--file", str(self.file), *argv])
        self.out, self.err = self._capsys.readouterr()
        assert not any(secret in self.out + self.err for secret in self.secrets())
        return code

    def secrets(self) -> list[str]:
        """What of the keys nobody may ever be shown."""
        if not self.file.exists():
            return []
        keys = json.loads(self.file.read_text())["keys"]
        return [key[part] for key in keys for part in ("d", "k") if part in key]


@pytest.fixture
def token(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Ran:
    """The command."""
    return Ran(tmp_path / "secret.json", capsys)


def sign(*more: str) -> tuple[str, ...]:
    """Arguments of a token for Ann."""
    return ("--sub", "42", "--name", "Ann", "--audience", AUDIENCE, *more)


@pytest.mark.parametrize("alg", ALGORITHMS)
def test_from_a_key_to_a_server(token, tmp_path, alg):
    """A new key signs a token that a server takes, which has the key's public part if it can."""
    assert token("key", "--kid", "mine", "--alg", alg) == 0
    assert token.file.stat().st_mode & 0o777 == 0o600
    assert token.secrets()
    keys = token.file
    if alg != "HS256":
        assert token("public") == 0
        keys = tmp_path / "keys.json"
        keys.write_text(token.out)
        keys.chmod(0o644)
    config = Config(token_keys=str(keys), token_audience=AUDIENCE, token_issuer="me")

    assert token("sign", "--kid", "mine", *sign("--issuer", "me", "--for", "60")) == 0

    (line,) = token.out.splitlines()
    identity = Tokens(config).verify(line, MIDNIGHT_S)
    assert (identity.user, identity.name) == ("42", "Ann")
    assert identity.expires_s == MIDNIGHT_S + 60


def test_more_keys_in_one_file(token):
    """Keys are added, none is ever replaced, and the file stays its owner's alone."""
    assert token("key", "--kid", "a") == 0
    first = token.file.read_text()
    assert token("key", "--kid", "a") == 1
    assert "there is a key 'a' already" in token.err
    assert token.file.read_text() == first

    assert token("key", "--kid", "b", "--alg", "ES256", "--json") == 0

    told = json.loads(token.out)
    assert told == {"file": str(token.file), "kid": "b", "alg": "ES256", "keys": 2}
    assert list(read_keys(token.file)) == ["a", "b"]
    assert token.file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in token.file.parent.iterdir()] == ["secret.json"]


def test_public_keys(token):
    """Only public parts are printed; a shared secret has none, and that is said."""
    token("key", "--kid", "shared", "--alg", "HS256")
    assert token("public") == 1
    assert token.out == ""
    assert "the server needs this file" in token.err
    token("key", "--kid", "mine")

    assert token("public", "--json") == 0

    (key,) = json.loads(token.out)["keys"]
    assert set(key) == {"kty", "crv", "x", "kid", "alg", "use"}
    assert "left out 'shared'" in token.err


def test_a_token_as_json(token):
    """With the second at which it ends."""
    token("key", "--kid", "mine")

    assert token("sign", "--kid", "mine", "--json", *sign()) == 0

    told = json.loads(token.out)
    assert set(told) == {"token", "expires_s"}
    assert told["expires_s"] == MIDNIGHT_S + 3_600


@pytest.mark.parametrize(
    ("action", "argv", "code", "told"),
    [
        ("sign", ("--kid", "other", *sign()), 1, "no key 'other'; there is mine"),
        ("sign", ("--kid", "mine", *sign("--name", "N" * 41)), 2, "`$.name`"),
        ("sign", ("--kid", "mine", *sign("--sub", "")), 2, "`$.sub`"),
        ("sign", ("--kid", "mine", *sign("--for", str(10**12))), 2, "`$.exp`"),
        ("sign", ("--kid", "mine", *sign("--issuer", "i" * 8_000)), 2, "at most 8,000"),
        ("key", ("--kid", ""), 2, "1 to 64 characters"),
        ("key", ("--kid", "k" * 65), 2, "1 to 64 characters"),
    ],
)
def test_what_no_server_would_take(token, action, argv, code, told):
    """It is not made, and it is said why."""
    token("key", "--kid", "mine")

    assert token(action, *argv) == code

    assert token.out == ""
    assert told in token.err


def test_a_public_key_cannot_sign(token):
    """It is told, and so is a file that others may read."""
    token("key", "--kid", "mine")
    token.file.chmod(0o644)
    assert token("sign", "--kid", "mine", *sign()) == 1
    assert f"{token.file}: it holds secret keys" in token.err
    token.file.chmod(0o600)
    token("public")
    token.file.write_text(token.out)

    assert token("sign", "--kid", "mine", *sign()) == 1

    assert "'mine' is a public key, which cannot sign" in token.err


def test_files_that_are_none(token):
    """A file that is not there, or cannot be, is told by its name."""
    assert token("public") == 2
    assert str(token.file) in token.err
    token.file = token.file / "in" / "none"

    assert token("key", "--kid", "mine") == 2

    assert str(token.file) in token.err


@pytest.mark.parametrize("argv", [[], ["make"], ["key"], ["sign", "--file", "f", "--kid", "k"]])
def test_wrong_arguments(argv, capsys):
    """What is missing is told by the usage."""
    with pytest.raises(SystemExit) as left:
        main(["token", *argv])

    assert left.value.code == 2
    assert "usage: longfuse token" in capsys.readouterr().err
