"""Drops coverage that cannot be combined: the file of a process that was killed as it wrote it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from coverage import CoverageData
from coverage.exceptions import CoverageException


def drop_broken(paths: Iterable[Path]) -> list[Path]:
    """Remove those of these files; return them. Nobody may be writing any of them any more."""
    broken = [path for path in paths if not _is_whole(path)]
    for path in broken:
        path.unlink(missing_ok=True)
    return broken


def _is_whole(path: Path) -> bool:
    # What counts is that combining succeeds: tables may be missing as well as rows.
    data = CoverageData(str(path), read_only=True)
    try:
        CoverageData(no_disk=True).update(data)
    except CoverageException:
        return False
    finally:
        data.close(force=True)
    return True
