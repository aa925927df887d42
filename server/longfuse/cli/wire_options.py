"""What commands that connect to a server have in common: who somebody is there.

Owns where a token comes from: a file or the environment, and never the command line, since every
user of a machine can list those.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from longfuse.cli.output import CommandError
from longfuse_protocol.client import NotConnected

VARIABLE = "LONGFUSE_TOKEN"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare --token."""
    parser.add_argument(
        "--token",
        type=Path,
        metavar="FILE",
        help=f"the file of your signed token; without it, ${VARIABLE}, or you are a guest",
    )


def read_token(path: Path | None, environment: Mapping[str, str] = os.environ) -> str:
    """The token; "" for a guest. Raises CommandError for a file that has none."""
    if path is None:
        return environment.get(VARIABLE, "").strip()
    try:
        token = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"--token: {path}: {error}") from error
    if not token or len(token.split()) != 1:
        raise CommandError(f"--token: {path} has to hold one token and nothing else")
    return token


def not_connected(error: NotConnected) -> CommandError:
    """What the user of a command is told where no session could be opened."""
    wait = f"; try again in {error.retry_s:.0f} s" if error.retry_s else ""
    return CommandError(f"no connection: {error}{wait}")
