"""What a server may say: one record a message. Read `messages` first."""

from typing import Annotated, Literal, get_args

import msgspec

from longfuse_protocol.errors import Code
from longfuse_protocol.fields import known
from longfuse_protocol.passing import ShownPassing
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.tables import (
    Offer,
    OfferEnded,
    Place,
    Room,
    RulesetInfo,
    SeatClock,
    TableInfo,
)
from longfuse_protocol.views import Delta, Entity

ErrorCode = Annotated[str, known(*Code)]

NoticeKind = Literal["drain", "suspended", "renamed"]
"""drain: the server is about to restart. suspended: the game cannot go on. renamed: this session is
called something else now. The text says the same to people."""


class FromServer(msgspec.Struct, frozen=True, tag_field="type"):
    """What a server may send."""


# ---------------------------------------------------------------- the session


class Welcome(FromServer, frozen=True, tag="welcome", kw_only=True):
    """The session has begun, or goes on."""

    session: str
    """Names this session in the server's log."""
    secret: str
    """With it, and only with it, the session can be gone on with: keep it to yourself. It is told
    once; "" where the session goes on."""
    name: str
    user: str = ""
    """Whose token this session has; "" for a guest."""
    server: str
    message_bytes_max: int
    at_ms: int
    """The server's clock."""
    resume_s: int
    """How long after a drop the session can be gone on with."""
    expires_ms: int | None = None
    """When the token ends, and with it the connection."""
    place: Place | None = None
    """The place at a table that this session still has. What was missed follows."""


class Rejected(FromServer, frozen=True, tag="rejected", kw_only=True):
    """The hello was refused, and has changed nothing. Another may be said."""

    code: ErrorCode
    text: str
    retry_s: float | None = None
    """How long to wait before the same may succeed; null if it never will."""


class Pong(FromServer, frozen=True, tag="pong", kw_only=True):
    """The answer to `ping`."""

    nonce: int
    at_ms: int
    """The server's clock."""


class Answered(FromServer, frozen=True, tag="answer", kw_only=True, omit_defaults=True):
    """The one answer to a command. Refused: why, and what is asked now."""

    command: str
    ok: bool
    code: ErrorCode = ""
    """Why it is refused; "" if it is not."""
    reason: str = ""
    asked: int | None = None
    """The seat that is asked now; spectators are not told."""
    prompt: Prompt | None = None
    """The prompt that is open now, if it is this seat's own."""


class Failed(FromServer, frozen=True, tag="error", kw_only=True, omit_defaults=True):
    """A message was wrong and changed nothing."""

    code: ErrorCode
    text: str
    field: str = ""
    command: str = ""


class Notice(FromServer, frozen=True, tag="notice", kw_only=True):
    """Something about the server or the table that is no part of a game."""

    kind: Annotated[str, known(*get_args(NoticeKind))]
    text: str


# ---------------------------------------------------------------- the lobby


class Tables(FromServer, frozen=True, tag="tables", kw_only=True):
    """The answer to `browse`."""

    tables: tuple[TableInfo, ...]
    rulesets: tuple[RulesetInfo, ...]
    bots: tuple[str, ...] = ()


class Cards(FromServer, frozen=True, tag="cards", kw_only=True):
    """The answer to `catalogue`."""

    command: str
    ruleset: str
    catalogue: dict[str, object]
    """`ruleset`; `sets`, each with a `name` and its `cards`; `decks`, each with a `name` and its
    `cards`, how many of each. A card has `name`, `type`, `text` and what else its ruleset says."""


class Replayed(FromServer, frozen=True, tag="replayed", kw_only=True):
    """The answer to `replay`: the next part of a finished game."""

    command: str
    game: str
    viewer: int | Annotated[str, known("spectator")]
    frames: tuple["Events", ...]
    last: bool
    """Whether there are no more."""


class Joined(FromServer, frozen=True, tag="joined", kw_only=True):
    """This session now has a place at a table: a seat, or with null that of a spectator."""

    place: Place


class Left(FromServer, frozen=True, tag="left", kw_only=True):
    """This session has no place at a table any more."""

    table: str
    reason: str = ""
    """Why, if the client has not asked for it."""


