"""What the host needs of others: games, somewhere to keep them, and players that are no clients.

Ports only, each beside its one user. What a game takes and how it refuses are the game's own words
(`longfuse.game.entries`); the host never looks inside a game.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from longfuse.actors import ActorHost
from longfuse.game.entries import Entry, Recorded, Result
from longfuse.rulesets.passing import PassingRules
from longfuse_protocol.messages import RulesetInfo, Terms
from longfuse_protocol.prompts import Answer, Prompt
from longfuse_protocol.shuffles import Transcript
from longfuse_protocol.views import Frame, View

Viewer = int | Literal["spectator"]
"""A seat's number, or the one viewer that all spectators are."""


Deck = Any
"""A deck as saved games have it: a name, or a list in the ruleset's own form."""


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

    @property
    def has_open_play(self) -> bool:
        """Whether the seat that acts may still take back what it does."""

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

    def cards(self, ruleset: str) -> dict[str, object]:
        """Return a ruleset's sets with their cards, and its decks, as plain data."""

    def passing(self, ruleset: str) -> PassingRules:
        """Return how a seat's chances to pass are known."""

    def check(self, ruleset: str, seats: int, options: Mapping[str, object]) -> None:
        """Raise `entries.Refused` if a table cannot be opened so."""

    def deck(self, ruleset: str, seat: int, deck: str) -> Deck:
        """Return a seat's deck, by its name or as it is written; with "", the seat's usual one.

        Raises `entries.Refused`, saying what is wrong with it.
        """

    def may_replace(self, ruleset: str, deck: Deck, by: Deck) -> str:
        """Return why one deck may not take the other's place between games; "" if it may."""

    def next_options(
        self, ruleset: str, options: Mapping[str, object], last: Game | None
    ) -> Mapping[str, object]:
        """Return the options of a match's next game.

        options: the table's. last: the game before it, None for the match's first.
        """

    def rules_version(self, ruleset: str) -> str:
        """Return the digest of all that decides a game of this ruleset."""

    def create(
        self,
        ruleset: str,
        decks: Sequence[Deck],
        options: Mapping[str, object],
        key: bytes,
        tasks: ActorHost,
    ) -> Game:
        """Return a game before its first entry; raise `entries.Refused` on decks or options.

        decks: by seat. key: from which all its random values are drawn. tasks: where the
        game's actors get theirs; the table runs them.
        """


class Mark(msgspec.Struct, frozen=True):
    """Where a table's stream stands before a game."""

    n: int
    """The number of its last frame."""
    keys: tuple[str, ...]
    """What is in view, in its order: the game's first frame takes it away."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What a game's journal begins with."""

    game: str
    ruleset: str
    seats: tuple[str, ...]
    """Who sits there, by name."""
    decks: tuple[Deck, ...]
    options: dict[str, Any]
    terms: Terms
    transcript: Transcript
    """The public part of what its shuffles are drawn from."""
    opened_ms: int
    """Wall time, in milliseconds of the epoch."""
    streams: tuple[Mark, ...] = ()
    """The table's streams, the seats' first; () at its first game."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One entry as the journal keeps it."""

    entry: Recorded
    command: str
    """The command id it came with; "" for one that no command brought."""
    rule: str = ""
    """The setting or the clock that made the decision; "" if its seat did."""
    spent_ms: int
    """How long the game waited for it."""
    at_ms: int
    """Wall time, in milliseconds of the epoch."""


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is over, as a journal has it."""

    header: Header
    entries: tuple[Recorded, ...]
    """The one at place i has the number i + 1."""
    secret: str
    """Of its shuffles, as it was told."""
    over_ms: int
    """Wall time of its end, in milliseconds of the epoch."""
    is_open: bool = False
    """Whether all seats have agreed since that others may see it whole."""


class Journal(Protocol):
    """Keeps games. What it returned from is durable."""

    async def open(self, header: Header) -> None:
        """Begin a game's journal."""

    async def append(self, id: str, record: Record, game: Game) -> None:
        """Add an entry, with the game as it is after it."""

    async def close(self, id: str, secret: str, game: Game) -> None:
        """End the journal of a game that is over, with the secret of its shuffles."""

    def abandon(self, id: str) -> None:
        """Leave a game's journal without an end."""

    async def opened(self, id: str) -> None:
        """Keep with a game that is over that all seats have agreed to show it whole."""

    async def find(self, id: str) -> Saved | None:
        """Return a game that is over; None if none of this id is kept."""


class Bot(Protocol):
    """A computer player in the server's own process."""

    async def decide(self, prompt: Prompt, game: Game) -> Answer:
        """Return an answer that fits. It may look at the game, and must not touch it."""


class BotFactory(Protocol):
    """Makes a bot for one seat of one game."""

    def __call__(self, seat: int, seed: int) -> Bot:
        """Return a bot whose choices follow from its seed."""
