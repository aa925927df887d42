"""The places at one table: who has one, who loses it, and what each is told on coming.

The table owns one, and its task alone calls it. A place is a seat or that of a spectator, and
belongs to a person, not to a connection: who loses the connection has a while to come back, and is
then told exactly what was missed, or the whole view. What a person sees follows from the place that
this module knows, and from nothing that a client says. It knows nothing of what is played.
"""

import trio
from msgspec.structs import replace

from longfuse.game.entries import Refused
from longfuse.host.alarms import Alarms
from longfuse.host.audience import Audience
from longfuse.host.chat import Chat
from longfuse.host.feeds import Feeds
from longfuse.host.inbox import Back
from longfuse.host.match import Match
from longfuse.host.opening import Opening, Outside
from longfuse.host.peers import Peer
from longfuse.host.people import Person
from longfuse.host.playing import AlarmKey
from longfuse.host.wall import wall_ms
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import (
    Answered,
    Join,
    Joined,
    Leave,
    Left,
    Place,
    Presence,
    ServerMessage,
    Spectate,
    TableChanged,
    TableInfo,
    Unpaired,
)

SUSPENDED_TEXT = (
    "A fault of the server stopped this game. It is kept as it stands, for whoever runs the server."
)

_NO_SEAT = {
    Code.NOT_INVITED: "only who names this table's invitation sits down here",
    Code.SUSPENDED: SUSPENDED_TEXT,
    Code.TABLE_FULL: "there is no free seat at this table",
    Code.SEAT_TAKEN: "somebody else has this seat",
}
PAIRED = ""
"""What stands for a command where the server seats those whom it has paired: it was answered."""


