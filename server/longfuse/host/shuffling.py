"""The shuffle of one game before it begins: who has committed to what, and what comes of it.

`Starting` makes one per game, gives it what its seats send, and sends everybody what is due; the
match keeps the deadline and decides what becomes of seats that are late. A machine without input,
output, clock or chance: its secret comes from `kept_secrets`, and neither the secret nor the key is
in anything that it prints or raises. What is refused changes nothing. The formulas are those of
`longfuse_protocol.shuffles`.

The order is what makes it fair. The server is bound before any seat is; all seats are bound before
any nonce is known; so whoever goes last can't choose any more. A seat that sends the very same
again is answered as before: after a lost connection it can't know what has arrived.
"""

from collections.abc import Sequence
from enum import Enum

from longfuse.game.entries import Refused
from longfuse_protocol.errors import Code
from longfuse_protocol.from_client import Nonce, NonceHash
from longfuse_protocol.from_server import Commitment, NonceHashes, Nonces, Revealed
from longfuse_protocol.shuffles import (
    Transcript,
    commitment_of,
    deck_digest,
    key_of,
    nonce_hash,
)

Told = Commitment | NonceHashes | Nonces


class Step(Enum):
    """What the shuffle waits for."""

    HASHES = "hashes"
    NONCES = "nonces"
    DONE = "done"


class Shuffling:
    """The shuffle of one game, from the server's commitment to the key."""

    def __init__(
        self,
        *,
        game: str,
        counter: int,
        ruleset: str,
        rules_version: str,
        decks: Sequence[object],
        takes_part: Sequence[bool],
        secret: bytes,
    ) -> None:
        """decks: by seat, as the header of the game's journal will have them. takes_part: by seat,
        whether its client brings a nonce; the others stand as "none".
        """
        if len(decks) != len(takes_part):
            raise ValueError(f"{len(decks)} decks for {len(takes_part)} seats")
        self.game = game
        self.counter = counter
        self._ruleset = ruleset
        self._rules_version = rules_version
        self._secret = secret
        self._takes_part = tuple(takes_part)
        self._decks = tuple(
            deck_digest(secret, game, seat, deck) for seat, deck in enumerate(decks)
        )
        self._commitment = commitment_of(
            secret,
            counter=counter,
            game=game,
            ruleset=ruleset,
            rules_version=rules_version,
            decks=self._decks,
        )
        self._hashes = [""] * len(decks)
        self._nonces = [""] * len(decks)

    @property
    def step(self) -> Step:
        """What it waits for."""
        if self._late(self._hashes):
            return Step.HASHES
        return Step.NONCES if self._late(self._nonces) else Step.DONE

    @property
    def is_done(self) -> bool:
        """Whether the game can begin."""
        return self.step is Step.DONE

    def missing(self) -> tuple[int, ...]:
        """The seats that it waits for. At the deadline these are late."""
        return self._late(self._hashes) or self._late(self._nonces)

    def messages(self, until_ms: int) -> tuple[Told, ...]:
        """All that a seat must be told so far, in order; the last is what is asked now.

        until_ms: when those who are asked now are late.
        """
        told: list[Told] = [self.commitment(until_ms)]
        if self.step is not Step.HASHES:
            told.append(self.hashes(until_ms))
        if self.is_done:
            told.append(self.nonces())
        return tuple(told)

    def commitment(self, until_ms: int) -> Commitment:
        """What binds the server; the first that anybody is told."""
        return Commitment(
            game=self.game,
            counter=self.counter,
            ruleset=self._ruleset,
            rules_version=self._rules_version,
            decks=self._decks,
            commitment=self._commitment,
            until_ms=until_ms,
        )

    def hashes(self, until_ms: int) -> NonceHashes:
        """What binds the seats; to be told once all of them are."""
        self._expect_not(Step.HASHES)
        return NonceHashes(
            game=self.game,
            hashes=tuple(self._hashes),
            commitments=tuple(self._commitment if hashed else "" for hashed in self._hashes),
            until_ms=until_ms,
        )

    def nonces(self) -> Nonces:
        """All nonces; to be told once all are open."""
        self._expect_done()
        return Nonces(game=self.game, nonces=tuple(self._nonces))

    def hash(self, seat: int, message: NonceHash) -> bool:
        """Take a seat's hash; True if it was the last, so that `hashes` are due; or `Refused`."""
        self._check_seat(seat, message.game)
        if message.commitment != self._commitment:
            raise Refused(
                Code.REFUSED,
                f"this answers the commitment {message.commitment}; "
                f"the one to game {self.game} is {self._commitment}",
            )
        if self._hashes[seat] == message.hash:
            return False
        if self._hashes[seat]:
            raise Refused(Code.REFUSED, f"seat {seat} is bound to another hash already")
        self._hashes[seat] = message.hash
        return self.step is not Step.HASHES

    def nonce(self, seat: int, message: Nonce) -> bool:
        """Take a seat's nonce; True if it was the last, so that `nonces` are due; or `Refused`."""
        self._check_seat(seat, message.game)
        if self.step is Step.HASHES:
            raise Refused(Code.NOT_NOW, "nonces are opened when every seat is bound to its own")
        hashed = nonce_hash(self.game, seat, self._commitment, message.nonce)
        if hashed != self._hashes[seat]:
            raise Refused(Code.REFUSED, f"this nonce does not open the hash of seat {seat}")
        if self._nonces[seat]:
            return False
        self._nonces[seat] = message.nonce
        return self.is_done

    @property
    def transcript(self) -> Transcript:
        """The public part, for the journal's header."""
        self._expect_done()
        return Transcript(
            game=self.game,
            counter=self.counter,
            ruleset=self._ruleset,
            rules_version=self._rules_version,
            decks=self._decks,
            commitment=self._commitment,
            hashes=tuple(self._hashes),
            nonces=tuple(self._nonces),
        )

    @property
    def key(self) -> bytes:
        """The key of the game's random values."""
        return key_of(self._secret, self.transcript)

    def revealed(self) -> Revealed:
        """What the seats are told when the table has ended, for whatever reason; nobody else is."""
        return Revealed(game=self.game, secret=self._secret.hex())

    def _late(self, given: Sequence[str]) -> tuple[int, ...]:
        return tuple(
            seat
            for seat, (part, one) in enumerate(zip(self._takes_part, given, strict=True))
            if part and not one
        )

    def _check_seat(self, seat: int, game: str) -> None:
        if game != self.game:
            raise Refused(Code.REFUSED, f"game {self.game} is shuffled here, not {game}")
        if not self._takes_part[seat]:
            raise Refused(Code.REFUSED, f"seat {seat} takes no part in this shuffle")

    def _expect_not(self, step: Step) -> None:
        if self.step is step:
            raise ValueError(f"the shuffle of game {self.game} still waits for {self.missing()}")

    def _expect_done(self) -> None:
        self._expect_not(Step.HASHES)
        self._expect_not(Step.NONCES)
