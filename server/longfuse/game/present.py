"""What is worked out about the present state of a game, kept until anything in it changes.

Owned by a ruleset's rules, which mix it in. What is kept is never part of the state; it must read
nothing but the state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from longfuse.game.game import Game

Found = TypeVar("Found")


class AtPresent:
    """Answers about the present state."""

    game: Game

    def __init__(self) -> None:
        self._present: dict[Any, Any] = {}
        self._present_at = -1

    def at_present(self, key: tuple[Any, ...], work_out: Callable[[], Found]) -> Found:
        """What is worked out about the present state, kept until anything in the game changes.

        The caller must not change what it gets.
        """
        version = self.game.version
        if self._present_at != version:
            self._present_at = version
            self._present.clear()
        elif key in self._present:
            kept: Found = self._present[key]
            return kept
        found = self._present[key] = work_out()
        return found
