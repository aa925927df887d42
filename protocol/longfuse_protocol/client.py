"""The reference client: a session over a websocket, for bots, tools, tests and programs of others.

    async with open_client(url, name="Ada") as client:
        await client.create("duel", 2)
        async for event in client:
            if isinstance(event, Asked):
                await client.decide(event.prompt, choose(event.prompt, client.view))

A lost connection is taken up again by itself, within a budget: `Dropped` tells of it, and of each
try that failed, and `Resumed` that it is back. The events always end with one `Ended`. The view is
right, or it is not shown: after a gap, or where its digest differs, the whole of it is asked for,
and until it comes no frame is told. What was commanded and not answered is sent once more, with the
same id, or fails (see `client_pending`). Every wait is bounded, and so is everything that is kept.
"""

import contextlib
import random
import secrets
import ssl as tls
from collections.abc import AsyncIterator
from pathlib import Path

import trio

from longfuse_protocol import messages as m
from longfuse_protocol.client_commands import ANSWER_S
from longfuse_protocol.client_events import (
    ClientClosed,
    Dropped,
    Ended,
    Event,
    NotConnected,
    NotPaired,
    Refused,
    Resumed,
    SavedSession,
    ShuffleDoubted,
)
from longfuse_protocol.client_line import Dial, Route
from longfuse_protocol.client_retry import NEVER, Chance, Retry
from longfuse_protocol.client_session import (
    CONNECT_S,
    EVENTS_BYTES_MAX,
    EVENTS_MAX,
    Client,
    Tap,
    untapped,
)
from longfuse_protocol.client_shuffles import Entropy
from longfuse_protocol.codec import CODECS, MSGPACK

__all__ = [
    "ANSWER_S",
    "CONNECT_S",
    "EVENTS_BYTES_MAX",
    "EVENTS_MAX",
    "NEVER",
    "Client",
    "ClientClosed",
    "Dial",
    "Dropped",
    "Ended",
    "Event",
    "NotConnected",
    "NotPaired",
    "Refused",
    "Resumed",
    "Retry",
    "SavedSession",
    "ShuffleDoubted",
    "open_client",
]


@contextlib.asynccontextmanager
async def open_client(
    url: str,
    *,
    name: str,
    program: str = "",
    token: str = "",
    subprotocol: str = MSGPACK,
    resume: SavedSession | None = None,
    anew: bool = False,
    retry: Retry | None = None,
    shuffles: bool = True,
    receipts: Path | None = None,
    ssl: tls.SSLContext | None = None,
    stream: trio.abc.Stream | None = None,
    dial: Dial | None = None,
    tap: Tap = untapped,
    chance: Chance = random.random,
    entropy: Entropy = secrets.token_bytes,
) -> AsyncIterator[Client]:
    """Connect, say hello, and yield the client once it is welcome; close in the end.

    resume: goes on with a session that another process has begun. anew: where a session turns out
    to be gone, begin a new one instead of ending. retry: the budget for taking up a lost
    connection; `NEVER` for none. shuffles: whether to take part in fair shuffles; receipts: the
    folder to keep their receipts in. dial: opens the stream, each time; with a `stream` it talks
    over that, and does not connect again. tap: is shown every message of the server as it comes,
    also what is not told. chance and entropy: where waits and nonces come from.

    Raises `NotConnected`. Errors of the block come out as they are, not in a group: the tasks
    inside are an implementation detail.
    """
    if stream is not None:
        dial, retry = _once(stream), NEVER
    known = None if resume is None else m.Resume(secret=resume.secret)
    hello = m.Hello(name=name, client=program, token=token, resume=known, shuffles=shuffles)
    client = Client(
        Route(url, CODECS[subprotocol], dial, ssl),
        hello,
        retry or Retry(),
        anew=anew,
        receipts=receipts,
        tap=tap,
        chance=chance,
        entropy=entropy,
    )
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        try:
            await nursery.start(client.run)
            await client.opened()
            yield client
            await client.close()
        except Exception as error:  # noqa: BLE001  raised again, outside the nursery
            failure = error
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure


def _once(stream: trio.abc.Stream) -> Dial:
    async def dial() -> trio.abc.Stream:
        await trio.lowlevel.checkpoint()
        return stream

    return dial
