"""How long a module and a function may be. Beyond this, a boundary is hiding in it."""

from __future__ import annotations

import ast

from tidy.sources import Source

MODULE_LINES_MAX = 500
FUNCTION_LINES_MAX = 60


def long_modules(source: Source) -> list[str]:
    """Complain of a module that is too long."""
    lines = source.text.count("\n")
    if lines <= MODULE_LINES_MAX:
        return []
    return [f"{source.path}: {lines} lines, at most {MODULE_LINES_MAX}"]


def long_functions(source: Source) -> list[str]:
    """Complain of functions that are too long, from `def` to the last line."""
    return [
        f"{source.path}:{node.lineno}: {node.name} has {lines} lines, at most {FUNCTION_LINES_MAX}"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES_MAX
    ]
