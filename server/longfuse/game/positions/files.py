"""Running position files: each read, played and reported; the entry for commands and tests.

Owns what becomes of a file as a whole. A file with errors is refused whole; one with a card that
can't be compiled is unreadable and not played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from longfuse.game.positions.file import parse, read, ruleset_of
from longfuse.game.positions.outcome import FileErrors, Outcome
from longfuse.game.positions.running import Failed, Runner

if TYPE_CHECKING:
    from longfuse.game.positions.rules import PositionRules


def run_files(paths: Iterable[str | Path], rulesets: Mapping[str, PositionRules]) -> list[Outcome]:
    """Run position files, in order. rulesets: those that a file may name."""
    return [run_file(Path(path), rulesets) for path in paths]


def run_file(path: Path, rulesets: Mapping[str, PositionRules]) -> Outcome:
    """Run one position file."""
    name = path.stem
    try:
        data = parse(path)
        if isinstance(data.get("id"), str):
            name = data["id"]
        rules = ruleset_of(data, rulesets)
        position = read(data, rules)
    except FileErrors as wrong:
        return Outcome(name, "error", errors=tuple(wrong.errors), path=str(path))
    about = {"clauses": position.clauses, "title": position.title, "path": str(path)}
    if position.unreadable:
        return Outcome(name, "unreadable", errors=position.unreadable, **about)  # type: ignore[arg-type]
    try:
        Runner(rules, position).run()
    except Failed as failed:
        return Outcome(
            name,
            "fails",
            step=failed.step,
            expected=failed.expected,
            found=failed.found,
            **about,  # type: ignore[arg-type]
        )
    return Outcome(name, "holds", **about)  # type: ignore[arg-type]
