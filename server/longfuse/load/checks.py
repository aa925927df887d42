"""What clients must see of a server, whatever the load: each message is held against it.

Pure: messages in, violations out. A `ClientCheck` follows one client from table to table; a
`TableCheck` holds the clients of one game against each other. The laws:

- game frames are numbered without gaps or repeats, drops and resumes included;
- a whole view comes to who has just come or come back, or needs it after one of the above or below;
- every view comes out at the digest that its frame names, and a spectator's at the shared one;
- all clients of a game see the same public views, one after the other: the shared digests of their
  frames, repeats merged, are one sequence (a viewer who saw nothing new got no frame, so numbers
  of different streams do not compare);
- each command is answered exactly once;
- a prompt reaches the seat that it asks and nobody else, belongs to the last frame, and is the only
  one that is open at its table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from longfuse_protocol import messages as m
from longfuse_protocol.mirror import Mirror
from longfuse_protocol.prompts import Prompt

Kind = Literal[
    "gap",
    "repeat",
    "whole view",
    "digest",
    "shared",
    "answered twice",
    "unknown answer",
    "unanswered",
    "wrong prompt",
    "two asked",
    "shuffle",
]


class Violation(msgspec.Struct, frozen=True, kw_only=True):
    """Something a client has seen that may not be."""

    kind: Kind
    table: str
    client: str
    n: int
    """The number of the last game frame that this client had taken."""
    text: str


class History:
    """The shared digests of one stream from its frame `first` on, unbroken; repeats are merged."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.seen: list[tuple[int, str]] = []
        """Each public view, with the number of the frame that brought it."""

    def add(self, n: int, shared: str) -> None:
        """The next frame of this stream."""
        if not self.seen or self.seen[-1][1] != shared:
            self.seen.append((n, shared))


class ClientCheck:
    """What one client has seen. Whoever owns the client tells all that it sends and hears."""

    def __init__(self, client: str, seat: int | None) -> None:
        self.client = client
        self.seat = seat
        self.table = ""
        self.histories: list[History] = []
        """Of the game at this table: a new one begins where a whole view was taken."""
        self._mirror = Mirror()
        self._n = 0
        self._may_be_whole = False
        self._prompt = 0
        self._waiting: dict[str, bool] = {}
        """Commands that have no answer yet, and whether a drop may have lost it."""
        self._answered: set[str] = set()

    @property
    def is_unbroken(self) -> bool:
        """Whether it saw its stream from the first frame without a break."""
        return len(self.histories) == 1 and self.histories[0].first == 1

    def sent(self, command: str, *, is_away: bool = False) -> None:
        """A command goes out, or waits for the client to be back."""
        self._waiting[command] = is_away

    def dropped(self) -> None:
        """The connection was cut: an answer that was under way may be lost."""
        self._waiting = dict.fromkeys(self._waiting, True)

    def resumed(self) -> None:
        """It is back: what was missed follows, or the whole view."""
        self._may_be_whole = True

    def hear(self, message: m.ServerMessage) -> Iterator[Violation]:
        """Follow a message; yield what is wrong with it. To be iterated to its end."""
        match message:
            case m.Joined():
                self._enter(message.place.info.table)
            case m.Answered():
                yield from self._answer(message.command)
            case m.Failed() if message.command:
                yield from self._answer(message.command)
            case m.Snapshot():
                yield from self._whole(message)
            case m.Events():
                yield from self._frame(message)
            case m.Asked():
                yield from self._asked(message)
            case m.Over() if message.n != self._n:
                yield self.found("gap", f"the game ended with frame {message.n}")
            case _:
                pass

    def end(self) -> Iterator[Violation]:
        """No more is to come: yield what never came."""
        for command, may_be_lost in self._waiting.items():
            if not may_be_lost:
                yield self.found("unanswered", f"command {command} has no answer")
        self._waiting = {}

    def found(self, kind: Kind, text: str, n: int | None = None) -> Violation:
        """Return something wrong, at frame `n` or where the client is now."""
        n = self._n if n is None else n
        return Violation(kind=kind, table=self.table, client=self.client, n=n, text=text)

    def _enter(self, table: str) -> None:
        self.table = table
        self.histories = []
        self._mirror = Mirror()
        self._n = 0
        self._may_be_whole = True
        self._prompt = 0
        self._answered = set()

    def _answer(self, command: str) -> Iterator[Violation]:
        if command in self._answered:
            yield self.found("answered twice", f"command {command} was answered again")
        elif self._waiting.pop(command, None) is None:
            yield self.found("unknown answer", f"no command {command} was sent")
        self._answered.add(command)

    def _whole(self, snapshot: m.Snapshot) -> Iterator[Violation]:
        if not self._may_be_whole:
            yield self.found("whole view", f"the whole view came again, as of frame {snapshot.n}")
        elif snapshot.n < self._n:
            yield self.found("repeat", f"a whole view came from before, as of frame {snapshot.n}")
        self._mirror.take_whole(snapshot)
        self._may_be_whole = self._mirror.is_lost
        self._n = snapshot.n
        self.histories.append(History(snapshot.n + 1))
        if self._mirror.is_lost:
            yield self._digest(snapshot.digest)

    def _frame(self, frame: m.Events) -> Iterator[Violation]:
        was_lost = self._mirror.is_lost
        self._may_be_whole = was_lost
        if frame.n != self._n + 1:
            kind: Kind = "gap" if frame.n > self._n else "repeat"
            yield self.found(kind, f"frame {frame.n} follows")
            self._may_be_whole = True
            self.histories.append(History(frame.n))
        elif not self.histories:
            self.histories.append(History(frame.n))
        self._mirror.follow(frame)
        is_next = frame.n == self._n + 1
        self._n = frame.n
        self.histories[-1].add(frame.n, frame.shared)
        if is_next and self._mirror.is_lost and not was_lost:
            yield self._digest(frame.digest)
            self._may_be_whole = True
        if self.seat is None and frame.digest != frame.shared:
            yield self.found("shared", f"a spectator's digest is {frame.digest}, not the shared")

    def _asked(self, asked: m.Asked) -> Iterator[Violation]:
        prompt = asked.prompt
        if prompt.seat != self.seat:
            yield self.found("wrong prompt", f"prompt {prompt.id} asks seat {prompt.seat}")
        if prompt.id < self._prompt:
            yield self.found("wrong prompt", f"prompt {prompt.id} follows {self._prompt}")
        if asked.n != self._n:
            yield self.found("wrong prompt", f"prompt {prompt.id} belongs to frame {asked.n}")
        self._prompt = max(self._prompt, prompt.id)

    def _digest(self, told: str) -> Violation:
        return self.found("digest", f"the view has {self._mirror.digest}, told was {told}")


