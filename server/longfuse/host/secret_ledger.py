"""The ledger of shuffles: one file that counts games without holes and keeps their secrets.

Owns the file and its form: two lines of JSON a game, one when its secret is drawn and one when it
ends. What `open` and `end` returned from is durable. It blocks, so it is called from a thread; one
caller at a time. The file is for the server's user alone, and belongs in no backup that is made
while games run: with it, whoever has a running game's journal knows all its cards.

A line that is cut off was promised to nobody, and goes. Any other line that can't be read stops the
server: what it counted is not known any more.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from longfuse.host.wall import now_ms
from longfuse_protocol.shuffles import SECRET_BYTES

FOLDER = "secrets"
FILE = "ledger.jsonl"
WHY_MAX = 200


class LedgerError(OSError):
    """The ledger can't be used. The text names the file, and says what to do."""


class Opened(msgspec.Struct, frozen=True, tag="opened", tag_field="kind"):
    """A game gets its number and its secret."""

    counter: int
    game: str
    secret: str
    at_ms: int

    def __repr__(self) -> str:
        """All but the secret."""
        return f"Opened(counter={self.counter}, game={self.game!r})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """The same where tracebacks are laid out."""
        return [("counter", self.counter), ("game", self.game)]


class Ended(msgspec.Struct, frozen=True, tag="ended", tag_field="kind"):
    """A game has ended, and its secret belongs to its seats."""

    counter: int
    why: str
    at_ms: int


Line = Opened | Ended

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


class _Dealt:
    """The ids of all games that were ever dealt: eight bytes each, in order.

    To look through the file would stop the whole server, for longer with every game. That two ids
    are the same in eight bytes is not to be expected; if it happens, a game does not begin.
    """

    def __init__(self, games: Iterable[str]) -> None:
        self._sorted = array("Q", sorted(map(_short, games)))

    def __contains__(self, game: str) -> bool:
        sought = _short(game)
        place = bisect_left(self._sorted, sought)
        return place < len(self._sorted) and self._sorted[place] == sought

    def add(self, game: str) -> None:
        new = _short(game)
        self._sorted.insert(bisect_left(self._sorted, new), new)


def _short(game: str) -> int:
    return int.from_bytes(blake2b(game.encode(), digest_size=8).digest(), "big")


class Ledger:
    """The ledger while a server has it. Made by `open_ledger`."""

    def __init__(self, path: Path, file: int) -> None:
        self._path = path
        self._file = file
        self._broken = False
        self._counter = 0
        self._open: dict[str, Opened] = {}
        self._dealt = _Dealt(self._read())

    @property
    def games(self) -> tuple[str, ...]:
        """The games that have not ended."""
        return tuple(self._open)

    def open(self, game: str) -> Opened:
        """Draw a game's secret; ValueError if that game has had one."""
        if game in self._dealt:
            raise ValueError(f"game {game} has been dealt already: it is never dealt twice")
        opened = Opened(self._counter + 1, game, secrets.token_hex(SECRET_BYTES), now_ms())
        self._add(opened)
        self._counter = opened.counter
        self._open[game] = opened
        self._dealt.add(game)
        return opened

    def end(self, game: str, why: str) -> None:
        """Note a game's end; ValueError if it isn't open."""
        opened = self._open.get(game)
        if opened is None:
            raise ValueError(f"game {game} has no secret that is still kept")
        self._add(Ended(opened.counter, why[:WHY_MAX], now_ms()))
        del self._open[game]

    def _read(self) -> set[str]:
        """Take up the count where the file has it; return the games that it tells of."""
        good = 0
        by_counter: dict[int, str] = {}
        games: set[str] = set()
        with open(self._file, "rb", closefd=False) as lines:
            for number, raw in enumerate(lines, 1):
                if not raw.endswith(b"\n"):
                    break
                good += len(raw)
                line = _parsed(raw)
                if isinstance(line, Ended) and line.counter in by_counter:
                    del self._open[by_counter.pop(line.counter)]
                elif isinstance(line, Opened) and self._is_next(line, games):
                    games.add(line.game)
                    self._counter = line.counter
                    self._open[line.game] = line
                    by_counter[line.counter] = line.game
                else:
                    raise LedgerError(
                        f"{self._path}: line {number} does not follow from those before; bring the "
                        "file back as it was, or move it away and tell players that the count "
                        "begins anew"
                    )
        os.ftruncate(self._file, good)
        return games

    def _is_next(self, line: Opened, games: set[str]) -> bool:
        return line.counter == self._counter + 1 and line.game not in games

    def _add(self, line: Line) -> None:
        if self._broken:
            raise LedgerError(f"{self._path}: an earlier write failed; restart the server")
        size = os.fstat(self._file).st_size
        try:
            left = memoryview(_encoder.encode(line) + b"\n")
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError as error:
            self._broken = True
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, size)
                self._broken = False
            reason = error.strerror or type(error).__name__
            raise LedgerError(f"{self._path}: can't be written: {reason}") from error


