"""The journal's format: one game, one line each for the header, every entry, and the end.

Owns the shape of the lines and the digest chain over them. It reads and writes no file.

A line is one JSON object in UTF-8, closed by a line feed. Its field `kind` says what it is
(`header`, `entry`, `end`, `opened`); its last field, `digest`, is the BLAKE2b-256, in hexadecimal,
of the digest of the line before (64 zeros before the header) followed by this line's own bytes up
to the comma before `digest`. So a line that is changed, moved, added or taken out breaks the chain
there, and the last digest stands for the whole game.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec

from longfuse.game.entries import Recorded, Result
from longfuse.game.randomness import key_of_seed
from longfuse_protocol import shuffles
from longfuse_protocol.shuffles import DOMAIN

FORMAT = "longfuse journal"
VERSION = 1
NO_DIGEST = "0" * 64
LINE_BYTES_MAX = 1 << 20
"""A longer line is no line of ours."""

_SEAL = b',"digest":"'
_CLOSE = b'"}'
_TAIL = len(_SEAL) + 64 + len(_CLOSE)


class JournalError(Exception):
    """A journal cannot be read. `line` counts from 1; `entry` is the one at which it breaks."""

    def __init__(self, line: int, entry: int, reason: str) -> None:
        where = "the header" if entry == 0 else f"entry {entry}"
        super().__init__(f"line {line}, {where}: {reason}")
        self.line = line
        self.entry = entry
        self.reason = reason


class SeatLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sat there, with which deck (a name, or a list in the ruleset's own form)."""

    name: str
    deck: Any = ""


class Seed(msgspec.Struct, frozen=True, tag="seed", tag_field="by", forbid_unknown_fields=True):
    """Randomness from a seed: tests, demonstrations and load; never a table of people."""

    seed: str


class Transcript(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag="transcript",
    tag_field="by",
    forbid_unknown_fields=True,
):
    """Randomness from a secret of the server and nonces of the seats: the public part.

    domain: the formulas, by name. game: the id that players know it by. counter: the server's
    games, counted without holes. decks: their digests, by seat. commitment: to the secret, before
    any nonce. hashes, nonces: by seat, "" for a seat without this step. The secret itself stands
    in the `end` line, once it is revealed.
    """

    domain: str = DOMAIN
    game: str
    counter: int
    decks: tuple[str, ...]
    commitment: str
    hashes: tuple[str, ...]
    nonces: tuple[str, ...]

    @classmethod
    def of(cls, told: shuffles.Transcript) -> Transcript:
        """The header's part of what all have seen; ruleset and rules version stand beside it."""
        return cls(
            game=told.game,
            counter=told.counter,
            decks=told.decks,
            commitment=told.commitment,
            hashes=told.hashes,
            nonces=told.nonces,
        )


class Header(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag="header",
    tag_field="kind",
    forbid_unknown_fields=True,
):
    """What a game begins with: enough to begin it again.

    options: the ruleset's. table_options: the table's (clocks, delays, who may open the replay).
    """

    format: str = FORMAT
    version: int = VERSION
    table: str
    ruleset: str
    rules_version: str
    seats: tuple[SeatLine, ...]
    options: dict[str, Any] = {}
    table_options: dict[str, Any] = {}
    randomness: Seed | Transcript
    opened_ms: int = 0
    """Wall time, in milliseconds of the epoch."""


class Entered(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag="entry",
    tag_field="kind",
    forbid_unknown_fields=True,
):
    """One entry of the game.

    n: counts from 1. command: the id that it came with, "" for none. rule: the setting or the clock
    that decided for the seat, "" if the seat did. spent_ms: how long the game waited for it. at_ms:
    wall time. state: the state hash after it; "" where none was taken.
    """

    n: int
    entry: Recorded
    command: str = ""
    rule: str = ""
    spent_ms: int = 0
    at_ms: int = 0
    state: str = ""


class End(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag="end",
    tag_field="kind",
    forbid_unknown_fields=True,
):
    """The game is over. secret: of the transcript, revealed; "" with a seed."""

    entries: int
    result: Result
    secret: str = ""
    at_ms: int = 0


class Opened(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag="opened",
    tag_field="kind",
    forbid_unknown_fields=True,
):
    """All seats have agreed, after the end, that others may see the game whole."""

    at_ms: int = 0


Line = Header | Entered | End | Opened

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


class Chain:
    """The digest chain while it is written: it seals lines in order."""

    __slots__ = ("digest",)

    def __init__(self) -> None:
        self.digest = NO_DIGEST

    def seal(self, line: Line) -> bytes:
        """The bytes of the next line."""
        body = _encoder.encode(line)[:-1]
        self.digest = digest_of(self.digest, body)
        return b"".join((body, _SEAL, self.digest.encode(), _CLOSE, b"\n"))


class BadLine(Exception):
    """What is wrong with one line; whoever reads the file knows which."""


def unseal(raw: bytes, previous: str) -> tuple[bytes, str]:
    """A raw line as the object without its digest, and that digest, checked.

    Raises:
        BadLine: it is cut off, or the chain breaks here.
    """
    if not raw.endswith(b"\n"):
        raise BadLine("the line is cut off")
    body, tail = raw[: -_TAIL - 1], raw[-_TAIL - 1 : -1]
    if not (tail.startswith(_SEAL) and tail.endswith(_CLOSE)):
        raise BadLine("the line does not end with its digest")
    digest = tail[len(_SEAL) : -len(_CLOSE)]
    expected = digest_of(previous, body)
    if digest != expected.encode():
        raise BadLine("the digest does not fit: this line or the order of lines was altered")
    return body + b"}", expected


def parse(content: bytes) -> Line:
    """One line's object as what it says.

    Raises:
        BadLine: it is not one of the lines of this version.
    """
    try:
        return _decoder.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLine(f"this is no line of a journal: {error}") from error


def digest_of(previous: str, body: bytes) -> str:
    """The digest of a line, from the one before and its own bytes."""
    return blake2b(previous.encode() + body, digest_size=32).hexdigest()


def transcript_of(header: Header) -> shuffles.Transcript | None:
    """What all at the table had seen before the first card; None for a game from a seed."""
    drawn = header.randomness
    if isinstance(drawn, Seed):
        return None
    return shuffles.Transcript(
        game=drawn.game,
        counter=drawn.counter,
        ruleset=header.ruleset,
        rules_version=header.rules_version,
        decks=drawn.decks,
        commitment=drawn.commitment,
        hashes=drawn.hashes,
        nonces=drawn.nonces,
    )


def key_of(header: Header, end: End | None, secret: str = "") -> bytes:
    """The key from which the game's random values were drawn, if all fits that it is made of.

    secret: where the file has none, as after an abort.

    Raises:
        BadLine: the secret has not been revealed or is none; or secret, commitment, nonces, hashes
            and decks do not belong together.
    """
    drawn = header.randomness
    if isinstance(drawn, Seed):
        return key_of_seed(drawn.seed)
    revealed = secret if end is None else end.secret or secret
    if not revealed:
        raise BadLine("the secret of its shuffles has not been revealed: it cannot be played again")
    transcript = transcript_of(header)
    assert transcript is not None, "only a seed has none"
    if drawn.domain != DOMAIN:
        raise BadLine(f"it was shuffled by {drawn.domain!r}; this program knows {DOMAIN!r}")
    try:
        known = shuffles.secret_of(revealed)
    except ValueError as error:
        raise BadLine(str(error)) from error
    decks = [seat.deck for seat in header.seats]
    for wrong in shuffles.wrong_at_the_end(known, transcript, decks):
        raise BadLine(wrong)
    return shuffles.key_of(known, transcript)
