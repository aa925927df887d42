"""The games of a match: who begins the next one.

Owns that in a match the players begin in turn; who begins the first game is left to chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from longfuse.game.game import Game
from longfuse.rulesets.hkk.duel import Duel


def next_options(options: Mapping[str, Any], last: Game | None) -> dict[str, Any]:
    """The options of a match's next game. options: the table's. last: the game before it."""
    if last is None:
        return dict(options)
    duel = last.rules
    assert isinstance(duel, Duel)
    assert duel.setup.began is not None, "the game before has begun"
    return {**options, "first": duel.opponent(duel.setup.began)}
