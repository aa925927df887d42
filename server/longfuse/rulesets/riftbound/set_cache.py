"""The cache of compiled sets: by content and compiler, so that it can never be out of date.

Owns where it lies, how much it may hold, and that nothing depends on it: a folder that is missing,
full or read-only, and a file that is damaged, only cost the time to compile. It is kept where the
user has a cache folder (XDG_CACHE_HOME, or .cache in the home folder, which is never made), else
nowhere.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")

KEPT_MAX = 64
"""More files than this are too many: the oldest, those of other versions mostly, go."""


def folder() -> Path | None:
    """Where compiled sets are kept; None where the user has no cache folder."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    if named:
        return Path(named) / "longfuse"
    with suppress(RuntimeError, OSError):  # no home folder, or one that the user may not enter
        cache = Path.home() / ".cache"
        if cache.is_dir():
            return cache / "longfuse"
    return None


def file(cache: str | Path | None, content: bytes, compiler: str) -> Path | None:
    """The file of one set's content under one compiler."""
    if cache is None:
        return None
    digest = blake2b(content + compiler.encode(), digest_size=16).hexdigest()
    return Path(cache) / f"{digest}.json"


def read(kept: Path | None, kind: type[T]) -> T | None:
    """What is kept there, or None."""
    if kept is None:
        return None
    try:
        return msgspec.json.decode(kept.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError):
        return None


def write(kept: Path | None, value: object) -> None:
    """Keep it, if that can be done: in full or not at all."""
    if kept is None:
        return
    made = kept.with_suffix(f".{os.getpid()}")
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        made.write_bytes(msgspec.json.encode(value))
        made.replace(kept)
        files = sorted(kept.parent.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[:-KEPT_MAX]:
            file.unlink(missing_ok=True)
    except OSError:
        with suppress(OSError):
            made.unlink()
