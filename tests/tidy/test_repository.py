"""The repository keeps the rules of its own design; `test_checks` shows what each check sees."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from tidy import imports, sizes, words
from tidy.clauses import CLAUSES, missing_clauses
from tidy.sources import CODE_FOLDERS, Source, product_files, python_files, text_files

TRIO_PRIVATE = re.compile(r"\btrio\._|\btrio import _")
ITS_ONE_PLACE = "tests/support/schedule.py"


def complaints(check: imports.Check, sources: Sequence[Source]) -> list[str]:
    """Run a check over sources; there must be some, or nothing was checked."""
    assert sources
    return [complaint for source in sources for complaint in check(source)]


@pytest.mark.parametrize(
    "check",
    [
        imports.wrong_directions,
        imports.rulesets_that_know_each_other,
        imports.misplaced_trio,
        imports.misplaced_websockets,
        imports.impurities,
        imports.second_wall_clocks,
    ],
)
def test_imports_run_one_way(check: imports.Check) -> None:
    """Each package imports only what its place in the design allows."""
    assert complaints(check, product_files()) == []


@pytest.mark.parametrize("check", [sizes.long_modules, sizes.long_functions])
def test_modules_and_functions_are_small(check: imports.Check) -> None:
    """Tests are held to the same sizes as the product."""
    assert complaints(check, python_files(*CODE_FOLDERS)) == []


def test_what_lies_below_the_rulesets_names_none() -> None:
    """Nothing of a game leaks into the kernel or the server, not even in a comment."""
    assert complaints(words.named_rulesets, text_files("protocol", "server")) == []


def test_no_file_names_a_registry() -> None:
    """Where packages come from is a matter of the machine, not of the project."""
    assert complaints(words.registry_hosts, text_files()) == []


def test_the_lock_holds_versions_and_hashes_only() -> None:
    """No addresses, no links, nothing that is not pinned."""
    locks = [source for source in text_files() if source.path.name == "requirements.lock"]

    assert complaints(words.loose_locks, locks) == []


def test_trio_s_private_names_are_touched_in_one_place() -> None:
    """An upgrade of trio can break the test runner in one file only, which has its own test."""
    places = [
        str(source.path)
        for source in python_files(*CODE_FOLDERS)
        if TRIO_PRIVATE.search(source.text)
    ]

    assert places == [ITS_ONE_PLACE]


@pytest.mark.parametrize("ruleset", CLAUSES)
def test_every_clause_of_the_law_has_a_test(ruleset: str) -> None:
    """One mark at least for each clause, in the folder of that ruleset's rules tests."""
    rules_tests = [
        source
        for source in python_files("tests")
        if source.path.is_relative_to(f"tests/rulesets/{ruleset}/rules")
    ]

    assert missing_clauses(rules_tests, CLAUSES[ruleset]) == []
