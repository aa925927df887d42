"""Every message of the wire, both ways, as frozen records with their limits.

A message is an object with `type` and the fields below. The server takes exactly these fields from
a client, so that a misspelt one is told and not ignored; a client takes from the server what it
knows and skips the rest, so that fields may be added within one version. Which message belongs
where is said by the table in `session`; this module holds no behaviour.

A *command* is a message with a `command` id of the client's choosing. Each gets exactly one
`answer` with that id (or `error`, where it did not belong in the session). Two commands that only
ask, `catalogue` and `replay`, get what they asked for instead, or an `error`. A decision's
id is remembered: sent again, with the same content, it gets the first answer again and does
nothing.
"""

from longfuse_protocol.fields import INTEGER_MAX, MESSAGE_BYTES_MAX, AnswerField, Options
from longfuse_protocol.from_client import (
    Browse,
    Catalogue,
    ChooseDeck,
    Concede,
    Create,
    Decide,
    Hello,
    Join,
    Leave,
    MakeOffer,
    Mute,
    Nonce,
    NonceHash,
    Pair,
    Ping,
    Ready,
    Replay,
    Report,
    Respond,
    Resume,
    Resync,
    Say,
    Settings,
    Spectate,
    TakeBack,
    Unpair,
    Unpause,
)
from longfuse_protocol.from_server import (
    Answered,
    Asked,
    Cards,
    Clock,
    Commitment,
    Events,
    Failed,
    Joined,
    Left,
    NonceHashes,
    Nonces,
    Notice,
    Offers,
    Over,
    Passed,
    PassingSet,
    Pong,
    Presence,
    ReadyCheck,
    Rejected,
    Replayed,
    Revealed,
    Said,
    Snapshot,
    TableChanged,
    Tables,
    Unpaired,
    Welcome,
)
from longfuse_protocol.passing import Passing, ShownPassing
from longfuse_protocol.tables import (
    ClockTerms,
    Offer,
    OfferEnded,
    OfferKind,
    Place,
    Room,
    RulesetInfo,
    SeatClock,
    SeatInfo,
    SeatWish,
    ShownClockTerms,
    ShownTerms,
    Status,
    TableInfo,
    Terms,
)

ClientMessage = (
    Hello
    | Ping
    | Browse
    | Catalogue
    | Replay
    | Create
    | Join
    | Spectate
    | Pair
    | Unpair
    | Leave
    | Ready
    | ChooseDeck
    | NonceHash
    | Nonce
    | Decide
    | TakeBack
    | Concede
    | MakeOffer
    | Respond
    | Unpause
    | Settings
    | Resync
    | Say
    | Mute
    | Report
)
TableCommand = (
    Join
    | Spectate
    | Leave
    | Ready
    | ChooseDeck
    | Decide
    | TakeBack
    | Concede
    | MakeOffer
    | Respond
    | Unpause
    | Settings
    | Say
    | Mute
    | Report
)
"""Commands that a table answers."""
Command = Create | Pair | Unpair | TableCommand


ServerMessage = (
    Welcome
    | Rejected
    | Pong
    | Answered
    | Failed
    | Notice
    | Tables
    | Cards
    | Replayed
    | Joined
    | Left
    | Unpaired
    | TableChanged
    | Presence
    | ReadyCheck
    | Commitment
    | NonceHashes
    | Nonces
    | Revealed
    | Snapshot
    | Events
    | Asked
    | Passed
    | PassingSet
    | Clock
    | Offers
    | Over
    | Said
)
Message = ClientMessage | ServerMessage

__all__ = [
    "ClientMessage",
    "Command",
    "Message",
    "ServerMessage",
    "TableCommand",
    "MESSAGE_BYTES_MAX",
    "INTEGER_MAX",
    "AnswerField",
    "Options",
    "Resume",
    "Hello",
    "Ping",
    "Browse",
    "Catalogue",
    "Replay",
    "Create",
    "Join",
    "Spectate",
    "Pair",
    "Unpair",
    "Leave",
    "Ready",
    "ChooseDeck",
    "NonceHash",
    "Nonce",
    "Decide",
    "TakeBack",
    "Concede",
    "MakeOffer",
    "Respond",
    "Unpause",
    "Settings",
    "Resync",
    "Say",
    "Mute",
    "Report",
    "Welcome",
    "Rejected",
    "Pong",
    "Answered",
    "Failed",
    "Notice",
    "Tables",
    "Cards",
    "Replayed",
    "Joined",
    "Left",
    "Unpaired",
    "TableChanged",
    "Presence",
    "ReadyCheck",
    "Commitment",
    "NonceHashes",
    "Nonces",
    "Revealed",
    "Snapshot",
    "Events",
    "Asked",
    "Passed",
    "PassingSet",
    "Clock",
    "Offers",
    "Over",
    "Said",
    "Passing",
    "ClockTerms",
    "Offer",
    "OfferEnded",
    "OfferKind",
    "Place",
    "Room",
    "RulesetInfo",
    "SeatClock",
    "SeatInfo",
    "SeatWish",
    "ShownClockTerms",
    "ShownPassing",
    "ShownTerms",
    "Status",
    "TableInfo",
    "Terms",
]
