"""A place at a terminal: one task hears the server, the other reads what the player types.

Owns the order of the two: a line answers the prompt that was open when it could be read, and no
other. Lines of a script are read only when there is something to answer. What can be typed besides
answers, and what is told besides the game, belongs to the groups of words that it is made of.
"""

from __future__ import annotations

import contextlib
import math

import trio

from longfuse.cli.play_agreeing import Agreeing
from longfuse.cli.play_answers import NotAnAnswer, read
from longfuse.cli.play_chat import Chat
from longfuse.cli.play_clock import ClockWords
from longfuse.cli.play_commands import Commands
from longfuse.cli.play_desk import Desk
from longfuse.cli.play_input import Lines
from longfuse.cli.play_news import News
from longfuse.cli.play_passing import PassingWords
from longfuse.cli.play_words import Words, is_done, reason
from longfuse.cli.telling import told_result
from longfuse_protocol.client import Client, ClientClosed, Dropped, Ended, Event, Refused, Resumed
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import (
    Asked,
    Clock,
    Events,
    Left,
    Over,
    ReadyCheck,
    RulesetInfo,
    Snapshot,
    TableChanged,
)
from longfuse_protocol.prompts import Answer, Prompt

PATIENCE_S = 2.0
HOLD_S = 0.5
"""So long a question waits for the clock that comes right behind it."""
END_S = 5.0
"""So long a script waits for what follows the end of a game: whether there is another."""
LEAVE_S = 5.0
HELP = "`help` lists what you can type, at any time."
NO_PLAY = "you have no play open."
BY_AGREEMENT = "`offer take back` asks the others to take back your last decision."
TWICE = {
    "concede": "This gives the game up. To do so, type `concede` again.",
    "quit": "You are in a game: leaving gives it up. To leave, type `quit` again.",
}
AFTERWARDS = "`log`, `why` and `table` still work;{again} Enter leaves."
AGAIN = " `offer rematch` offers another game;"
"""Said where the others are still there."""


