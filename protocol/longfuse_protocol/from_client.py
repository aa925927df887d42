"""What a client may say: one record a message, with its limits. Read `messages` first."""

from typing import Annotated

import msgspec
from msgspec import Meta

from longfuse_protocol.fields import (
    SHOWN,
    AnswerField,
    CommandId,
    Counter,
    Deck,
    GameId,
    Hash,
    Line,
    Name,
    Options,
    SeatNumber,
    Secret,
    TableId,
    Token,
    Word,
)
from longfuse_protocol.passing import Passing
from longfuse_protocol.tables import (
    ClockTerms,
    OfferKind,
    Room,
    SeatOrSpectators,
    SeatWish,
    Terms,
)


class FromClient(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """What a client may send."""


# ---------------------------------------------------------------- the session


class Resume(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which session to go on with, and what of its stream is known already."""

    secret: Secret
    stream: Annotated[str, Meta(max_length=128)] = ""
    n: Counter = 0
    """The number of the last game frame that arrived."""


class Hello(FromClient, frozen=True, tag="hello", kw_only=True):
    """Begin a session, or go on with one."""

    name: Name
    """What a guest wants to be called; a token's name goes before it."""
    client: Annotated[str, Meta(max_length=80, pattern=SHOWN)] = ""
    """What program this is, for the operator."""
    token: Token = ""
    """A signed token (JWT) that says who this is; "" for a guest."""
    resume: Resume | None = None
    shuffles: bool = False
    """Whether this client takes part in fair shuffles with a nonce of its own."""


class Ping(FromClient, frozen=True, tag="ping", kw_only=True):
    """Ask for a `pong`."""

    nonce: Counter = 0


# ---------------------------------------------------------------- the lobby


class Browse(FromClient, frozen=True, tag="browse"):
    """Ask for `tables`: what can be played here, and what is being played."""


class Catalogue(FromClient, frozen=True, tag="catalogue", kw_only=True):
    """Ask for `cards`: the sets, cards and decks of a ruleset."""

    command: CommandId
    ruleset: Word


class Replay(FromClient, frozen=True, tag="replay", kw_only=True):
    """Ask for `replayed`: a part of a finished game, as a viewer saw it."""

    command: CommandId
    game: GameId
    viewer: SeatOrSpectators = "spectator"
    after: Counter = 0
    """The number of the last frame that is known already."""
    invitation: Secret = ""
    """For a table at which only who is invited may watch."""


class Create(FromClient, frozen=True, tag="create", kw_only=True):
    """Open a table and take a place at it: a seat, or with null that of a spectator."""

    command: CommandId
    ruleset: Word
    seats: Annotated[tuple[SeatWish, ...], Meta(min_length=1, max_length=16)]
    sit: SeatNumber | None = 0
    deck: Deck = ""
    options: Options = msgspec.field(default_factory=dict)
    """The ruleset's."""
    terms: Terms = Terms()


class Join(FromClient, frozen=True, tag="join", kw_only=True):
    """Take a seat: the one named, or with null the first free one."""

    command: CommandId
    table: TableId
    seat: SeatNumber | None = None
    deck: Deck = ""
    invitation: Secret = ""


class Spectate(FromClient, frozen=True, tag="spectate", kw_only=True):
    """Watch a table."""

    command: CommandId
    table: TableId
    invitation: Secret = ""


class Pair(FromClient, frozen=True, tag="pair", kw_only=True):
    """Be brought together with whoever wants to play the same."""

    command: CommandId
    ruleset: Word
    deck: Deck = ""
    clock: ClockTerms = ClockTerms()


class Unpair(FromClient, frozen=True, tag="unpair", kw_only=True):
    """Wait for nobody any more."""

    command: CommandId


class Leave(FromClient, frozen=True, tag="leave", kw_only=True):
    """Leave the table. A seat that leaves a running game is removed from it."""

    command: CommandId


# ---------------------------------------------------------------- before and between games


class Ready(FromClient, frozen=True, tag="ready", kw_only=True):
    """Say that this seat is ready for the game."""

    command: CommandId


class ChooseDeck(FromClient, frozen=True, tag="choose_deck", kw_only=True):
    """Play another deck: before the first game, or between the games of a match."""

    command: CommandId
    deck: Deck


class NonceHash(FromClient, frozen=True, tag="nonce_hash", kw_only=True):
    """Commit to a nonce, and say which commitment of the server was seen."""

    game: GameId
    commitment: Hash
    hash: Hash


class Nonce(FromClient, frozen=True, tag="nonce", kw_only=True):
    """Open the nonce."""

    game: GameId
    nonce: Hash


# ---------------------------------------------------------------- playing


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


class MakeOffer(FromClient, frozen=True, tag="offer", kw_only=True):
    """Offer something to the other seats. Offering what another has offered accepts it."""

    command: CommandId
    kind: OfferKind


class Respond(FromClient, frozen=True, tag="respond", kw_only=True):
    """Accept what another seat has offered, or decline it; whoever offered may withdraw it."""

    command: CommandId
    kind: OfferKind
    accept: bool


class Unpause(FromClient, frozen=True, tag="unpause", kw_only=True):
    """End the pause."""

    command: CommandId


class Settings(FromClient, frozen=True, tag="settings", kw_only=True):
    """Set how the server passes for this seat: all of it anew."""

    command: CommandId
    passing: Passing


class Resync(FromClient, frozen=True, tag="resync"):
    """Ask for the view in full, and for the prompt if this seat is asked."""


# ---------------------------------------------------------------- chat


class Say(FromClient, frozen=True, tag="say", kw_only=True):
    """Say something to those in the same room: the seats, or the spectators."""

    command: CommandId
    text: Line


class Mute(FromClient, frozen=True, tag="mute", kw_only=True):
    """Hear, or hear again, what somebody says; with "" everybody."""

    command: CommandId
    name: Annotated[str, Meta(max_length=40)] = ""
    muted: bool = True


class Report(FromClient, frozen=True, tag="report", kw_only=True):
    """Bring a line of chat before the operator."""

    command: CommandId
    line: Counter
    room: Room | None = None
    """Where the line was said; null: in this session's own room."""
    reason: Annotated[str, Meta(max_length=200, pattern=SHOWN)] = ""
