"""Which clauses of a rule book have a test: read from the `rule` marks in the sources."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tidy.sources import Source

# The chapter on delayed abilities, clause by clause.
DELAYED_ABILITIES = (
    "390",
    "390.1",
    "390.2",
    "390.3",
    "390.3.a",
    "390.4",
    "390.5",
    "390.5.a",
    "390.5.b",
    "390.5.c",
    "390.5.c.1",
    "390.5.c.2",
    "391",
    "392",
)

# The chapter on counters that delay and limit effects, clause by clause.
COUNTERS = (
    "127.0.0",
    "127.0.1",
    "127.0.2",
    "127.0.3",
    "127.0.4",
    "127.0.5",
    "127.0.6",
    "127.0.7",
    "127.1",
    "127.1.1",
    "127.1.2",
    "127.1.3",
    "127.2",
    "127.2.1",
    "127.2.2",
)

CLAUSES = {"riftbound": DELAYED_ABILITIES, "hkk": COUNTERS}


def marked_clauses(source: Source) -> set[str]:
    """Collect the clauses that a test file's marks name."""
    return {
        argument.value
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func) == "pytest.mark.rule"
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def missing_clauses(
    sources: Iterable[Source], clauses: tuple[str, ...] = DELAYED_ABILITIES
) -> list[str]:
    """Name the clauses that none of these test files marks."""
    marked = set().union(*(marked_clauses(source) for source in sources))
    return [clause for clause in clauses if clause not in marked]
