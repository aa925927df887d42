"""Reading a journal: any file gives a game's header and entries, or says where it breaks.

Total: whatever the bytes are, the answer is a `Journal` or a `JournalError`. It plays nothing; that
the entries are a game at all is found by `replay`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from longfuse.game.entries import Interruption
from longfuse.journal.format import (
    FORMAT,
    LINE_BYTES_MAX,
    NO_DIGEST,
    VERSION,
    BadLine,
    End,
    Entered,
    Header,
    JournalError,
    Line,
    Opened,
    parse,
    unseal,
)


class Journal(msgspec.Struct, frozen=True):
    """One game as it was written. end: None while it is not over, or where the file stops before.

    digest: the last line's, which stands for all of it. opened: whether the seats have agreed,
    after the end, that others may see it whole.
    """

    header: Header
    entries: tuple[Entered, ...]
    end: End | None
    digest: str
    opened: bool = False


class _Head(msgspec.Struct):
    """As much of a header as every version has."""

    format: str
    version: int


def read(path: Path, *, torn: bool = False) -> Journal:
    """Read a file.

    torn: leave out a last line that is cut off. The server is writing it, or ended as it did, and
    nobody was told of it.

    Raises:
        JournalError: it breaks somewhere.
        OSError: it cannot be opened or read at all.
    """
    with path.open("rb") as file:
        return read_from(file, torn=torn)


def read_from(file: IO[bytes], *, torn: bool = False) -> Journal:
    """Read from an open file, as `read` does."""
    number = 0
    header: Header | None = None
    entries: list[Entered] = []
    end: End | None = None
    digest = NO_DIGEST
    opened = False
    for number, raw in enumerate(_raw_lines(file, torn=torn), 1):
        try:
            if end is not None:
                digest = _after_end(raw, digest, is_opened=opened)
                opened = True
                continue
            content, digest = unseal(raw, digest)
            if header is None:
                header = _header(content)
                continue
            line = parse(content)
            if isinstance(line, Header):
                raise BadLine("a second header")
            if isinstance(line, Opened):
                raise BadLine("the game is shown whole before its end")
            if isinstance(line, End):
                _check_end(line, len(entries))
                end = line
            else:
                _check_entry(line, len(entries) + 1, len(header.seats))
                entries.append(line)
        except BadLine as wrong:
            at = 0 if header is None else len(entries) + 1
            raise JournalError(number, at, str(wrong)) from wrong
    if header is None:
        raise JournalError(1, 0, "the file is empty")
    return Journal(header, tuple(entries), end, digest, opened)


def _raw_lines(file: IO[bytes], *, torn: bool) -> Iterator[bytes]:
    while raw := file.readline(LINE_BYTES_MAX + 1):
        if torn and not raw.endswith(b"\n") and len(raw) <= LINE_BYTES_MAX:
            return
        yield raw


def _header(content: bytes) -> Header:
    try:
        head = msgspec.json.decode(content, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLine(f"the file does not begin with a journal's header: {error}") from error
    if head.format != FORMAT:
        raise BadLine(f"this is a {head.format!r}, not a {FORMAT!r}")
    if head.version != VERSION:
        raise BadLine(f"it is written in version {head.version}; this program reads {VERSION}")
    line = parse(content)
    if not isinstance(line, Header):
        raise BadLine("the file does not begin with a header")
    if not line.seats:
        raise BadLine("a game has at least one seat")
    return line


def _after_end(raw: bytes, digest: str, *, is_opened: bool) -> str:
    """The digest of the one line that may follow the end."""
    if not is_opened and not raw.endswith(b"\n"):
        raise BadLine("the game is whole; the line after its end is cut off")
    try:
        content, digest = unseal(raw, digest)
        line: Line | None = parse(content)
    except BadLine:
        line = None
    if is_opened or not isinstance(line, Opened):
        raise BadLine("something follows the end")
    return digest


def _check_entry(line: Entered, expected: int, seats: int) -> None:
    if line.n != expected:
        raise BadLine(f"it is numbered {line.n}; entry {expected} should follow")
    lowest = -1 if isinstance(line.entry, Interruption) else 0
    if not lowest <= line.entry.seat < seats:
        raise BadLine(f"there is no seat {line.entry.seat}")


def _check_end(line: End, entries: int) -> None:
    if line.entries != entries:
        raise BadLine(f"the end speaks of {line.entries} entries, but {entries} are here")
