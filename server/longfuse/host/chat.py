"""Chat at one table: two rooms, who hears what, who is muted, and what is reported.

The table owns one and delivers what it is told to. People are known by their names, which the
lobby keeps apart. It reads no clock.

- Seats talk in the seats' room, spectators in theirs. Seats never hear spectators, not even after
  the game: the next one may follow. Spectators hear the seats, as late as they see them, since a
  seat may say what it holds; each other they hear at once.
- A line is kept for who comes late or comes back, up to `LINES_MAX` a room; they are told the last
  of them, up to `TOLD_BYTES_MAX` a room. Lines count by room.
- Who has muted somebody does not get those lines at all, kept ones included. One's own lines come
  back to oneself, whatever is muted: they tell the number that a line has got.
- What people say is logged when somebody reports it, and nowhere else.
"""

import math
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Literal, Protocol, TypeVar

import msgspec
import structlog
from msgspec.structs import replace

from longfuse.game.entries import Refused
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import Said

log = structlog.get_logger()

LINES_MAX = 100
"""Lines kept of each room."""

TOLD_BYTES_MAX = 16_384
"""Of the text that somebody who comes is told of a room: it must not fill what may wait for one."""

LINES_BURST = 5
LINE_EVERY_S = 2
"""Somebody may say so many lines at once, and then one in so many seconds."""

ROOM_BURST = 50
ROOM_EVERY_S = 0.1
"""The same for all in one room together: more would fill what may wait for who hears it."""

MUTED_MAX = 100
"""Names that one person may mute."""

REPORTS_MAX = 100
REPORTS_EACH_MAX = 10
"""Reports kept of a table's seats, and of its spectators; and of one person there."""

Room = Literal["seats", "spectators"]


class ChatLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line, as it goes to everybody who hears it."""

    said: Said
    spectators_at: float
    """When spectators may hear it; seats hear at once what they hear at all."""


class Reported(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody brought before the operator."""

    said: Said
    by: str
    is_seated: bool
    reason: str


class Named(Protocol):
    """Somebody at the table."""

    name: str


Hearer = TypeVar("Hearer", bound=Named)


