"""Games that all seats have agreed, after the end, to show whole: the journal says so."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from journal.games import header, journal_lines, played, use_toy
from longfuse.journal import writer as writers
from longfuse.journal.format import Chain, JournalError, Opened, parse, unseal
from longfuse.journal.reader import read, read_from
from longfuse.journal.store import FileStore
from longfuse.journal.verify import verify
from longfuse.journal.writer import open_writer


@pytest.mark.realtime
async def test_it_follows_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is part of the chain, and the game verifies as before."""
    use_toy(monkeypatch)
    entries, game = played()
    assert game.result is not None
    async with open_writer(FileStore(tmp_path)) as writer:
        await writer.open(header())
        for entry in entries:
            await writer.append("t1", entry)
        await writer.close("t1", game.result)
        before = read(tmp_path / "t1.jsonl")
        assert await writer.opened("t1", at_ms=7)
        assert not await writer.opened("t1")

    journal = read(tmp_path / "t1.jsonl")
    assert (before.opened, journal.opened) == (False, True)
    assert (journal.entries, journal.end) == (before.entries, before.end)
    assert journal.digest != before.digest
    assert verify(tmp_path / "t1.jsonl").is_same


@pytest.mark.realtime
async def test_only_the_last_games_can_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that is long ago, still runs, or was never there is left as it is."""
    monkeypatch.setattr(writers, "CLOSED_MAX", 1)
    _, game = played()
    assert game.result is not None
    async with open_writer(FileStore(tmp_path)) as writer:
        for table in ("t1", "t2"):
            await writer.open(header(table=table))
            assert not await writer.opened(table)
            await writer.close(table, game.result)
        assert not await writer.opened("t1")
        assert not await writer.opened("t9")
        assert await writer.opened("t2")

    assert not read(tmp_path / "t1.jsonl").opened


def _lines(change: Callable[[list[object]], list[object]]) -> bytes:
    """A journal whose lines are changed and sealed anew."""
    lines: list[object] = []
    digest = "0" * 64
    for raw in journal_lines():
        content, digest = unseal(raw, digest)
        lines.append(parse(content))
    chain = Chain()
    return b"".join(chain.seal(line) for line in change(lines))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda lines: [*lines, Opened(), Opened()], "follows the end"),
        (lambda lines: [*lines, lines[-1]], "follows the end"),
        (lambda lines: [*lines, lines[1]], "follows the end"),
        (lambda lines: [*lines[:-1], Opened()], "before its end"),
        (lambda lines: [lines[0], Opened(), *lines[1:]], "before its end"),
        (lambda lines: [Opened(), *lines], "does not begin with"),
    ],
)
def test_it_stands_nowhere_else(
    change: Callable[[list[object]], list[object]], reason: str
) -> None:
    """Once, and after the end: anywhere else the file is broken there."""
    with pytest.raises(JournalError, match=reason):
        read_from(io.BytesIO(_lines(change)))


def test_it_cannot_be_added_by_hand() -> None:
    """Without its digest in the chain, it is no line of this journal."""
    with pytest.raises(JournalError, match="follows the end"):
        read_from(io.BytesIO(b"".join([*journal_lines(), Chain().seal(Opened())])))
