"""Coverage that cannot be combined is dropped, and only that."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from coverage import CoverageData

from support.coverage_files import drop_broken


def test_what_a_killed_process_has_left_is_dropped(tmp_path: Path) -> None:
    """Nothing yet, half a file, tables without others, and what is no database."""
    whole = tmp_path / ".coverage.whole"
    data = CoverageData(str(whole))
    data.add_arcs({str(tmp_path / "a.py"): [(1, 2)]})
    data.close(force=True)
    content = whole.read_bytes()
    broken = [tmp_path / f".coverage.{number}" for number in range(5)]
    halves = (b"", content[:512], content[: len(content) // 2], b"x" * 9_000)
    for path, left in zip(broken[:4], halves, strict=True):
        path.write_bytes(left)
    broken[4].write_bytes(content)
    with sqlite3.connect(broken[4]) as tables:
        tables.execute("DROP TABLE arc")
    tables.close()

    assert sorted(drop_broken(tmp_path.glob(".coverage.*"))) == broken
    assert list(tmp_path.iterdir()) == [whole]
    assert whole.read_bytes() == content
