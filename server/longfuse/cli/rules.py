"""List the clauses of a rule book, each with the tests that cover it.

Tests name the clauses that they show by `@pytest.mark.rule(…)`; they are read, not run. They are
looked for beside the source, unless --tests names their folder. The exit code is 1 if a clause has
no test.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

from longfuse.cli import ruleset_option
from longfuse.cli.local import ruleset_named
from longfuse.cli.output import CommandError, print_json

BESIDE = Path(__file__).parents[3] / "tests"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    ruleset_option.argument(parser, "whose rule book")
    parser.add_argument("--tests", type=Path, metavar="DIR", help="the folder of all tests")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Read the marks and list the clauses."""
    ruleset = ruleset_named(arguments.ruleset)
    folder = arguments.tests or BESIDE
    if arguments.tests is not None and not folder.is_dir():
        raise CommandError(f"{folder}: there is no such folder")
    found = folder.is_dir()
    covered = tests_by_clause(folder / "rulesets" / ruleset.NAME)
    clauses = {clause: covered.get(clause, []) for clause in ruleset.clauses()}
    uncovered = [clause for clause, tests in clauses.items() if not tests]
    if arguments.json:
        print_json(
            {
                "ruleset": ruleset.NAME,
                "tests": str(folder) if found else None,
                "clauses": [
                    {"clause": clause, "tests": tests} for clause, tests in clauses.items()
                ],
                "uncovered": uncovered,
            }
        )
    else:
        _print(clauses, uncovered)
        if not found:
            print("the tests are not installed here: name their folder with --tests")
    return 1 if found and uncovered else 0


def _print(clauses: dict[str, list[str]], uncovered: list[str]) -> None:
    for clause, tests in clauses.items():
        print(f"{clause:<12} {len(tests)} tests")
        for test in tests:
            print(f"             {test}")
    print(f"{len(clauses)} clauses, {len(uncovered)} without a test")


def tests_by_clause(folder: Path) -> dict[str, list[str]]:
    """By clause, the tests below a folder that are marked with it, as pytest names them."""
    covered: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        except (OSError, SyntaxError, ValueError) as error:
            raise CommandError(f"{path}: {error}") from error
        for clause, name in _marked(tree.body, _module_marks(tree), ""):
            covered.setdefault(clause, []).append(f"{path.relative_to(folder)}::{name}")
    return covered


def _marked(body: list[ast.stmt], outer: set[str], prefix: str) -> Iterator[tuple[str, str]]:
    """Each test with each of its clauses, those of its class and module included."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            marks = outer | _clauses_in(node.decorator_list)
            yield from _marked(node.body, marks, f"{node.name}::")
        elif _is_test(node):
            marks = outer | _clauses_in(node.decorator_list)
            yield from ((clause, prefix + node.name) for clause in sorted(marks))


def _is_test(node: ast.stmt) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    return isinstance(node, functions) and node.name.startswith("test_")


def _module_marks(tree: ast.Module) -> set[str]:
    return {
        clause
        for node in tree.body
        if isinstance(node, ast.Assign)
        and any(
            isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets
        )
        for clause in _clauses_in([node.value])
    }


def _clauses_in(expressions: list[ast.expr]) -> set[str]:
    return {
        argument.value
        for expression in expressions
        for node in ast.walk(expression)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule"
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }
