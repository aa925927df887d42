"""What a run's main process and its workers say to each other: records, each a line of JSON.

Bounded both ways: a line has a limit, a write a deadline. A worker whose input ends stops.
"""

from __future__ import annotations

from typing import Final

import msgspec
import trio

from longfuse.load.meter import Tally
from longfuse.load.plan import Share

LINE_BYTES_MAX = 16 * 1_024 * 1_024
WRITE_S = 10.0
CHUNK_BYTES = 65_536


class Go(msgspec.Struct, frozen=True, tag="go"):
    """Begin at this moment of the system's monotonic clock."""

    at: float


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """End the run now."""


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """All tables are open, or have failed to be once."""

    tables: int
    """How many are open."""


class Beat(msgspec.Struct, frozen=True, tag="beat"):
    """How far a worker is, since its beginning."""

    decisions: int
    games_over: int
    errors: int
    violations: int


class Done(msgspec.Struct, frozen=True, tag="done"):
    """The last line of a worker."""

    tally: Tally


ToWorker = Go | Stop
FromWorker = Opened | Beat | Done

_encode: Final = msgspec.json.Encoder().encode
read_share: Final = msgspec.json.Decoder(Share).decode
read_to_worker: Final = msgspec.json.Decoder(ToWorker).decode
read_from_worker: Final = msgspec.json.Decoder(FromWorker).decode


async def write(stream: trio.abc.SendStream, record: Share | ToWorker | FromWorker) -> None:
    """Send a record; raise `TooSlowError` or a broken stream's error if the other side is gone."""
    with trio.fail_after(WRITE_S):
        await stream.send_all(_encode(record) + b"\n")


class Lines:
    """The lines of a stream."""

    def __init__(self, stream: trio.abc.ReceiveStream) -> None:
        self._stream = stream
        self._bytes = bytearray()

    async def read(self) -> bytes | None:
        """The next line, None at the end. What comes after the last line's end is no line."""
        while (end := self._bytes.find(b"\n")) < 0:
            if len(self._bytes) > LINE_BYTES_MAX:
                raise ValueError(f"a line of more than {LINE_BYTES_MAX:,} bytes")
            try:
                data = await self._stream.receive_some(CHUNK_BYTES)
            except trio.BrokenResourceError:
                return None
            if not data:
                return None
            self._bytes += data
        line = bytes(self._bytes[:end])
        del self._bytes[: end + 1]
        return line
