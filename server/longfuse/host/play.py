"""The play of one game: its entries, their journal, and what each viewer is shown after each.

A table owns one and calls one thing at a time. It knows seats by number and nobody by name. An
entry is taken by the game, made durable, and only then shown: between the three nothing else
happens to the game, so nobody sees what a crash could undo. A refused entry leaves no trace. An
entry at which the game breaks is kept too, so that the fault can be played again; after that,
nothing more may be asked of this game.
"""

import time
from collections import OrderedDict

import msgspec
import trio

from longfuse.game.entries import Decision, Entry, Interruption, Refused
from longfuse.game.entries import TakeBack as TakenBack
from longfuse.host.feeds import Feeds, as_shown
from longfuse.host.ports import Game, Header, Journal, Record
from longfuse_protocol.answers import fits
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import (
    Answered,
    Asked,
    Concede,
    Decide,
    Events,
    Over,
    ServerMessage,
    Snapshot,
    TakeBack,
)

COMMANDS_KEPT_MAX = 1_024
"""Command ids remembered per seat. A decision older than that names a prompt that is closed."""

GameCommand = Decide | TakeBack | Concede


class Step(msgspec.Struct, frozen=True):
    """What one entry gives everybody to see."""

    frames: list[Events | None]
    """By stream: the seats in order, then the spectators."""
    asked: Asked | None = None
    overs: list[Over] | None = None
    """By stream, when the game has ended."""


class Play:
    """One game from its beginning to its end."""

    def __init__(self, table: str, game: Game, journal: Journal) -> None:
        self.table = table
        self.game = game
        self.feeds = Feeds(table, game.seats)
        self.entries = 0
        self._journal = journal
        self._since = 0.0
        self._done: list[OrderedDict[str, GameCommand]] = [OrderedDict() for _ in range(game.seats)]

    async def begin(self, header: Header) -> Step:
        """Open the journal and show the first frame."""
        self.game.introduce(header.seats)
        await self._journal.open(header)
        return self._step(self.feeds.begin(self.game))

    async def command(self, seat: int, command: GameCommand) -> Step | None:
        """Do what the seat commands; None if the very same was done before; or raise `Refused`."""
        done = self._done[seat]
        first = done.get(command.command)
        if first == command:
            return None
        if first is not None:
            raise Refused(Code.COMMAND_REUSED, "this command id was used for something else")
        step = await self._enter(self._entry(seat, command), command.command)
        done[command.command] = command
        if len(done) > COMMANDS_KEPT_MAX:
            done.popitem(last=False)
        return step

    async def remove(self, seat: int) -> Step:
        """Tell the game that the seat's player is gone for good; or raise `Refused`."""
        return await self._enter(Interruption("removed", seat), "")

    def refusal(self, seat: int | None, command: str, refused: Refused) -> Answered:
        """Return the answer to a refused command: why, who is asked, and what if it is the seat."""
        prompt = self.game.open_prompt
        own = prompt is not None and seat is not None and prompt.seat == seat
        return Answered(
            command=command,
            ok=False,
            code=refused.code if refused.code in _CODES else Code.REFUSED,
            reason=refused.reason,
            asked=prompt.seat if prompt is not None else None,
            prompt=as_shown(prompt) if own and prompt is not None else None,
        )

    def all_of(self, seat: int | None) -> list[ServerMessage]:
        """Return all that a viewer who has nothing yet must be told; before the game, nothing."""
        feed = self.feeds.of(seat)
        if feed.n == 0:
            return [Snapshot(n=0, view={}, digest=feed.digest.hex())]
        told: list[ServerMessage] = [feed.snapshot(self.game)]
        if self.game.result is not None:
            told.append(self._over(feed.n))
        prompt = self.game.open_prompt
        if seat is not None and prompt is not None and prompt.seat == seat:
            told.append(Asked(n=feed.n, prompt=as_shown(prompt)))
        return told

    def _entry(self, seat: int, command: GameCommand) -> Entry:
        if isinstance(command, Concede):
            return Interruption("concede", seat)
        if isinstance(command, TakeBack):
            return TakenBack(seat)
        prompt = self.game.open_prompt
        if prompt is None or prompt.seat != seat:
            raise Refused(Code.NOT_ASKED, "this seat is not asked")
        if prompt.id != command.prompt:
            raise Refused(
                Code.STALE_PROMPT,
                f"prompt {command.prompt} is not open; prompt {prompt.id} is",
            )
        if wrong := fits(prompt, command.answer):
            raise Refused(Code.DOES_NOT_FIT, wrong)
        return Decision(seat, prompt.id, command.answer)

    async def _enter(self, entry: Entry, command: str) -> Step:
        record = Record(
            entry=entry,
            command=command,
            spent_ms=round((trio.current_time() - self._since) * 1_000),
            at_ms=time.time_ns() // 1_000_000,
        )
        fault = self._advance(entry)
        await self._journal.append(self.table, record)
        if fault is not None:
            raise fault
        self.entries += 1
        return self._step(self.feeds.take(self.game))

    def _advance(self, entry: Entry) -> Exception | None:
        """Let the game take the entry; return what broke, and raise only `Refused`."""
        try:
            self.game.advance(entry)
        except Refused:
            raise
        except Exception as fault:  # noqa: BLE001  raised again once the entry is kept
            return fault
        return None

    def _step(self, frames: list[Events | None]) -> Step:
        self._since = trio.current_time()
        if self.game.result is not None:
            return Step(frames, overs=[self._over(feed.n) for feed in self.feeds.all])
        prompt = self.game.open_prompt
        if prompt is None:
            return Step(frames)
        return Step(frames, Asked(n=self.feeds.of(prompt.seat).n, prompt=as_shown(prompt)))

    def _over(self, n: int) -> Over:
        result = self.game.result
        assert result is not None
        return Over(n=n, winner=result.winner, reason=result.reason)


_CODES = frozenset(Code)
