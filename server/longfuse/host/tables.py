"""A table: the people around a match, and the one task that serves them in order.

The lobby starts its task. Requests come through the inbox and are handled one at a time, in the
order of their arrival, alarms among them in the order of their times; every message that people get
about the table, they get from here. A fault, of a game, of a bot or of the journal, suspends this
table and tells everybody at it; other tables notice nothing. The table ends when nobody is left;
whoever has lost the connection is there until the time to come back is over. It never waits for a
peer: only for requests, for its alarms, and for the journal.
"""

import structlog
import trio

from longfuse.actors import TrioHost
from longfuse.game.entries import Refused
from longfuse.host.alarms import Alarms
from longfuse.host.audience import Audience
from longfuse.host.bot_peers import BotPeer
from longfuse.host.chat import Chat
from longfuse.host.feeds import Feeds
from longfuse.host.inbox import (
    Arrived,
    Away,
    Back,
    Broken,
    Drained,
    Inbox,
    Renamed,
    Request,
    Word,
)
from longfuse.host.match import Agreement, Match
from longfuse.host.opening import Opening, Outside
from longfuse.host.peers import Outgoing, Peer
from longfuse.host.people import Line, Person
from longfuse.host.places import SUSPENDED_TEXT, Places, refusal
from longfuse.host.playing import AlarmKey
from longfuse.host.ports import Game
from longfuse.host.seats import Seats
from longfuse.host.spectators import Spectators
from longfuse.host.wall import wall_ms
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import (
    Answered,
    Concede,
    Decide,
    Failed,
    Join,
    Leave,
    Mute,
    Nonce,
    NonceHash,
    Notice,
    Report,
    Resync,
    Say,
    Spectate,
    TakeBack,
    Unpair,
)

log = structlog.get_logger()

WATCH: AlarmKey = ("watch", None)


