"""Which complaints there are, which tests are marked with them, and what the table says of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import NamedTuple

from tidy.sources import Source

# As the two collections number them; numbers that are not here were never given.
SERVERS = (
    *(1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20),
    *(22, 23, 25, 26, 28),
    *(29, 31, 32, 34, 35, 37, 38),
    *(40, 41, 43, 44, 46),
    *(47, 49, 50, 52, 53, 55),
    *(56, 58, 59, 61),
    *(62, 64, 65, 67, 68, 70),
    *(71, 73, 74),
)
# Only those in which a page needs the server.
PAGES = (1, 4, 6, 7, 12, 13, 15, 16, 22, 25, 27, 30, 36, 40, 42, 43, 45)

ROWS = (*(f"servers {n}" for n in SERVERS), *(f"ui U{n:02}" for n in PAGES))

HERE = "tests/complaints/"
REASON_WORDS_MIN = 5

_LINE = re.compile(r"\| (servers \d+|ui U\d+) \| ([^|]+) \| ([^|]+) \|")
_NAMED = re.compile(r"`([a-z0-9_/]+\.py)::(test_\w+)`")


class Marked(NamedTuple):
    """A test, and the row that it is marked with."""

    row: str
    file: str
    """From tests/."""
    test: str


class Listed(NamedTuple):
    """A row of the table."""

    row: str
    happened: str
    shown: frozenset[tuple[str, str]]
    """Files, from tests/, and tests."""
    reason: str
    """What else is said there."""


def marks(sources: Iterable[Source]) -> list[Marked]:
    """Collect the marks of all tests in these files."""
    return [
        Marked(argument.value, source.path.as_posix().removeprefix("tests/"), node.name)
        for source in sources
        for node in source.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call)
        and ast.unparse(decorator.func) == "pytest.mark.complaint"
        for argument in decorator.args
        if isinstance(argument, ast.Constant)
    ]


def table(text: str) -> list[Listed]:
    """Read the rows of the table. Files without a folder are in this one."""
    return [
        Listed(
            row,
            happened.strip(),
            frozenset(
                (file if "/" in file else f"complaints/{file}", test)
                for file, test in _NAMED.findall(cell)
            ),
            _NAMED.sub("", cell).strip(" ,;"),
        )
        for row, happened, cell in _LINE.findall(text)
    ]


def complaints(marked: list[Marked], listed: list[Listed]) -> list[str]:
    """Say what is wrong between marks and table."""
    found = [f"{one.file}::{one.test}: no row {one.row!r}" for one in marked if one.row not in ROWS]
    listed_rows = [one.row for one in listed]
    if listed_rows != list(ROWS):
        odd = set(ROWS).symmetric_difference(listed_rows) or "their order, or one comes twice"
        found.append(f"the table does not have each row once, in order: {odd}")
    for one in listed:
        tests = {(mark.file, mark.test) for mark in marked if mark.row == one.row}
        found += [f"{one.row}: {file}::{test} has no such mark" for file, test in one.shown - tests]
        own = {(file, test) for file, test in tests if file.startswith("complaints/")}
        found += [f"{one.row}: {file}::{test} is not listed" for file, test in own - one.shown]
        if not one.shown and len(one.reason.split()) < REASON_WORDS_MIN:
            found.append(f"{one.row}: neither a test nor a reason")
    return found
