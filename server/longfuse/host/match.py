"""A match: the games that one table's seats play with each other, one after the other.

The table owns one, and its task alone calls it. It knows what stands around a game: its start, what
may be done when, what follows from an agreement. `Score` counts; `Agreements` has what is on offer.
What is in a game, `Playing` knows; who comes and goes is the table's. Faults of a game come out of
it: the table suspends it then.
"""

from collections.abc import Callable

import structlog
import trio

from longfuse.actors import TrioHost
from longfuse.game.entries import Interruption, Refused
from longfuse.host.agreements import OFFERS, Agreed, Agreements
from longfuse.host.alarms import Alarms
from longfuse.host.audience import Audience
from longfuse.host.between import Between, Options, choose_deck, options_after
from longfuse.host.disclosure import Disclosure
from longfuse.host.feeds import Feeds
from longfuse.host.opening import Opening, Outside
from longfuse.host.passing import Passer
from longfuse.host.peers import Peer
from longfuse.host.play import GameCommand, Play
from longfuse.host.playing import AlarmKey, Playing
from longfuse.host.ports import Deck, Game, Header
from longfuse.host.score import Score
from longfuse.host.shuffling import Shuffling
from longfuse.host.starting import STARTING, Starting
from longfuse.host.wall import now_ms
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import (
    Answered,
    ChooseDeck,
    MakeOffer,
    Nonce,
    NonceHash,
    Ready,
    Respond,
    ServerMessage,
    Settings,
    Status,
    Unpause,
)

log = structlog.get_logger()

BETWEEN: AlarmKey = ("between games", None)
PAUSED: AlarmKey = ("paused", None)
FAULT = "aborted: a fault of the server"
CALLED_OFF = "aborted: the operator ended it"

Agreement = Ready | ChooseDeck | MakeOffer | Respond | Unpause | Settings
"""What seats command besides entries of the game."""


