"""Every complaint has a test, or a reason: the table in the README and the marks agree."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from complaints.rows import ROWS, Listed, Marked, complaints, marks, table
from tidy.sources import Source, python_files

README = Path(__file__).with_name("README.md")


def test_every_row_is_marked_or_listed_with_its_reason() -> None:
    """All rows, once and in order; and each test that is named there bears that mark."""
    marked = marks(python_files("tests"))

    assert len(marked) > 80
    assert complaints(marked, table(README.read_text(encoding="utf-8"))) == []


def test_marks_and_table_are_read() -> None:
    """A mark with several rows is several; a file without a folder is one of these."""
    source = Source(
        PurePosixPath("tests/complaints/test_a.py"),
        '@pytest.mark.slow\n@pytest.mark.complaint("servers 1", "ui U01")\nasync def test_b(): ...',
    )
    line = "| servers 1 | It broke. | `test_a.py::test_b`, `host/test_c.py::test_d`; later more |"

    assert marks([source]) == [
        Marked("servers 1", "complaints/test_a.py", "test_b"),
        Marked("ui U01", "complaints/test_a.py", "test_b"),
    ]
    shown = frozenset({("complaints/test_a.py", "test_b"), ("host/test_c.py", "test_d")})
    assert table(line) == [Listed("servers 1", "It broke.", shown, "later more")]


def test_what_is_missing_is_seen() -> None:
    """A row without test and reason, a test without the mark, a mark that is not listed."""
    reason = "comes with a later piece of work"
    right = [Listed(row, "It broke.", frozenset(), reason) for row in ROWS]
    mark = Marked("servers 1", "complaints/test_a.py", "test_b")
    named = Listed("servers 1", "It broke.", frozenset({("complaints/test_a.py", "test_b")}), "")

    assert complaints([], right) == []
    assert complaints([mark], [named, *right[1:]]) == []
    assert complaints([], [named, *right[1:]])
    assert complaints([mark], right)
    assert complaints([mark._replace(row="servers 3")], right)
    assert complaints([], right[1:])
    assert complaints([], [right[0], *right])
    assert complaints([], [right[0]._replace(reason="later"), *right[1:]])
