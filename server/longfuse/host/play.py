"""The play of one game: its entries, their journal, and what each viewer is shown after each.

A match owns one and calls one thing at a time. It knows seats by number and nobody by name. An
entry is taken by the game, made durable, and only then shown: between the three nothing else
happens to the game, so nobody sees what a crash could undo. A refused entry leaves no trace. An
entry at which the game breaks is kept too, so that the fault can be played again; after that,
nothing more may be asked of this game.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence

import msgspec
import trio
from msgspec.structs import replace

from longfuse.game.entries import Decision, Entry, Interruption, Recorded, Refused, Rewind
from longfuse.game.entries import TakeBack as TakenBack
from longfuse.host.anew import play_anew, rewound
from longfuse.host.clocks import Saved
from longfuse.host.feeds import Feeds, as_shown
from longfuse.host.history import History, Kept
from longfuse.host.ports import Game, Header, Journal, Record
from longfuse.host.wall import now_ms
from longfuse_protocol.answers import fits
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import Answered, Asked, Concede, Decide, Events, Over, TakeBack
from longfuse_protocol.prompts import Answer, Prompt
from longfuse_protocol.views import digest

COMMANDS_KEPT_MAX = 1_024
"""Command ids remembered per seat. A decision older than that names a prompt that is closed."""

GameCommand = Decide | TakeBack | Concede
Done = list[OrderedDict[str, GameCommand]]


class CameOutOtherwise(Exception):
    """A game that was played anew differs from what it was: a fault of ours."""

    def __init__(self, game: str, what: str) -> None:
        super().__init__(f"game {game} was played anew and comes out otherwise: {what}")


class Step(msgspec.Struct, frozen=True):
    """What one entry gives everybody to see. frames: by stream, the seats first."""

    frames: list[Events | None]
    asked: Asked | None = None
    overs: list[Over] | None = None
    """By stream, when the game has ended."""


class Play:
    """One game from its beginning to its end."""

    def __init__(
        self, id: str, game: Game, feeds: Feeds, journal: Journal, before: "Play | None" = None
    ) -> None:
        """before: the game that was played here before this one. Neither a prompt's number nor a
        command's id means anything new at the same table.
        """
        self.id = id
        self.game = game
        self.entries = 0
        self._before: list[int] = [0] * game.seats if before is None else list(before.prompts)
        self.prompts: list[int] = list(self._before)
        """By seat, the number of the last prompt, as it was shown."""
        self._feeds = feeds
        self._journal = journal
        self._since = 0.0
        self.history: History | None = None
        """What has entered, where the seats may go back by agreement."""
        self.asked_with: Saved | None = None
        """The clocks as they stood when the open prompt was asked."""
        self._names: tuple[str, ...] = ()
        self.done: Done = _new_commands(game.seats) if before is None else before.done

    async def begin(self, header: Header) -> Step:
        """Open the journal and show the first frame."""
        self._names = header.seats
        self.game.introduce(header.seats)
        await self._journal.open(header)
        step = self._step(self._feeds.begin(self.game))
        if self.history is not None:
            self.history.first_digests = self._feeds.digests()
        return step

    async def command(self, seat: int, command: GameCommand) -> Step | None:
        """Do what the seat commands; None if the very same was done before; or raise `Refused`."""
        done = self.done[seat]
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

    def is_known(self, seat: int, command: GameCommand) -> bool:
        """Say whether this very command was done before."""
        return self.done[seat].get(command.command) == command

    def forget(self, seat: int) -> None:
        """Forget the commands of a seat's holder: another has taken the seat."""
        self.done[seat].clear()

    async def decide_for(self, prompt: Prompt, answer: Answer, rule: str) -> Step:
        """Answer the open prompt for its seat, by a setting or the clock; or raise `Refused`."""
        return await self._enter(Decision(prompt.seat, prompt.id, answer), "", rule)

    async def interrupt(self, entry: Interruption) -> Step:
        """Tell the game what ends it from outside; or raise `Refused`."""
        return await self._enter(entry, "")

    async def rewind(self, seat: int, make: Callable[[], Game]) -> tuple[Step, Kept]:
        """Go back to before the seat's last decision, as all have agreed; or raise `Refused`.

        make: the game before its first entry, once more. Returns what is shown, and the decision
        that is undone.
        """
        assert self.history is not None, "the terms allow it"
        standing = self.history.before_last_of(seat)
        game = make()
        before = [kept.entry for kept in self.history.standing[:standing]]
        try:
            await play_anew(game, self._names, before)
        except Refused as refused:
            what = f"it refuses what it took before: {refused.reason}"
            raise CameOutOtherwise(self.id, what) from refused
        self._compare(game, self.history.digests(standing))
        to = self.history.standing[standing - 1].n if standing else 0
        await self._journal.append(self.id, self._record(Rewind(seat, to), "", ""), game)
        undone = self.history.cut(standing)[0]
        self.entries += 1
        self.game = game
        self._before = list(self.prompts)
        return self._step(self._feeds.rewound(game, rewound(seat, self._names))), undone

    def _compare(self, game: Game, digests: Sequence[str]) -> None:
        """Raise `CameOutOtherwise` if a game that was played anew shows anybody something else."""
        for feed, known in zip(self._feeds.all, digests, strict=True):
            found = digest(game.view(feed.viewer))
            if found != known:
                what = f"viewer {feed.viewer} had the view {known}, and would now have {found}"
                raise CameOutOtherwise(self.id, what)

    async def close(self, secret: str) -> None:
        """End the journal of a game that is over."""
        await self._journal.close(self.id, secret, self.game)

    def abandon(self) -> None:
        """Leave the journal without an end."""
        self._journal.abandon(self.id)

    def refusal(self, seat: int | None, command: str, refused: Refused) -> Answered:
        """Return the answer to a refused command: why, who is asked, and what if it is the seat.

        Spectators are not told who is asked: they may be shown it later.
        """
        prompt = self.game.open_prompt if seat is not None else None
        own = prompt is not None and prompt.seat == seat
        return Answered(
            command=command,
            ok=False,
            code=refused.code if refused.code in _CODES else Code.REFUSED,
            reason=refused.reason,
            asked=prompt.seat if prompt is not None else None,
            prompt=self.shown(prompt) if own and prompt is not None else None,
        )

    def asked_of(self, seat: int) -> Asked | None:
        """Return what this seat is asked now."""
        prompt = self.game.open_prompt
        if prompt is None or prompt.seat != seat:
            return None
        return Asked(n=self._feeds.of(seat).n, prompt=self.shown(prompt))

    def shown(self, prompt: Prompt) -> Prompt:
        """Return a prompt as its seat is shown it: numbered on from the game before."""
        shown = as_shown(prompt)
        return replace(shown, id=self._before[prompt.seat] + prompt.id)

    def over(self, n: int) -> Over | None:
        """Return how the game has ended, as it is told after the frame numbered n."""
        result = self.game.result
        if result is None:
            return None
        return Over(n=n, winner=result.winner, reason=result.reason)

    def _entry(self, seat: int, command: GameCommand) -> Entry:
        if isinstance(command, Concede):
            return Interruption("concede", seat)
        if isinstance(command, TakeBack):
            return TakenBack(seat)
        prompt = self.game.open_prompt
        if prompt is None or prompt.seat != seat:
            raise Refused(Code.NOT_ASKED, "this seat is not asked")
        open_id = self._before[seat] + prompt.id
        if open_id != command.prompt:
            raise Refused(
                Code.STALE_PROMPT,
                f"prompt {command.prompt} is not open; prompt {open_id} is",
            )
        if wrong := fits(prompt, command.answer):
            raise Refused(Code.DOES_NOT_FIT, wrong)
        return Decision(seat, prompt.id, command.answer)

    def _record(self, entry: Recorded, command: str, rule: str) -> Record:
        return Record(
            entry=entry,
            command=command,
            rule=rule,
            spent_ms=round((trio.current_time() - self._since) * 1_000),
            at_ms=now_ms(),
        )

    async def _enter(self, entry: Entry, command: str, rule: str = "") -> Step:
        record = self._record(entry, command, rule)
        by_itself = not self.game.has_open_play
        fault = self._advance(entry)
        await self._journal.append(self.id, record, self.game)
        if fault is not None:
            raise fault
        self.entries += 1
        step = self._step(self._feeds.take(self.game))
        if self.history is not None:
            shown = self._feeds.digests()
            self.history.add(Kept(self.entries, entry, by_itself, self.asked_with, shown))
        return step

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
            overs = [self.over(feed.stream.n) for feed in self._feeds.all]
            return Step(frames, overs=[one for one in overs if one is not None])
        prompt = self.game.open_prompt
        if prompt is not None:
            self.prompts[prompt.seat] = self._before[prompt.seat] + prompt.id
        return Step(frames, asked=self.asked_of(prompt.seat) if prompt is not None else None)


_CODES = frozenset(Code)


def _new_commands(seats: int) -> Done:
    return [OrderedDict() for _ in range(seats)]
