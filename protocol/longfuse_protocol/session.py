"""The session: which message belongs where, as one table that both sides follow.

Two rules. Everything that affects transitions is in this file. It does not know which side it is
on: a side steps it with each message that it sends and that it receives, and does no I/O here.

A session is NEW until the client says hello. It is welcomed into the LOBBY, or straight to the
place at a table that it still has; rejected, it is NEW again. A place at a table is asked for
(ENTERING) or waited for (PAIRING), and either had (SEATED or WATCHING) or not (back to the LOBBY);
it is given up by asking (LEAVING) and being told. A client asks for one place at a time, and the
server answers everything that went to a table before it says `left`. So a refusal that arrives
while ENTERING is the one to that request, and whatever was under way when a client began to leave
is legal while LEAVING; an `unpair` that crosses the `joined` is still legal when SEATED. An `error`
moves no session, but for the one with the id of the request for a place: a server that could not
read it has moved nowhere, and its client is back in the LOBBY.

A table that ends is still a place, which its people leave. But a seat can be lost (to a ready
check, or to an absence), and then the server says `left` or `unpaired` unasked. What the client
had under way is then answered with an `error`, which moves no session. So the two sides never
disagree for longer than messages are under way.

What a message means for the session is its *event*: mostly its type; `joined` says which place, and
`answer` whether it refuses. An event that the table does not list for a state is illegal:
`step` raises `OutOfOrder` and the session is as before.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from longfuse_protocol import messages as m
from longfuse_protocol.errors import OutOfOrder


class State(Enum):
    """Where a session is."""

    NEW = "new"
    GREETING = "greeting"
    LOBBY = "lobby"
    ENTERING = "entering"
    PAIRING = "pairing"
    SEATED = "seated"
    WATCHING = "watching"
    LEAVING = "leaving"


def event_of(message: m.Message, wish: str = "") -> str:
    """Return what a message means to the session. wish: the command that last asked for a place."""
    event = _TAGS[type(message)]
    if type(message) is m.Joined:
        return "joined" if message.place.seat is not None else "joined as spectator"
    if type(message) is m.Welcome and message.place is not None:
        return "welcome back" if message.place.seat is not None else "welcome back as spectator"
    if type(message) is m.Answered and not message.ok:
        return "answer refused"
    if type(message) is m.Failed and wish and message.command == wish:
        return "error to the wish"
    return event


_TAGS: Final[Mapping[type, str]] = {
    kind: str(kind.__struct_config__.tag)
    for kind in (*m.ClientMessage.__args__, *m.ServerMessage.__args__)
}

EVENTS: Final = frozenset(_TAGS.values()) | {
    "joined as spectator",
    "welcome back",
    "welcome back as spectator",
    "answer refused",
    "error to the wish",
}

_S = State


def _stay(state: State, *events: str) -> dict[str, State]:
    return dict.fromkeys(events, state)


_ANYWHERE = ("ping", "pong", "error", "error to the wish", "notice")
_ANSWERS = ("answer", "answer refused")
_BROWSING = ("browse", "tables", "catalogue", "cards", "replay", "replayed")
_COMMANDS = (
    *("ready", "choose_deck", "nonce_hash", "nonce"),
    *("decide", "take_back", "concede", "offer", "respond", "unpause", "settings", "resync"),
    *("say", "mute", "report"),
)
_TOLD = (
    *("table", "presence", "ready_check", "commitment", "nonce_hashes", "nonces", "revealed"),
    *("view", "events", "prompt", "passed", "settings_kept", "clock", "offers", "over", "said"),
)

TRANSITIONS: Final[Mapping[State, Mapping[str, State]]] = {
    State.NEW: {
        **_stay(_S.NEW, *_ANYWHERE),
        "hello": _S.GREETING,
    },
    State.GREETING: {
        **_stay(_S.GREETING, *_ANYWHERE),
        "welcome": _S.LOBBY,
        "welcome back": _S.SEATED,
        "welcome back as spectator": _S.WATCHING,
        "rejected": _S.NEW,
    },
    State.LOBBY: {
        **_stay(_S.LOBBY, *_ANYWHERE, *_BROWSING),
        "create": _S.ENTERING,
        "join": _S.ENTERING,
        "spectate": _S.ENTERING,
        "pair": _S.PAIRING,
    },
    State.ENTERING: {
        **_stay(_S.ENTERING, *_ANYWHERE, *_BROWSING),
        "joined": _S.SEATED,
        "joined as spectator": _S.WATCHING,
        "answer refused": _S.LOBBY,
        "error to the wish": _S.LOBBY,
    },
    State.PAIRING: {
        **_stay(_S.PAIRING, *_ANYWHERE, *_BROWSING, "unpair", "answer"),
        "joined": _S.SEATED,
        "unpaired": _S.LOBBY,
        "answer refused": _S.LOBBY,
        "error to the wish": _S.LOBBY,
    },
    State.SEATED: {
        **_stay(_S.SEATED, *_ANYWHERE, *_BROWSING, *_COMMANDS, *_ANSWERS, *_TOLD, "unpair"),
        "leave": _S.LEAVING,
        "left": _S.LOBBY,
    },
    State.WATCHING: {
        **_stay(_S.WATCHING, *_ANYWHERE, *_BROWSING, *_COMMANDS, *_ANSWERS, *_TOLD),
        "leave": _S.LEAVING,
        "left": _S.LOBBY,
    },
    State.LEAVING: {
        **_stay(_S.LEAVING, *_ANYWHERE, *_BROWSING, *_ANSWERS, *_TOLD),
        "left": _S.LOBBY,
    },
}


class Session:
    """One side's view of one session. Its owner steps it; nothing else changes it."""

    def __init__(self) -> None:
        self.state = State.NEW
        self.wish = ""
        """The command that last asked for a place."""

    def step(self, message: m.Message) -> State:
        """Follow a message that was sent or received; raise `OutOfOrder` and stay if illegal."""
        event = event_of(message, self.wish)
        following = TRANSITIONS[self.state].get(event)
        if following is None:
            where = [state.value for state, events in TRANSITIONS.items() if event in events]
            raise OutOfOrder(
                f"`{event}` does not belong in a session that is {self.state.value}; "
                f"it does in one that is {' or '.join(where)}"
            )
        self.state = following
        if isinstance(message, m.Create | m.Join | m.Spectate | m.Pair):
            self.wish = message.command
        return following
