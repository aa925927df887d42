"""The rulesets that can be played, each loaded when it is first asked for.

Owns the one list of them, and the port that each offers to whoever makes, replays or tells games:
a module with these names. It knows where a ruleset lies and nothing of how it is played.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, cast

import msgspec

if TYPE_CHECKING:
    from longfuse.actors import ActorHost
    from longfuse.game.game import Game
    from longfuse.timing.messages import Happened
    from longfuse.timing.references import Seat

MODULES: dict[str, str] = {"riftbound": "longfuse.rulesets.riftbound.entry"}
"""Where the entry of each ruleset lies, by its name."""


class SeatSetup(msgspec.Struct, frozen=True):
    """Who sits where, and with what: a deck by its name, or as a list in the ruleset's own form."""

    name: str
    deck: Any = ""


class UnknownRuleset(Exception):
    """There is no such ruleset; the message says which there are."""


class Ruleset(Protocol):
    """What the entry module of a ruleset offers."""

    NAME: str

    def create(
        self,
        seats: tuple[SeatSetup, ...],
        *,
        host: ActorHost,
        key: bytes,
        options: dict[str, Any],
        keep_events: bool = False,
    ) -> Game:
        """A game that has not started."""

    def decks(self) -> Mapping[str, Any]:
        """The decks that ship, by name."""

    def rules_version(self) -> str:
        """The digest of all that decides a game: kernel, ruleset and card sets."""

    def sentence(self, game: Game, message: Happened, viewer: Seat | None) -> str:
        """What happened, told to a seat, or with None to whoever may know everything."""

    def clauses(self) -> tuple[str, ...]:
        """The clauses that tests are to cover."""


def names() -> tuple[str, ...]:
    """The rulesets that can be played; the first is what a command takes unless told otherwise."""
    return tuple(MODULES)


def load(name: str) -> Ruleset:
    """The entry of a ruleset.

    Raises:
        UnknownRuleset: there is none of that name.
    """
    module = MODULES.get(name)
    if module is None:
        raise UnknownRuleset(f"there is no ruleset {name!r}; there is {', '.join(MODULES)}")
    return cast("Ruleset", importlib.import_module(module))