class Unpaired(FromServer, frozen=True, tag="unpaired", kw_only=True):
    """This session waits for nobody any more."""

    reason: str = ""


# ---------------------------------------------------------------- a table


class TableChanged(FromServer, frozen=True, tag="table", kw_only=True):
    """Somebody came or went, or the game began or ended."""

    info: TableInfo


class Presence(FromServer, frozen=True, tag="presence", kw_only=True):
    """A seat's player has lost the connection, or is back."""

    seat: int
    name: str
    here: bool
    until_ms: int | None = None
    """When the seat is lost, unless the player comes back."""


class ReadyCheck(FromServer, frozen=True, tag="ready_check", kw_only=True):
    """The seats are asked whether they are ready. Before a match, who is late loses the seat;
    between its games, the next one begins all the same."""

    ready: tuple[bool, ...]
    until_ms: int


class Commitment(FromServer, frozen=True, tag="commitment", kw_only=True):
    """The server is bound to a secret; a client that takes part answers with `nonce_hash`."""

    game: str
    counter: int
    ruleset: str
    rules_version: str
    decks: tuple[str, ...]
    """The digests of the decks, by seat."""
    commitment: str
    until_ms: int


class NonceHashes(FromServer, frozen=True, tag="nonce_hashes", kw_only=True):
    """All hashes, by seat, and the commitment that each seat saw; "" for a seat without a nonce.

    A client that takes part answers with `nonce`.
    """

    game: str
    hashes: tuple[str, ...]
    commitments: tuple[str, ...]
    until_ms: int


class Nonces(FromServer, frozen=True, tag="nonces", kw_only=True):
    """All nonces, by seat. The game begins."""

    game: str
    nonces: tuple[str, ...]


class Revealed(FromServer, frozen=True, tag="revealed", kw_only=True):
    """The secret that the server was bound to: the game is over, and its shuffles can be checked.

    It opens both hands, so only the seats get it.
    """

    game: str
    secret: str


class Snapshot(FromServer, frozen=True, tag="view", kw_only=True):
    """The whole view, as it is after the game frame numbered `n`."""

    n: int
    view: dict[str, Entity]
    digest: str
    recap: tuple[dict[str, object], ...] = ()
    """What happened last, as in `events.events`, for who was not there."""


class Events(FromServer, frozen=True, tag="events", kw_only=True):
    """One game frame: what happened, and what it changed in this viewer's view.

    The digest is that of the view with the changes applied. `shared` is the digest of the view
    that all spectators share: two seats that see the same game get the same.
    """

    n: int
    events: list[dict[str, object]]
    changes: Delta
    digest: str
    shared: str


class Asked(FromServer, frozen=True, tag="prompt", kw_only=True):
    """This seat is asked; what is asked belongs to the view after game frame `n`."""

    n: int
    prompt: Prompt


class Passed(FromServer, frozen=True, tag="passed", kw_only=True):
    """The server has answered a prompt for this seat, as its settings say."""

    prompt: int
    rule: str
    """The setting that did it."""


class PassingSet(FromServer, frozen=True, tag="settings_kept", kw_only=True):
    """How the server passes for this seat now."""

    passing: ShownPassing
    until: str = ""
    """In words, until when it passes."""
    stopped: str = ""
    """Why it has stopped passing before that."""


class Clock(FromServer, frozen=True, tag="clock", kw_only=True):
    """The seats' time. A deadline is shown as such: count down to it from `at_ms`."""

    at_ms: int
    """The server's clock."""
    seats: tuple[SeatClock, ...]


class Offers(FromServer, frozen=True, tag="offers", kw_only=True):
    """What is on offer now."""

    offers: tuple[Offer, ...]
    ended: tuple[OfferEnded, ...] = ()
    """What has ceased to be since this was last told."""


class Over(FromServer, frozen=True, tag="over", kw_only=True):
    """The game has ended, with the game frame numbered `n`."""

    n: int
    winner: int | None
    reason: str


class Said(FromServer, frozen=True, tag="said", kw_only=True):
    """Somebody said something in this session's room. Spectators hear the seats' room, too, as late
    as everything else."""

    room: Annotated[str, known(*get_args(Room))]
    line: int
    """Counts the lines of the room."""
    seat: int | None
    name: str
    text: str
    at_ms: int
