"""Every command of the wire as a method: what a client can do, and what each waits for.

`Commands` is the half of the client that builds messages. The other half, `client.Client`, sends
them and keeps what is heard. Every method waits a bounded time for its answer. All raise `Refused`
if the server refuses, `ClientClosed` if the connection ends or is lost first, `TooSlowError` when
the time is over, and `WireError` if the server would not take the message as it is.
"""

import contextlib
import math
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from typing import Literal

import trio
from msgspec.structs import replace

from longfuse_protocol import messages as m
from longfuse_protocol.client_events import ClientClosed, Ended, NotPaired
from longfuse_protocol.client_pending import Question, Reply
from longfuse_protocol.client_reading import Reading
from longfuse_protocol.errors import WireError
from longfuse_protocol.prompts import Answer, Prompt
from longfuse_protocol.session import State

ANSWER_S = 30.0
PAIR_S = 600.0


class Commands(Reading, ABC):
    """What a client can do. Only `Client` is made of it."""

    ended: Ended | None
    """Why the session is over, once it is."""
    _drops: int
    """How often the connection was lost."""

    # ------------------------------------------------------------ the lobby

    async def browse(self) -> m.Tables:
        """Ask what can be played here, and what is being played."""
        before = self._known.tables
        self.send(m.Browse())
        await self._on_this_line(lambda: self._known.tables is not before)
        assert self._known.tables is not None
        return self._known.tables

    async def catalogue(self, ruleset: str) -> m.Cards:
        """Ask for the sets, cards and decks of a ruleset."""
        reply = await self._ask(m.Catalogue(command=self.new_id(), ruleset=ruleset))
        assert isinstance(reply, m.Cards)
        return reply

    async def replay(
        self,
        game: str,
        viewer: int | Literal["spectator"] = "spectator",
        *,
        after: int = 0,
        invitation: str = "",
    ) -> AsyncIterator[m.Replayed]:
        """Go through a finished game as a viewer saw it, from after the numbered frame, in parts.

        Each part is asked for when it is wanted.
        """
        while True:
            wish = m.Replay(
                command=self.new_id(),
                game=game,
                viewer=viewer,
                after=after,
                invitation=invitation,
            )
            part = await self._ask(wish)
            assert isinstance(part, m.Replayed)
            yield part
            if part.last or not part.frames or part.frames[-1].n <= after:
                return
            after = part.frames[-1].n

    async def create(
        self,
        ruleset: str,
        seats: int | tuple[m.SeatWish, ...],
        *,
        sit: int | None = 0,
        deck: str = "",
        options: m.Options | None = None,
        terms: m.Terms | None = None,
    ) -> m.Place:
        """Open a table and take a seat at it, or with None watch it."""
        wish = m.Create(
            command=self.new_id(),
            ruleset=ruleset,
            seats=(m.SeatWish(),) * seats if isinstance(seats, int) else seats,
            sit=sit,
            deck=deck,
            options=options or {},
            terms=terms or m.Terms(),
        )
        return await self._enter(wish)

    async def join(
        self, table: str, seat: int | None = None, *, deck: str = "", invitation: str = ""
    ) -> m.Place:
        """Take a seat at a table: the one named, or the first free one."""
        wish = m.Join(
            command=self.new_id(), table=table, seat=seat, deck=deck, invitation=invitation
        )
        return await self._enter(wish)

    async def spectate(self, table: str, *, invitation: str = "") -> m.Place:
        """Watch a table."""
        return await self._enter(
            m.Spectate(command=self.new_id(), table=table, invitation=invitation)
        )

    async def pair(
        self,
        ruleset: str,
        *,
        deck: str = "",
        clock: m.ClockTerms | None = None,
        within_s: float = PAIR_S,
    ) -> m.Place:
        """Wait for whoever wants to play the same; raise `NotPaired` if that ends without anybody.

        A server lets nobody wait who is away: where the connection was lost meanwhile it is asked
        again, behind those who have come since. When the waiting is cancelled or late, it ends on
        the server, too.
        """
        wish = m.Pair(command="", ruleset=ruleset, deck=deck, clock=clock or m.ClockTerms())
        with trio.fail_after(within_s):
            while True:
                drops = self._drops
                try:
                    await self._pair_on_this_line(replace(wish, command=self.new_id()))
                except ClientClosed:
                    if self.ended is not None or self._drops == drops:
                        raise
                if self._known.place is not None:
                    return self._known.place
                if self._drops == drops:
                    raise NotPaired(self._known.unpaired or "the waiting has ended")
                await self._until(lambda: self.is_connected, within_s)

    async def _pair_on_this_line(self, wish: m.Pair) -> None:
        """Wait until somebody was found, or until the session waits no more."""
        await self.command(wish)
        try:
            await self._until(
                lambda: self._known.place is not None or self.state is State.LOBBY, math.inf
            )
        finally:
            if self.state is State.PAIRING:
                self._try_to_send(m.Unpair(command=self.new_id()))

    async def unpair(self) -> None:
        """Wait for nobody any more; `pair` raises `NotPaired`, unless somebody came first."""
        await self.command(m.Unpair(command=self.new_id()))

    async def leave(self) -> None:
        """Leave the table. A seat that leaves a running game is removed from it."""
        await self.command(m.Leave(command=self.new_id()))
        await self._until(lambda: self._known.place is None, ANSWER_S)

    # ------------------------------------------------------------ before and between games

    async def ready(self) -> m.Answered:
        """Say that this seat is ready for the game."""
        return await self.command(m.Ready(command=self.new_id()))

    async def choose_deck(self, deck: str) -> m.Answered:
        """Play another deck in the next game."""
        return await self.command(m.ChooseDeck(command=self.new_id(), deck=deck))

    # ------------------------------------------------------------ playing

    async def decide(self, prompt: Prompt, answer: Answer) -> m.Answered:
        """Answer a prompt."""
        return await self.command(m.Decide(command=self.new_id(), prompt=prompt.id, answer=answer))

    async def take_back(self) -> m.Answered:
        """Take back the play that is open."""
        return await self.command(m.TakeBack(command=self.new_id()))

    async def concede(self) -> m.Answered:
        """Give the game up."""
        return await self.command(m.Concede(command=self.new_id()))

    async def offer(self, kind: m.OfferKind) -> m.Answered:
        """Offer something to the other seats, or accept it if another has offered it."""
        return await self.command(m.MakeOffer(command=self.new_id(), kind=kind))

    async def respond(self, kind: m.OfferKind, *, accept: bool) -> m.Answered:
        """Accept what another seat has offered, or decline it, or withdraw one's own offer."""
        return await self.command(m.Respond(command=self.new_id(), kind=kind, accept=accept))

    async def unpause(self) -> m.Answered:
        """End the pause."""
        return await self.command(m.Unpause(command=self.new_id()))

    async def settings(self, passing: m.Passing) -> m.Answered:
        """Set how the server passes for this seat: all of it anew."""
        return await self.command(m.Settings(command=self.new_id(), passing=passing))

    async def resync(self) -> None:
        """Ask for the view in full, and wait for it."""
        before = self._known.snapshots
        self.send(m.Resync())
        await self._on_this_line(lambda: self._known.snapshots > before)

    # ------------------------------------------------------------ chat

    async def say(self, text: str) -> m.Answered:
        """Say something to those in the same room."""
        return await self.command(m.Say(command=self.new_id(), text=text))

    async def mute(self, name: str = "", *, muted: bool = True) -> m.Answered:
        """Hear, or hear again, what somebody says; with "" everybody."""
        return await self.command(m.Mute(command=self.new_id(), name=name, muted=muted))

    async def report(
        self, line: int, reason: str = "", *, room: m.Room | None = None
    ) -> m.Answered:
        """Bring a line of chat before the operator: of one's own room, or of the one named."""
        return await self.command(
            m.Report(command=self.new_id(), line=line, room=room, reason=reason)
        )

    # ------------------------------------------------------------ what they are made of

    async def command(self, command: m.Command) -> m.Answered:
        """Send a command and return its answer.

        When it is cancelled or late, only the waiting ends: the command may still be carried out.
        """
        reply = await self._ask(command)
        assert isinstance(reply, m.Answered)
        return reply

    async def _enter(self, wish: m.Create | m.Join | m.Spectate) -> m.Place:
        await self.command(wish)
        assert self._known.entered is not None
        return self._known.entered

    def _try_to_send(self, message: m.ClientMessage) -> None:
        with contextlib.suppress(ClientClosed, WireError):
            self.send(message)

    async def _on_this_line(self, condition: Callable[[], bool]) -> None:
        """Wait for what only this connection can bring."""
        drops = self._drops
        await self._until(lambda: condition() or self._drops > drops, ANSWER_S)
        if not condition():
            raise ClientClosed("the connection was lost before the answer came: ask again")

    @property
    @abstractmethod
    def state(self) -> State:
        """Where the session is."""

    @property
    @abstractmethod
    def is_connected(self) -> bool:
        """Say whether the server hears what is sent."""

    @abstractmethod
    def new_id(self) -> str:
        """Return a command id that this session has not used."""

    @abstractmethod
    def send(self, message: m.ClientMessage) -> None:
        """Send a message without waiting."""

    @abstractmethod
    async def _ask(self, question: Question) -> Reply:
        """Send a question and return its reply, which is of the kind that answers it."""

    @abstractmethod
    async def _until(self, condition: Callable[[], bool], within_s: float) -> None:
        """Wait until something that was heard makes this true, or the client has ended."""
