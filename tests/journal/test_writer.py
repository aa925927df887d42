"""Writing journals: what a call returned from is on the disk, in order, whole."""

from __future__ import annotations

import errno
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest
import trio

from journal.games import header, played
from longfuse.game.entries import Decision, Result
from longfuse.journal.reader import read
from longfuse.journal.store import FileStore, Piece
from longfuse.journal.writer import WriteFailed, open_writer

pytestmark = pytest.mark.realtime

RESULT = Result(0, "won", "2.1")


async def test_a_game_is_written_and_reads_back(tmp_path: Path) -> None:
    """Header, entries with all that was told of them, and the end."""
    entries, game = played()
    assert game.result is not None
    async with open_writer(FileStore(tmp_path)) as writer:
        await writer.open(header())
        for n, entry in enumerate(entries, 1):
            number = await writer.append("t1", entry, command=f"c{n}", spent_ms=n, at_ms=5)
            assert number == n
        await writer.close("t1", game.result)

    journal = read(tmp_path / "t1.jsonl")

    assert [line.entry for line in journal.entries] == entries
    assert journal.entries[2].command == "c3"
    assert journal.entries[2].spent_ms == 3
    assert journal.end is not None
    assert journal.end.result == game.result


async def test_what_was_returned_from_is_in_the_file(tmp_path: Path) -> None:
    """While the game still runs, after every call."""
    async with open_writer(FileStore(tmp_path)) as writer:
        await writer.open(header())
        for n in range(1, 6):
            await writer.append("t1", Decision(0, n, 0))
            assert len(read(tmp_path / "t1.jsonl").entries) == n


async def test_games_share_commits_and_keep_their_own_chains(tmp_path: Path) -> None:
    """Many tables at once: each file is a sound journal."""
    async with open_writer(FileStore(tmp_path), waiting_max=8) as writer:

        async def play(table: str) -> None:
            await writer.open(header(table=table))
            for n in range(1, 11):
                await writer.append(table, Decision(0, n, 0))
            await writer.close(table, RESULT)

        async with trio.open_nursery() as nursery:
            for number in range(20):
                nursery.start_soon(play, f"t{number}")
        statistics = writer.statistics()

    assert statistics.lines == 20 * 12
    assert statistics.commits < statistics.lines
    assert statistics.waiting == 0
    for number in range(20):
        assert len(read(tmp_path / f"t{number}.jsonl").entries) == 10


async def test_a_table_has_one_journal(tmp_path: Path) -> None:
    """A second one is refused, while the first is open and after."""
    async with open_writer(FileStore(tmp_path)) as writer:
        await writer.open(header())
        with pytest.raises(ValueError, match="t1"):
            await writer.open(header())
        await writer.close("t1", RESULT)
        with pytest.raises(WriteFailed):
            await writer.open(header())

    assert read(tmp_path / "t1.jsonl").end is not None


async def test_a_table_s_name_leads_nowhere_else(tmp_path: Path) -> None:
    """A name that is no plain word gets no file, and harms no other table."""
    async with open_writer(FileStore(tmp_path / "in")) as writer:
        with pytest.raises(WriteFailed, match="named after"):
            await writer.open(header(table="../t1"))
        await writer.open(header())

    assert names_below(tmp_path) == ["t1.jsonl"]


