"""Options of a game: the readings of a rule book that a table may choose, and who starts.

Owns how they are checked, for every ruleset alike. Which options there are is each ruleset's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from longfuse.game.entries import Refused


def check(options: Mapping[str, Any], known: Mapping[str, tuple[str, ...]], seats: int) -> None:
    """Raise Refused for an option that there is not, or a value that it can't have."""
    for name, value in options.items():
        if name in known:
            if value not in known[name]:
                allowed = ", ".join(repr(one) for one in known[name])
                raise Refused("option", f"{name}: there is no {value!r}; there is {allowed}")
        elif name == "first":
            if type(value) is not int or value not in range(seats):
                raise Refused("option", f"first: a seat from 0 to {seats - 1}, not {value!r}")
        elif name != "random_labels":
            allowed = ", ".join([*known, "first"])
            raise Refused("option", f"there is no option {name!r}; there is {allowed}")