class Session:
    """One player's place, from sitting down to leaving it."""

    def __init__(
        self, client: Client, desk: Desk, lines: Lines, info: RulesetInfo, *, url: str = ""
    ) -> None:
        """info: what the server says of the ruleset. url: where others find the table."""
        self.over: Over | None = None
        """How the last game ended, until the next begins."""
        self.ended: Ended | None = None
        self.has_left = False
        self.is_lost = False
        """The place was taken from the player."""
        self.is_alone = False
        """The lines ended while nobody was there to play with, and the table was left."""
        self._client = client
        self._desk = desk
        self._screen = desk.screen
        self._lines = lines
        self._news = News(client, desk, url)
        self._clock = ClockWords(client, desk)
        self._parts: tuple[Words, ...] = (
            PassingWords(client, desk, info.phases),
            Agreeing(client, desk, info.decks),
            self._clock,
            Chat(client, desk.screen),
        )
        self._words = {word: do for part in self._parts for word, do in part.words.items()}
        self._commands = Commands(desk, self._parts)
        self._asked = trio.Event()
        self._decided = trio.Event()
        self._gone = trio.Event()
        """The table was left, and all that was told before that is heard."""
        self._leaving = trio.Lock()
        """The end of the game and of the lines may both be seen at once."""
        self._once = ""
        self._game = ""
        self._held: Prompt | None = None
        """A question that waits for its clock."""
        self._clock_is_due = False
        self._is_told_end = False
        self._is_playing = False
        desk.own_time = self._clock.own

    async def run(self) -> None:
        """Play until the games, the connection or the player's patience end."""
        assert self._client.place is not None
        self._news.begin(self._client.place)
        if self._lines.is_live:
            self._screen.line(HELP, "dim")
            self._screen.cursor()
        self._game = self._client.place.info.game
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._hear, nursery.cancel_scope)
            nursery.start_soon(self._clock.run)
            if self._lines.is_live:
                nursery.start_soon(self._tell_who_thinks)
            await self._read()
            nursery.cancel_scope.cancel()

    # ------------------------------------------------------------ hearing

    async def _hear(self, scope: trio.CancelScope) -> None:
        while True:
            event = await self._next()
            if event is not None:
                (self._heard_leaving if self.has_left else self._heard)(event)
            elif self._held is None:
                await self._leave()  # a script does not wait for another game any longer
                break
            if self._held is not None and not isinstance(event, Asked):
                held, self._held = self._held, None
                self._ask(held)
            if self.ended is not None or self.is_lost:
                break
            if self.is_finished and not self._lines.is_live:
                await self._leave()
                break
        scope.cancel()

    async def _next(self) -> Event | None:
        """The next event; None if it is not waited for any longer."""
        patience_s = math.inf
        if self._held is not None:
            patience_s = HOLD_S
        elif self.over is not None and not self._lines.is_live and not self._is_between:
            patience_s = END_S
        with trio.move_on_after(patience_s):
            return await anext(self._client)
        return None

    @property
    def is_finished(self) -> bool:
        """Whether nothing more is played here, unless somebody offers it."""
        table = self._client.table
        return self.over is not None and (table is None or table.status == "over")

    @property
    def _is_waiting(self) -> bool:
        """Whether a seat is open still."""
        return self._client.table is not None and self._client.table.status == "waiting"

    @property
    def _is_between(self) -> bool:
        table = self._client.table
        return table is not None and table.status == "between games"

    def _heard_leaving(self, event: Event) -> None:
        """Who leaves hears how the game ends, and nothing that is for those who stay."""
        match event:
            case Events():
                self._desk.take(event.events)
            case Over():
                self._end(event)
            case Left():
                self._gone.set()
            case _:
                self._heard_end(event)

    def _heard(self, event: Event) -> None:
        if isinstance(event, TableChanged | Resumed | ReadyCheck):
            self._follow_table()
        self._news.hear(event)
        for part in self._parts:
            part.hear(event)
        if isinstance(event, TableChanged):
            self._tell_afterwards()
        match event:
            case Snapshot(n=n, recap=recap):
                self._desk.recall(list(recap))
                if n:
                    self._desk.look()
            case Events():
                self._desk.take(event.events)
                self._clock_is_due = self._clock.counts
                self._close_answered()
            case Clock():
                self._clock_is_due = False
            case Asked(prompt=prompt) if self._clock_is_due:
                self._held = prompt
            case Asked(prompt=prompt):
                self._held = None
                self._ask(prompt)
            case Over():
                self._end(event)
            case Dropped():
                self._held = None
                self._desk.decided()
                self._await_question()
            case _:
                self._heard_end(event)

    def _close_answered(self) -> None:
        """Take away a question that was answered for the player: by a setting, or by the clock."""
        if self._desk.prompt is not None and self._client.prompt != self._desk.prompt:
            self._desk.decided()
            self._await_question()

    def _heard_end(self, event: Event) -> None:
        match event:
            case Resumed(place=None):
                self.is_lost = True
            case Left(reason=why) if why:
                self.is_lost = True
            case Ended():
                self.ended = event
            case _:
                pass

    def _ask(self, prompt: Prompt) -> None:
        if self._client.prompt != prompt:
            return  # the game has gone on without this answer
        if self._desk.prompt == prompt:
            return  # it is asked again since settings have changed, and stands there already
        self._lines.forget()
        self._desk.ask(prompt)
        self._asked.set()

    def _follow_table(self) -> None:
        """Another game may have begun, or be about to, or no further one will."""
        table, ready = self._client.table, self._client.ready_check
        if ready is not None and not ready.ready[self._desk.book.seat]:
            self._asked.set()
        if table is None:
            return
        if table.status == "playing" and table.game != self._game:
            self._game = table.game
            self.over = None
            self._is_told_end = False
            self._desk.new_game()
        if table.status == "playing" and not self._is_playing:
            self._decided.set()  # who is not asked first is told whom the game waits for
        self._is_playing = table.status == "playing"
        if table.status in ("between games", "over") and self.over is not None:
            self._asked.set()

    def _end(self, over: Over) -> None:
        is_told = self.over is not None
        self.over = over
        self._held = None
        self._desk.decided()
        if is_told:
            return  # who comes back is told again
        self._desk.show_news()
        won = over.winner == self._desk.book.seat
        result = told_result(over.winner, over.reason, self._desk.book.players)
        self._screen.closing(f"{'You win! ' if won else ''}{self._desk.book.words(result)}")

    def _tell_afterwards(self) -> None:
        """Once everything is over, say what can be done still."""
        if self._lines.is_live and self.is_finished and not self._is_told_end:
            self._is_told_end = True
            table = self._client.table
            is_full = table is not None and all(seat.kind != "gone" for seat in table.seats)
            self._screen.line(AFTERWARDS.format(again=AGAIN if is_full else ""), "dim")
            self._screen.cursor()

    async def _tell_who_thinks(self) -> None:
        """Say whom the player waits for, where that takes longer than a moment."""
        while True:
            await self._decided.wait()
            self._decided = trio.Event()
            await trio.sleep(PATIENCE_S)
            if self._desk.prompt is None and not self.over and self._client.is_connected:
                self._screen.aside(self._desk.who_thinks(), "dim")

    # ------------------------------------------------------------ reading

    async def _read(self) -> None:
        while True:
            if not self._lines.is_live:
                await self._until_asked()
            line = None if self.is_alone else await self._lines.next()
            self._screen.typed()
            if line is None:
                self._screen.echo("")
                await self._go()
                return
            if not self._lines.is_live:
                self._screen.echo(line)
            asked = self._desk.prompt
            await self._take(line.strip())
            if self.has_left:
                return
            if asked is self._desk.prompt:
                self._screen.cursor()

    async def _until_asked(self) -> None:
        """Wait for something to answer; not where the lines end before somebody sits down."""
        async with trio.open_nursery() as nursery:

            async def wait_for_end() -> None:
                if not await self._lines.has_more() and self._is_waiting:
                    self.is_alone = True
                    nursery.cancel_scope.cancel()

            nursery.start_soon(wait_for_end)
            await self._asked.wait()
            nursery.cancel_scope.cancel()

    async def _take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        again, self._once = self._once == word, word
        if word in ("quit", "exit") or (self.is_finished and not word):
            await self._quit(again=again)
        elif word == "concede":
            await self._concede(again=again)
        elif word == "undo":
            await self._take_back()
        elif word in self._words and await self._do(word, rest):
            pass
        elif not self._commands.do(word, rest):
            await self._answer(line)

    async def _do(self, word: str, rest: str) -> bool:
        """Do what one of the groups knows; False if it is no such command after all."""
        if word != "ready" or self._desk.prompt is not None:
            return await self._words[word](rest)
        self._await_question()
        is_command = await self._words[word](rest)
        if not is_command or self.is_finished:
            self._asked.set()
        return is_command

    async def _answer(self, line: str) -> None:
        prompt = self._desk.prompt
        if prompt is None:
            self._screen.line(f"{self._why_nothing_is_asked()} `help` lists what you can type.")
            return
        try:
            answer = read(prompt, line)
        except NotAnAnswer as wrong:
            self._screen.line(self._desk.book.words(str(wrong)))
            return
        self._desk.decided()
        self._decided.set()
        if not await self._send(prompt, answer):
            self._desk.prompt = prompt
            self._asked.set()

    def _why_nothing_is_asked(self) -> str:
        table = self._client.table
        if not self._client.is_connected:
            return "The connection is lost, and is being taken up again."
        if self.over:
            return "The game is over."
        if table is not None and table.status == "paused":
            return "The game is paused."
        return self._desk.who_thinks()

    async def _send(self, prompt: Prompt, answer: Answer) -> bool:
        """Decide, and say whether that is done with; what is asked next is heard later."""
        self._await_question()
        try:
            await self._client.decide(prompt, answer)
        except Refused as refused:
            self._screen.line(f"The game does not take that: {reason(refused)}")
            return refused.answer.prompt != prompt
        except (ClientClosed, trio.TooSlowError):
            pass  # the end is told by what is heard; what is asked still, is asked again
        return True

    def _await_question(self) -> None:
        """Lines of a script wait until something is asked again."""
        if self._asked.is_set():
            self._asked = trio.Event()

    # ------------------------------------------------------------ the player's other words

    async def _take_back(self) -> None:
        if self.over:
            self._screen.line("The game is over.")
            return
        before = self._desk.prompt
        self._desk.prompt = None
        self._await_question()
        try:
            await self._client.take_back()
        except Refused as refused:
            table = self._client.table
            is_no_play = refused.answer.code == Code.REFUSED
            self._screen.line(
                f"Nothing is taken back: {NO_PLAY if is_no_play else reason(refused)}"
            )
            if is_no_play and table is not None and table.terms.take_back == "by agreement":
                self._screen.line(BY_AGREEMENT)
            self._desk.prompt = before
            if before is not None:
                self._asked.set()
        except (ClientClosed, trio.TooSlowError):
            pass

    async def _concede(self, *, again: bool) -> None:
        if self.over:
            self._screen.line("The game is over.")
        elif not again:
            self._screen.line(TWICE["concede"])
        else:
            self._await_question()
            if await is_done(self._screen, self._client.concede(), "You cannot concede"):
                self._desk.prompt = None
            else:
                self._asked.set()

    async def _quit(self, *, again: bool) -> None:
        table = self._client.table
        is_bound = table is not None and table.status in ("playing", "paused", "between games")
        if again or not is_bound:
            await self._go()
        else:
            self._screen.line(TWICE["quit"])

    async def _go(self) -> None:
        """Leave the table, and hear what becomes of the game by that."""
        await self._leave()
        if self._client.place is None:
            with trio.move_on_after(LEAVE_S):
                await self._gone.wait()

    async def _leave(self) -> None:
        """Leave the table; whoever waits for this player is told at once."""
        async with self._leaving:
            if self.has_left:
                return
            self.has_left = True
            with trio.move_on_after(LEAVE_S):
                with contextlib.suppress(ClientClosed, Refused, trio.TooSlowError):
                    await self._client.leave()
