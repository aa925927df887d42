"""What a `rule` mark must look like: `@pytest.mark.rule("390.2")`, below tests/rulesets/."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

RULESET_TESTS = Path(__file__).parents[1] / "rulesets"


def complaint_about(clauses: Sequence[object], test_file: Path) -> str | None:
    """Say what is wrong with a mark that names these clauses in this file, if anything is.

    The mark says nothing of the ruleset: that is the folder which the test lies in.
    """
    if not clauses or not all(isinstance(clause, str) and clause for clause in clauses):
        return f"a rule mark names clauses, as strings, not {tuple(clauses)!r}"
    if not test_file.is_relative_to(RULESET_TESTS):
        return "rule marks belong below tests/rulesets/, where the folder tells the ruleset"
    return None
