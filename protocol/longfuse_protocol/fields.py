"""What the fields of messages may hold: the limits that every message shares.

Which message has which field is said in `messages`, `tables` and `passing`. Limits are for what a
client sends: a later server may take more, and then shows more than a client of today could send.
So what a server says has none.
"""

from typing import Annotated

from msgspec import Meta


def known(*words: str | int) -> Meta:
    """Mark a field of a server that says one of these words today.

    A later server of the same version may say others; a client goes on with any, as the page says.
    """
    return Meta(examples=list(words))


MESSAGE_BYTES_MAX = 16_384
"""Most bytes of a message to a server, unless its configuration says otherwise."""

INTEGER_MAX = 2**53 - 1
"""Beyond this, a browser's numbers are no longer exact."""

# No control characters, nor what turns the direction of writing: others' terminals show it.
SHOWN = r"\A[^\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff]*\Z"

Word = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=SHOWN)]
Line = Annotated[str, Meta(min_length=1, max_length=500, pattern=SHOWN)]
"""A line of chat: plain text, shown as it is."""
TableId = Annotated[str, Meta(min_length=1, max_length=64)]
GameId = Annotated[str, Meta(min_length=1, max_length=64)]
"""A table's id with the number of the game at it."""
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Counter = Annotated[int, Meta(ge=0, le=INTEGER_MAX)]
CommandId = Annotated[str, Meta(min_length=1, max_length=64)]
Integer = Annotated[int, Meta(ge=-INTEGER_MAX, le=INTEGER_MAX)]
AnswerField = Integer | Annotated[tuple[Integer, ...], Meta(max_length=1_024)]
OptionValue = bool | Integer | Annotated[str, Meta(max_length=2_000)]
Options = Annotated[dict[Word, OptionValue], Meta(max_length=32)]
Deck = Annotated[str, Meta(max_length=8_000)]
"""A deck by its name, or as a list in the ruleset's own form; "" leaves it to the server."""
Secret = Annotated[str, Meta(max_length=128)]
Token = Annotated[str, Meta(max_length=8_000)]
Hash = Annotated[str, Meta(min_length=64, max_length=64, pattern=r"\A[0-9a-f]*\Z")]
"""32 bytes in hexadecimal."""