class Match:
    """The games of one table."""

    def __init__(
        self,
        opening: Opening,
        audience: Audience,
        feeds: Feeds,
        alarms: Alarms[AlarmKey],
        outside: Outside,
        run_game: Callable[[Game, TrioHost], None],
        changed: Callable[[], None],
    ) -> None:
        """run_game: runs a game's tasks and its bots, until it is called with the next. changed: is
        called when the status or the score has changed, to tell everybody.
        """
        self.opening = opening
        self.status: Status = "waiting"
        self.score = Score(len(audience.seats), opening.terms.best_of)
        self.game = ""
        """The id of the game that is played, or was last."""
        self.playing: Playing | None = None
        self._seats = audience.seats
        self._audience = audience
        self._disclosure = Disclosure(audience, outside.secrets)
        self._feeds = feeds
        self._alarms = alarms
        self._outside = outside
        self._run_game = run_game
        self._changed = changed
        self._number = 0
        self._options: Options = opening.options
        """Of the game that is played: in a match, they follow from the game before."""
        self._starting: Starting | None = None
        self._shuffling: Shuffling | None = None
        """Of the game that is played, until its secret has been told."""
        self._decks: tuple[Deck, ...] = ()
        """Of the game that is played."""
        self._between: Between | None = None
        """While the next game of the match is waited for."""
        self._agreements = Agreements(audience, alarms, opening.terms, self._check_rewind)
        self._passers: dict[int, Passer] = {}
        self._log = log.bind(table=opening.table)

    @property
    def is_running(self) -> bool:
        """Say whether a game is under way: to leave its seat is to lose it."""
        return self.status in ("playing", "paused")

    @property
    def is_begun(self) -> bool:
        """Say whether who leaves has left for good: nobody else sits down in the seat."""
        return self.status not in ("waiting", "starting") or self.score.played > 0

    @property
    def paused_until(self) -> float | None:
        """Return when the pause ends, if nobody ends it before; None if there is none."""
        return self._alarms.at(PAUSED) if self.status == "paused" else None

    # ---------------------------------------------------------------- who sits

    def seated(self, seat: int) -> None:
        """Hear that a person sat down, with settings that are nobody's yet."""
        self._passers[seat] = Passer(self._outside.factory.passing(self.opening.ruleset), seat)

    async def start_if_full(self) -> None:
        """Start the first game once every seat is held; bots alone wait for who watches them."""
        if self.status == "waiting" and self._seats.is_full:
            self.score.begin()
            await self._start()

    async def forfeit(self, seat: int) -> None:
        """Hear that a seat's holder is about to leave it: a game under way is lost, and the match.

        It sits there still, and so is told the end and the secret of the shuffle, as the others.
        """
        if self.is_running:
            self.score.leave(seat)
            await self._interrupt(Interruption("removed", seat))

    async def left(self, seat: int) -> None:
        """Hear that a seat's holder has left it: nothing starts, and the match is lost."""
        self._passers.pop(seat, None)
        self.score.leave(seat)
        self._agreements.left(seat)
        if self.status == "starting":
            await self._abort(f"aborted: seat {seat} left before the game began")
        elif self._between is not None:
            self._end()

    # ---------------------------------------------------------------- before a game

    async def _start(self) -> None:
        """Begin what comes before a game."""
        self._number += 1
        self.game = f"{self.opening.table}-{self._number}"
        self._agreements.begin()
        starting = Starting(
            self.game, self.opening.ruleset, self._audience, self._outside, self._alarms
        )
        self._starting = starting
        last = self.playing.play.game if self.playing and self.score.played else None
        self._options = options_after(last, self.opening, self._outside.factory)
        self._set_status("starting")
        ready_s = self.opening.terms.ready_s
        if ready_s and self._seats.people and not self.score.played:
            starting.ask_ready(ready_s)
        else:
            await self._shuffle(starting)

    async def _shuffle(self, starting: Starting) -> None:
        if await starting.open_shuffle():
            await self._begin(starting)

    async def nonce(self, seat: int, message: NonceHash | Nonce) -> None:
        """Take a seat's part of the shuffle; or raise `Refused`."""
        starting = self._starting
        if starting is None:
            raise Refused(Code.NOT_NOW, "no game is about to begin")
        if starting.take(seat, message):
            await self._begin(starting)

    async def _begin(self, starting: Starting) -> None:
        """Deal, and play."""
        shuffling, opening = starting.shuffling, self.opening
        assert shuffling is not None
        self._shuffling = shuffling
        self._decks = self._seats.decks
        game = self._make_game()
        for passer in self._passers.values():
            passer.new_game()
        for bot in self._seats.bots.values():
            bot.begin()
        before = self.playing.play if self.playing is not None else None
        play = Play(self.game, game, self._feeds, self._outside.journal, before)
        self.playing = Playing(
            play, opening.terms, self._passers, self._audience, self._feeds, self._alarms
        )
        self._set_status("playing")
        self._log.info("game_started", game=self.game, seats=self._seats.names)
        header = Header(
            game=self.game,
            ruleset=opening.ruleset,
            seats=self._seats.names,
            decks=self._seats.decks,
            options=dict(self._options),
            terms=opening.terms,
            transcript=shuffling.transcript,
            opened_ms=now_ms(),
            streams=self._feeds.marks(),
        )
        self._outside.replays.began(self.game, opening, self._seats.people)
        await self.playing.begin(header)
        self._starting = None
        await self._check_over()

    def _make_game(self) -> Game:
        """Make the game before its first entry, with tasks of its own, which begin to run."""
        assert self._shuffling is not None, "its secret has not been told yet"
        tasks = TrioHost()
        game = self._outside.factory.create(
            self.opening.ruleset, self._decks, self._options, self._shuffling.key, tasks
        )
        self._run_game(game, tasks)
        return game

    async def late(self) -> dict[int, str]:
        """Return the seats that are late before a game and are to lose their places, with why."""
        if self._starting is None:
            return {}
        missing = dict.fromkeys(self._starting.missing(), self._starting.why_late)
        self.score.leave(*missing)
        await self._abort(f"aborted: seats {', '.join(map(str, missing))} were late")
        return missing

    async def _abort(self, why: str) -> None:
        """Begin no game, and wait for full seats again; a match that is under way is over."""
        starting, self._starting = self._starting, None
        if self.score.played:
            self._end()
        else:
            self._set_status("waiting")
        if starting is not None:
            await starting.abort(why, self._disclosure)

    # ---------------------------------------------------------------- a game

    async def command(self, seat: int, peer: Peer, command: GameCommand, at: float) -> None:
        """Do what a seat commands in the game, and answer; or raise `Refused`."""
        playing = self.playing
        if playing is None or not playing.play.is_known(seat, command):
            playing = self._the_game()
        try:
            await playing.command(seat, peer, command, at)
        except Refused:
            playing.refused(seat, at)
            raise
        await self._moved_on()

    async def run_out(self, now: float) -> None:
        """Hear that the alarm of the clocks has gone off."""
        if self.playing is not None and self.status == "playing":
            await self.playing.run_out(now)
            await self._moved_on()

    async def pass_now(self, now: float) -> None:
        """Hear that a prompt may be answered for its seat."""
        if self.playing is not None and self.status == "playing":
            await self.playing.pass_now(now)
            await self._moved_on()

    async def _moved_on(self) -> None:
        """Hear that the game may have moved: nobody takes back what is not the last decision."""
        if self.playing and self.playing.has_moved():
            self._agreements.clear("take back")
        await self._check_over()

    async def _interrupt(
        self, entry: Interruption, answered: tuple[Peer, Answered] | None = None
    ) -> None:
        """End the game from outside, and answer who agreed to it."""
        playing = self.playing
        assert playing is not None
        try:
            await playing.interrupt(entry, answered)
        except Refused as refused:
            if answered is not None:
                self._audience.send(*answered)
            self._log.warning("interruption_refused", entry=entry.kind, reason=refused.reason)
        await self._check_over()

    async def _check_over(self) -> None:
        """If the game has ended: close its journal, tell its secret, and count it."""
        playing = self.playing
        if playing is None or not self.is_running or playing.result is None:
            return
        result = playing.result
        facts = {"winner": result.winner, "reason": result.reason, "entries": playing.play.entries}
        self._log.info("game_over", game=self.game, **facts)
        shuffling, self._shuffling = self._shuffling, None
        assert shuffling is not None
        self._alarms.cancel(PAUSED)
        revealed, why = shuffling.revealed(), CALLED_OFF if self.score.is_called_off else "over"
        await self._disclosure.end(revealed, why)
        await playing.play.close(revealed.secret)
        self._outside.replays.over(self.game)
        self.score.count(result.winner)
        if self.score.is_decided:
            self._end()
        else:
            self._between = Between(self._audience, self._outside.config.between_s)
            self._alarms.set(BETWEEN, self._between.until)
            self._set_status("between games")
            self._audience.tell_seats(self._between.check())
        self._agreements.clear()

    def _end(self) -> None:
        """End the match."""
        self._wait_no_more()
        self.score.end()
        self._set_status("over")

    async def suspend(self) -> None:
        """Stop, by a fault: nothing happens any more.

        The secret stays one for the operator, who can go by the journal, while the server runs; but
        where nobody has seen a card the game ends as at any other fruitless start.
        """
        self.status = "suspended"
        starting, self._starting, self._between = self._starting, None, None
        self.drain()
        if starting is not None:
            self._shuffling = None
            await starting.abort(FAULT, self._disclosure)
        if self.playing is not None and self.playing.result is None:
            self.playing.play.abandon()

    async def call_off(self) -> None:
        """End what is under way, for nobody will go on with it: the server ends.

        No seat wins or loses by it. A secret is told where a fault stopped the game, too.
        """
        if self.status != "over":
            self.score.call_off()
        if self.is_running:
            await self._interrupt(Interruption("ended by operator"))
        elif self._starting is not None:
            await self._abort(CALLED_OFF)
        elif self._between is not None:
            self._end()
        elif self._shuffling is not None:
            shuffling, self._shuffling = self._shuffling, None
            await self._disclosure.end(shuffling.revealed(), FAULT)

    def drain(self) -> None:
        """Let no clock run out and no start be late: what is under way is kept as it stands."""
        for key in (STARTING, BETWEEN, OFFERS, PAUSED):
            self._alarms.cancel(key)
        if self.playing is not None:
            self.playing.stop(trio.current_time())

    # ---------------------------------------------------------------- agreements and settings

    async def agree(self, seat: int, peer: Peer, command: Agreement) -> None:
        """Do what a seat commands beside the game, and answer; or raise `Refused`."""
        now, starts = trio.current_time(), False
        answered = peer, Answered(command=command.command, ok=True)
        match command:
            case Ready():
                starts = self._make_ready(seat)
            case ChooseDeck():
                self._choose_deck(seat, command)
            case Settings():
                self._set_passing(seat, peer, command)
            case Unpause() if self.status == "paused":
                self.end_pause(now)
            case Unpause():
                raise Refused(Code.NOT_NOW, "the game is not paused")
            case MakeOffer() | Respond():
                agreed = self._agreements.take(seat, command, self.status, now)
                await self._carry_out(agreed, answered, now)
                return
        self._audience.send(*answered)
        if isinstance(command, Settings) and self.playing is not None and self.is_running:
            self.playing.reconsider(seat)
        if starts:
            await self._go_on()

    def _make_ready(self, seat: int) -> bool:
        if self._between is not None:
            return self._between.ready(seat)
        if self._starting is None:
            raise Refused(Code.NOT_NOW, "nobody is asked whether they are ready")
        return self._starting.ready(seat)

    async def _go_on(self) -> None:
        """Everybody is ready, for this game or the next of the match."""
        if self._between is not None:
            await self.next_game()
        elif self._starting is not None:
            await self._shuffle(self._starting)

    async def next_game(self) -> None:
        """Start the next game of the match: all are ready, or the time between games is over."""
        if self._between is not None:
            self._wait_no_more()
            await self._start()

    def _wait_no_more(self) -> None:
        self._between = None
        self._alarms.cancel(BETWEEN)

    def _choose_deck(self, seat: int, command: ChooseDeck) -> None:
        is_bound = self._starting is not None and self._starting.shuffling is not None
        if self.is_running or is_bound or self.status == "suspended":
            raise Refused(Code.NOT_NOW, "decks are chosen before a game, not while one is played")
        factory, in_match = self._outside.factory, self._between is not None
        ruleset = self.opening.ruleset
        choose_deck(self._seats, seat, command.deck, factory, ruleset, in_match=in_match)

    def _set_passing(self, seat: int, peer: Peer, command: Settings) -> None:
        passer = self._passers[seat]
        passer.set(command.passing, self._feeds.of(seat).view)
        self._audience.send(peer, passer.message())

    def end_pause(self, now: float) -> None:
        """Go on with the game: somebody wants to, or the pause has lasted as long as it may."""
        if self.status == "paused" and self.playing is not None:
            self._alarms.cancel(PAUSED)
            self._set_status("playing")
            self.playing.unpause(now)

    async def _carry_out(
        self, agreed: Agreed | None, answered: tuple[Peer, Answered], now: float
    ) -> None:
        """Answer, and do what is agreed: what the journal keeps is in it before it is answered."""
        match agreed:
            case Agreed("draw"):
                await self._interrupt(Interruption("agreed draw"), answered)
            case Agreed("take back", maker):
                assert self.playing is not None, "an offer of it was open"
                await self.playing.rewind(maker, self._make_game, now, answered)
            case Agreed("open replay"):
                await self._outside.replays.open(self.game)
                self._audience.send(*answered)
            case _:
                self._audience.send(*answered)
        self._agreements.tell()
        match agreed:
            case Agreed("pause"):
                assert self.playing is not None
                self.playing.pause(now)
                self._alarms.set(PAUSED, now + self._outside.config.pause_s)
                self._set_status("paused")
            case Agreed("rematch"):
                self.score.begin()
                for place in self._seats.all:
                    place.deck = place.registered
                await self._start()

    def _check_rewind(self, seat: int) -> None:
        assert self.playing is not None, "a game is played"
        self.playing.check_rewind(seat)

    def expire_offers(self, now: float) -> None:
        """Hear that an offer may have been open long enough."""
        self._agreements.expire(now)

    # ---------------------------------------------------------------- telling

    def told(self, seat: int | None) -> list[ServerMessage]:
        """Return what somebody who comes must know besides the frames."""
        told: list[ServerMessage] = []
        if self._starting is not None:
            told.extend(self._starting.told(seat))
        if seat is not None and self._between is not None:
            told.append(self._between.check())
        if seat is not None:
            told += [*self._disclosure.told(seat), self._agreements.message()]
            if seat in self._passers:
                told.append(self._passers[seat].message())
        if self.playing is not None and self.status != "suspended":
            told.extend(self.playing.told(seat))
        return told

    def refusal(self, seat: int | None, command: str, refused: Refused) -> Answered:
        """Return the answer to a refused command: why, and what is asked now."""
        if self.playing is not None and self.status != "suspended":
            return self.playing.play.refusal(seat, command, refused)
        return Answered(command=command, ok=False, code=refused.code, reason=refused.reason)

    def _the_game(self) -> Playing:
        if self.playing is None or self.status in ("waiting", "starting"):
            raise Refused(Code.NOT_STARTED, "the game has not begun")
        if self.status in ("over", "between games"):
            raise Refused(Code.OVER, "the game is over")
        if self.status == "paused":
            raise Refused(Code.NOT_NOW, "the game is paused")
        return self.playing

    def _set_status(self, status: Status) -> None:
        self.status = status
        self._changed()
