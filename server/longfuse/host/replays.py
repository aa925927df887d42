"""Replays: finished games shown again, to whom they may be shown.

The server owns one, and runs it. It remembers of the last games who played them, and under which
terms; of older ones, and those from before a restart, it knows what their journals say, and that is
not who sat there. A replay is asked for in parts, by one person, and told to nobody else. Games are
played anew by tasks of its own, few at once, which let tables have their turn: it knows no table,
and costs a game under way no more than a little time.

Who may see what: one's own seat, as it was seen there. The spectators' view, whoever may watch such
a table: anybody (`open`); who played, is at the table, or names its invitation (`invited`); who
played (`closed`). Another's seat, the same people, if the table was opened so or all seats agreed
on it after the end. All but the first wait until spectators have seen the end.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple, Protocol

import msgspec
import structlog
import trio

from longfuse.config import Config
from longfuse.game.entries import Refused
from longfuse.host.peers import Outgoing
from longfuse.host.people import Line, Person
from longfuse.host.ports import GameFactory, Journal, Saved
from longfuse.host.rebuilds import Frames, Kept, rebuild
from longfuse.host.wall import now_ms
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import Failed, Replay, Replayed, Terms

log = structlog.get_logger()

REPLAYED_MAX = 64
"""Frames in one part."""
REPLAYED_BYTES_MAX = 65_536
"""Of the frames in one part, and never more than a quarter of what may wait for a client."""
KNOWN_MAX = 2_000
"""Games of which it is known who played them."""
ASKING_MAX = 64
"""Replays that are under way or wait, of all people together; one of each person."""
REBUILDS_MAX = 2
"""Games that are played anew at once."""
ANSWER_S = 60.0
"""Until somebody who waits for a replay is told to ask again later."""


class Opened(Protocol):
    """What a table was opened with, as far as replays go by it."""

    table: str
    terms: Terms
    invitation: str


class _Player(NamedTuple):
    """Who held a seat, by session and by user."""

    session: str
    user: str

    def is_this(self, person: Person) -> bool:
        return self.session == person.id or (bool(self.user) and self.user == person.user)


class _Known(msgspec.Struct):
    """What is known of one game beside what happened in it."""

    table: str
    terms: Terms
    invitation: str
    players: Mapping[int, _Player]
    is_open: bool
    """Whether it may be seen whole."""
    is_recalled: bool = False
    """Whether all of this is from the journal: who played is not known."""
    over_at: float | None = None

    def seats_of(self, person: Person) -> set[int]:
        return {seat for seat, player in self.players.items() if player.is_this(person)}

    def is_shown(self, now: float) -> bool:
        """Whether spectators have seen the end."""
        return self.over_at is not None and now >= self.over_at + self.terms.delay_s


class Replays:
    """Finished games of one server, for whoever may see them again."""

    def __init__(self, config: Config, factory: GameFactory, journal: Journal) -> None:
        self._factory = factory
        self._journal = journal
        self._bytes_max = min(REPLAYED_BYTES_MAX, config.outbox_bytes_max // 4)
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._kept = Kept()
        self._asking: set[Person] = set()
        self._limiter = trio.CapacityLimiter(REBUILDS_MAX)
        self._nursery: trio.Nursery | None = None

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve until cancelled."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            task_status.started()
            await trio.sleep_forever()

    # What tables tell

    def began(self, game: str, opened: Opened, people: Mapping[int, Person]) -> None:
        """Hear that a game begins, at which these people sit."""
        players = {seat: _Player(one.id, one.user) for seat, one in people.items()}
        is_open = opened.terms.open_replay
        known = _Known(opened.table, opened.terms, opened.invitation, players, is_open)
        self._remember(game, known)

    def over(self, game: str) -> None:
        """Hear that a game is over, and its journal closed."""
        if game in self._known:
            self._known[game].over_at = trio.current_time()

    async def open(self, game: str) -> None:
        """Hear that all seats have agreed to show a game whole, and keep it with its journal."""
        await self._journal.opened(game)
        if game in self._known:
            self._known[game].is_open = True

    def _remember(self, game: str, known: _Known) -> None:
        """Remember a game in place of the oldest; what can be recalled again goes before others."""
        self._known[game] = known
        if known.is_recalled:
            self._known.move_to_end(game, last=False)
        if len(self._known) > KNOWN_MAX:
            self._known.popitem(last=False)

    # What people ask

    def table_of(self, game: str) -> str:
        """Return at which table a game was played; "" if that is not known."""
        known = self._known.get(game)
        return "" if known is None else known.table

    def request(self, person: Person, line: Line, question: Replay, *, is_there: bool) -> None:
        """Answer a question on this line, at once or later; or raise `Refused`.

        is_there: whether the person has a place at the game's table.
        """
        if person in self._asking:
            raise Refused(Code.BUSY, "your last replay is still under way")
        known = self._known.get(question.game)
        if known is not None:
            _check(known, person, question, is_there=is_there)
            frames = self._kept.find(question.game, question.viewer)
            if frames is not None:
                line.send(Outgoing(self._part(question, frames)))
                return
        if len(self._asking) >= ASKING_MAX:
            raise Refused(Code.BUSY, "too many ask for replays now; try again a little later")
        assert self._nursery is not None, "whoever asks, asks a server that runs"
        self._asking.add(person)
        self._nursery.start_soon(self._answer, person, line, question)

    async def _answer(self, person: Person, line: Line, question: Replay) -> None:
        answer: Replayed | Failed | None
        try:
            answer = await self._look(person, line, question)
        except Refused as refused:
            code = Code(refused.code)
            answer = Failed(code=code, text=refused.reason, command=question.command)
        except Exception:  # the supervisor of all replays: one that fails is told so, and no more
            log.exception("replay_failed", game=question.game, viewer=question.viewer)
            text = "a fault of the server: this game cannot be shown"
            answer = Failed(code=Code.NOT_OPEN, text=text, command=question.command)
        finally:
            self._asking.discard(person)
        if answer is not None:
            line.send(Outgoing(answer))
            line.flush()

    async def _look(self, person: Person, line: Line, question: Replay) -> Replayed | None:
        """Return the answer; None if nobody is there any more when its turn has come."""
        with trio.move_on_after(ANSWER_S):
            async with self._limiter:
                if line.is_ended:
                    return None
                return self._part(question, await self._frames(person, question))
        raise Refused(Code.BUSY, "it takes too long now; try again later")

    async def _frames(self, person: Person, question: Replay) -> Frames:
        game, viewer = question.game, question.viewer
        saved: Saved | None = None
        if game not in self._known:
            saved = await self._journal.find(game)
            if saved is None:
                raise _unknown(game)
            known = _recalled(saved)
            _check(known, person, question, is_there=False)
            self._remember(game, known)
        frames = self._kept.find(game, viewer)
        if frames is None:
            saved = saved or await self._journal.find(game)
            if saved is None:
                raise Refused(Code.UNKNOWN_GAME, f"the game {game!r} is not kept any more")
            frames = await rebuild(saved, viewer, self._factory)
            self._kept.keep(game, viewer, frames)
        return frames

    def _part(self, question: Replay, frames: Frames) -> Replayed:
        some, is_last = frames.after(question.after, REPLAYED_MAX, self._bytes_max)
        return Replayed(
            command=question.command,
            game=question.game,
            viewer=question.viewer,
            frames=some,
            last=is_last,
        )


def _check(known: _Known, person: Person, question: Replay, *, is_there: bool) -> None:
    """Raise `Refused` if the person may not see the game so, or not yet.

    Until spectators have seen the end, who did not play is told the same as of any other id: not
    even that there is such a game.
    """
    seats = known.seats_of(person)
    is_shown = known.is_shown(trio.current_time())
    if known.over_at is None or not (seats or is_shown):
        raise _unknown(question.game)
    if question.viewer in seats:
        return
    if known.is_recalled and (known.terms.watch != "open" or not _is_open_to_all(known, question)):
        text = "the server was restarted since, or it is long ago: who played is not known any more"
        raise Refused(Code.NOT_OPEN, text)
    if not (seats or _may_watch(known, question.invitation, is_there=is_there)):
        raise Refused(Code.NOT_OPEN, "this game is only for those who could watch it")
    if not is_shown:
        raise Refused(Code.NOT_OPEN, "spectators have not seen the end of this game yet")
    if not _is_open_to_all(known, question):
        text = "what a seat saw is shown to others only where the table was opened so, or all agree"
        raise Refused(Code.NOT_OPEN, text)


def _is_open_to_all(known: _Known, question: Replay) -> bool:
    """Say whether all who may watch may see this view."""
    return known.is_open or question.viewer == "spectator"


def _may_watch(known: _Known, invitation: str, *, is_there: bool) -> bool:
    if known.terms.watch == "invited":
        return is_there or invitation == known.invitation
    return known.terms.watch == "open"


def _recalled(saved: Saved) -> _Known:
    header = saved.header
    ago_s = max(0, now_ms() - saved.over_ms) / 1_000
    return _Known(
        table=header.game.rpartition("-")[0],
        terms=header.terms,
        invitation="",
        players={},
        is_open=header.terms.open_replay or saved.is_open,
        is_recalled=True,
        over_at=trio.current_time() - ago_s,
    )


def _unknown(game: str) -> Refused:
    return Refused(Code.UNKNOWN_GAME, f"no game {game!r} is over and can be shown")
