"""Receipts: what one client has seen of a game's shuffle, kept so that it can be checked.

The client owns one per game, feeds it every message of the shuffle, and asks it before it opens its
nonce, when the game begins and when it is over. A receipt never trusts the server: what the server
says twice and differently is noted, what it says first is kept. It reads and writes no file and
draws no nonce. It holds the client's own nonce, so keep it where nobody else reads.
"""

from collections.abc import Sequence

import msgspec

from longfuse_protocol.from_client import Nonce, NonceHash
from longfuse_protocol.from_server import (
    Commitment,
    Events,
    NonceHashes,
    Nonces,
    Over,
    Revealed,
    Snapshot,
)
from longfuse_protocol.shuffles import (
    Transcript,
    key_of,
    nonce_hash,
    opened_wrongly,
    opens,
    secret_of,
)

FORMAT = "longfuse receipt"
VERSION = 1
FRAMES_MAX = 20_000
"""Game frames noted; a longer game is noted up to there."""
NOTICED_MAX = 100

_DIFFERS = "The server said differently the second time: "

Told = Commitment | NonceHashes | Nonces | Revealed | Events | Snapshot | Over


class Receipt(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One seat's record of one game. Begin it with the server's commitment, then let it `take`."""

    format: str = FORMAT
    version: int = VERSION
    seat: int
    game: str
    counter: int
    ruleset: str
    rules_version: str
    decks: tuple[str, ...]
    commitment: str
    nonce: str = ""
    """This client's own; "" for one that only looks on."""
    hashes: tuple[str, ...] = ()
    commitments: tuple[str, ...] = ()
    """What each seat has seen, as the server relayed it."""
    nonces: tuple[str, ...] = ()
    secret: str = ""
    frames_before: int = 0
    """The number of the last game frame of the table before this game."""
    frames: dict[int, str] = msgspec.field(default_factory=dict)
    """The digest of this seat's view after each game frame that arrived, by its number."""
    over: Over | None = None
    noticed: list[str] = msgspec.field(default_factory=list)
    """What the server said differently the second time."""

    @classmethod
    def begin(cls, seat: int, told: Commitment, nonce: str, frames_before: int = 0) -> "Receipt":
        """The receipt of a game that is about to be shuffled.

        nonce: 32 fresh bytes of the operating system's, in lower-case hexadecimal.
        frames_before: the number of the last game frame that has arrived at this table.
        """
        return cls(
            seat=seat,
            game=told.game,
            counter=told.counter,
            ruleset=told.ruleset,
            rules_version=told.rules_version,
            decks=told.decks,
            commitment=told.commitment,
            nonce=nonce,
            frames_before=frames_before,
        )

    def hash_message(self) -> NonceHash:
        """What the client answers the commitment with."""
        hashed = nonce_hash(self.game, self.seat, self.commitment, self.nonce)
        return NonceHash(game=self.game, commitment=self.commitment, hash=hashed)

    def nonce_message(self) -> Nonce:
        """What the client answers the hashes with, if `check_start` finds nothing wrong."""
        return Nonce(game=self.game, nonce=self.nonce)

    def take(self, told: Told) -> None:
        """Note what the server says."""
        match told:
            case Events(n=n, digest=digest) | Snapshot(n=n, digest=digest):
                if n > self.frames_before and len(self.frames) < FRAMES_MAX:
                    self._keep_frame(n, digest)
            case Over():
                self._keep("over", told, "how the game ended")
            case _ if told.game != self.game:
                self._notice(f"The server spoke of the game {told.game} in place of {self.game}")
            case Commitment():
                for field in ("counter", "ruleset", "rules_version", "decks", "commitment"):
                    if getattr(told, field) != getattr(self, field):
                        self._notice(_DIFFERS + field.replace("_", " "))
            case NonceHashes(hashes=hashes, commitments=commitments):
                self._keep("hashes", hashes, "hashes")
                self._keep("commitments", commitments, "the commitments that the seats saw")
            case Nonces(nonces=nonces):
                if not self.hashes:
                    self._notice("The server sent the nonces before the hashes")
                self._keep("nonces", nonces, "nonces")
            case Revealed(secret=secret):
                self._keep("secret", secret, "secret")

    def transcript(self) -> Transcript:
        """What the key is made of, as this client has seen it."""
        return Transcript(
            game=self.game,
            counter=self.counter,
            ruleset=self.ruleset,
            rules_version=self.rules_version,
            decks=self.decks,
            commitment=self.commitment,
            hashes=self.hashes,
            nonces=self.nonces,
        )

    def seats_without_nonce(self) -> tuple[int, ...]:
        """The seats that take no part, as the hashes say: whose luck nobody but the server made."""
        return tuple(seat for seat, hashed in enumerate(self.hashes) if not hashed)

    def check_start(self) -> tuple[str, ...]:
        """What is wrong with all that has come so far, in sentences.

        Before the nonce is opened nothing may be wrong, or the client should leave; nor when the
        nonces have come. What has not come yet is not wrong.
        """
        wrong = list(self.noticed)
        seats = len(self.decks)
        if not 0 <= self.seat < seats:
            wrong.append(f"The commitment is about {seats} decks; this is seat {self.seat}.")
        if self.hashes or self.commitments:
            wrong += self._wrong_hashes(seats)
        if self.nonces:
            wrong += self._wrong_nonces(seats)
        return tuple(wrong)

    def check_end(self) -> tuple[str, ...]:
        """What is wrong when the table has ended, in sentences: the start, and the secret.

        That somebody was late, and no game began, is not wrong; the secret is due all the same.
        """
        wrong = list(self.check_start())
        if self.hashes and not self.nonces and (self.frames or self.over):
            wrong.append("The nonces of the seats were never told.")
        if not self.secret:
            wrong.append(f"The secret of game {self.counter} of the server has not been revealed.")
            return tuple(wrong)
        try:
            secret = secret_of(self.secret)
        except ValueError as error:
            wrong.append(f"What was revealed is no secret: {error}.")
            return tuple(wrong)
        if not opens(secret, self.transcript()):
            wrong.append(
                "The secret that was revealed is not the one that the server committed to."
            )
        return tuple(wrong)

    def key(self) -> bytes:
        """The key of the game's random values, once the secret is known; else ValueError."""
        return key_of(secret_of(self.secret), self.transcript())

    def _wrong_hashes(self, seats: int) -> list[str]:
        wrong = _wrong_count("hashes", self.hashes, seats)
        wrong += _wrong_count("commitments", self.commitments, seats)
        own = self.hash_message().hash if self.nonce else ""
        if wrong:
            return wrong
        if self.hashes[self.seat : self.seat + 1] != (own,):
            wrong.append(f"The hash of this client's nonce is not that of seat {self.seat}.")
        for seat, seen in enumerate(self.commitments):
            expected = self.commitment if self.hashes[seat] else ""
            if seen != expected:
                wrong.append(f"Seat {seat} saw another commitment: {seen or 'none'}.")
        return wrong

    def _wrong_nonces(self, seats: int) -> list[str]:
        wrong = _wrong_count("nonces", self.nonces, seats)
        if not wrong and self.nonces[self.seat : self.seat + 1] != (self.nonce,):
            wrong.append(f"The nonce of seat {self.seat} is not the one of this client.")
        wrong += [
            f"The nonce of seat {seat} does not open its hash."
            for seat in opened_wrongly(self.transcript())
        ]
        return wrong

    def _keep(self, field: str, value: object, what: str) -> None:
        kept = getattr(self, field)
        if not kept:
            setattr(self, field, value)
        elif kept != value:
            self._notice(_DIFFERS + what)

    def _keep_frame(self, n: int, digest: str) -> None:
        if self.frames.setdefault(n, digest) != digest:
            self._notice(f"{_DIFFERS}game frame {n}")

    def _notice(self, what: str) -> None:
        if len(self.noticed) < NOTICED_MAX:
            self.noticed.append(f"{what}.")


def _wrong_count(what: str, given: Sequence[str], seats: int) -> list[str]:
    if len(given) == seats:
        return []
    return [f"There are {len(given)} {what} for {seats} seats."]


def written(receipt: Receipt) -> bytes:
    """A receipt as the bytes of a file."""
    return msgspec.json.format(msgspec.json.encode(receipt), indent=1) + b"\n"


def read(content: bytes) -> Receipt:
    """A receipt from the bytes of a file; ValueError says what is wrong with them."""
    try:
        receipt = msgspec.json.decode(content, type=Receipt)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"this is no receipt: {error}") from error
    if receipt.format != FORMAT:
        raise ValueError(f"this is a {receipt.format!r}, not a {FORMAT!r}")
    if receipt.version != VERSION:
        raise ValueError(f"it is of version {receipt.version}; this program reads {VERSION}")
    return receipt