class Places:
    """Who is at the table, and where."""

    def __init__(
        self,
        opening: Opening,
        audience: Audience,
        feeds: Feeds,
        match: Match,
        chat: Chat,
        alarms: Alarms[AlarmKey],
        outside: Outside,
    ) -> None:
        self.invitation = opening.invitation
        self.keeps_absent = False
        """Whether nobody loses a place by being away: the server drains."""
        self._is_paused = False
        self._opening = opening
        self._seats = audience.seats
        self._spectators = audience.spectators
        self._audience = audience
        self._feeds = feeds
        self._match = match
        self._chat = chat
        self._alarms = alarms
        self._outside = outside
        self._away_until_ms: dict[Person, int] = {}
        """Until when whoever is away, or was, has to come back, in wall time."""

    @property
    def is_empty(self) -> bool:
        """Say whether no person has a place here."""
        return not self._seats.people and not self._spectators.people

    def has(self, person: Person) -> bool:
        """Say whether the person has a place here."""
        return person in self._spectators.people or self._seats.of(person) is not None

    def people(self) -> list[Person]:
        """Return all who have a place."""
        return [*self._seats.people.values(), *self._spectators.people]

    async def sit(self, person: Person, request: Join) -> None:
        again = self._seats.of_user(person.user)
        if again is not None:
            self._take_over(person, again, request)
            return
        seat = self._seats.free(request.seat)
        if not self._opening.terms.listed and request.invitation != self.invitation:
            seat = Code.NOT_INVITED
        elif self.status_for(person) == "suspended":
            seat = Code.SUSPENDED
        elif self._match.status != "waiting":
            seat = Code.TABLE_FULL
        if isinstance(seat, Code):
            self._turn_away(person, request.command, seat, _NO_SEAT[seat])
            return
        deck = None
        if request.deck:
            try:
                factory = self._outside.factory
                deck = factory.deck(self._opening.ruleset, seat, request.deck)
            except Refused as refused:
                self._turn_away(person, request.command, Code.BAD_DECK, refused.reason)
                return
        self._seats.sit(seat, person, deck)
        self._feeds.renew(seat)
        if self._match.playing is not None:
            self._match.playing.play.forget(seat)
        self._match.seated(seat)
        self._admit(person, request.command)
        await self._match.start_if_full()

    def _take_over(self, person: Person, seat: int, request: Join) -> None:
        """Give the seat to another session of the same user: the newest has it."""
        before = self._seats.people[seat]
        was_away = self._alarms.at(("away", before)) is not None
        self._alarms.cancel(("away", before))
        self._seats.hand_over(seat, person)
        text = "another session of yours has taken the seat"
        self._audience.send(before, Left(table=self._opening.table, reason=text))
        self._forget(before)
        self._admit(person, request.command)
        if was_away:
            self._audience.tell(Presence(seat=seat, name=person.name, here=True))

    async def watch(self, person: Person, request: Spectate) -> None:
        terms = self._opening.terms
        is_invited = request.invitation == self.invitation
        if terms.watch == "closed" or (terms.watch == "invited" and not is_invited):
            text = "this table takes no spectators, or only who is invited"
            self._turn_away(person, request.command, Code.NOT_INVITED, text)
        elif self.status_for(person) == "suspended":
            self._turn_away(person, request.command, Code.SUSPENDED, SUSPENDED_TEXT)
        elif len(self._spectators.people) >= self._outside.config.spectators_max:
            text = "the table has as many spectators as it takes"
            self._turn_away(person, request.command, Code.TABLE_FULL, text)
        else:
            self._spectators.people[person] = None
            self._admit(person, request.command)
            await self._match.start_if_full()

    def _turn_away(self, person: Person, command: str, code: Code, reason: str) -> None:
        person.table = None
        if command == PAIRED:
            self._audience.send(person, Unpaired(reason=reason))
        else:
            self._audience.send(person, refusal(command, code, reason))
        self._outside.absent(person)

    def _admit(self, person: Person, command: str) -> None:
        """Tell a person its place and all that belongs to it, and the others that it came."""
        self._audience.send(person, Joined(place=self._place(person)))
        if command != PAIRED:
            self._audience.send(person, Answered(command=command, ok=True))
        self._audience.send_all(person, self.all_for(person))
        if self._seats.of(person) is not None:
            self.tell_changed(but=person)

    async def leave(self, person: Person, request: Leave) -> None:
        answer = Answered(command=request.command, ok=True)
        await self._give_up(person, answer, Left(table=self._opening.table))

    async def lose(self, person: Person, why: str) -> None:
        """Take a person's place from it."""
        await self._give_up(person, Left(table=self._opening.table, reason=why))

    async def _give_up(self, person: Person, *told: ServerMessage) -> None:
        """Free a person's place, and tell it so; a game under way is lost, and it hears of that."""
        seat = self._seats.of(person)
        try:
            if seat is not None:
                await self._match.forfeit(seat)
        finally:  # a fault must not leave the place to somebody who may be away for good
            self._stand(person)
            self._audience.send_all(person, told)
            self._forget(person)
        if seat is not None:
            await self._match.left(seat)

    def _stand(self, person: Person) -> None:
        self._alarms.cancel(("away", person))
        seat = self._seats.of(person)
        if seat is None:
            self._spectators.people.pop(person, None)
            return
        self._seats.stand(seat, for_good=self._match.is_begun)
        self.tell_changed()

    def _forget(self, person: Person) -> None:
        self._audience.let_go(person)
        self._away_until_ms.pop(person, None)
        person.table = None
        if all(other.name != person.name for other in self.people()):  # another session's, too
            self._chat.forget(person.name)
        self._outside.absent(person)

    # Losing the connection and coming back

    def gone_away(self, person: Person) -> None:
        """Give a person who lost the connection a while to come back."""
        seat = self._seats.of(person)
        if person.line is not None or not self.has(person) or self.keeps_absent:
            return
        self._await(person)
        if seat is not None:
            self._audience.tell(self._gone(seat, person))

    def match_changed(self) -> None:
        """Hear that the match stands elsewhere. A pause counts for nobody's time to come back."""
        self.tell_changed()
        is_paused = self._match.paused_until is not None
        if is_paused is not self._is_paused:
            self._is_paused = is_paused
            for absence in self._absences():
                person = self._seats.people[absence.seat]
                self._await(person)
                self._audience.tell(self._gone(absence.seat, person))

    def _await(self, person: Person) -> None:
        """Set the alarm at which a person who is away loses the place."""
        now = trio.current_time()
        until = max(now, self._match.paused_until or now) + self._outside.config.resume_s
        self._alarms.set(("away", person), until)
        self._away_until_ms[person] = wall_ms(until)

    def come_back(self, person: Person, back: Back) -> None:
        """Give a person the new connection, and tell it what it has missed."""
        if back.line.is_ended:
            return
        seat = self._seats.of(person)
        was_away = self._alarms.at(("away", person)) is not None
        self._alarms.cancel(("away", person))
        person.attach(back.line)
        welcome = back.line.welcome(person)
        if seat is None and person not in self._spectators.people:
            person.table = None
            self._audience.send(person, welcome)
            return
        stream = self._feeds.of(seat) if seat is not None else self._spectators.shown
        missed = stream.after(back.stream, back.n)
        self._audience.send(person, replace(welcome, place=self._place(person)))
        if missed is None:
            self._audience.send(person, stream.snapshot())
        else:
            self._audience.send_all(person, missed)
        self._audience.send_all(person, self._besides(person))
        if seat is not None and was_away:
            self._audience.tell(Presence(seat=seat, name=person.name, here=True))

    def _place(self, person: Person) -> Place:
        seat = self._seats.of(person)
        stream = self._feeds.of(seat) if seat is not None else self._spectators.shown
        return Place(
            info=self.info_for(person),
            seat=seat,
            stream=stream.name,
            invitation=self.invitation if seat is not None else "",
        )

    def all_for(self, person: Person) -> list[ServerMessage]:
        """Return all that somebody who has nothing yet must be told."""
        seat = self._seats.of(person)
        stream = self._feeds.of(seat) if seat is not None else self._spectators.shown
        return [stream.snapshot(), *self._besides(person)]

    def _besides(self, person: Person) -> list[ServerMessage]:
        """Return what somebody who comes must be told besides the frames."""
        seat, now = self._seats.of(person), trio.current_time()
        is_late = seat is None and self._opening.terms.delay_s > 0
        told: list[ServerMessage] = (
            self._spectators.standing() if is_late else [*self._absences(), *self._match.told(seat)]
        )
        return [*self._chat.kept(person.name, seated=seat is not None, now=now), *told]

    def _absences(self) -> list[Presence]:
        """Return which seats' players are away, and until when they may come back."""
        return [
            self._gone(seat, person)
            for seat, person in self._seats.people.items()
            if self._alarms.at(("away", person)) is not None
        ]

    def _gone(self, seat: int, person: Person) -> Presence:
        until_ms = self._away_until_ms[person]
        return Presence(seat=seat, name=person.name, here=False, until_ms=until_ms)

    # Telling

    def info_for(self, person: Person | None) -> TableInfo:
        """Return what somebody may know of the table: who sits there, at once; others, in time."""
        if person is not None and self._seats.of(person) is not None:
            return self._seats_info()
        return replace(self._spectators.info, spectators=len(self._spectators.people))

    def status_for(self, person: Person) -> str:
        """Return where the table stands, as far as somebody may know it yet."""
        return self.info_for(person).status

    def _seats_info(self) -> TableInfo:
        """Return the table as its seats know it."""
        return replace(
            self._opening.info(self._seats.info()),
            status=self._match.status,
            game=self._match.game,
            score=tuple(self._match.score.won),
            winner=self._match.score.winner,
        )

    def tell_changed(self, but: Peer | None = None) -> None:
        changed = TableChanged(info=self._seats_info())
        self._audience.tell_seats(changed, but)
        self._audience.tell_spectators(changed)


def refusal(command: str, code: Code, reason: str) -> Answered:
    """Return the answer to a command that has changed nothing."""
    return Answered(command=command, ok=False, code=code, reason=reason)
