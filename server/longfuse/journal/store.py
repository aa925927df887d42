"""Where journals are kept: the port, and its plain form, one file a game in a folder.

Owns durability: what `commit` returned from survives the end of the process and of the power. It
knows nothing of what the bytes say. It blocks, so it is called from a thread of its own.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

SUFFIX = ".jsonl"

_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Piece(NamedTuple):
    """Bytes that follow what a table's journal already has; new: that begin it."""

    data: bytes
    new: bool = False


class Store(Protocol):
    """Keeps the bytes of journals, by table."""

    def commit(self, batch: Mapping[str, Piece]) -> dict[str, OSError]:
        """Add these bytes to these tables' journals and make them durable, each all or nothing.

        Returns what went wrong, by table. The others are durable all the same.
        """


class FileStore:
    """One file a table, in one folder: each file is that game's export as it grows."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder

    def path(self, table: str) -> Path:
        """The file of a table; ValueError if its name could lead elsewhere."""
        if _TABLE.fullmatch(table) is None:
            raise ValueError(f"no file can be named after the table {table!r}")
        return self.folder / f"{table}{SUFFIX}"

    def commit(self, batch: Mapping[str, Piece]) -> dict[str, OSError]:
        """Add to each file and sync it; a file that fails is left as it was.

        A journal never begins where a file lies already.
        """
        failed: dict[str, OSError] = {}
        new: dict[str, Path] = {}
        for table, piece in batch.items():
            try:
                path = self.path(table)
                _add(path, piece)
            except OSError as error:
                failed[table] = _told(path, error)
            except ValueError as error:
                failed[table] = OSError(str(error))
            else:
                if piece.new:
                    new[table] = path
        if new:
            failed.update(self._sync(new))
        return failed

    def _sync(self, new: Mapping[str, Path]) -> dict[str, OSError]:
        """Sync the folder for its new files, or take them away again; the others were there."""
        try:
            _sync_folder(self.folder)
        except OSError as error:
            for path in new.values():
                with contextlib.suppress(OSError):
                    path.unlink()
            return dict.fromkeys(new, _told(self.folder, error))
        return {}


def _add(path: Path, piece: Piece) -> None:
    how = os.O_CREAT | os.O_EXCL if piece.new else os.O_APPEND
    file = os.open(path, os.O_WRONLY | how, 0o640)
    try:
        size = os.fstat(file).st_size
        try:
            left = memoryview(piece.data)
            while left:
                left = left[os.write(file, left) :]
            os.fdatasync(file)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(file, size)
                if piece.new:
                    path.unlink()
            raise
    finally:
        os.close(file)


def _told(path: Path, error: OSError) -> OSError:
    """The error with its place: writing and syncing do not name the file."""
    return OSError(f"{path}: {error.strerror or error}")


def _sync_folder(folder: Path) -> None:
    # A new file is not safe before the folder that names it is.
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
