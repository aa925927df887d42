"""Which package may import which, and where the outside world may enter.

The layers, lowest first. A layer may import the layers of the rows above its own, never those of
its own row or below: that is what keeps the rules free of the server, and the kernel free of any
one game.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tidy.sources import Source

LAYERS = (
    ("protocol", "actors", "timing"),
    ("abilities",),
    ("game",),
    ("rulesets",),
    ("journal", "bots", "config", "log"),
    ("host",),
    ("load",),
    ("cli",),
    ("__main__",),
)
HEIGHT = {layer: height for height, row in enumerate(LAYERS) for layer in row}

RULESETS = {"riftbound", "hkk"}

PURE = {"timing", "abilities", "game", "rulesets"}
IMPURE_MODULES = {
    "datetime",
    "logging",
    "random",
    "secrets",
    "structlog",
    "time",
    "uuid",
}
TRIO_LAYERS = {"actors", "journal", "host", "load", "cli", "__main__"}
# Parking a task on a bare wait is easily got wrong: it is done, and tested, in one place.
PARKING = {"wait_task_rescheduled", "reschedule"}
PARKING_LAYER = "actors"
WALL = "wall.py"

Check = Callable[[Source], list[str]]


def imported(source: Source) -> Iterator[tuple[int, str]]:
    """Name what a source imports, with its line: modules, and names as if they were modules."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def wrong_directions(source: Source) -> list[str]:
    """Complain of imports that run against the layers."""
    if source.layer == "__init__":
        return [
            f"{source.path}:{line}: the top package holds nothing, so it imports nothing of ours"
            for line, name in imported(source)
            if _layer_of(name)
        ]
    if source.layer not in HEIGHT:
        return [f"{source.path}: {source.layer} has no place in the layers"]
    return [
        f"{source.path}:{line}: {source.layer} may not import {name}"
        for line, name in imported(source)
        if not _may_import(source.layer, name)
    ]


def _may_import(layer: str, name: str) -> bool:
    if name.startswith("."):
        return False
    target = _layer_of(name)
    if target is None or target == layer:
        return True
    return target in HEIGHT and HEIGHT[target] < HEIGHT[layer]


def _layer_of(name: str) -> str | None:
    top, _, rest = name.partition(".")
    if top == "longfuse_protocol":
        return "protocol"
    return rest.split(".")[0] if top == "longfuse" else None


def rulesets_that_know_each_other(source: Source) -> list[str]:
    """Complain of a ruleset that imports another; what both need belongs lower."""
    own = source.name_in_layer.split("/")[0]
    if source.layer != "rulesets" or own not in RULESETS:
        return []
    return [
        f"{source.path}:{line}: ruleset {own} may not import {name}"
        for line, name in imported(source)
        if name.startswith("longfuse.rulesets.") and name.split(".")[2] in RULESETS - {own}
    ]


def misplaced_trio(source: Source) -> list[str]:
    """Complain of trio where no task may be awaited, and of bare parking outside the actors."""
    allowed = (
        source.layer in TRIO_LAYERS
        or (source.layer == "bots" and source.name_in_layer.startswith("wire"))
        or (source.layer == "protocol" and source.name_in_layer.startswith("client"))
    )
    complaints = [
        f"{source.path}:{line}: trio has no place here"
        for line, name in imported(source)
        if name.split(".")[0] == "trio" and not allowed
    ]
    if source.layer != PARKING_LAYER:
        complaints += [
            f"{source.path}:{line}: {name} belongs to {PARKING_LAYER}/"
            for line, name in _names(source)
            if name in PARKING
        ]
    return complaints


def _names(source: Source) -> Iterator[tuple[int, str]]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, alias.name) for alias in node.names)


def misplaced_websockets(source: Source) -> list[str]:
    """Complain of websockets outside the gateway and the reference client."""
    if source.layer == "host" and source.name_in_layer.startswith("gateway"):
        return []
    if source.layer == "protocol" and source.name_in_layer.startswith("client"):
        return []
    return [
        f"{source.path}:{line}: websockets has no place here"
        for line, name in imported(source)
        if name.split(".")[0] == "websockets"
    ]


def impurities(source: Source) -> list[str]:
    """Complain of clocks, global randomness and logging in what decides a game."""
    if source.layer not in PURE:
        return []
    return [
        f"{source.path}:{line}: {source.layer} decides games and may not import {name}"
        for line, name in imported(source)
        if name.split(".")[0] in IMPURE_MODULES
    ]


def second_wall_clocks(source: Source) -> list[str]:
    """Complain of a look at the time in the host outside `wall.py`, which tests make virtual."""
    if source.layer != "host" or source.name_in_layer == WALL:
        return []
    return [
        f"{source.path}:{line}: the host tells the time by {WALL} alone, not by {name}"
        for line, name in imported(source)
        if name.split(".")[0] in ("time", "datetime")
    ]
