"""The door keeper: who is let in, as whom, and for how long.

The server owns one. It joins what a hello says with what the server knows: tokens, names, and the
people that may come back. A hello that is refused changes nothing for anybody. New sessions come in
no faster than the server takes; whoever comes back with a secret that is right does not wait in
that line.
"""

from collections.abc import Hashable, Iterable
from typing import NamedTuple

import structlog
import trio

from longfuse.config import Config
from longfuse.game.entries import Refused
from longfuse.host.alarms import Alarms
from longfuse.host.names import Names
from longfuse.host.people import Line, People, Person
from longfuse.host.rates import Rate
from longfuse.host.tokens import Identity, Tokens
from longfuse.host.wall import now_s
from longfuse_protocol.errors import CloseCode, Code
from longfuse_protocol.messages import Hello, Notice

log = structlog.get_logger()

UNKNOWN_TEXT = "there is no such session, or it is gone; say hello without `resume`"


class _User(NamedTuple):
    """A user, as who holds a name."""

    id: str


class DoorKeeper:
    """Lets people in, and out when their token ends."""

    def __init__(self, config: Config, bots: Iterable[str]) -> None:
        self.people = People(config.resume_s, config.people_max, self._forget)
        self.retry_s = 1.0
        """How long to wait when too many come at once."""
        self._config = config
        self._tokens = Tokens(config)
        self._names = Names(self._renamed, bots=bots, reserved=config.names_reserved)
        self._new = Rate(config.sessions_per_s, config.sessions_burst)
        self._ends: Alarms[Person] = Alarms()
        self._changed = trio.Event()

    async def run(self) -> None:
        """End connections when their token has ended, for as long as the server runs."""
        while True:
            self._changed = trio.Event()
            with trio.move_on_at(self._ends.next_at()):
                await self._changed.wait()
            while (person := self._ends.due(trio.current_time())) is not None:
                if person.line is not None:
                    person.line.end(CloseCode.EXPIRED, "the token has ended")

    def let_in(self, hello: Hello, line: Line) -> Person:
        """Return who says hello; raise `Refused` and change nothing if nobody may come in so."""
        identity = self._tokens.verify(hello.token, now_s()) if hello.token else None
        if hello.resume is not None:
            person = self._returning(hello.resume.secret, identity)
        else:
            person = self._new_person(hello, identity)
        if identity is not None:
            self._until(person, identity)
        if person.user:
            self._make_room(person, line)
        person.shuffles = hello.shuffles
        self.people.present(person)
        return person

    def lost(self, person: Person, line: Line, *, said_goodbye: bool) -> None:
        """Hear that a connection is gone. Who says goodbye and has no place is forgotten."""
        is_own = person.line is line
        self.people.lost(person, line)
        if said_goodbye and is_own and person.table is None:
            self.people.end(person)

    def _returning(self, secret: str, identity: Identity | None) -> Person:
        person = self.people.find(secret)
        if person is None:
            raise Refused(Code.UNKNOWN_SESSION, UNKNOWN_TEXT)
        if identity is not None and identity.user != person.user:
            raise Refused(Code.BAD_TOKEN, "the token is somebody else's than the session")
        if identity is None and person.expires_s is not None:
            over = person.expires_s + self._config.token_grace_s - now_s()
            if over <= 0:
                raise Refused(Code.BAD_TOKEN, "the session's token has ended; bring a new one")
        return person

    def _new_person(self, hello: Hello, identity: Identity | None) -> Person:
        if identity is None and not self._config.guests:
            raise Refused(Code.BAD_TOKEN, "this server takes no guests: bring a token")
        if not self._new.take():
            raise Refused(Code.TOO_FAST, "too many come in at once; try again a little later")
        wanted = hello.name if identity is None else identity.name or hello.name
        person = self.people.begin(wanted, identity.user if identity is not None else "")
        try:
            owner, is_said = _owner(person), identity is not None and bool(identity.name)
            person.name = self._names.take(wanted, owner, is_user=is_said)
            person.is_named = self._names.is_users(owner)  # another session may have begun it
        except Refused:
            self.people.end(person)
            raise
        return person

    def _until(self, person: Person, identity: Identity) -> None:
        """Note when the person's token ends, in the clock that tasks wait by."""
        person.expires_s = identity.expires_s
        left = identity.expires_s + self._config.token_grace_s - now_s()
        self._ends.set(person, trio.current_time() + left)
        self._changed.set()

    def _make_room(self, person: Person, line: Line) -> None:
        """Close a user's oldest connection where there would be too many."""
        held = [
            one
            for one in self.people.of_user(person.user)
            if one is not person and one.line is not None and one.line is not line
        ]
        for one in held[: max(0, len(held) + 1 - self._config.sessions_per_user_max)]:
            assert one.line is not None
            one.line.end(CloseCode.REPLACED, "too many connections of this user")

    def _forget(self, person: Person) -> None:
        self._ends.cancel(person)
        self._names.release(_owner(person))
        log.info("session_forgotten", session=person.id)

    def _renamed(self, owner: Hashable, name: str) -> None:
        """Call somebody otherwise, in all its sessions: a user whose token has that name came."""
        people = self.people.of_user(owner.id) if isinstance(owner, _User) else [owner]
        for person in people:
            assert isinstance(person, Person), "who holds a name is a user, or a guest"
            before, person.name = person.name, name
            if person.table is not None:
                person.table.renamed(person, before)
            text = f"a registered user has this name; you are {name}"
            person.tell(Notice(kind="renamed", text=text))
            person.flush()


def _owner(person: Person) -> Person | _User:
    """Return who holds the name: a user in all its sessions, or one guest."""
    return _User(person.user) if person.user else person
