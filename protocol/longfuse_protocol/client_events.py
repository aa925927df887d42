"""What the reference client tells beside the server's messages, and what its methods raise.

Plain records and exceptions. `client` makes them; whoever uses a client imports them from there.
"""

import msgspec

from longfuse_protocol import messages as m


class Dropped(msgspec.Struct, frozen=True):
    """The connection is lost, or could not be had again; the client tries once more by itself."""

    code: int
    reason: str
    tries: int
    """How often it has been tried since the connection was lost."""
    wait_s: float
    """How long the client waits before the next try."""


class Resumed(msgspec.Struct, frozen=True):
    """The connection is back. What was missed follows, and what is asked is asked again."""

    tries: int
    place: m.Place | None
    """The place that the session still has; null if it has none any more."""
    anew: bool = False
    """Whether the old session was gone, and this is a new one."""


class ShuffleDoubted(msgspec.Struct, frozen=True):
    """Something is wrong with the shuffle of a game: the server may have stacked the decks."""

    game: str
    wrong: tuple[str, ...]
    """What, in sentences."""


class Ended(msgspec.Struct, frozen=True):
    """The last event of every client: why there are no more."""

    code: int
    reason: str
    retry: bool
    """Whether connecting again may help."""
    rejected: str = ""
    """The error code, if the server refused the hello."""


Event = m.ServerMessage | Dropped | Resumed | ShuffleDoubted | Ended


class SavedSession(msgspec.Struct, frozen=True):
    """What another process needs to go on with a session. Keep it where nobody else reads."""

    secret: str
    stream: str = ""
    """Of the place at a table, if there is one, with the last game frame that was seen. A new
    process has no view, so it asks for the whole one; these tell it how much is new."""
    n: int = 0


class Refused(Exception):
    """A command was refused; `answer` has the code, the reason and what is asked now."""

    def __init__(self, answer: m.Answered, *, is_local: bool = False) -> None:
        super().__init__(f"{answer.code}: {answer.reason}")
        self.answer = answer
        self.is_local = is_local
        """The server has not said so: the command was overtaken before it could be sent again."""


class ClientClosed(Exception):
    """The connection has ended, or was lost before the answer came; `Ended` is told if for good."""


class NotConnected(Exception):
    """No session could be opened."""

    def __init__(self, ended: Ended, retry_s: float = 0.0) -> None:
        super().__init__(ended.reason)
        self.ended = ended
        self.retry_s = retry_s
        """How long the server asks to wait, if `ended.retry`."""


class NotPaired(Exception):
    """The waiting for another player has ended without one."""
