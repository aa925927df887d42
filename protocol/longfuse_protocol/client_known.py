"""What a client knows: everything that the server has told and that still holds.

The client owns one and lets it hear every message, with the time on the client's own clock, in
seconds. It is synchronous, sends nothing and forgets what a new place or a lost connection ends.
"""

from collections import deque

from longfuse_protocol import messages as m
from longfuse_protocol.mirror import Mirror
from longfuse_protocol.prompts import Prompt

CHAT_MAX = 200
ABSENT_MAX = 16
"""As many as a table has seats, at most."""


class ServerTime:
    """The server's clock, as well as a client can know it.

    A message tells the time at which it left. The one that was under way shortest shows the
    difference of the two clocks best: it is the one by which the server's is furthest ahead.
    """

    def __init__(self) -> None:
        self._ahead_s: float | None = None

    def hear(self, at_ms: int, now: float) -> None:
        """Take in what the server's clock said, and when that arrived."""
        ahead_s = _seconds(at_ms) - now
        if self._ahead_s is None or ahead_s > self._ahead_s:
            self._ahead_s = ahead_s

    def local(self, at_ms: int) -> float:
        """Return when the server's clock says so, on the client's own clock."""
        return _seconds(at_ms) - (self._ahead_s or 0.0)


def _seconds(at_ms: int) -> float:
    """Return a time in seconds; one that no server can mean stays within what a float holds."""
    return max(-m.INTEGER_MAX, min(m.INTEGER_MAX, at_ms)) / 1_000


class Known:
    """One session as its client sees it."""

    def __init__(self) -> None:
        self.welcome: m.Welcome | None = None
        self.place: m.Place | None = None
        self.entered: m.Place | None = None
        """The place that was had last, as it was then."""
        self.mirror = Mirror()
        self.prompt: Prompt | None = None
        self.over: m.Over | None = None
        """How the last game at this place ended."""
        self.clock: m.Clock | None = None
        self.offers: tuple[m.Offer, ...] = ()
        self.passing: m.PassingSet | None = None
        self.ready: m.ReadyCheck | None = None
        self.absent: dict[int, m.Presence] = {}
        self.chat: deque[m.Said] = deque(maxlen=CHAT_MAX)
        self.time = ServerTime()
        self.snapshots = 0
        """How many whole views have come."""
        self.unsound = 0
        """How many of them in a row did not match their own digest."""
        self.tables: m.Tables | None = None
        """The last answer to `browse`."""
        self.pong = 0
        """The highest number that came back from a ping."""
        self.unpaired = ""
        """Why the waiting for another player has ended last."""

    @property
    def game(self) -> tuple[str, str] | None:
        """Name the place's stream and the game that is played there, if there is a place."""
        return None if self.place is None else (self.place.stream, self.place.info.game)

    @property
    def played(self) -> str:
        """Name the game that is played at this place, or was last; "" if there is none."""
        return "" if self.place is None else self.place.info.game

    def seen(self) -> tuple[str, int]:
        """Return which stream is known up to which game frame; "" if none is known rightly."""
        if self.place is None or self.mirror.is_lost:
            return "", 0
        return self.place.stream, self.mirror.n

    def drop(self) -> None:
        """Hear that the connection is lost: what was asked may be asked no more."""
        self.prompt = None

    def hear(self, message: m.ServerMessage, now: float) -> bool:
        """Take a message in; return whether it may be told on.

        What belongs to a view that is not right here may not: the whole view comes instead. Nor
        may the end of a game that was told before the connection was lost, nor a line of chat that
        was heard already: with a whole view, and after a resume, all that are kept come again.
        """
        match message:
            case m.Said() if message in self.chat:
                return False
            case m.Welcome():
                self._welcome(message, now)
            case m.Joined(place=place):
                self._sit(place)
            case m.Left():
                self._leave()
            case m.TableChanged(info=info) if self.place is not None:
                self._change(info)
            case m.Snapshot() | m.Events() | m.Asked() | m.Over():
                return self._play(message)
            case m.Passed(prompt=passed):
                self._answered(passed)
            case m.Pong(nonce=nonce, at_ms=at_ms):
                self.pong = max(self.pong, nonce)
                self.time.hear(at_ms, now)
            case m.Clock(at_ms=at_ms):
                self.time.hear(at_ms, now)
                self.clock = message
            case _:
                self._other(message)
        return True

    def answered(self, command: m.Decide, answer: m.Answered) -> None:
        """Hear how a decision was answered: it closes its prompt, or shows what is asked."""
        if answer.ok:
            self._answered(command.prompt)
        elif answer.prompt is not None and not self.mirror.is_lost:
            self.prompt = answer.prompt

    def _other(self, message: m.ServerMessage) -> None:
        match message:
            case m.Tables():
                self.tables = message
            case m.Unpaired(reason=reason):
                self.unpaired = reason
            case m.PassingSet():
                self.passing = message
            case m.Offers(offers=offers):
                self.offers = offers
            case m.ReadyCheck():
                self.ready = message
            case m.Presence(seat=seat, here=here):
                self.absent.pop(seat, None)
                if not here and len(self.absent) < ABSENT_MAX:
                    self.absent[seat] = message
            case m.Said():
                self.chat.append(message)
            case _:
                pass

    def _welcome(self, welcome: m.Welcome, now: float) -> None:
        self.welcome = welcome
        self.time = ServerTime()
        self.time.hear(welcome.at_ms, now)
        if welcome.place is None:
            self._leave()
        elif self.place is None or self.place.stream != welcome.place.stream:
            self._sit(welcome.place)
        else:
            self.place = welcome.place
            self._forget()
            if self.mirror.is_lost:
                self.mirror = Mirror()

    def _sit(self, place: m.Place) -> None:
        self._leave()
        self.place = self.entered = place
        self.mirror = Mirror()
        self.over = None
        self.chat.clear()

    def _leave(self) -> None:
        self.place = None
        self._forget()

    def _forget(self) -> None:
        """Let go what the server tells anew whenever it counts."""
        self.prompt = None
        self.clock = None
        self.offers = ()
        self.passing = None
        self.ready = None
        self.absent.clear()

    def _change(self, info: m.TableInfo) -> None:
        assert self.place is not None
        is_other = info.game != self.place.info.game
        if is_other:
            self.prompt = None
        if is_other or info.status not in ("starting", "between games"):
            self.ready = None
        place = self.place
        self.place = m.Place(
            info=info, seat=place.seat, stream=place.stream, invitation=place.invitation
        )

    def _play(self, message: m.Snapshot | m.Events | m.Asked | m.Over) -> bool:
        match message:
            case m.Snapshot():
                self.prompt = None
                self.snapshots += 1
                self.mirror.take_whole(message)
                self.unsound = self.unsound + 1 if self.mirror.is_lost else 0
                return not self.mirror.is_lost
            case m.Events():
                self.prompt = None
                self.mirror.follow(message)
                return not self.mirror.is_lost
            case m.Asked(n=n, prompt=prompt):
                self.mirror.expect(n)
                if self.mirror.is_lost:
                    return False
                self.prompt = prompt
            case m.Over(n=n):
                self.mirror.expect(n)
                self.prompt = None
                is_new, self.over = message != self.over, message
                return is_new
        return True

    def _answered(self, prompt: int) -> None:
        if self.prompt is not None and self.prompt.id == prompt:
            self.prompt = None
