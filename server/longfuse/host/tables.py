"""A table: the people around one game, and the one task that serves them in order.

The lobby starts its task. Requests come through the inbox and are handled one at a time; every
message that people get about the table, they get from here. A fault, of the game, of a bot or of
the journal, suspends this table and tells everybody at it; other tables notice nothing. The table
ends when nobody is left. It never waits for a peer: only for requests and for the journal.
"""

import time

import structlog
import trio

from longfuse.config import Config
from longfuse.game.entries import Refused
from longfuse.host.inbox import Gone, Inbox, Request
from longfuse.host.peers import Outgoing, Peer
from longfuse.host.play import GameCommand, Play, Step
from longfuse.host.ports import Header
from longfuse.host.seats import BotPeer, Seats
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import (
    Answered,
    Failed,
    Join,
    Joined,
    Leave,
    Left,
    Notice,
    Resync,
    ServerMessage,
    Spectate,
    Status,
    TableChanged,
    TableInfo,
)

log = structlog.get_logger()

SUSPENDED_TEXT = "A fault of the server stopped this game. It is kept, and can be played on later."


class Opening:
    """What a table is opened with: the ruleset and options, and the seed that nobody is told."""

    def __init__(self, ruleset: str, options: dict[str, object], seed: int) -> None:
        self.ruleset = ruleset
        self.options = options
        self.seed = seed


