"""A rule mark that could not be counted is refused when tests are collected."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.rule_marks import RULESET_TESTS, complaint_about


@pytest.mark.parametrize("clauses", [(), (390,), ("",), ("390.2", 390.3)])
def test_a_mark_names_clauses_as_strings(clauses: tuple[object, ...]) -> None:
    """390.1 as a number would be 390.10 as well."""
    complaint = complaint_about(clauses, RULESET_TESTS / "hearts" / "rules" / "test_1.py")

    assert complaint is not None
    assert "clauses" in complaint


def test_a_mark_lies_where_the_ruleset_is_known() -> None:
    """Elsewhere nobody could say which rule book is meant."""
    complaint = complaint_about(("390.2",), Path("tests/actors/test_actor.py").absolute())

    assert complaint is not None
    assert "tests/rulesets/" in complaint


def test_a_good_mark_is_accepted() -> None:
    """Several clauses may be shown by one test."""
    assert complaint_about(("390.2", "391"), RULESET_TESTS / "hearts" / "test_1.py") is None
