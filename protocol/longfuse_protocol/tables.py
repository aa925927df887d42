"""What everybody may know of a table: its terms, its seats, where it stands.

Plain frozen records that messages carry. A client sends `Terms` when it opens a table; all else
here comes from the server. What both send is there twice: `Terms` takes no field and no word that
it does not know, so that a misspelt one is told; `ShownTerms` is what the server says, and a later
server may say more. Nothing here does anything.
"""

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from longfuse_protocol.fields import Deck, SeatNumber, known

ClockKind = Literal["none", "bank", "decision"]
OutOfTime = Literal["default", "lose"]
Watch = Literal["open", "invited", "closed"]
TakenBack = Literal["no", "open play", "by agreement"]
BestOf = Literal[1, 3]
SeatKind = Literal["open", "bot", "player", "gone"]
Status = Literal["waiting", "starting", "playing", "paused", "between games", "over", "suspended"]
"""waiting: a seat is open. starting: who is ready is asked, and the shuffles' nonces exchanged.
between games: of a match. suspended: stopped by a fault of the server."""
OfferKind = Literal["draw", "pause", "take back", "rematch", "open replay"]
OfferEnd = Literal["agreed", "declined", "withdrawn", "expired", "overtaken"]
"""overtaken: by what has happened since."""
Room = Literal["seats", "spectators"]


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

    kind: Annotated[str, known(*get_args(ClockKind))] = "none"
    bank_s: int = 900
    increment_s: int = 5
    decision_s: int = 60
    out: Annotated[str, known(*get_args(OutOfTime))] = "lose"
    """What happens when it has run out: the prompt's default is taken, which earns the increment as
    any decision does, or the seat loses."""


class ClockTerms(ShownClockTerms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a seat's time is to be counted. It runs only while that seat is asked.

    bank: so much for the whole game, and a little more with every decision. decision: so much for
    each decision.
    """

    kind: ClockKind = "none"
    bank_s: Annotated[int, Meta(ge=1, le=86_400)] = 900
    increment_s: Annotated[int, Meta(ge=0, le=3_600)] = 5
    decision_s: Annotated[int, Meta(ge=1, le=86_400)] = 60
    out: OutOfTime = "lose"


class ShownTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What a table is opened under. They never change."""

    listed: bool = True
    """Whether anybody finds it in the list and may sit down; else only who is invited."""
    watch: Annotated[str, known(*get_args(Watch))] = "open"
    delay_s: int = 0
    """How long after the seats spectators see and hear everything."""
    clock: ShownClockTerms = ShownClockTerms()
    take_back: Annotated[str, known(*get_args(TakenBack))] = "open play"
    """What a seat may take back: nothing, its own play while it is open, or also, if the others
    agree, its last decision."""
    open_replay: bool = False
    """Whether the whole game, hands included, may be seen by those who may watch, once it is
    over."""
    best_of: Annotated[int, known(*get_args(BestOf))] = 1
    ready_s: int = 0
    """How long the seats have to say that they are ready before a game; 0: none is asked."""
    chat: bool = True
    bluff_ms: int = 0
    """How long a pass that the server makes for a seat takes: always so long, at any cause."""


class Terms(ShownTerms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table is to be opened under. They never change."""

    watch: Watch = "open"
    delay_s: Annotated[int, Meta(ge=0, le=3_600)] = 0
    clock: ClockTerms = ClockTerms()
    take_back: TakenBack = "open play"
    best_of: BestOf = 1
    ready_s: Annotated[int, Meta(ge=0, le=600)] = 0
    bluff_ms: Annotated[int, Meta(ge=0, le=5_000)] = 0


class SeatInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of a table as everybody may know it."""

    kind: Annotated[str, known(*get_args(SeatKind))]
    name: str = ""
    guest: bool = True
    """Whether the name is only what the player says, and no token's."""
    here: bool = True
    """Whether the player is connected."""


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One table as everybody may know it; what spectators see late is late here, too."""

    table: str
    ruleset: str
    status: Annotated[str, known(*get_args(Status))]
    seats: tuple[SeatInfo, ...]
    terms: ShownTerms = ShownTerms()
    options: dict[str, bool | int | str] = msgspec.field(default_factory=dict)
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

    kind: Annotated[str, known(*get_args(OfferKind))]
    by: int
    accepted: tuple[int, ...]
    """The seats that have accepted; whoever offers has."""
    until_ms: int


class OfferEnded(msgspec.Struct, frozen=True, kw_only=True):
    """An offer that is open no more, and why."""

    kind: Annotated[str, known(*get_args(OfferKind))]
    how: Annotated[str, known(*get_args(OfferEnd))]


class RulesetInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can be played here, and for how many."""

    name: str
    title: str = ""
    seats_min: int = 2
    seats_max: int = 2
    decks: tuple[str, ...] = ()
    options: dict[str, tuple[bool | int | str, ...]] = msgspec.field(default_factory=dict)
    """What `create.options` may choose, each with its values, the default first. Beside these,
    every ruleset takes `first`: the number of the seat that begins."""
    phases: tuple[str, ...] = ()
    """The phases at which passing may stop or end, in the order of a turn."""


SeatOrSpectators = SeatNumber | Literal["spectator"]
