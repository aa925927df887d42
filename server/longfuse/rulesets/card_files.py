"""Card files: what holds for the files of every ruleset.

Owns the check that a file's entries are tables of fields at all; what the fields are is each
ruleset's.
"""

from __future__ import annotations

from typing import Any


def tables(entries: Any) -> list[dict[str, Any]]:
    """The entries of a file, if all of them are tables of fields; ValueError names the others."""
    if not isinstance(entries, list):
        raise ValueError("its cards are no list")
    wrong = [str(n) for n, one in enumerate(entries, 1) if not isinstance(one, dict)]
    if wrong:
        raise ValueError(f"these of its cards are no tables of fields: {', '.join(wrong)}")
    return entries
