"""Every message of the wire, both ways, as frozen records with their limits.

A message is an object with `type` and the fields below. The server takes exactly these fields from
a client, so that a misspelt one is told and not ignored; a client takes from the server what it
knows and skips the rest, so that fields may be added within one version. Which message belongs
where is said by the table in `session`; this module holds no behaviour.

A *command* is a message with a `command` id of the client's choosing. Each gets exactly one
`answer` (or `error`, where the session did not get as far as a table) with that id.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import Delta, Entity

MESSAGE_BYTES_MAX = 16_384
"""Most bytes of a message to a server, unless its configuration says otherwise."""

INTEGER_MAX = 2**53 - 1
"""Beyond this, a browser's numbers are no longer exact."""

Word = Annotated[str, Meta(min_length=1, max_length=64)]
_SHOWN = r"\A[^\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]*\Z"
"""No control characters, nor what turns the direction of writing: others' terminals show it."""
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=_SHOWN)]
TableId = Annotated[str, Meta(min_length=1, max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Counter = Annotated[int, Meta(ge=0, le=INTEGER_MAX)]
CommandId = Annotated[str, Meta(min_length=1, max_length=64)]
Integer = Annotated[int, Meta(ge=-INTEGER_MAX, le=INTEGER_MAX)]
AnswerField = Integer | Annotated[tuple[Integer, ...], Meta(max_length=1_024)]
OptionValue = bool | Integer | Annotated[str, Meta(max_length=2_000)]
Options = Annotated[dict[Word, OptionValue], Meta(max_length=32)]


class FromClient(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """What a client may send."""


class Hello(FromClient, frozen=True, tag="hello", kw_only=True):
    """Begin the session as a guest."""

    name: Name
    client: Annotated[str, Meta(max_length=80, pattern=_SHOWN)] = ""
    """What program this is, for the operator."""


class Browse(FromClient, frozen=True, tag="browse"):
    """Ask for `tables`: what can be played here, and what is being played."""


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to sit in one seat of a new table: whoever joins, or a bot of the server."""

    kind: Literal["open", "bot"] = "open"
    bot: Annotated[str, Meta(max_length=64)] = ""


class Create(FromClient, frozen=True, tag="create", kw_only=True):
    """Open a table and take a place at it: a seat, or with null that of a spectator."""

    command: CommandId
    ruleset: Word
    seats: Annotated[tuple[SeatWish, ...], Meta(min_length=1, max_length=16)]
    sit: SeatNumber | None = 0
    options: Options = msgspec.field(default_factory=dict)


class Join(FromClient, frozen=True, tag="join", kw_only=True):
    """Take a seat: the one named, or with null the first free one."""

    command: CommandId
    table: TableId
    seat: SeatNumber | None = None


class Spectate(FromClient, frozen=True, tag="spectate", kw_only=True):
    """Watch a table."""

    command: CommandId
    table: TableId


class Leave(FromClient, frozen=True, tag="leave", kw_only=True):
    """Leave the table. A seat that leaves a running game is removed from it."""

    command: CommandId


class Decide(FromClient, frozen=True, tag="decide", kw_only=True):
    """Answer the open prompt."""

    command: CommandId
    prompt: Counter
    answer: AnswerField


class TakeBack(FromClient, frozen=True, tag="take_back", kw_only=True):
    """Take back the play that this seat has open."""

    command: CommandId


class Concede(FromClient, frozen=True, tag="concede", kw_only=True):
    """Give the game up."""

    command: CommandId


class Resync(FromClient, frozen=True, tag="resync"):
    """Ask for the view in full, and for the prompt if this seat is asked."""


class Ping(FromClient, frozen=True, tag="ping", kw_only=True):
    """Ask for a `pong`."""

    nonce: Counter = 0


ClientMessage = (
    Hello | Browse | Create | Join | Spectate | Leave | Decide | TakeBack | Concede | Resync | Ping
)
Command = Create | Join | Spectate | Leave | Decide | TakeBack | Concede


class FromServer(msgspec.Struct, frozen=True, tag_field="type"):
    """What a server may send."""


class Welcome(FromServer, frozen=True, tag="welcome", kw_only=True):
    """The session has begun."""

    session: str
    """Names this session in the server's log."""
    name: str
    server: str
    message_bytes_max: int


class RulesetInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can be played here, and for how many."""

    name: str
    title: str = ""
    seats_min: int = 2
    seats_max: int = 2
    options: dict[str, object] = msgspec.field(default_factory=dict)


class SeatInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of a table as everybody may know it."""

    kind: Literal["open", "bot", "player", "gone"]
    name: str = ""


Status = Literal["waiting", "playing", "over", "suspended"]


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One table as everybody may know it."""

    table: str
    ruleset: str
    status: Status
    seats: tuple[SeatInfo, ...]
    spectators: int = 0


class Tables(FromServer, frozen=True, tag="tables", kw_only=True):
    """The answer to `browse`."""

    tables: tuple[TableInfo, ...]
    rulesets: tuple[RulesetInfo, ...]
    bots: tuple[str, ...] = ()


class TableChanged(FromServer, frozen=True, tag="table", kw_only=True):
    """Somebody came or went, or the game began or ended."""

    info: TableInfo


class Joined(FromServer, frozen=True, tag="joined", kw_only=True):
    """This session now has a place at a table: a seat, or with null that of a spectator."""

    info: TableInfo
    seat: int | None
    stream: str
    """Names the stream of game frames that this place sees; numbers count within it."""


class Left(FromServer, frozen=True, tag="left", kw_only=True):
    """This session has no place at a table any more."""

    table: str


class Snapshot(FromServer, frozen=True, tag="view", kw_only=True):
    """The whole view, as it is after the game frame numbered `n`."""

    n: int
    view: dict[str, Entity]
    digest: str


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


class Answered(FromServer, frozen=True, tag="answer", kw_only=True, omit_defaults=True):
    """The one answer to a command. Refused: why, and what is asked now."""

    command: str
    ok: bool
    code: str = ""
    """One of `errors.Code`, or one that a later server knows."""
    reason: str = ""
    asked: int | None = None
    """The seat that is asked now."""
    prompt: Prompt | None = None
    """The prompt that is open now, if it is this seat's own."""


class Failed(FromServer, frozen=True, tag="error", kw_only=True, omit_defaults=True):
    """A message was wrong and changed nothing."""

    code: str
    text: str
    field: str = ""
    command: str = ""


class Over(FromServer, frozen=True, tag="over", kw_only=True):
    """The game has ended, with the game frame numbered `n`."""

    n: int
    winner: int | None
    reason: str


class Pong(FromServer, frozen=True, tag="pong", kw_only=True):
    """The answer to `ping`."""

    nonce: int


class Notice(FromServer, frozen=True, tag="notice", kw_only=True):
    """Something about the server or the table that is no part of a game."""

    kind: Literal["drain", "suspended"]
    text: str


ServerMessage = (
    Welcome
    | Tables
    | TableChanged
    | Joined
    | Left
    | Snapshot
    | Events
    | Asked
    | Answered
    | Failed
    | Over
    | Pong
    | Notice
)
Message = ClientMessage | ServerMessage
