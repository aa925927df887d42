"""A session in a file, so that another process can go on with it: after a crash, or elsewhere.

Owns the file's form and who may read it: whoever has the secret has the seat. It connects to
nothing.
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
    session: SavedSession


def load(path: Path) -> KeptSession | None:
    """The session in the file; None if there is no file. Raises CommandError for another file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CommandError(f"--resume: {path}: {error.strerror or error}") from error
    try:
        return msgspec.json.decode(data, type=KeptSession)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise CommandError(f"--resume: {path} holds no session ({error})") from error


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


def forget(path: Path) -> None:
    """Remove the file: there is nothing to go on with any more. Raises CommandError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise CommandError(f"--resume: {path}: {error.strerror or error}") from error