class Chat:
    """The chat of one table.

    is_on: what the table's terms say. delay_s: how long after the seats spectators hear them.
    Times are in seconds; `wall_ms` turns one into wall time, in milliseconds of the epoch.
    """

    def __init__(
        self, table: str, wall_ms: Callable[[float], int], *, is_on: bool = True, delay_s: float = 0
    ) -> None:
        self.reports: dict[tuple[Room, int, str], Reported] = {}
        """By room, line, and who reported it, in the order of their coming."""
        self._is_on = is_on
        self._delay_s = delay_s
        self._wall_ms = wall_ms
        self._lines: dict[Room, deque[ChatLine]] = {
            "seats": deque(maxlen=LINES_MAX),
            "spectators": deque(maxlen=LINES_MAX),
        }
        self._counts: Counter[Room] = Counter()
        self._paces = _Paces(LINES_BURST, LINE_EVERY_S)
        self._room_paces = _Paces(ROOM_BURST, ROOM_EVERY_S)
        self._muted: dict[str, set[str]] = {}
        self._log = log.bind(table=table)

    def say(self, name: str, seat: int | None, text: str, now: float) -> ChatLine:
        """Take a line of a seat, or with None of a spectator, to be delivered to its `hearers`.

        Raise `Refused` and change nothing, if nobody talks here, or this person or all in the room
        talk too much.
        """
        self._check_on()
        if not text.strip():
            raise Refused(Code.REFUSED, "a line of nothing but spaces says nothing")
        room: Room = "spectators" if seat is None else "seats"
        for pace, who, told in (
            (self._paces, name, "you talk too fast"),
            (self._room_paces, room, "too many talk here at once"),
        ):
            if (wait_s := pace.wait_s(who, now)) > 0:
                raise Refused(Code.TOO_FAST, f"{told}; say this again in {math.ceil(wait_s)} s")
        self._paces.count(name, now)
        self._room_paces.count(room, now)
        self._counts[room] += 1
        said = Said(
            room=room,
            line=self._counts[room],
            seat=seat,
            name=name,
            text=text,
            at_ms=self._wall_ms(now),
        )
        delay_s = self._delay_s if room == "seats" else 0
        line = ChatLine(said=said, spectators_at=now + delay_s)
        self._lines[room].append(line)
        return line

    def hearers(self, said: Said, people: Iterable[Hearer], *, seated: bool) -> list[Hearer]:
        """Return which of these people, all seated or all spectators, get the line.

        Seats get it at once, spectators at its `spectators_at`: ask then who they are.
        """
        return [person for person in people if self._may_hear(said, person.name, seated=seated)]

    def kept(self, name: str, *, seated: bool, now: float) -> list[Said]:
        """Return the lines for somebody who comes, or comes back, in the order of hearing them."""
        lines: list[ChatLine] = []
        for kept in self._lines.values():
            heard = (
                line
                for line in kept
                if self._may_hear(line.said, name, seated=seated)
                and (seated or line.spectators_at <= now)
            )
            lines.extend(_last(list(heard)))
        lines.sort(key=lambda line: line.spectators_at)
        return [line.said for line in lines]

    def mute(self, name: str, other: str, *, muted: bool) -> None:
        """Let this person hear another no more, or again; "" is everybody.

        To hear everybody again undoes each mute. Raise `Refused` on too many.
        """
        names = self._muted.setdefault(name, set())
        if not muted and not other:
            names.clear()
        elif not muted:
            names.discard(other)
        elif other not in names:
            if len(names) >= MUTED_MAX:
                raise Refused(
                    Code.TOO_MANY, f"you have muted {MUTED_MAX} names; mute everybody instead"
                )
            names.add(other)
        if not names:
            del self._muted[name]

    def rename(self, before: str, name: str) -> None:
        """Hear that somebody is called otherwise: what was said and muted under a name goes along.

        Else it would be somebody else's, who has the name now.
        """
        for lines in self._lines.values():
            for place, line in enumerate(lines):
                if line.said.name == before:
                    lines[place] = replace(line, said=replace(line.said, name=name))
        for names in self._muted.values():
            if before in names:
                names.remove(before)
                names.add(name)
        if before in self._muted:
            self._muted[name] = self._muted.pop(before)
        self._paces.rename(before, name)

    def forget(self, name: str) -> None:
        """Forget what this person has muted: it has lost its place here for good."""
        self._muted.pop(name, None)

    def report(
        self,
        name: str,
        seat: int | None,
        line: int,
        reason: str,
        now: float,
        room: Room | None = None,
    ) -> None:
        """Keep and log what somebody reports; the same again changes nothing.

        room: where the line was said; None is the person's own room. A muted line may be reported.
        Raise `Refused` on a line that this person can't have heard or that is not kept any more,
        or on too many reports.
        """
        self._check_on()
        if room is None:
            room = "spectators" if seat is None else "seats"
        said = self._heard(room, line, seated=seat is not None, now=now)
        if said is None:
            raise Refused(Code.UNKNOWN_LINE, f"line {line} of {room} is not known to you, or gone")
        key = (room, line, name)
        if key in self.reports:
            return
        is_seated = seat is not None
        beside = [report for report in self.reports.values() if report.is_seated is is_seated]
        own = sum(report.by == name for report in beside)
        if own >= REPORTS_EACH_MAX or len(beside) >= REPORTS_MAX:  # spectators take no seat's room
            raise Refused(
                Code.TOO_MANY, "you, or all in your room, have reported as much as is kept"
            )
        self.reports[key] = Reported(said=said, by=name, is_seated=is_seated, reason=reason)
        self._log.warning(
            "chat_reported",
            room=room,
            line=line,
            seat=said.seat,
            name=said.name,
            text=said.text,
            said_ms=said.at_ms,
            by=name,
            reason=reason,
        )

    def _check_on(self) -> None:
        if not self._is_on:
            raise Refused(Code.CHAT_OFF, "nobody talks at this table: its terms say so")

    def _may_hear(self, said: Said, name: str, *, seated: bool) -> bool:
        if seated and said.room != "seats":
            return False
        muted = self._muted.get(name)
        return not muted or said.name == name or muted.isdisjoint(("", said.name))

    def _heard(self, room: Room, number: int, *, seated: bool, now: float) -> Said | None:
        if seated and room != "seats":
            return None
        for line in self._lines[room]:
            if line.said.line == number:
                return line.said if seated or line.spectators_at <= now else None
        return None


def _last(lines: list[ChatLine]) -> list[ChatLine]:
    """Return the last lines, as many as may be told at once."""
    left, first = TOLD_BYTES_MAX, len(lines)
    while first and (left := left - len(lines[first - 1].said.text.encode())) >= 0:
        first -= 1
    return lines[first:]


class _Paces:
    """How fast each talks. Whoever has been silent for a while leaves no trace."""

    _TRACES_MIN = 64

    def __init__(self, burst: int, every_s: float) -> None:
        """Each may say so many lines at once, and then one in so many seconds."""
        self._burst = burst
        self._every_s = every_s
        self._rested_at: dict[str, float] = {}
        """When each may again say as much at once as anybody may."""
        self._sweep_at = self._TRACES_MIN

    def wait_s(self, name: str, now: float) -> float:
        """Return in how many seconds the next line may come; 0 or less if it may now."""
        return self._rested_at.get(name, now) - now - (self._burst - 1) * self._every_s

    def count(self, name: str, now: float) -> None:
        """Count one line that may come now."""
        self._rested_at[name] = max(now, self._rested_at.get(name, now)) + self._every_s
        if len(self._rested_at) > self._sweep_at:
            self._rested_at = {who: at for who, at in self._rested_at.items() if at > now}
            self._sweep_at = 2 * len(self._rested_at) + self._TRACES_MIN

    def rename(self, before: str, name: str) -> None:
        """Count what somebody has said under another name from now on."""
        if before in self._rested_at:
            self._rested_at[name] = self._rested_at.pop(before)
