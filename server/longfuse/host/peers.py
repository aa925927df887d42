"""Whoever can be at a table: what a table may ask of them, and messages encoded once for many.

A table knows its people only through `Peer`. Nothing that it calls here waits: a peer that cannot
keep up is cut off by its own connection, and costs the table nothing.
"""

from typing import Protocol

from longfuse_protocol.codec import Codec
from longfuse_protocol.messages import ServerMessage


class Outgoing:
    """A message on its way to any number of peers; each spelling of it is made once."""

    __slots__ = ("_spelt", "message")

    def __init__(self, message: ServerMessage) -> None:
        self.message = message
        self._spelt: dict[str, bytes] = {}

    def spelt(self, codec: Codec) -> bytes:
        """Return the message in the codec's spelling."""
        data = self._spelt.get(codec.subprotocol)
        if data is None:
            data = self._spelt[codec.subprotocol] = codec.encode(self.message)
        return data


class Peer(Protocol):
    """Somebody at a table: a person, or a bot of the server."""

    name: str

    @property
    def codec(self) -> Codec | None:
        """How it wants messages spelt; None if it takes them as they are, or is not here."""

    def send(self, outgoing: Outgoing) -> None:
        """Take a message, without waiting."""

    def flush(self) -> None:
        """All that was sent in this step may go."""
