"""What the host needs of others: games, somewhere to keep them, and players that are no clients.

Ports only, each beside its one user. What a game takes and how it refuses are the game's own words
(`longfuse.game.entries`); the host never looks inside a game.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

import msgspec

from longfuse.actors import ActorHost
from longfuse.game.entries import Entry, Result
from longfuse_protocol.messages import RulesetInfo
from longfuse_protocol.prompts import Answer, Prompt
from longfuse_protocol.views import Frame, View

Viewer = int | Literal["spectator"]
"""A seat's number, or the one viewer that all spectators are."""


class Game(Protocol):
    """One game, driven synchronously by the table that owns it."""

    @property
    def seats(self) -> int:
        """How many play."""

    @property
    def open_prompt(self) -> Prompt | None:
        """What is asked now; None when the game is over."""

    @property
    def result(self) -> Result | None:
        """How it ended; None while it runs."""

    def introduce(self, names: Sequence[str]) -> None:
        """Say who sits where. Called once, before the first frame is taken."""

    def advance(self, entry: Entry) -> None:
        """Take an entry; raise `entries.Refused` and change nothing if it does not fit."""

    def view(self, viewer: Viewer) -> View:
        """Return all that the viewer may know."""

    def frames(self, viewer: Viewer) -> Frame:
        """Return what is new for the viewer since this was last asked."""


class GameFactory(Protocol):
    """Makes games of the rulesets that it lists."""

    def catalogue(self) -> Sequence[RulesetInfo]:
        """Return what can be played."""

    def create(
        self,
        ruleset: str,
        seats: int,
        options: Mapping[str, object],
        seed: int,
        tasks: ActorHost,
    ) -> Game:
        """Return a game before its first entry; raise `entries.Refused` on seats or options.

        tasks: where the game's actors get theirs; the table runs them.
        """


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What a game's journal begins with."""

    table: str
    ruleset: str
    seats: tuple[str, ...]
    """Who sits there, by name."""
    options: dict[str, object]
    seed: int
    opened_ms: int
    """Wall time, in milliseconds of the epoch."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One entry as the journal keeps it."""

    entry: Entry
    command: str
    """The command id it came with; "" for one that no command brought."""
    spent_ms: int
    """How long the game waited for it."""
    at_ms: int
    """Wall time, in milliseconds of the epoch."""


class Journal(Protocol):
    """Keeps games. What it returned from is durable."""

    async def open(self, header: Header) -> None:
        """Begin a game's journal."""

    async def append(self, table: str, record: Record) -> None:
        """Add an entry to it."""


class Bot(Protocol):
    """A computer player in the server's own process."""

    async def decide(self, prompt: Prompt, game: Game) -> Answer:
        """Return an answer that fits. It may look at the game, and must not touch it."""


class BotFactory(Protocol):
    """Makes a bot for one seat of one game."""

    def __call__(self, seat: int, seed: int) -> Bot:
        """Return a bot whose choices follow from its seed."""
