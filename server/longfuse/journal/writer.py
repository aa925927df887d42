"""Writing journals: durable before anybody is told.

Owns the digest chain of every game that is being written, and the one thread that waits for the
disk. `open`, `append` and `close` return when what they wrote is durable. Entries of all games
share commits: what arrives while the disk is busy goes out together. It never drops and never
reorders what it was given, and holds at most `waiting_max` lines that are not durable; who brings
more waits.
"""

from __future__ import annotations

import queue
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import msgspec
import trio

from longfuse.game.entries import Recorded, Result
from longfuse.journal.format import Chain, End, Entered, Header, Line, Opened
from longfuse.journal.store import Piece, Store

WAITING_MAX = 1_024
CLOSED_MAX = 1_000
"""Games that are over, and may be opened yet."""
LINGER_S = 0.002
LOADED = 4
"""A commit that held as many lines shows load: the next one lingers, to hold more."""


class WriteFailed(Exception):
    """A line could not be made durable. Nothing more can be written to that table's journal."""

    def __init__(self, table: str, reason: str) -> None:
        super().__init__(
            f"the journal of table {table} cannot be written: {reason}. "
            "The game is kept as far as it was; make room, or mend the disk, for the next ones"
        )
        self.table = table
        self.reason = reason


class _Book:
    """One game's journal while it is open."""

    __slots__ = ("chain", "entries", "failed")

    def __init__(self) -> None:
        self.chain = Chain()
        self.entries = 0
        self.failed = ""


class _Written:
    """One line on its way to the disk."""

    __slots__ = ("book", "done", "error", "piece", "table")

    def __init__(self, table: str, book: _Book, piece: Piece) -> None:
        self.table = table
        self.book = book
        self.piece = piece
        self.done = trio.Event()
        self.error: OSError | None = None


class WriterStatistics(msgspec.Struct, frozen=True):
    """What the writer is doing, for operators and tests."""

    open: int
    waiting: int
    commits: int
    lines: int


class Writer:
    """Writes the journals of one process. Made by `open_writer`, and lives as long."""

    def __init__(self, store: Store, waiting_max: int) -> None:
        self._store = store
        self._books: dict[str, _Book] = {}
        self._closed: OrderedDict[str, _Book] = OrderedDict()
        self._queue: queue.SimpleQueue[_Written | None] = queue.SimpleQueue()
        self._room = trio.Semaphore(waiting_max)
        self._waiting_max = waiting_max
        self._token = trio.lowlevel.current_trio_token()
        self._commits = 0
        self._lines = 0

    async def open(self, header: Header) -> None:
        """Begin a game's journal; ValueError if that table has one that is open."""
        table = header.table
        if table in self._books:
            raise ValueError(f"table {table} has an open journal")
        await self._room.acquire()
        book = self._books[table] = _Book()
        try:
            await self._write(table, book, header)
        except WriteFailed:
            del self._books[table]
            raise

    async def append(self, table: str, entry: Recorded, **told: int | str) -> int:
        """Add an entry; its number is returned. told: the further fields of `Entered`."""
        book = self._books[table]
        await self._room.acquire()
        book.entries += 1
        line = Entered(n=book.entries, entry=entry)
        await self._write(table, book, msgspec.structs.replace(line, **told) if told else line)
        return line.n

    async def close(self, table: str, result: Result, *, secret: str = "", at_ms: int = 0) -> None:
        """End a game's journal, and forget it."""
        book = self._books[table]
        await self._room.acquire()
        del self._books[table]
        end = End(entries=book.entries, result=result, secret=secret, at_ms=at_ms)
        await self._write(table, book, end)
        self._closed[table] = book
        if len(self._closed) > CLOSED_MAX:
            self._closed.popitem(last=False)

    async def opened(self, table: str, *, at_ms: int = 0) -> bool:
        """Add to a game that is over that it may be seen whole; say whether it is known still."""
        book = self._closed.pop(table, None)
        if book is None:
            return False
        await self._room.acquire()
        await self._write(table, book, Opened(at_ms=at_ms))
        return True

    def abandon(self, table: str) -> None:
        """Forget a game that will not go on; its journal stays as it is, without an end."""
        self._books.pop(table, None)

    def statistics(self) -> WriterStatistics:
        """Describe the writer as it is now."""
        waiting = self._waiting_max - self._room.value
        return WriterStatistics(len(self._books), waiting, self._commits, self._lines)

    async def _write(self, table: str, book: _Book, line: Line) -> None:
        """Seal and queue, and wait for the disk. The caller has acquired room.

        Nothing waits between the sealing and the queue: the order in the chain is the order on
        the disk, and a caller that is cancelled leaves no hole.
        """
        if book.failed:
            self._room.release()
            raise WriteFailed(table, book.failed)
        written = _Written(table, book, Piece(book.chain.seal(line), isinstance(line, Header)))
        self._queue.put(written)
        await written.done.wait()
        if written.error is not None:
            raise WriteFailed(table, str(written.error)) from written.error

    # ------------------------------------------------------------ the thread

    def work(self) -> None:
        """What the thread does until it is told to stop: take what waits, commit it, tell."""
        linger = False
        while True:
            batch, stop = self._take(linger)
            if batch:
                self._commit(batch)
            if stop:
                return
            linger = len(batch) >= LOADED

    def stop(self) -> None:
        """Let the thread finish what waits, and end."""
        self._queue.put(None)

    def _take(self, linger: bool) -> tuple[list[_Written], bool]:
        first = self._queue.get()
        if first is None:
            return [], True
        if linger:
            time.sleep(LINGER_S)
        batch = [first]
        while not self._queue.empty():
            more = self._queue.get()
            if more is None:
                return batch, True
            batch.append(more)
        return batch, False

    def _commit(self, batch: list[_Written]) -> None:
        try:
            failed = self._store.commit(_joined(batch))
        except Exception as error:  # noqa: BLE001 - those who wait are told, whatever it was
            failed = {written.table: OSError(repr(error)) for written in batch}
        self._token.run_sync_soon(self._tell, batch, failed)

    def _tell(self, batch: list[_Written], failed: dict[str, OSError]) -> None:
        self._commits += 1
        self._lines += len(batch)
        for written in batch:
            written.error = failed.get(written.table)
            if written.error is not None:
                written.book.failed = str(written.error)
            self._room.release()
            written.done.set()


def _joined(batch: list[_Written]) -> dict[str, Piece]:
    """One piece a table: its lines in order."""
    pieces: dict[str, Piece] = {}
    for written in batch:
        before = pieces.get(written.table, Piece(b"", written.piece.new))
        pieces[written.table] = Piece(before.data + written.piece.data, before.new)
    return pieces


@asynccontextmanager
async def open_writer(
    store: Store, *, waiting_max: int = WAITING_MAX
) -> AsyncGenerator[Writer, None]:
    """Open a writer and its thread; leaving the block makes durable what waits, then ends it."""
    writer = Writer(store, waiting_max)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.to_thread.run_sync, writer.work)
        try:
            yield writer
        finally:
            writer.stop()
