"""A game at a terminal: one task hears the server, the other reads what the player types.

Owns the order of the two: a line answers the prompt that was open when it could be read, and no
other. Lines of a script are read only when there is something to answer.
"""

from __future__ import annotations

import contextlib

import trio

from longfuse.cli.play_answers import NotAnAnswer, numbered, read
from longfuse.cli.play_commands import Commands
from longfuse.cli.play_desk import Desk
from longfuse.cli.play_input import Lines
from longfuse.cli.telling import told_result
from longfuse_protocol.client import Client, ClientClosed, Ended, Event, Refused
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import (
    Asked,
    Events,
    Joined,
    Notice,
    Over,
    Snapshot,
    TableChanged,
    TableInfo,
)
from longfuse_protocol.prompts import Answer, Prompt

PATIENCE_S = 2.0
NO_PLAY = "you have no play open."
PASSED = "(You pass: nothing else was possible.)"
TWICE = {
    "concede": "This gives the game up. To do so, type `concede` again.",
    "quit": "The game still runs: leaving gives it up. To leave, type `quit` again.",
}
INVITES = "Waiting for somebody to sit down. They join with:"


class Session:
    """One player's game, from sitting down to its end."""

    def __init__(self, client: Client, desk: Desk, lines: Lines, *, url: str = "") -> None:
        self.over: Over | None = None
        self.ended: Ended | None = None
        self.has_left = False
        self.passes_alone = True
        """Where nothing but passing is possible, it is done without asking."""
        self._client = client
        self._desk = desk
        self._screen = desk.screen
        self._lines = lines
        self._url = url
        self._commands = Commands(desk)
        self._asked = trio.Event()
        self._decided = trio.Event()
        self._once = ""
        self._seats = ""

    async def run(self) -> None:
        """Play until the game, the connection or the player's patience ends."""
        assert self._client.place is not None
        self._seated(self._client.place.info)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._hear, nursery.cancel_scope)
            if self._lines.is_live:
                nursery.start_soon(self._tell_who_thinks)
            await self._read()
            nursery.cancel_scope.cancel()

    # ------------------------------------------------------------ hearing

    async def _hear(self, scope: trio.CancelScope) -> None:
        async for event in self._client:
            await self._heard(event)
            if isinstance(event, Ended) or (self.over and not self._lines.is_live):
                break
        if self.ended is not None or not self._lines.is_live:
            scope.cancel()

    async def _heard(self, event: Event) -> None:
        match event:
            case Joined(info=info) | TableChanged(info=info):
                self._seated(info)
            case Snapshot():
                self._desk.take([])
            case Events():
                self._desk.take(event.events)
            case Asked(prompt=prompt):
                await self._ask(prompt)
            case Notice(text=text):
                self._screen.line(text, "strong")
            case Over():
                self._end(event)
            case Ended():
                self.ended = event
            case _:
                pass

    async def _ask(self, prompt: Prompt) -> None:
        if self._client.prompt != prompt:
            return  # the game has gone on without this answer
        passing = self._desk.rendering.passing(prompt)
        if self.passes_alone and passing is not None and numbered(prompt) == [passing]:
            self._desk.book.remark(PASSED)
            if await self._send(prompt, passing):
                return
        self._lines.forget()
        self._desk.ask(prompt)
        self._asked.set()

    def _seated(self, info: TableInfo) -> None:
        names = [seat.name or f"P{number}" for number, seat in enumerate(info.seats, 1)]
        self._desk.book.seat_players(tuple(names))
        who = ", ".join(
            f"{name} ({seat.kind})" if seat.kind in ("open", "gone") else name
            for name, seat in zip(names, info.seats, strict=True)
        )
        if who == self._seats or self.over:
            return
        self._seats = who
        self._screen.line(f"Table {info.table}, {info.ruleset}: {who}.", "dim")
        if self._url and any(seat.kind == "open" for seat in info.seats):
            self._screen.line(INVITES, "dim")
            self._screen.echo(f"  longfuse play --url {self._url} --table {info.table}")

    def _end(self, over: Over) -> None:
        self.over = over
        self._desk.show_news()
        won = over.winner == self._desk.book.seat
        result = told_result(over.winner, over.reason, self._desk.book.players)
        self._screen.closing(f"{'You win! ' if won else ''}{self._desk.book.words(result)}")
        self._desk.decided()
        if self._lines.is_live:
            self._screen.line("`log`, `why` and `table` still work; Enter leaves.", "dim")
            self._screen.cursor()
        self._asked.set()

    async def _tell_who_thinks(self) -> None:
        """Say whom the player waits for, where that takes longer than a moment."""
        while True:
            await self._decided.wait()
            self._decided = trio.Event()
            await trio.sleep(PATIENCE_S)
            if self._desk.prompt is None and not self.over:
                self._screen.line(self._desk.who_thinks(), "dim")

    # ------------------------------------------------------------ reading

    async def _read(self) -> None:
        while True:
            if not self._lines.is_live:
                await self._asked.wait()
            line = await self._lines.next()
            if line is None:
                self._screen.echo("")
                await self._leave()
                return
            if not self._lines.is_live:
                self._screen.echo(line)
            asked = self._desk.prompt
            await self._take(line.strip())
            if self.has_left:
                return
            if asked is self._desk.prompt:
                self._screen.cursor()

    async def _take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        again, self._once = self._once == word, word
        if word in ("quit", "exit") or (self.over and not word):
            await self._quit(again=again)
        elif word == "concede":
            await self._concede(again=again)
        elif word == "undo":
            await self._take_back()
        elif word == "auto":
            self._auto(rest)
        elif not self._commands.do(word, rest):
            await self._answer(line)

    async def _answer(self, line: str) -> None:
        prompt = self._desk.prompt
        if prompt is None:
            text = "The game is over." if self.over else self._desk.who_thinks()
            self._screen.line(f"{text} `help` lists what you can type.")
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

    async def _send(self, prompt: Prompt, answer: Answer) -> bool:
        """Decide, and say whether that is done with; what is asked next is heard later."""
        self._await_question()
        try:
            await self._client.decide(prompt, answer)
        except Refused as refused:
            self._screen.line(f"The game does not take that: {_reason(refused)}")
            return refused.answer.prompt != prompt
        except ClientClosed:
            pass  # the end is told by what is heard
        return True

    def _await_question(self) -> None:
        """Lines of a script wait until something is asked again."""
        if self._asked.is_set():
            self._asked = trio.Event()

    # ------------------------------------------------------------ the player's other words

    def _auto(self, rest: str) -> None:
        if rest in ("on", "off"):
            self.passes_alone = rest == "on"
        if self.passes_alone:
            self._screen.line("Where you can only pass, it is done for you. `auto off` ends that.")
        else:
            self._screen.line("You are asked even where you can only pass. `auto on` ends that.")

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
            is_no_play = refused.answer.code == Code.REFUSED
            self._screen.line(
                f"Nothing is taken back: {NO_PLAY if is_no_play else _reason(refused)}"
            )
            self._desk.prompt = before
            if before is not None:
                self._asked.set()
        except ClientClosed:
            pass

    async def _concede(self, *, again: bool) -> None:
        if self.over:
            self._screen.line("The game is over.")
        elif not again:
            self._screen.line(TWICE["concede"])
        else:
            self._await_question()
            try:
                await self._client.concede()
            except Refused as refused:
                self._screen.line(f"You cannot concede: {_reason(refused)}")
                self._asked.set()
            except ClientClosed:
                pass
            else:
                self._desk.prompt = None

    async def _quit(self, *, again: bool) -> None:
        if self.over or again or not self._client.mirror.view.entities:
            await self._leave()
        else:
            self._screen.line(TWICE["quit"])

    async def _leave(self) -> None:
        """Leave the table; whoever waits for this player is told at once."""
        self.has_left = True
        if self.over is not None:
            return
        with contextlib.suppress(ClientClosed, Refused, trio.TooSlowError):
            await self._client.leave()


def _reason(refused: Refused) -> str:
    """Why the server refuses, for people."""
    return f"{refused.answer.reason.rstrip('.')}."