@contextmanager
def open_ledger(data: Path) -> Iterator[Ledger]:
    """The ledger in a data folder, made if there is none; LedgerError if another server has it."""
    folder = data / FOLDER
    path = folder / FILE
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.fchmod(file, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            told = f"{path}: another server keeps its secrets here; give each its own data folder"
            raise LedgerError(told) from error
        _sync_folder(data)
        _sync_folder(folder)
        yield Ledger(path, file)
    finally:
        os.close(file)


class Shuffle(msgspec.Struct, frozen=True):
    """One game of the ledger, without its secret. why: how it ended; "" while it hasn't."""

    counter: int
    game: str
    opened_ms: int
    ended_ms: int | None = None
    why: str = ""


class Account(msgspec.Struct, frozen=True):
    """What a ledger tells: its games in order, and in sentences what can't be right."""

    shuffles: tuple[Shuffle, ...]
    wrong: tuple[str, ...]


def account(data: Path) -> Account:
    """What the ledger of a data folder tells, altered or not; OSError if there is none."""
    found: dict[int, Shuffle] = {}
    games: set[str] = set()
    wrong: list[str] = []
    for number, line in _lines(data):
        if line is None:
            wrong.append(f"Line {number} can't be read.")
        elif isinstance(line, Opened):
            if line.counter in found:
                wrong.append(f"Line {number} opens {line.counter} a second time.")
            if line.game in games:
                wrong.append(f"Line {number} deals the game {line.game} a second time.")
            games.add(line.game)
            found[line.counter] = Shuffle(line.counter, line.game, line.at_ms)
        elif line.counter not in found:
            wrong.append(f"Line {number} ends {line.counter}, which was never opened.")
        elif found[line.counter].ended_ms is not None:
            wrong.append(f"Line {number} ends {line.counter} a second time.")
        else:
            found[line.counter] = msgspec.structs.replace(
                found[line.counter], ended_ms=line.at_ms, why=line.why
            )
    expected = 1
    for counter in sorted(found):
        if counter > expected:
            gap = f"{expected}" if counter == expected + 1 else f"{expected} to {counter - 1}"
            wrong.append(f"There is no {gap}: that is a hole in the count.")
        expected = counter + 1
    shuffles = tuple(found[counter] for counter in sorted(found))
    return Account(shuffles, tuple(wrong))


def secret_of_ended(data: Path, game: str) -> str | None:
    """The secret of a game that has ended, for its seats; None if it hasn't, or is not there."""
    opened: dict[int, str] = {}
    for _, line in _lines(data):
        if isinstance(line, Opened) and line.game == game:
            opened[line.counter] = line.secret
        elif isinstance(line, Ended) and line.counter in opened:
            return opened[line.counter]
    return None


def _lines(data: Path) -> Iterator[tuple[int, Line | None]]:
    with (data / FOLDER / FILE).open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            if raw.endswith(b"\n"):  # else it is being written
                yield number, _parsed(raw)


def _parsed(raw: bytes) -> Line | None:
    """A line of the file; None if it is none. What a decoder complains of could quote a secret."""
    try:
        return _decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _sync_folder(folder: Path) -> None:
    # A new file is not safe before the folder that names it is.
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
