"""Make keys and signed tokens: `longfuse token key`, `… token sign`, `… token public`.

For a server of one's own, and for trying out how tokens work; usually an issuer (a website, an
identity provider) has its own keys and signs, and the server gets its public keys.

  longfuse token key --kid mine --file secret.json
  longfuse token public --file secret.json > keys.json
  longfuse serve --config longfuse.toml
  longfuse token sign --file secret.json --kid mine --sub 42 --name Ann --audience cards.example

with this in longfuse.toml:

  token_keys = "keys.json"
  token_audience = "cards.example"

The secret file stays with whoever signs. Only keys for HS256 have no public part: there the server
needs the secret file itself. No command prints a secret key; a token is one too, until it ends.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import msgspec
from joserfc import jwt
from joserfc.jwk import Key

from longfuse.cli.files import unreadable
from longfuse.cli.output import CommandError, at_least_1, print_json
from longfuse.host.token_keys import (
    ALGORITHMS,
    KID_CHARS_MAX,
    KeyFileError,
    OneAlgorithm,
    algorithm_of,
    new_key,
    public_part,
    read_keys,
)
from longfuse.host.tokens import TOKEN_CHARS_MAX, Claims
from longfuse.host.wall import now_s

FOR_S = 3_600


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    key = actions.add_parser("key", help="add a new secret key to a file, or begin one")
    _file(key, "the file of secret keys; only its owner may read it")
    key.add_argument("--kid", required=True, metavar="K", help="the new key's id")
    key.add_argument(
        "--alg", choices=ALGORITHMS, default="EdDSA", help="what it is for (EdDSA is the best)"
    )
    sign = actions.add_parser("sign", help="print a token")
    _file(sign, "the file of secret keys")
    sign.add_argument("--kid", required=True, metavar="K", help="which of them signs")
    sign.add_argument("--sub", required=True, metavar="S", help="whose token: the user's id")
    sign.add_argument("--name", metavar="N", help="what the user is called")
    sign.add_argument(
        "--audience", required=True, metavar="A", help="the server's setting token_audience"
    )
    sign.add_argument("--issuer", metavar="I", help="the server's setting token_issuer")
    sign.add_argument(
        "--for",
        dest="for_s",
        type=at_least_1,
        default=FOR_S,
        metavar="SECONDS",
        help=f"how long it lasts ({FOR_S})",
    )
    public = actions.add_parser("public", help="print the public keys of a file, for a server")
    _file(public, "the file of secret keys")


def _file(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--file", type=Path, required=True, metavar="F", help=what)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked."""
    if arguments.action == "key":
        return _new(arguments)
    if arguments.action == "sign":
        return _sign(arguments)
    return _public(arguments)


def _new(arguments: argparse.Namespace) -> int:
    path: Path = arguments.file
    kid: str = arguments.kid
    if not 1 <= len(kid) <= KID_CHARS_MAX:
        raise CommandError(f"--kid {kid!r}: 1 to {KID_CHARS_MAX} characters")
    keys = _read(path) if path.exists() else {}
    if kid in keys:
        raise CommandError(f"{path}: there is a key {kid!r} already; take another --kid", 1)
    keys[kid] = new_key(kid, arguments.alg)
    _write(path, keys)
    if arguments.json:
        print_json({"file": str(path), "kid": kid, "alg": arguments.alg, "keys": len(keys)})
    else:
        print(f"{path}: a new key {kid!r} for {arguments.alg}; {len(keys)} in all")
    return 0


def _sign(arguments: argparse.Namespace) -> int:
    path: Path = arguments.file
    keys = _read(path)
    key = keys.get(arguments.kid)
    if key is None:
        there = ", ".join(keys) or "none"
        raise CommandError(f"{path}: there is no key {arguments.kid!r}; there is {there}", 1)
    if not key.is_private:
        raise CommandError(f"{path}: {arguments.kid!r} is a public key, which cannot sign", 1)
    issued_s = int(now_s())
    expires_s = issued_s + arguments.for_s
    claims = {
        "sub": arguments.sub,
        "aud": arguments.audience,
        "iat": issued_s,
        "exp": expires_s,
        "name": arguments.name,
        "iss": arguments.issuer,
    }
    claims = {claim: value for claim, value in claims.items() if value is not None}
    try:
        msgspec.convert(claims, Claims)
    except msgspec.ValidationError as error:
        raise CommandError(f"no server would take this token: {error}") from error
    alg = algorithm_of(key)
    token = jwt.encode({"alg": alg, "kid": arguments.kid}, claims, key, registry=OneAlgorithm(alg))
    if len(token) > TOKEN_CHARS_MAX:
        raise CommandError(f"this token has {len(token):,} characters, at most {TOKEN_CHARS_MAX:,}")
    if arguments.json:
        print_json({"token": token, "expires_s": expires_s})
    else:
        print(token)
    return 0


def _public(arguments: argparse.Namespace) -> int:
    path: Path = arguments.file
    parts = {kid: public_part(key) for kid, key in _read(path).items()}
    public = [part for part in parts.values() if part is not None]
    if not public:
        raise CommandError(
            f"{path}: no key in it has a public part; for HS256, the server needs this file", 1
        )
    for kid, part in parts.items():
        if part is None:
            print(f"longfuse: left out {kid!r}: a key for HS256 is all secret", file=sys.stderr)
    # A key file is JSON: for people it is only spread over lines.
    if arguments.json:
        print_json({"keys": public})
    else:
        print(msgspec.json.format(msgspec.json.encode({"keys": public})).decode())
    return 0


def _read(path: Path) -> dict[str, Key]:
    try:
        return read_keys(path)
    except KeyFileError as error:
        raise CommandError(f"{path}: {error}", 1) from error
    except OSError as error:
        raise unreadable(path, error) from error


def _write(path: Path, keys: dict[str, Key]) -> None:
    """Put the keys into the file: whole or not at all, and never readable by others."""
    content = msgspec.json.encode(
        {"keys": [key.as_dict(private=key.is_private) for key in keys.values()]}
    )
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.unlink(missing_ok=True)
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(msgspec.json.format(content) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from error
