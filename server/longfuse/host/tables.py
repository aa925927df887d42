"""A table: the people around one game, and the one task that serves them in order.

The lobby starts its task. Requests come through the inbox and are handled one at a time; every
message that people get about the table, they get from here. A fault, of the game, of a bot or of
the journal, suspends this table and tells everybody at it; other tables notice nothing. The table
ends when nobody is left. It never waits for a peer: only for requests and for the journal.
"""

import time

import structlog
import trio

from longfuse.actors import TrioHost
from longfuse.config import Config
from longfuse.game.entries import Refused
from longfuse.host.audience import Audience
from longfuse.host.inbox import Broken, Ending, Gone, Inbox, Request
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

    def __init__(
        self, opening: Opening, seats: Seats, play: Play, tasks: TrioHost, config: Config
    ) -> None:
        self.id = play.table
        self.status: Status = "waiting"
        self.settled = trio.Event()
        """While the server drains: all that was asked before has been done and told."""
        self._opening = opening
        self._seats = seats
        self._audience = Audience(seats)
        self._play = play
        self._tasks = tasks
        self._spectators_max = config.spectators_max
        self._inbox = Inbox(config.commands_waiting_max)
        self._is_draining = False
        self._is_handling = False
        self.is_closed = False
        """Nobody was left: nothing more is taken in."""
        self._log = log.bind(table=self.id)

    # What peers call, without waiting

    def request(self, peer: Peer, request: Request) -> None:
        """Queue what a peer wants; tell it so if too much of it is waiting."""
        if self._inbox.offer(peer, request):
            return
        text = "too many of your requests are waiting at this table"
        if isinstance(request, Resync):
            peer.send(Outgoing(Failed(code=Code.BUSY, text=text)))
        else:
            peer.send(Outgoing(_refused(request.command, Code.BUSY, text)))

    def gone(self, peer: Peer) -> None:
        """Queue that the peer's connection has ended."""
        self._inbox.end(peer, Gone())

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
            spectators=len(self._audience.spectators),
        )

    # The task

    async def run(self) -> None:
        """Serve until nobody is left, and run the game's task tree meanwhile."""
        async with self._tasks.running(), trio.open_nursery() as nursery:
            for bot in self._seats.bots:
                nursery.start_soon(self._run_bot, bot)
            await self._serve()
            nursery.cancel_scope.cancel()

    async def _serve(self) -> None:
        while not self.is_closed:
            peer, request = await self._inbox.take()
            self._is_handling = True
            self._audience.is_answered = False
            try:
                await self._handle(peer, request)
            except Exception as error:  # noqa: BLE001  the supervisor of one game: it ends here
                self._suspend(error)
                self._answer_for_fault(peer, request)
            self._audience.flush()
            self._is_handling = False
            self.is_closed = not len(self._inbox) and self._is_done()
            self._check_settled()

    def _is_done(self) -> bool:
        """Say whether nobody is left; but bots alone play to the end."""
        is_played = self.status == "playing" and self._seats.bots
        return self._audience.is_deserted() and not is_played

    def _check_settled(self) -> None:
        if self._is_draining and not self._is_handling and not len(self._inbox):
            self.settled.set()

    async def _run_bot(self, bot: BotPeer) -> None:
        try:
            await bot.play(self._play.game, self.request)
        except Exception as error:  # noqa: BLE001  told to the supervisor, as part of the table
            self._inbox.end(bot, Broken(error))

    async def _handle(self, peer: Peer, request: Request | Ending) -> None:
        match request:
            case Join():
                await self._sit(peer, request)
            case Spectate():
                await self._watch(peer, request)
            case Leave():
                seat = self._stand(peer)
                self._audience.send(peer, Answered(command=request.command, ok=True))
                self._audience.send(peer, Left(table=self.id))
                await self._remove(seat)
            case Gone():
                seat = self._stand(peer)
                if not self._is_draining:
                    await self._remove(seat)
            case Broken():
                raise request.error
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
            self._audience.send(peer, _refused(request.command, seat, "you cannot sit down here"))
            return
        self._seats.sit(seat, peer)
        self._welcome(peer, seat, request.command)
        await self._begin_if_full()

    async def _watch(self, peer: Peer, request: Spectate) -> None:
        if self.status == "suspended":
            self._audience.send(peer, _refused(request.command, Code.SUSPENDED, SUSPENDED_TEXT))
        elif len(self._audience.spectators) >= self._spectators_max:
            text = "the table has as many spectators as it takes"
            self._audience.send(peer, _refused(request.command, Code.TABLE_FULL, text))
        else:
            self._audience.spectators[peer] = None
            self._welcome(peer, None, request.command)
            await self._begin_if_full()

    def _welcome(self, peer: Peer, seat: int | None, command: str) -> None:
        stream = self._play.feeds.of(seat).stream
        self._audience.send(peer, Joined(info=self.info(), seat=seat, stream=stream))
        self._audience.send(peer, Answered(command=command, ok=True))
        self._audience.tell(self._changed(), but=peer)
        if self.status != "waiting":
            for message in self._play.all_of(seat):
                self._audience.send(peer, message)

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
        self._audience.tell(self._changed())
        self._show(step)

    def _stand(self, peer: Peer) -> int | None:
        """Take the peer's place from it, and return the seat that it was. Some never had one."""
        seat = self._seats.of(peer)
        if seat is not None:
            self._seats.stand(seat, for_good=self.status != "waiting")
        elif peer in self._audience.spectators:
            del self._audience.spectators[peer]
        else:
            return None
        self._audience.tell(self._changed())
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
            self._audience.send(peer, self._refusal(seat, command, refused))
        else:
            answer = Answered(command=command.command, ok=True)
            if step is None:
                self._audience.send(peer, answer)
            else:
                self._show(step, (peer, answer))

    def _refusal(self, seat: int | None, command: GameCommand, refused: Refused) -> Answered:
        if self.status in ("playing", "over"):
            return self._play.refusal(seat, command.command, refused)
        return _refused(command.command, Code(refused.code), refused.reason)

    def _resync(self, peer: Peer) -> None:
        if self.status == "suspended":
            self._audience.send(peer, Failed(code=Code.SUSPENDED, text=SUSPENDED_TEXT))
            return
        for message in self._play.all_of(self._seats.of(peer)):
            self._audience.send(peer, message)

    def _show(self, step: Step, answered: tuple[Peer, Answered] | None = None) -> None:
        self._audience.show(step, answered)
        if step.overs is not None:
            self.status = "over"
            result = step.overs[-1]
            self._log.info(
                "table_over",
                winner=result.winner,
                reason=result.reason,
                entries=self._play.entries,
            )
            self._audience.tell(self._changed())

    def _changed(self) -> TableChanged:
        return TableChanged(info=self.info())

    # Faults

    def _suspend(self, error: Exception) -> None:
        """Stop the game and tell everybody; what went wrong is for the operator alone."""
        self._log.error("table_suspended", exc_info=error)
        self.status = "suspended"
        self._audience.tell(Notice(kind="suspended", text=SUSPENDED_TEXT))

    def _answer_for_fault(self, peer: Peer, request: Request | Ending) -> None:
        """Answer the command that met a fault, if it has no answer yet."""
        if not self._audience.is_answered and not isinstance(request, Resync | Ending):
            self._audience.send(peer, _refused(request.command, Code.SUSPENDED, SUSPENDED_TEXT))


_CLOSED: dict[Status, tuple[Code, str]] = {
    "waiting": (Code.NOT_STARTED, "the game has not begun"),
    "over": (Code.OVER, "the game is over"),
    "suspended": (Code.SUSPENDED, SUSPENDED_TEXT),
}


def _refused(command: str, code: Code, reason: str) -> Answered:
    return Answered(command=command, ok=False, code=code, reason=reason)