class Table:
    """One table. One task runs it; it ends when nobody is left."""

    def __init__(self, opening: Opening, seats: Seats, outside: Outside) -> None:
        self.id = opening.table
        self.opening = opening
        self.settled = trio.Event()
        """While the server drains: all that was asked before has been done and told, and nothing is
        played any more; or it will never be: the table has ended."""
        self.is_closed = False
        """Nobody was left: nothing more is taken in."""
        terms, alarms, feeds = opening.terms, Alarms[AlarmKey](), Feeds(self.id, len(seats))
        self._seats = seats
        self._alarms = alarms
        self._spectators = Spectators(feeds.public, opening.info(seats.info()), terms.delay_s)
        self._chat = Chat(self.id, wall_ms, is_on=terms.chat, delay_s=terms.delay_s)
        self._audience = Audience(seats, self._spectators, self._chat)
        self._match = Match(
            opening, self._audience, feeds, alarms, outside, self._run_game_later, self._changed
        )
        self.places = Places(
            opening, self._audience, feeds, self._match, self._chat, alarms, outside
        )
        self._inbox = Inbox(outside.config.commands_waiting_max)
        self._is_draining = False
        self._has_drained = False
        """All that was asked before the drain has been done: nothing more is."""
        self._is_handling = False
        self._nursery: trio.Nursery | None = None
        self._game_scope = trio.CancelScope()
        self._log = log.bind(table=self.id)

    # What people call, without waiting

    def request(self, peer: Peer, request: Request) -> bool:
        """Queue what a peer wants; return False, and tell it, if too much of it is waiting."""
        if self._inbox.offer(peer, request):
            return True
        text = "too many of your requests are waiting at this table"
        command = getattr(request, "command", "")
        if command:
            peer.send(Outgoing(refusal(command, Code.BUSY, text)))
        else:
            peer.send(Outgoing(Failed(code=Code.BUSY, text=text)))
        return False

    def away(self, person: Person) -> None:
        """Queue that the person's connection has ended."""
        self._inbox.say(person, Away())

    def back(self, person: Person, line: Line, stream: str, n: int) -> None:
        """Queue that the person is back with another connection."""
        self._inbox.say(person, Back(line, stream, n))

    def renamed(self, person: Person, before: str) -> None:
        """Hear that the person was called `before`, which is somebody else's name now."""
        self._chat.rename(before, person.name)
        self._inbox.say(person, Renamed())

    def arriving(self) -> list[tuple[Person, Join | Spectate]]:
        """Return who has asked for a place here and waits for the answer."""
        return [
            (_person(one.peer), one.request)
            for one in self._inbox.waiting()
            if isinstance(one.request, Join | Spectate)
        ]

    def returning(self) -> list[tuple[Person, Back]]:
        """Return who is back, and waits to be told so."""
        return [
            (_person(one.peer), one.request)
            for one in self._inbox.waiting()
            if isinstance(one.request, Back)
        ]

    @property
    def is_listed(self) -> bool:
        """Say whether the lobby shows it to everybody."""
        return self.opening.terms.listed and not self.is_closed

    @property
    def is_left(self) -> bool:
        """Say whether nobody is here, and it waits only until spectators may know of its end."""
        is_idle = not (self.is_closed or self._is_handling or len(self._inbox))
        return is_idle and self.places.is_empty and not self._is_played

    def close(self) -> None:
        """End a table that is left, before its time: there is no room for it any more."""
        assert self.is_left, self.id
        self.is_closed = True
        if self._nursery is not None:
            self._nursery.cancel_scope.cancel()

    def drain(self) -> None:
        """Finish what was asked, then end what is played; keep the seats of who goes now.

        Whoever leaves because of the drain, or is cut off by it, loses nothing by that: it comes
        after what is said here.
        """
        self._is_draining = True
        self.places.keeps_absent = True
        self._match.drain()
        self._inbox.say(_TABLE, Drained())

    # The task

    async def run(self) -> None:
        """Serve until nobody is left, and run the game's tasks meanwhile."""
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                await self._serve()
                nursery.cancel_scope.cancel()
        finally:
            self.is_closed = True
            self.settled.set()
            self._audience.flush()

    async def _serve(self) -> None:
        while not self.is_closed:
            arrived = await self._inbox.take_before(self._alarms.next_at())
            self._is_handling = True
            self._audience.is_answered = False
            try:
                if arrived is not None:
                    await self._handle(arrived)
                else:
                    await self._ring(trio.current_time())
                self._audience.flush()
            except Exception as error:  # noqa: BLE001  the supervisor of one match: it ends here
                await self._suspend(error)
                self._answer_for_fault(arrived)
            self._set_watch()
            self._audience.flush()
            self._is_handling = False
            self.is_closed = not len(self._inbox) and self._is_done()
            self._check_settled()

    def _is_done(self) -> bool:
        """Say whether nobody is left, and all that spectators may know has been told.

        Bots alone play to the end. A table that was gone at once would tell that its game is over.
        """
        is_told = self._spectators.next_at() is None
        return self.places.is_empty and is_told and not self._is_played

    @property
    def _is_played(self) -> bool:
        """Say whether bots play here, watched or not."""
        return self._match.is_running and bool(self._seats.bots)

    def _check_settled(self) -> None:
        if self._has_drained and not len(self._inbox):
            self.settled.set()

    async def _handle(self, arrived: Arrived) -> None:
        peer, request = arrived.peer, arrived.request
        if not isinstance(request, Word | Join | Spectate) and self._is_gone(peer):
            text = "you have no place at this table any more"
            command = getattr(request, "command", "")
            failed = Failed(code=Code.OUT_OF_ORDER, text=text, command=command)
            self._audience.send(peer, failed)
            return
        match request:
            case Away() | Back() | Renamed() | Broken() | Drained():
                await self._hear(peer, request)
            case Join():
                await self.places.sit(_person(peer), request)
            case Spectate():
                await self.places.watch(_person(peer), request)
            case Leave():
                await self.places.leave(_person(peer), request)
            case Unpair():
                text = "you have been paired already"
                self._audience.send(peer, refusal(request.command, Code.NOT_NOW, text))
            case Resync():
                self._resync(_person(peer))
            case Say() | Mute() | Report():
                self._talk(_person(peer), request)
            case _:
                await self._command(peer, request, arrived.at)

    async def _hear(self, peer: Peer, word: Word) -> None:
        """Hear what the server's own side says."""
        match word:
            case Away():
                self.places.gone_away(_person(peer))
            case Back():
                self.places.come_back(_person(peer), word)
            case Renamed():
                self._tell_renamed(peer)
            case Broken():
                raise word.error
            case Drained():
                self._has_drained = True
                await self._match.call_off()

    async def _ring(self, now: float) -> None:
        """Do what an alarm is for."""
        key = self._alarms.due(now)
        if key is None or (self._is_draining and key != WATCH):
            return
        kind, whom = key
        match kind:
            case "watch":
                self._audience.release(now)
            case "away":
                assert isinstance(whom, Person)
                await self.places.lose(whom, "you were away for too long")
            case "starting":
                for seat, why in (await self._match.late()).items():
                    await self.places.lose(self._seats.people[seat], why)
            case "between games":
                await self._match.next_game()
            case "offers":
                self._match.expire_offers(now)
            case "paused":
                self._match.end_pause(now)
            case "clock":
                await self._match.run_out(now)
            case "pass":
                await self._match.pass_now(now)
            case _:
                raise AssertionError(f"an alarm for nothing: {kind!r}")

    def _is_gone(self, peer: Peer) -> bool:
        """Say whether this person has lost its place, while something of it was still waiting."""
        return isinstance(peer, Person) and not self.places.has(peer)

    def _set_watch(self) -> None:
        at = self._spectators.next_at()
        if at is None:
            self._alarms.cancel(WATCH)
        else:
            self._alarms.set(WATCH, at)

    # Playing and talking

    def _resync(self, person: Person) -> None:
        if self.places.status_for(person) == "suspended":
            self._audience.send(person, Failed(code=Code.SUSPENDED, text=SUSPENDED_TEXT))
        else:
            self._audience.send_all(person, self.places.all_for(person))

    async def _command(self, peer: Peer, request: Request, at: float) -> None:
        seat = self._seats.of(peer)
        command = getattr(request, "command", "")
        try:
            if seat is None:
                raise Refused(Code.NOT_SEATED, "only a seat of this table may do this")
            if self._match.status == "suspended":
                raise Refused(Code.SUSPENDED, SUSPENDED_TEXT)
            if self._has_drained:
                text = "the server restarts: nothing more is done at this table"
                raise Refused(Code.DRAINING, text)
            if isinstance(request, NonceHash | Nonce):
                await self._match.nonce(seat, request)
            elif isinstance(request, Decide | TakeBack | Concede):
                await self._match.command(seat, peer, request, at)
            elif isinstance(request, Agreement):
                await self._match.agree(seat, peer, request)
            else:
                raise AssertionError(f"{type(request).__name__} is handled before")
        except Refused as refused:
            if command:
                self._audience.send(peer, self._match.refusal(seat, command, refused))
            else:
                code = refused.code if refused.code in _CODES else Code.REFUSED
                self._audience.send(peer, Failed(code=code, text=refused.reason))

    def _talk(self, person: Person, request: Say | Mute | Report) -> None:
        seat, now = self._seats.of(person), trio.current_time()
        try:
            match request:
                case Say():
                    line = self._chat.say(person.name, seat, request.text, now)
                case Mute():
                    self._chat.mute(person.name, request.name, muted=request.muted)
                case Report():
                    self._chat.report(
                        person.name, seat, request.line, request.reason, now, request.room
                    )
        except Refused as refused:
            code = Code(refused.code)
            self._audience.send(person, refusal(request.command, code, refused.reason))
            return
        self._audience.send(person, Answered(command=request.command, ok=True))
        if isinstance(request, Say):
            self._audience.spread(line.said)

    def _tell_renamed(self, peer: Peer) -> None:
        if self._seats.of(peer) is not None:
            self._changed()

    def _changed(self) -> None:
        self.places.match_changed()

    # The game's tasks

    def _run_game_later(self, game: Game, tasks: TrioHost) -> None:
        assert self._nursery is not None
        self._game_scope.cancel()
        self._game_scope = trio.CancelScope()
        self._nursery.start_soon(self._run_game, game, tasks, self._game_scope)

    async def _run_game(self, game: Game, tasks: TrioHost, scope: trio.CancelScope) -> None:
        """Run a game's task tree, and its bots, until the scope is cancelled."""
        with scope:
            try:
                async with tasks.running(), trio.open_nursery() as bots:
                    for bot in self._seats.bots.values():
                        bots.start_soon(self._run_bot, bot, game)
                    await trio.sleep_forever()
            except Exception as error:  # noqa: BLE001  told to the supervisor, as part of the match
                self._inbox.say(_TABLE, Broken(error))

    async def _run_bot(self, bot: BotPeer, game: Game) -> None:
        try:
            await bot.play(game, self.request)
        except Exception as error:  # noqa: BLE001  told to the supervisor, as part of the match
            self._inbox.say(bot, Broken(error))

    # Faults

    async def _suspend(self, error: Exception) -> None:
        """Stop the match and tell everybody; what went wrong is for the operator alone."""
        self._log.error("table_suspended", exc_info=error)
        await self._match.suspend()
        if self._has_drained:
            await self._match.call_off()
        self._audience.tell(Notice(kind="suspended", text=SUSPENDED_TEXT))
        self._changed()

    def _answer_for_fault(self, arrived: Arrived | None) -> None:
        """Answer the command that met a fault, if it has no answer yet."""
        if arrived is None or self._audience.is_answered or isinstance(arrived.request, Word):
            return
        command = getattr(arrived.request, "command", "")
        if command:
            answer = refusal(command, Code.SUSPENDED, SUSPENDED_TEXT)
            self._audience.send(arrived.peer, answer)


_CODES = frozenset(Code)


class _Itself:
    """The table, or its game's tasks, as a peer of the table: nothing is told to it."""

    name = "table"
    codec = None

    def send(self, _outgoing: Outgoing) -> None:
        """Hear nothing."""

    def flush(self) -> None:
        """Hold nothing back."""


_TABLE = _Itself()


def _person(peer: Peer) -> Person:
    assert isinstance(peer, Person), "bots only decide"
    return peer