class TableCheck:
    """The clients of one game held against each other: one for each game."""

    def __init__(self, clients: Sequence[ClientCheck]) -> None:
        self._clients = clients
        self._open: dict[int, int] = {}
        self._closed: dict[int, int] = {}

    def asked(self, client: ClientCheck, prompt: Prompt) -> Iterator[Violation]:
        """A client was asked. What its seat has answered may be asked again after a drop."""
        if client.seat is None or prompt.id <= self._closed.get(client.seat, 0):
            return
        for seat, open_now in self._open.items():
            if seat != client.seat:
                text = f"{prompt.id} is asked while prompt {open_now} of seat {seat} is open"
                yield client.found("two asked", text)
        self._open[client.seat] = prompt.id

    def closed(self, seat: int | None, prompt: int) -> None:
        """The seat has answered, or the server for it."""
        if seat is not None:
            self._open.pop(seat, None)
            self._closed[seat] = max(prompt, self._closed.get(seat, 0))

    def compare(self, *, is_over: bool) -> list[Violation] | None:
        """What differs in the public views that the clients saw; None if nothing could be held
        against each other, since nobody saw the game from its beginning without a break."""
        whole = [client for client in self._clients if client.is_unbroken]
        if not whole:
            return None
        longest = max(whole, key=lambda client: len(client.histories[0].seen))
        law = [shared for _n, shared in longest.histories[0].seen]
        return [
            client.found("shared", _DIFFERS.format(*history.seen[wrong]), history.seen[wrong][0])
            for client in self._clients
            for history in client.histories
            if (wrong := first_difference(law, history, is_over=is_over)) is not None
        ]


_DIFFERS = "frame {} has the shared digest {}, which others did not see there"


def first_difference(law: Sequence[str], history: History, *, is_over: bool) -> int | None:
    """Where a history leaves the law, as an index into it; None if it is a part of it.

    One that begins with the game must begin as the law does; one that begins later may begin
    anywhere. What goes beyond the end of the law has nothing to be held against; while the game is
    not over, that may be all of it.
    """
    seen = [shared for _n, shared in history.seen]
    starts = range(len(law) + (not is_over)) if history.first > 1 else range(1)
    best = 0
    for start in starts:
        agreed = _agreed(law[start : start + len(seen)], seen)
        if agreed is None:
            return None
        best = max(best, agreed)
    return best


def _agreed(law: Sequence[str], seen: Sequence[str]) -> int | None:
    """How many views agree before the first that does not; None if none differs."""
    for index, (one, other) in enumerate(zip(law, seen, strict=False)):
        if one != other:
            return index
    return None
