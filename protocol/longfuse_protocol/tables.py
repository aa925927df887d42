"""What everybody may know of a table: its terms, its seats, where it stands.

Plain frozen records that messages carry. A client sends `Terms` when it opens a table; all else
here comes from the server. What both send is there twice: `Terms` takes no field that it does not
know, so that a misspelt one is told; `ShownTerms` is what the server says, and a later server may
say more. Nothing here does anything.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from longfuse_protocol.fields import Deck, OptionValue, SeatNumber


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to sit in one seat of a new table: whoever joins, or a bot of the server."""

    kind: Literal["open", "bot"] = "open"
    bot: Annotated[str, Meta(max_length=64)] = ""
    deck: Deck = ""
    """What a bot plays, or whoever joins with no deck of their own."""


class ShownClockTerms(msgspec.Struct, frozen=True, kw_only=True):
    """How a seat's time is counted. It runs only while that seat is asked.

    bank: so much for the whole game, and a little more with every decision. decision: so much for
    each decision.
    """

    kind: Literal["none", "bank", "decision"] = "none"
    bank_s: Annotated[int, Meta(ge=1, le=86_400)] = 900
    increment_s: Annotated[int, Meta(ge=0, le=3_600)] = 5
    decision_s: Annotated[int, Meta(ge=1, le=86_400)] = 60
    out: Literal["default", "lose"] = "lose"
    """What happens when it has run out: the prompt's default is taken, or the seat loses."""


class ClockTerms(ShownClockTerms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a seat's time is to be counted. It runs only while that seat is asked.

    bank: so much for the whole game, and a little more with every decision. decision: so much for
    each decision.
    """


class ShownTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What a table is opened under. They never change."""

    listed: bool = True
    """Whether anybody finds it in the list and may sit down; else only who is invited."""
    watch: Literal["open", "invited", "closed"] = "open"
    delay_s: Annotated[int, Meta(ge=0, le=3_600)] = 0
    """How long after the seats spectators see and hear everything."""
    clock: ShownClockTerms = ShownClockTerms()
    take_back: Literal["no", "open play", "by agreement"] = "open play"
    """What a seat may take back: nothing, its own play while it is open, or also, if the others
    agree, its last decision."""
    open_replay: bool = False
    """Whether the whole game, hands included, may be seen by those who may watch, once it is
    over."""
    best_of: Literal[1, 3] = 1
    ready_s: Annotated[int, Meta(ge=0, le=600)] = 0
    """How long the seats have to say that they are ready before a game; 0: none is asked."""
    chat: bool = True
    bluff_ms: Annotated[int, Meta(ge=0, le=5_000)] = 0
    """How long a pass that the server makes for a seat takes: always so long, at any cause."""


class Terms(ShownTerms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table is to be opened under. They never change."""

    clock: ClockTerms = ClockTerms()


class SeatInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of a table as everybody may know it."""

    kind: Literal["open", "bot", "player", "gone"]
    name: str = ""
    guest: bool = True
    """Whether the name is only what the player says, and no token's."""
    here: bool = True
    """Whether the player is connected."""


Status = Literal["waiting", "starting", "playing", "paused", "between games", "over", "suspended"]
"""waiting: a seat is open. starting: who is ready is asked, and the shuffles' nonces exchanged.
between games: of a match. suspended: stopped by a fault of the server."""


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One table as everybody may know it; what spectators see late is late here, too."""

    table: str
    ruleset: str
    status: Status
    seats: tuple[SeatInfo, ...]
    terms: ShownTerms = ShownTerms()
    options: dict[str, OptionValue] = msgspec.field(default_factory=dict)
    game: str = ""
    """The id of the game that is played, or was last; "" before the first."""
    score: tuple[int, ...] = ()
    """Games of the match that each seat has won."""
    winner: int | None = None
    """The seat that has won the match, once it is over; null for a drawn one. Who leaves before it
    is decided loses it."""
    spectators: int | None = None
    """Null for who sits there: nothing goes from spectators to seats."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A session's place at a table: a seat, or with null that of a spectator."""

    info: TableInfo
    seat: int | None
    stream: str
    """Names the stream of game frames that this place sees; numbers count within it."""
    invitation: str = ""
    """What whoever is invited names in `join` or `spectate`; only seats get it."""


class SeatClock(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's time. It stands still where there is no deadline."""

    left_ms: int
    """As of `clock.at_ms`."""
    deadline_ms: int | None = None


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """Something that seats must agree on, while it is open."""

    kind: "OfferKind"
    by: int
    accepted: tuple[int, ...]
    """The seats that have accepted; whoever offers has."""
    until_ms: int


class OfferEnded(msgspec.Struct, frozen=True, kw_only=True):
    """An offer that is open no more, and why."""

    kind: "OfferKind"
    how: str
    """agreed, declined, withdrawn, expired, or overtaken by what has happened; a later server may
    know others."""


OfferKind = Literal["draw", "pause", "take back", "rematch", "open replay"]


class RulesetInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can be played here, and for how many."""

    name: str
    title: str = ""
    seats_min: int = 2
    seats_max: int = 2
    decks: tuple[str, ...] = ()
    options: dict[str, object] = msgspec.field(default_factory=dict)
    phases: tuple[str, ...] = ()
    """The phases at which passing may stop or end, in the order of a turn."""


SeatOrSpectators = SeatNumber | Literal["spectator"]
