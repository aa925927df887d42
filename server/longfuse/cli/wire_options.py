"""What commands that connect to a server have in common: where it is, and who somebody is there.

Owns what an address looks like, what is told where a server cannot be reached or refuses, and where
a token comes from: a file or the environment, and never the command line, since every user of a
machine can list those.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from longfuse.cli.output import CommandError
from longfuse_protocol.client import NotConnected, Refused
from longfuse_protocol.errors import WireError

VARIABLE = "LONGFUSE_TOKEN"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare --token."""
    parser.add_argument(
        "--token",
        type=Path,
        metavar="FILE",
        help=f"the file of your signed token; without it, ${VARIABLE}, or you are a guest",
    )


def address(text: str) -> str:
    """A server's address, as a command is given it."""
    try:
        parts = urlsplit(text)
        is_one = parts.scheme in ("ws", "wss") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none
        is_one = False
    if not is_one:
        told = "the address of a server is like ws://127.0.0.1:8787/ws, or wss://… where it has TLS"
        raise argparse.ArgumentTypeError(f"{text!r}: {told}")
    return text


def read_token(path: Path | None, environment: Mapping[str, str] = os.environ) -> str:
    """The token; "" for a guest. Raises CommandError for a file that has none."""
    if path is None:
        return environment.get(VARIABLE, "").strip()
    try:
        token = path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise CommandError(f"--token: {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"--token: {path} holds no token: {error}") from error
    if not token or len(token.split()) != 1:
        raise CommandError(f"--token: {path} has to hold one token and nothing else")
    return token


@contextmanager
def refusals_told() -> Iterator[None]:
    """Tell the user of a command why no session could be opened, or what a server would not do."""
    try:
        yield
    except NotConnected as error:
        raise CommandError(f"no connection: {error}{_remedy(error)}") from error
    except Refused as refused:
        raise CommandError(f"the server refuses: {refused.answer.reason}", 1) from refused
    except WireError as wrong:
        raise CommandError(f"no server would take this: {wrong.text}") from wrong


def _remedy(error: NotConnected) -> str:
    """What may help, as far as it is known."""
    if error.retry_s:
        return f"; try again in {error.retry_s:.0f} s"
    if "[SSL" in error.ended.reason:
        return "; where a server has no TLS, its address begins with ws:"
    if error.ended.retry and not error.ended.rejected:
        return "; does a server run there, at that port?"
    return ""