def names_below(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*.jsonl")]


class FullDisk:
    """A store that has no room for some tables, and says when it was asked."""

    def __init__(self, full: set[str]) -> None:
        self.full = full
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def commit(self, batch: Mapping[str, Piece]) -> dict[str, OSError]:
        """Fail for the tables that are full."""
        self.begun.set()
        self.go_on.wait(600)
        return {t: OSError(errno.ENOSPC, "no room") for t in batch if t in self.full}


async def test_a_failed_write_is_told_and_closes_that_journal_only() -> None:
    """After it nothing more is written to that table, which could leave a hole."""
    store = FullDisk(set())
    async with open_writer(store) as writer:
        await writer.open(header(table="a"))
        await writer.open(header(table="b"))
        store.full.add("a")
        with pytest.raises(WriteFailed, match="no room"):
            await writer.append("a", Decision(0, 1, 0))
        store.full.clear()

        with pytest.raises(WriteFailed, match="no room"):
            await writer.append("a", Decision(0, 1, 0))
        assert await writer.append("b", Decision(0, 1, 0)) == 1


async def test_a_store_that_raises_is_told_to_those_who_wait() -> None:
    """The thread lives on."""

    class Faulty(FullDisk):
        def commit(self, batch: Mapping[str, Piece]) -> dict[str, OSError]:
            if self.full:
                raise ZeroDivisionError
            return {}

    store = Faulty({"x"})
    async with open_writer(store) as writer:
        with pytest.raises(WriteFailed, match="ZeroDivisionError"):
            await writer.open(header())
        store.full.clear()
        await writer.open(header())


async def test_a_caller_waits_while_the_disk_is_busy_and_the_queue_full() -> None:
    """At most `waiting_max` lines are not durable; one more waits and can be given up."""
    store = FullDisk(set())
    async with open_writer(store, waiting_max=1) as writer:
        await writer.open(header(table="a"))
        await writer.open(header(table="b"))
        store.go_on.clear()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(writer.append, "a", Decision(0, 1, 0))
            await trio.testing.wait_all_tasks_blocked()
            with trio.move_on_after(0.05) as scope:
                await writer.append("b", Decision(0, 1, 0))
            assert scope.cancelled_caught
            store.go_on.set()
        assert await writer.append("b", Decision(0, 1, 0)) == 1


async def test_leaving_the_block_makes_durable_what_waits(tmp_path: Path) -> None:
    """Also when whoever wrote it no longer waits for it."""
    async with open_writer(FileStore(tmp_path)) as writer:
        await writer.open(header())
        with trio.CancelScope() as scope:
            scope.cancel()
            await writer.append("t1", Decision(0, 1, 0))
        number = await writer.append("t1", Decision(0, 1, 0))

    assert len(read(tmp_path / "t1.jsonl").entries) == number


def test_a_folder_that_fails_costs_only_the_new_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was there before is durable without it; a new one is gone, and can come again."""
    store = FileStore(tmp_path)
    store.commit({"a": Piece(b"one\n", new=True)})
    with monkeypatch.context() as broken:
        broken.setattr("os.fsync", lambda _file: (_ for _ in ()).throw(OSError(5, "gone")))
        failed = store.commit({"a": Piece(b"two\n"), "b": Piece(b"one\n", new=True)})

    assert {table: str(error) for table, error in failed.items()} == {"b": f"{tmp_path}: gone"}
    assert (tmp_path / "a.jsonl").read_bytes() == b"one\ntwo\n"
    assert store.commit({"b": Piece(b"one\n", new=True)}) == {}


async def test_what_cannot_be_written_is_told_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which game, which file, why, and what to do."""
    async with open_writer(FileStore(tmp_path)) as writer:
        await writer.open(header())
        full = OSError(errno.ENOSPC, "No space left on device")
        monkeypatch.setattr("os.fdatasync", lambda _file: (_ for _ in ()).throw(full))
        with pytest.raises(WriteFailed) as caught:
            await writer.append("t1", Decision(0, 1, 0))

    for word in ("table t1", str(tmp_path / "t1.jsonl"), "No space left on device", "make room"):
        assert word in str(caught.value)


def test_a_file_that_fails_is_left_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a line is taken away again, and a file that was new is not there."""
    store = FileStore(tmp_path)
    store.commit({"a": Piece(b"one\n", new=True)})
    monkeypatch.setattr("os.fdatasync", lambda _file: (_ for _ in ()).throw(OSError("gone")))

    failed = store.commit({"a": Piece(b"two\n"), "b": Piece(b"one\n", new=True)})

    assert set(failed) == {"a", "b"}
    assert (tmp_path / "a.jsonl").read_bytes() == b"one\n"
    assert not (tmp_path / "b.jsonl").exists()
