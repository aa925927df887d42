"""What comes between full seats and the first card: who is ready, and the nonces of the shuffle.

A match makes one for each game, and hears from the alarm that this sets when somebody is late. It
ends with the key of the game, or because somebody is late or has left; then no game begins, and the
secret that the server was bound to is told, as at any other end. Clients that take part in no
shuffle, and bots, stand in it as seats without a nonce.
"""

from collections.abc import Sequence

import trio

from longfuse.game.entries import Refused
from longfuse.host.alarms import Alarms
from longfuse.host.audience import Audience
from longfuse.host.disclosure import Disclosure
from longfuse.host.opening import Outside
from longfuse.host.playing import AlarmKey
from longfuse.host.shuffling import Shuffling
from longfuse.host.wall import wall_ms
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import Nonce, NonceHash, ReadyCheck, ServerMessage

STARTING: AlarmKey = ("starting", None)


class Starting:
    """The start of one game."""

    def __init__(
        self,
        game: str,
        ruleset: str,
        audience: Audience,
        outside: Outside,
        alarms: Alarms[AlarmKey],
    ) -> None:
        self.game = game
        self.ruleset = ruleset
        self.shuffling: Shuffling | None = None
        self._audience = audience
        self._outside = outside
        self._alarms = alarms
        self._until_ms = 0
        """When whoever is still missing is late, in wall time."""
        self._ready: list[bool] = []

    # Who is ready

    def ask_ready(self, within_s: float) -> None:
        """Ask the people whether they are ready."""
        seats = self._audience.seats
        self._ready = [seat not in seats.people for seat in range(len(seats))]
        self._wait(within_s)
        self._audience.tell_seats(self._ready_check())

    def ready(self, seat: int) -> bool:
        """Hear that a seat is ready; return whether all are."""
        if not self._ready or self.shuffling is not None:
            raise Refused(Code.NOT_NOW, "nobody is asked whether they are ready")
        if not self._ready[seat]:
            self._ready[seat] = True
            self._audience.tell_seats(self._ready_check())
        return all(self._ready)

    # The nonces

    async def open_shuffle(self) -> bool:
        """Bind the server to a secret and tell everybody; return whether no nonce is awaited.

        A seat has its time for its hash, and then again for its nonce. Were it one time for both, a
        seat could send its hash so late that all others are late with their nonces.
        """
        seats, outside = self._audience.seats, self._outside
        kept = await outside.secrets.open(self.game)
        people = seats.people
        self.shuffling = Shuffling(
            game=self.game,
            counter=kept.counter,
            ruleset=self.ruleset,
            rules_version=outside.factory.rules_version(self.ruleset),
            decks=seats.decks,
            takes_part=[n in people and people[n].shuffles for n in range(len(seats))],
            secret=kept.secret,
        )
        self._wait(outside.config.nonce_s)
        for message in self.shuffling.messages(self._until_ms):
            self._audience.tell(message)
        return self._is_done()

    def take(self, seat: int, message: NonceHash | Nonce) -> bool:
        """Take a seat's hash or nonce and relay what is complete; return whether all is."""
        shuffling = self.shuffling
        if shuffling is None:
            raise Refused(Code.NOT_NOW, "no nonce is asked for")
        if isinstance(message, NonceHash):
            if shuffling.hash(seat, message):
                self._wait(self._outside.config.nonce_s)
                self._audience.tell(shuffling.hashes(self._until_ms))
            return False
        if not shuffling.nonce(seat, message):
            return False
        self._audience.tell(shuffling.nonces())
        return self._is_done()

    # Both

    def missing(self) -> Sequence[int]:
        """Return the seats that everybody waits for."""
        if self.shuffling is not None:
            return self.shuffling.missing()
        return [seat for seat, ready in enumerate(self._ready) if not ready]

    @property
    def why_late(self) -> str:
        """Return what whoever is missing now has not done, for them to read."""
        if self.shuffling is not None:
            return "your client did not do its part of the shuffle in time"
        return "you did not say in time that you are ready"

    def told(self, seat: int | None) -> list[ServerMessage]:
        """Return what a seat that comes back, or with None a spectator, must know of it."""
        if self.shuffling is not None:
            return list(self.shuffling.messages(self._until_ms))
        if self._ready and seat is not None:
            return [self._ready_check()]
        return []

    async def abort(self, why: str, disclosure: Disclosure) -> None:
        """Begin no game: the secret is told, so that nobody can wonder what it would have dealt."""
        self._alarms.cancel(STARTING)
        if self.shuffling is not None:
            await disclosure.end(self.shuffling.revealed(), why)

    def _is_done(self) -> bool:
        is_done = self.shuffling is not None and self.shuffling.is_done
        if is_done:
            self._alarms.cancel(STARTING)
        return is_done

    def _wait(self, within_s: float) -> None:
        until = trio.current_time() + within_s
        self._until_ms = wall_ms(until)
        self._alarms.set(STARTING, until)

    def _ready_check(self) -> ReadyCheck:
        return ReadyCheck(ready=tuple(self._ready), until_ms=self._until_ms)
