"""A session in a file, so that another process can go on with it: after a crash, or elsewhere.

Owns the file's form and who may read it: whoever has the secret has the seat. Of a seat that is
over the file says so, without a secret, so that nobody begins anew who wants to go on. It connects
to nothing.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from longfuse.cli.output import CommandError
from longfuse_protocol.client import SavedSession


class KeptSession(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is in the file."""

    url: str
    name: str
    session: SavedSession | None = None
    """None once the seat is over."""


def load(path: Path) -> KeptSession | None:
    """The session in the file; None if there is no file.

    Raises CommandError for another file, and where the seat is over: exit code 1.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CommandError(f"--resume: {path}: {error.strerror or error}") from error
    try:
        kept = msgspec.json.decode(data, type=KeptSession)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise CommandError(f"--resume: {path} holds no session ({error})") from error
    if kept.session is None:
        raise CommandError(
            f"--resume: {path}: the seat at {kept.url} is over: remove the file to begin anew", 1
        )
    return kept


def keep(path: Path, kept: KeptSession) -> None:
    """Write the file, whole or not at all, readable for its owner only. Raises CommandError."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.unlink(missing_ok=True)
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(msgspec.json.encode(kept) + b"\n")
        fresh.replace(path)
    except OSError as error:
        raise CommandError(f"--resume: {path}: {error.strerror or error}") from error


def end(path: Path, url: str) -> None:
    """Say in the file that there is nothing to go on with any more. Raises CommandError."""
    keep(path, KeptSession(url, name=""))
