"""The session: which message belongs where, as one table that both sides follow.

Two rules. Everything that affects transitions is in this file. It does not know which side it is
on: a side steps it with each message that it sends and that it receives, and does no I/O here.

A session is NEW until the client says hello, and in the LOBBY once it is welcomed. A place at a
table is asked for (ENTERING), and either had (SEATED or WATCHING) or refused (back to the LOBBY);
it is given up by asking (LEAVING) and being told. A client asks for one place at a time, and the
server answers everything that went to a table before it says `left`. So an answer that arrives
while ENTERING is the one to that request, and whatever was under way when a client began to leave
is legal while LEAVING. The server never moves a session by itself: a table that ends is still a
place, which its people leave. That is why two sides with messages under way never disagree.

What a message means for the session is its *event*: mostly its type; `joined` says which place, and
`answer` whether it refuses. An event that the table does not list for a state is illegal:
`step` raises `OutOfOrder` and the session is as before.

Resuming a session fits in as further rows: a welcome that names a place leads from GREETING to it.
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
    SEATED = "seated"
    WATCHING = "watching"
    LEAVING = "leaving"


def event_of(message: m.Message) -> str:
    """Return what a message means to the session."""
    event = _TAGS[type(message)]
    if type(message) is m.Joined:
        return "joined" if message.seat is not None else "joined as spectator"
    if type(message) is m.Answered and not message.ok:
        return "answer refused"
    return event


_TAGS: Final[Mapping[type, str]] = {
    kind: str(kind.__struct_config__.tag)
    for kind in (*m.ClientMessage.__args__, *m.ServerMessage.__args__)
}

EVENTS: Final = frozenset(_TAGS.values()) | {"joined as spectator", "answer refused"}

_S = State


def _stay(state: State, *events: str) -> dict[str, State]:
    return dict.fromkeys(events, state)


_ANYWHERE = ("ping", "pong", "error", "notice")
_BROWSING = ("browse", "tables")
_COMMANDS = ("decide", "take_back", "concede")
_ANSWERS = ("answer", "answer refused")
_TOLD = ("table", "view", "events", "prompt", "over")

TRANSITIONS: Final[Mapping[State, Mapping[str, State]]] = {
    State.NEW: {
        **_stay(_S.NEW, *_ANYWHERE),
        "hello": _S.GREETING,
    },
    State.GREETING: {
        **_stay(_S.GREETING, *_ANYWHERE),
        "welcome": _S.LOBBY,
    },
    State.LOBBY: {
        **_stay(_S.LOBBY, *_ANYWHERE, *_BROWSING),
        "create": _S.ENTERING,
        "join": _S.ENTERING,
        "spectate": _S.ENTERING,
    },
    State.ENTERING: {
        **_stay(_S.ENTERING, *_ANYWHERE, *_BROWSING),
        "joined": _S.SEATED,
        "joined as spectator": _S.WATCHING,
        "answer refused": _S.LOBBY,
    },
    State.SEATED: {
        **_stay(_S.SEATED, *_ANYWHERE, *_BROWSING, *_COMMANDS, *_ANSWERS, *_TOLD, "resync"),
        "leave": _S.LEAVING,
    },
    State.WATCHING: {
        **_stay(_S.WATCHING, *_ANYWHERE, *_BROWSING, *_COMMANDS, *_ANSWERS, *_TOLD, "resync"),
        "leave": _S.LEAVING,
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

    def step(self, message: m.Message) -> State:
        """Follow a message that was sent or received; raise `OutOfOrder` and stay if illegal."""
        event = event_of(message)
        following = TRANSITIONS[self.state].get(event)
        if following is None:
            raise OutOfOrder(f"`{event}` does not belong in a session that is {self.state.value}")
        self.state = following
        return following
