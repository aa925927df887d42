"""A bot that plays over the wire: the reference client, and a function that answers prompts.

It sees what any client sees and can do what any client can. One call plays one game; it connects
once, and does not come back after a drop. Whoever starts it owns its task.
"""

from collections.abc import Callable

import msgspec
import trio

from longfuse_protocol.client import Client, Ended, Event, Refused, open_client
from longfuse_protocol.codec import MSGPACK
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import Asked, Options, Over, SeatWish
from longfuse_protocol.prompts import Answer, Prompt
from longfuse_protocol.views import View

Choose = Callable[[Prompt, View], Answer]
"""Answers a prompt, with its seat's view as it is then; both are only to be read."""

_MOVED_ON = frozenset({Code.STALE_PROMPT, Code.NOT_ASKED, Code.OVER})
"""The game went on before the answer arrived: nothing to worry about."""


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """The table that a bot opens when it is to join none."""

    ruleset: str
    seats: tuple[SeatWish, ...] = (SeatWish(), SeatWish())
    options: Options = {}


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """How a bot's game went, as the bot saw it."""

    table: str
    seat: int
    over: Over | None
    """None if the connection ended first."""
    ended: Ended | None
    decisions: int
    digest: str
    """Of its view at the end."""


async def play_over_wire(
    url: str,
    choose: Choose,
    *,
    name: str,
    at: str | Opening,
    seat: int | None = None,
    subprotocol: str = MSGPACK,
    on_event: Callable[[Event], None] | None = None,
    stream: trio.abc.Stream | None = None,
) -> Played:
    """Play one game to its end, at the table with that id or at a new one.

    `on_event` hears everything that the client does; `joined` tells it the table. Raises what
    `open_client` and the client's commands raise: also `Refused`, where a decision is refused for
    any reason but that the game went on.
    """
    async with open_client(
        url, name=name, program="longfuse bot", subprotocol=subprotocol, stream=stream
    ) as client:
        if isinstance(at, str):
            await client.join(at, seat)
        else:
            await client.create(at.ruleset, at.seats, sit=seat or 0, options=at.options)
        return await _play(client, choose, on_event)


async def _play(client: Client, choose: Choose, on_event: Callable[[Event], None] | None) -> Played:
    decisions = 0
    over: Over | None = None
    ended: Ended | None = None
    async for event in client:
        if on_event is not None:
            on_event(event)
        if isinstance(event, Asked):
            try:
                await client.decide(event.prompt, choose(event.prompt, client.mirror.view))
                decisions += 1
            except Refused as refused:
                if refused.answer.code not in _MOVED_ON:
                    raise
        elif isinstance(event, Over):
            over = event
            break
        elif isinstance(event, Ended):
            ended = event
    place = client.place
    assert place is not None
    assert place.seat is not None
    return Played(
        table=place.info.table,
        seat=place.seat,
        over=over,
        ended=ended,
        decisions=decisions,
        digest=client.mirror.digest,
    )
