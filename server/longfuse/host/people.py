"""People: who is known to this server, each by a session with a secret of its own.

A person outlives its connections: a table has people at it, and does not mind whether they are
connected. The server owns one `People`. A secret is kept as its hash and named nowhere else, not
even in the log. Whoever has no place and no connection is forgotten after a while, the longest
absent first where there are too many. What a person may see and do follows from this record and
the table's, never from what a client says of itself.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol

import trio

from longfuse.host.peers import Outgoing
from longfuse_protocol.codec import Codec
from longfuse_protocol.errors import CloseCode
from longfuse_protocol.messages import ServerMessage, Welcome

if TYPE_CHECKING:
    from longfuse.host.tables import Table


class Line(Protocol):
    """A person's connection, as far as the person and the tables know it."""

    codec: Codec | None
    is_ended: bool

    def send(self, outgoing: Outgoing) -> None:
        """Take a message, without waiting."""

    def flush(self) -> None:
        """All that was sent in this step may go."""

    def end(self, code: CloseCode, reason: str) -> None:
        """Close after what was sent."""

    def welcome(self, person: "Person") -> Welcome:
        """Return what this connection is told when the person takes it."""


class Person:
    """One session, with or without a connection. A peer at its table."""

    def __init__(self, name: str, user: str, secret_hash: bytes) -> None:
        self.id = secrets.token_hex(6)
        self.name = name
        self.user = user
        """Whose token it came with; "" for a guest."""
        self.is_named = False
        """Whether a token gives the name; else it is only what the client says."""
        self.expires_s: float | None = None
        """When the token ends, in seconds of the epoch."""
        self.secret = ""
        """Known until it has been told, and then no more."""
        self.shuffles = False
        self.line: Line | None = None
        self.table: Table | None = None
        """Where it has a place, or has asked for one."""
        self.secret_hash = secret_hash

    @property
    def codec(self) -> Codec | None:
        """How its connection wants messages spelt."""
        return self.line.codec if self.line is not None else None

    def send(self, outgoing: Outgoing) -> None:
        """Pass a message on; with no connection, it is lost, and made good by resuming."""
        if self.line is not None:
            self.line.send(outgoing)

    def tell(self, message: ServerMessage) -> None:
        """Send a message that is for nobody else."""
        self.send(Outgoing(message))

    def flush(self) -> None:
        """Let go what was sent in this step."""
        if self.line is not None:
            self.line.flush()

    def attach(self, line: Line) -> None:
        """Take a connection; the one before, if there is one, is told that it was replaced."""
        before, self.line = self.line, line
        if before is not None and before is not line:
            before.end(CloseCode.REPLACED, "another connection goes on with this session")


class People:
    """Everybody that this server knows."""

    def __init__(self, resume_s: float, people_max: int, forget: Callable[[Person], None]) -> None:
        """forget: is told of each person that is known no more."""
        self._resume_s = resume_s
        self._people_max = people_max
        self._forget = forget
        self._by_hash: dict[bytes, Person] = {}
        self._by_user: dict[str, OrderedDict[Person, None]] = {}
        self._absent: OrderedDict[Person, float] = OrderedDict()
        """Those with neither place nor connection, and since when."""

    def __len__(self) -> int:
        """Return how many are known."""
        return len(self._by_hash)

    def begin(self, name: str, user: str = "") -> Person:
        """Begin a session. Its `secret` is there to be told once."""
        secret = secrets.token_urlsafe(24)
        person = Person(name, user, _hashed(secret))
        person.secret = secret
        self._by_hash[person.secret_hash] = person
        if user:
            self._by_user.setdefault(user, OrderedDict())[person] = None
        self.sweep()
        return person

    def find(self, secret: str) -> Person | None:
        """Return whose secret this is."""
        self.sweep()
        return self._by_hash.get(_hashed(secret))

    def of_user(self, user: str) -> list[Person]:
        """Return a user's sessions, the oldest first."""
        return list(self._by_user.get(user, ()))

    def lost(self, person: Person, line: Line) -> None:
        """Hear that a connection is gone. Only the person's own matters, and not one before it."""
        if person.line is not line:
            return
        person.line = None
        if person.table is not None:
            person.table.away(person)
        else:
            self.absent(person)

    def absent(self, person: Person) -> None:
        """Hear that a person has no place any more; without a connection, its time begins."""
        if person.line is None and person.table is None and person.secret_hash in self._by_hash:
            self._absent.pop(person, None)  # who is in it still was here meanwhile, and comes last
            self._absent[person] = trio.current_time()
            self.sweep()

    def present(self, person: Person) -> None:
        """Hear that a person has a connection."""
        self._absent.pop(person, None)

    def end(self, person: Person) -> None:
        """Forget a person at once; whoever has its connection is told that it ended."""
        self._absent.pop(person, None)
        if self._by_hash.pop(person.secret_hash, None) is None:
            return
        if person.user:
            sessions = self._by_user[person.user]
            del sessions[person]
            if not sessions:
                del self._by_user[person.user]
        self._forget(person)

    def sweep(self) -> None:
        """Forget those who have been absent too long, and the longest absent of too many."""
        old = trio.current_time() - self._resume_s
        while self._absent:
            person, since = next(iter(self._absent.items()))
            if person.line is not None:  # its table brought it back after it had lost its place
                del self._absent[person]
                continue
            if since > old and len(self._by_hash) <= self._people_max:
                return
            self.end(person)


def _hashed(secret: str) -> bytes:
    return blake2b(secret.encode(), digest_size=32, person=b"longfuse session").digest()
