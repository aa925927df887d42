"""A bot that plays over the wire: the reference client, and a function that answers prompts.

It sees what any client sees and can do what any client can. One call plays all that is played at
one table: one game, or a match. It says that it is ready when it is asked, takes part in the
shuffles, and takes a lost connection up again as the client does. What it does not need, it lets
pass by. Whoever starts it owns its task.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec
import trio

from longfuse_protocol import messages as m
from longfuse_protocol.client import (
    Client,
    ClientClosed,
    Ended,
    Event,
    Refused,
    Retry,
    open_client,
)
from longfuse_protocol.client_line import Dial
from longfuse_protocol.codec import MSGPACK
from longfuse_protocol.errors import Code
from longfuse_protocol.prompts import Answer, Prompt
from longfuse_protocol.views import View

Choose = Callable[[Prompt, View], Answer]
"""Answers a prompt, with its seat's view as it is then; both are only to be read."""

_MOVED_ON = frozenset(
    {Code.STALE_PROMPT, Code.NOT_ASKED, Code.NOT_NOW, Code.NOT_STARTED, Code.OVER, Code.DRAINING}
)
"""The table went on before the answer arrived: nothing to worry about."""


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """The table that a bot opens when it is to join none."""

    ruleset: str
    seats: tuple[m.SeatWish, ...] = (m.SeatWish(), m.SeatWish())
    options: m.Options = {}
    terms: m.Terms = m.Terms()


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """How it went at a bot's table, as the bot saw it."""

    table: str
    seat: int
    overs: tuple[m.Over, ...]
    """How each game ended."""
    ended: Ended | None
    """Why the connection ended, if that came before the end of what was played."""
    decisions: int
    digest: str
    """Of its view at the end."""

    @property
    def over(self) -> m.Over | None:
        """How the last game ended; None if none did."""
        return self.overs[-1] if self.overs else None


async def play_over_wire(
    url: str,
    choose: Choose,
    *,
    name: str,
    at: str | Opening,
    seat: int | None = None,
    deck: str = "",
    invitation: str = "",
    token: str = "",
    receipts: Path | None = None,
    subprotocol: str = MSGPACK,
    retry: Retry | None = None,
    on_event: Callable[[Event], None] | None = None,
    stream: trio.abc.Stream | None = None,
    dial: Dial | None = None,
) -> Played:
    """Play to the end, at the table with that id or at a new one.

    `on_event` hears everything that the client tells, before the bot does anything about it;
    `joined` tells it the table. receipts: the folder for those of its shuffles. stream, dial and
    retry are the client's. Raises what `open_client` raises, and `Refused` where anything is
    refused for another reason than that the table has gone on.
    """
    async with open_client(
        url,
        name=name,
        program="longfuse bot",
        token=token,
        receipts=receipts,
        subprotocol=subprotocol,
        retry=retry,
        stream=stream,
        dial=dial,
    ) as client:
        if isinstance(at, str):
            place = await client.join(at, seat, deck=deck, invitation=invitation)
        else:
            place = await client.create(
                at.ruleset,
                at.seats,
                sit=seat or 0,
                deck=deck,
                options=at.options,
                terms=at.terms,
            )
        return await _Bot(client, place, choose, on_event).play()


class _Bot:
    """One bot at one table."""

    def __init__(
        self,
        client: Client,
        place: m.Place,
        choose: Choose,
        on_event: Callable[[Event], None] | None,
    ) -> None:
        assert place.seat is not None
        self._client = client
        self._table = place.info.table
        self._seat = place.seat
        self._choose = choose
        self._on_event = on_event
        self._overs: dict[str, m.Over] = {}
        self._decisions = 0

    async def play(self) -> Played:
        """Play until the table has no more games, or the connection ends."""
        ended: Ended | None = None
        async for event in self._client:
            if self._on_event is not None:
                self._on_event(event)
            if isinstance(event, Ended):
                ended = event
            else:
                await self._hear(event)
            if self._is_done():
                break
        return Played(
            table=self._table,
            seat=self._seat,
            overs=tuple(self._overs.values()),
            ended=ended,
            decisions=self._decisions,
            digest=self._client.mirror.digest,
        )

    async def _hear(self, event: Event) -> None:
        match event:
            case m.Asked(prompt=prompt) if prompt == self._client.prompt:
                await self._decide(prompt)
            case m.Over():
                self._overs[self._client.table.game if self._client.table else ""] = event
            case m.ReadyCheck():
                await self._get_ready()
            case _:
                pass

    async def _decide(self, prompt: Prompt) -> None:
        answer = self._choose(prompt, self._client.view)
        try:
            await self._client.decide(prompt, answer)
            self._decisions += 1
        except Refused as refused:
            _check_moved_on(refused)
        except (ClientClosed, trio.TooSlowError):
            pass  # what becomes of the connection is told; what is asked then, is asked anew

    async def _get_ready(self) -> None:
        """Say that this seat is ready, unless it has."""
        check = self._client.ready_check
        if check is None or check.ready[self._seat]:
            return
        try:
            await self._client.ready()
        except Refused as refused:
            _check_moved_on(refused)
        except (ClientClosed, trio.TooSlowError):
            pass  # whoever comes back is asked again

    def _is_done(self) -> bool:
        """Say whether nothing more is played here, and the last shuffle can be checked."""
        table = self._client.table
        if table is None:
            return True
        if table.game not in self._overs:
            return False
        receipt = self._client.receipts.get(table.game)
        if receipt is not None and receipt.nonces and not receipt.secret:
            return False
        return table.status == "over" or table.terms.best_of == 1


def _check_moved_on(refused: Refused) -> None:
    if refused.answer.code not in _MOVED_ON:
        raise refused
