"""What can be wrong on the wire: error codes, close codes, and the exceptions that carry them.

    WireError                     abstract; code, field, text
     ├─ Malformed                 bytes that are not a message of the schema
     │   └─ UnknownType           a message of a type that this version does not know
     ├─ TooLarge                  more bytes than a message may have
     └─ OutOfOrder                a message that does not belong in the session's state

All of them are the peer's fault and leave everything as it was. A command that the server refuses
is no exception: it is an answer with one of these codes. A later server of the same version may
have more error codes and more close codes; none is taken away or comes to mean something else.
"""

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import NamedTuple


class Code(StrEnum):
    """Why a message or a command was refused."""

    # The message
    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    OUT_OF_ORDER = "out_of_order"
    TOO_FAST = "too_fast"
    # The session
    BAD_TOKEN = "bad_token"
    UNKNOWN_SESSION = "unknown_session"
    NAME_TAKEN = "name_taken"
    # Finding a place
    UNKNOWN_RULESET = "unknown_ruleset"
    UNKNOWN_BOT = "unknown_bot"
    BAD_OPTIONS = "bad_options"
    BAD_DECK = "bad_deck"
    UNKNOWN_TABLE = "unknown_table"
    NOT_INVITED = "not_invited"
    TOO_MANY = "too_many"
    SEAT_TAKEN = "seat_taken"
    TABLE_FULL = "table_full"
    SERVER_FULL = "server_full"
    DRAINING = "draining"
    # Playing
    NOT_SEATED = "not_seated"
    NOT_STARTED = "not_started"
    NOT_ASKED = "not_asked"
    STALE_PROMPT = "stale_prompt"
    DOES_NOT_FIT = "does_not_fit"
    REFUSED = "refused"
    COMMAND_REUSED = "command_reused"
    BUSY = "busy"
    NOT_NOW = "not_now"
    NO_OFFER = "no_offer"
    CHAT_OFF = "chat_off"
    UNKNOWN_GAME = "unknown_game"
    UNKNOWN_LINE = "unknown_line"
    NOT_OPEN = "not_open"
    OVER = "over"
    SUSPENDED = "suspended"


CODE_TEXTS: Mapping[Code, str] = {
    Code.MALFORMED: "The message does not fit its schema; `field` says where.",
    Code.TOO_LARGE: "The message has more bytes than `welcome.message_bytes_max`.",
    Code.OUT_OF_ORDER: "The message does not belong in the session's state.",
    Code.TOO_FAST: "Sooner than the server takes it again; the text says what, and often when.",
    Code.BAD_TOKEN: "The token is not valid here; the text says why.",
    Code.UNKNOWN_SESSION: "There is no such session, or it is gone: begin a new one.",
    Code.NAME_TAKEN: "The name belongs to somebody else, or looks as if it did.",
    Code.UNKNOWN_RULESET: "The server has no ruleset of this name.",
    Code.UNKNOWN_BOT: "The server has no bot of this name.",
    Code.BAD_OPTIONS: "The ruleset does not take these seats or options.",
    Code.BAD_DECK: "The ruleset does not take this deck.",
    Code.UNKNOWN_TABLE: "There is no such table, or it is gone.",
    Code.NOT_INVITED: "The table is for those who are invited, or takes no spectators.",
    Code.TOO_MANY: "You have as many of these as one may.",
    Code.SEAT_TAKEN: "Somebody else holds this seat.",
    Code.TABLE_FULL: "The table has no free place of this sort.",
    Code.SERVER_FULL: "The server runs as many tables as it may.",
    Code.DRAINING: "The server is about to restart and opens no tables.",
    Code.NOT_SEATED: "Only a seat of this table may do this.",
    Code.NOT_STARTED: "The game has not begun.",
    Code.NOT_ASKED: "Another seat is asked, or nobody.",
    Code.STALE_PROMPT: "The prompt that this answers is not open any more.",
    Code.DOES_NOT_FIT: "The answer does not fit its prompt.",
    Code.REFUSED: "The game does not allow it; the reason says why.",
    Code.COMMAND_REUSED: "The command id was used before, with other content.",
    Code.BUSY: "Too many commands of this connection are waiting at the table.",
    Code.NOT_NOW: "This can be done, but not as the table stands now.",
    Code.NO_OFFER: "Nothing of this kind is on offer.",
    Code.CHAT_OFF: "Nobody talks at this table.",
    Code.UNKNOWN_GAME: "There is no such game, or it is gone.",
    Code.UNKNOWN_LINE: "There is no such line in this room.",
    Code.NOT_OPEN: "This game may not be seen so, or not yet.",
    Code.OVER: "The game is over.",
    Code.SUSPENDED: "The game is suspended by a fault of the server.",
}


class CloseCode(IntEnum):
    """Why a connection was closed: by the server, or by what is between it and the client."""

    NORMAL = 1000
    GOING_AWAY = 1001
    PROTOCOL = 1002
    WRONG_FRAME = 1003
    UNSAID = 1005
    LOST = 1006
    NOT_TEXT = 1007
    POLICY = 1008
    TOO_LARGE = 1009
    FAULT = 1011
    RESTART = 1012
    LATER = 1013
    BAD_GATEWAY = 1014
    REPLACED = 4001
    EXPIRED = 4002


class Close(NamedTuple):
    """What a close code means, and whether connecting again may help."""

    text: str
    retry: bool


CLOSES: Mapping[int, Close] = {
    CloseCode.NORMAL: Close("The other side is done.", retry=False),
    CloseCode.GOING_AWAY: Close("The other side goes away.", retry=True),
    CloseCode.PROTOCOL: Close("Bytes that are no websocket frames.", retry=False),
    CloseCode.WRONG_FRAME: Close(
        "Text in a binary subprotocol, or bytes in a text one.", retry=False
    ),
    CloseCode.UNSAID: Close("The closing frame names no code.", retry=True),
    CloseCode.LOST: Close("The connection broke without a closing frame.", retry=True),
    CloseCode.NOT_TEXT: Close("A text frame is not UTF-8.", retry=False),
    CloseCode.POLICY: Close(
        "Too many malformed messages, hellos or messages, or no hello in time.", retry=False
    ),
    CloseCode.TOO_LARGE: Close("A message had more bytes than the server takes.", retry=False),
    CloseCode.FAULT: Close("A fault of the server ended this connection.", retry=True),
    CloseCode.RESTART: Close("The server restarts.", retry=True),
    CloseCode.LATER: Close("A proxy has too much to do.", retry=True),
    CloseCode.BAD_GATEWAY: Close("A proxy does not reach the server.", retry=True),
    CloseCode.REPLACED: Close("Another connection has gone on with this session.", retry=False),
    CloseCode.EXPIRED: Close("The token has ended; come back with a new one.", retry=False),
}


class WireError(Exception):
    """Something the peer sent is wrong. Raised only as one of its subclasses."""

    code: Code

    def __init__(self, text: str, field: str = "", command: str = "") -> None:
        """command: the id of the command that is wrong; "" where there is none to read."""
        super().__init__(text)
        self.text = text
        self.field = field
        self.command = command


class Malformed(WireError):
    """The bytes are not a message; `field` is the path of what does not fit, "" for all of it."""

    code = Code.MALFORMED


class UnknownType(Malformed):
    """The message is of a `type` that is not known here. What a server says so, a client skips."""


class TooLarge(WireError):
    """The message has more bytes than allowed; nothing of it was read."""

    code = Code.TOO_LARGE


class OutOfOrder(WireError):
    """The message is well formed, and does not belong in this state of the session."""

    code = Code.OUT_OF_ORDER
