"""Fair shuffles: the hashes by which server and players bind each other before cards are drawn.

Owns every formula from the server's secret and the players' nonces to the key of a game's random
values. Pure: it draws nothing, keeps nothing and knows no message. Server, clients and `verify`
use it alike, and `protocol/SHUFFLES.md` writes it out, with values to test against, for whoever
does it in another language.

Every hash is a BLAKE2b-256 over fields, each with its length before it: first `DOMAIN`, then what
the hash is for, then what it is about. So no hash can stand in for another. Text is UTF-8, numbers
are decimal digits, and what travels in hexadecimal is hashed as that text. Only the secret is raw.
All functions take any text, so that whatever a server says can be checked.
"""

from collections.abc import Sequence
from hashlib import blake2b
from itertools import zip_longest

import msgspec

DOMAIN = "longfuse shuffles 1"
SECRET_BYTES = 32
NONCE_BYTES = 32
NONE = "none"
"""What stands in the transcript for the nonce and the hash of a seat that has none."""

_encoder = msgspec.json.Encoder(order="sorted")


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """All that everybody at the table has seen before the first card: what the key is made of.

    decks, hashes, nonces: by seat. A seat without a nonce has "" for it and for its hash.
    """

    game: str
    counter: int
    ruleset: str
    rules_version: str
    decks: tuple[str, ...]
    commitment: str
    hashes: tuple[str, ...]
    nonces: tuple[str, ...]

    def encoded(self) -> bytes:
        """Its one spelling in bytes."""
        return _joined(
            *_table(self.counter, self.game, self.ruleset, self.rules_version, self.decks),
            self.commitment,
            *(one or NONE for one in self.hashes),
            *(one or NONE for one in self.nonces),
        )


def deck_digest(secret: bytes, game: str, seat: int, deck: object) -> str:
    """The digest of a seat's deck, of which nobody can learn the deck before the secret is out.

    deck: as the saved game has it, a name or a list. It is hashed as JSON with sorted keys and no
    spaces. The secret is the hash's key: else whoever knows some decks could try each of them.
    """
    return _hash("deck", game, str(seat), _encoder.encode(deck), key=_checked(secret))


def commitment_of(
    secret: bytes,
    *,
    counter: int,
    game: str,
    ruleset: str,
    rules_version: str,
    decks: Sequence[str],
) -> str:
    """What binds the server to its secret. decks: the digests by seat."""
    table = _table(counter, game, ruleset, rules_version, decks)
    return _hash("commitment", *table, _checked(secret))


def nonce_hash(game: str, seat: int, commitment: str, nonce: str) -> str:
    """What binds a seat to its nonce, and to the commitment that it has seen.

    Game and seat are in it, so that nobody can hand in another's hash and later its nonce.
    """
    return _hash("nonce", game, str(seat), commitment, nonce)


def key_of(secret: bytes, transcript: Transcript) -> bytes:
    """The key of the game's random values: 32 bytes."""
    digest = blake2b(_joined(DOMAIN, "key"), key=_checked(secret), digest_size=32)
    digest.update(transcript.encoded())
    return digest.digest()


def secret_of(text: str) -> bytes:
    """A secret as it was told, as bytes; ValueError, which does not name it, if it is none."""
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        raise ValueError("the secret is not written in hexadecimal") from None
    return _checked(secret)


def opened_wrongly(transcript: Transcript) -> tuple[int, ...]:
    """The seats whose nonce is not the one that they were bound to."""
    return tuple(
        seat
        for seat, (hashed, nonce) in enumerate(
            zip_longest(transcript.hashes, transcript.nonces, fillvalue="")
        )
        if (hashed or nonce)
        and hashed != nonce_hash(transcript.game, seat, transcript.commitment, nonce)
    )


def opens(secret: bytes, transcript: Transcript) -> bool:
    """Whether this is the secret that the server was bound to."""
    return transcript.commitment == commitment_of(
        secret,
        counter=transcript.counter,
        game=transcript.game,
        ruleset=transcript.ruleset,
        rules_version=transcript.rules_version,
        decks=transcript.decks,
    )


def wrong_at_the_end(
    secret: bytes, transcript: Transcript, decks: Sequence[object]
) -> tuple[str, ...]:
    """What does not belong together in a finished game, in sentences. decks: as it was saved."""
    seats = len(decks)
    for what in ("decks", "hashes", "nonces"):
        told = len(getattr(transcript, what))
        if told != seats:
            return (f"its shuffle has {told} {what} for {seats} seats",)
    wrong = [] if opens(secret, transcript) else ["the secret does not open the commitment"]
    wrong += [
        f"the nonce of seat {seat} does not open its hash" for seat in opened_wrongly(transcript)
    ]
    wrong += [
        f"the deck of seat {seat} is not the one that was shuffled"
        for seat, deck in enumerate(decks)
        if deck_digest(secret, transcript.game, seat, deck) != transcript.decks[seat]
    ]
    return tuple(wrong)


def _checked(secret: bytes) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    return secret


def _table(
    counter: int, game: str, ruleset: str, rules_version: str, decks: Sequence[str]
) -> tuple[str, ...]:
    return (str(counter), game, ruleset, rules_version, str(len(decks)), *decks)


def _hash(*fields: str | bytes, key: bytes = b"") -> str:
    return blake2b(_joined(DOMAIN, *fields), key=key, digest_size=32).hexdigest()


def _joined(*fields: str | bytes) -> bytes:
    parts = (field.encode() if isinstance(field, str) else field for field in fields)
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