class Table:
    """One table. One task runs it; it ends when nobody is left."""

    def __init__(self, opening: Opening, seats: Seats, play: Play, config: Config) -> None:
        self.id = play.table
        self.status: Status = "waiting"
        self.settled = trio.Event()
        """While the server drains: all that was asked before has been done and told."""
        self._opening = opening
        self._seats = seats
        self._play = play
        self._spectators: dict[Peer, None] = {}
        self._spectators_max = config.spectators_max
        self._inbox = Inbox(config.commands_waiting_max)
        self._touched: dict[Peer, None] = {}
        self._is_draining = False
        self._is_handling = False
        self._is_answered = False
        self.is_closed = False
        """Nobody was left: nothing more is taken in."""
        self._log = log.bind(table=self.id)

    # What peers call, without waiting

    def request(self, peer: Peer, request: Request) -> None:
        """Queue what a peer wants; tell it so if too much of it is waiting."""
        if self._inbox.offer(peer, request):
            return
        text = "too many of your requests are waiting at this table"
        if isinstance(request, Resync | Gone):
            peer.send(Outgoing(Failed(code=Code.BUSY, text=text)))
        else:
            peer.send(Outgoing(_refused(request.command, Code.BUSY, text)))

    def gone(self, peer: Peer) -> None:
        """Queue that the peer's connection has ended."""
        self._inbox.goodbye(peer)

    def drain(self) -> None:
        """Finish what was asked, take no more entries, and keep the seats of who goes now."""
        self._is_draining = True
        self._check_settled()

    def info(self) -> TableInfo:
        """Return what everybody may know of the table."""
        return TableInfo(
            table=self.id,
            ruleset=self._opening.ruleset,
            status=self.status,
            seats=self._seats.info(),
            spectators=len(self._spectators),
        )

    # The task

    async def run(self) -> None:
        """Serve until nobody is left."""
        async with trio.open_nursery() as nursery:
            for bot in self._seats.bots:
                nursery.start_soon(self._run_bot, bot)
            await self._serve()
            nursery.cancel_scope.cancel()

    async def _serve(self) -> None:
        while not self.is_closed:
            peer, request = await self._inbox.take()
            self._is_handling = True
            self._is_answered = False
            try:
                await self._handle(peer, request)
            except Exception as error:  # noqa: BLE001  the supervisor of one game: it ends here
                self._suspend(error)
                self._answer_for_fault(peer, request)
            for touched in self._touched:
                touched.flush()
            self._touched.clear()
            self._is_handling = False
            self.is_closed = not len(self._inbox) and self._is_deserted()
            self._check_settled()

    def _check_settled(self) -> None:
        if self._is_draining and not self._is_handling and not len(self._inbox):
            self.settled.set()

    async def _run_bot(self, bot: BotPeer) -> None:
        try:
            await bot.play(self._play.game, self.request)
        except Exception as error:  # noqa: BLE001  the same supervisor: a bot is part of the table
            self._suspend(error)

    async def _handle(self, peer: Peer, request: Request) -> None:
        match request:
            case Join():
                await self._sit(peer, request)
            case Spectate():
                await self._watch(peer, request)
            case Leave():
                seat = self._stand(peer)
                self._send(peer, Answered(command=request.command, ok=True))
                self._send(peer, Left(table=self.id))
                await self._remove(seat)
            case Gone():
                seat = self._stand(peer)
                if not self._is_draining:
                    await self._remove(seat)
            case Resync():
                self._resync(peer)
            case _:
                await self._command(peer, request)

    # Coming and going

    async def _sit(self, peer: Peer, request: Join) -> None:
        seat = self._seats.free(request.seat)
        if self.status == "suspended":
            seat = Code.SUSPENDED
        elif self.status != "waiting":
            seat = Code.TABLE_FULL
        if isinstance(seat, Code):
            self._send(peer, _refused(request.command, seat, "you cannot sit down here"))
            return
        self._seats.sit(seat, peer)
        self._welcome(peer, seat, request.command)
        await self._begin_if_full()

    async def _watch(self, peer: Peer, request: Spectate) -> None:
        if self.status == "suspended":
            self._send(peer, _refused(request.command, Code.SUSPENDED, SUSPENDED_TEXT))
        elif len(self._spectators) >= self._spectators_max:
            text = "the table has as many spectators as it takes"
            self._send(peer, _refused(request.command, Code.TABLE_FULL, text))
        else:
            self._spectators[peer] = None
            self._welcome(peer, None, request.command)
            await self._begin_if_full()

    def _welcome(self, peer: Peer, seat: int | None, command: str) -> None:
        stream = self._play.feeds.of(seat).stream
        self._send(peer, Joined(info=self.info(), seat=seat, stream=stream))
        self._send(peer, Answered(command=command, ok=True))
        self._tell_change(but=peer)
        if self.status != "waiting":
            for message in self._play.all_of(seat):
                self._send(peer, message)

    async def _begin_if_full(self) -> None:
        if self.status != "waiting" or not self._seats.is_full:
            return
        header = Header(
            table=self.id,
            ruleset=self._opening.ruleset,
            seats=self._seats.names,
            options=self._opening.options,
            seed=self._opening.seed,
            opened_ms=time.time_ns() // 1_000_000,
        )
        step = await self._play.begin(header)
        self.status = "playing"
        self._log.info("table_started", ruleset=self._opening.ruleset, seats=self._seats.names)
        self._tell_change()
        self._show(step)

    def _stand(self, peer: Peer) -> int | None:
        """Take the peer's place from it, and return the seat that it was. Some never had one."""
        seat = self._seats.of(peer)
        if seat is not None:
            self._seats.stand(seat, for_good=self.status != "waiting")
        elif peer in self._spectators:
            del self._spectators[peer]
        else:
            return None
        self._tell_change()
        return seat

    async def _remove(self, seat: int | None) -> None:
        """Tell a running game that the seat's player does not come back."""
        if seat is None or self.status != "playing":
            return
        try:
            step = await self._play.remove(seat)
        except Refused as refused:
            self._log.warning("removal_refused", seat=seat, reason=refused.reason)
        else:
            self._show(step)

    def _is_deserted(self) -> bool:
        """Say whether nobody is left; bots alone play to the end."""
        seated = [peer for peer in self._seats.peers if peer is not None]
        bots = len(self._seats.bots)
        if self._spectators or len(seated) > bots:
            return False
        return self.status != "playing" or not bots

    # Playing

    async def _command(self, peer: Peer, command: GameCommand) -> None:
        seat = self._seats.of(peer)
        try:
            if seat is None:
                raise Refused(Code.NOT_SEATED, "only a seat of this table may do this")
            if self.status != "playing":
                raise Refused(*_CLOSED[self.status])
            if self.settled.is_set():
                raise Refused(Code.DRAINING, "the server restarts; ask again when it is back")
            step = await self._play.command(seat, command)
        except Refused as refused:
            self._send(peer, self._refusal(seat, command, refused))
        else:
            self._show(step, peer, Answered(command=command.command, ok=True))

    def _refusal(self, seat: int | None, command: GameCommand, refused: Refused) -> Answered:
        if self.status in ("playing", "over"):
            return self._play.refusal(seat, command.command, refused)
        return _refused(command.command, Code(refused.code), refused.reason)

    def _resync(self, peer: Peer) -> None:
        if self.status == "suspended":
            self._send(peer, Failed(code=Code.SUSPENDED, text=SUSPENDED_TEXT))
            return
        for message in self._play.all_of(self._seats.of(peer)):
            self._send(peer, message)

    def _show(
        self, step: Step | None, sender: Peer | None = None, answer: Answered | None = None
    ) -> None:
        """Send the answer, then the frames, then the prompt or the end.

        Everything is spelt before anything is sent: what cannot be spelt is a fault of the game,
        and then nobody has seen half of a step.
        """
        sending: list[tuple[Peer, Outgoing]] = []
        if sender is not None and answer is not None:
            sending.append((sender, Outgoing(answer)))
        if step is not None:
            sending.extend(self._sendings(step))
        for peer, outgoing in sending:
            if peer.codec is not None:
                outgoing.spelt(peer.codec)
        for peer, outgoing in sending:
            self._deliver(peer, outgoing)
        if step is not None and step.overs is not None:
            self.status = "over"
            result = step.overs[-1]
            self._log.info(
                "table_over",
                winner=result.winner,
                reason=result.reason,
                entries=self._play.entries,
            )
            self._tell_change()

    def _sendings(self, step: Step) -> list[tuple[Peer, Outgoing]]:
        """Return who gets what of a step; what all spectators get is one and the same message."""
        sending: list[tuple[Peer, Outgoing]] = []
        for messages in (step.frames, step.overs or ()):
            *for_seats, for_spectators = messages or (None,)
            sending.extend(
                (peer, Outgoing(message))
                for peer, message in zip(self._seats.peers, for_seats, strict=False)
                if peer is not None and message is not None
            )
            if for_spectators is not None:
                shared = Outgoing(for_spectators)
                sending.extend((peer, shared) for peer in self._spectators)
        if step.asked is not None:
            asked = self._seats.peers[step.asked.prompt.seat]
            if asked is not None:
                sending.append((asked, Outgoing(step.asked)))
        return sending

    def _suspend(self, error: Exception) -> None:
        """Stop the game and tell everybody; what went wrong is for the operator alone."""
        self._log.error("table_suspended", exc_info=error)
        self.status = "suspended"
        told = Outgoing(Notice(kind="suspended", text=SUSPENDED_TEXT))
        for peer in (*self._seats.peers, *self._spectators):
            if peer is not None:
                peer.send(told)
                peer.flush()

    # Sending

    def _deliver(self, peer: Peer, outgoing: Outgoing) -> None:
        self._is_answered |= type(outgoing.message) is Answered
        self._touched[peer] = None
        peer.send(outgoing)

    def _send(self, peer: Peer, message: ServerMessage) -> None:
        self._deliver(peer, Outgoing(message))

    def _tell_change(self, but: Peer | None = None) -> None:
        changed = Outgoing(TableChanged(info=self.info()))
        for peer in (*self._seats.peers, *self._spectators):
            if peer is not None and peer is not but:
                self._deliver(peer, changed)

    def _answer_for_fault(self, peer: Peer, request: Request) -> None:
        """Answer the command that met a fault, if it has no answer yet."""
        if not self._is_answered and not isinstance(request, Resync | Gone):
            self._send(peer, _refused(request.command, Code.SUSPENDED, SUSPENDED_TEXT))


_CLOSED: dict[Status, tuple[Code, str]] = {
    "waiting": (Code.NOT_STARTED, "the game has not begun"),
    "over": (Code.OVER, "the game is over"),
    "suspended": (Code.SUSPENDED, SUSPENDED_TEXT),
}


def _refused(command: str, code: Code, reason: str) -> Answered:
    return Answered(command=command, ok=False, code=code, reason=reason)
