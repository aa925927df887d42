"""Records travel between processes as lines, however the bytes are cut."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from load.test_meter import metered
from longfuse.load.pipes import (
    Beat,
    Done,
    Go,
    Lines,
    Opened,
    Stop,
    read_from_worker,
    read_share,
    read_to_worker,
    write,
)
from longfuse.load.plan import Run, divide

RUN = Run(tables=3, spectators=1, seconds=1.0, rulesets=("toy",), drop_percent=50.0)


async def test_what_is_written_is_read() -> None:
    """Every record of both directions."""
    (share,) = divide(RUN, "ws://here/ws")
    beat = Beat(decisions=1, games_over=2, errors=3, violations=4)
    reports = (Opened(3), beat, Done(metered(0.01, violations=1)))
    left, right = trio.testing.memory_stream_one_way_pair()
    lines = Lines(right)
    for record in (share, Go(1.5), Stop(), *reports):
        await write(left, record)
    await left.aclose()

    assert read_share(await lines.read() or b"") == share
    assert [read_to_worker(await lines.read() or b"") for _ in range(2)] == [Go(1.5), Stop()]
    assert [read_from_worker(await lines.read() or b"") for _ in range(3)] == list(reports)
    assert await lines.read() is None


async def test_lines_are_put_together() -> None:
    """A line may come in parts, several may come at once, and half a line at the end is none."""
    left, right = trio.testing.memory_stream_one_way_pair()
    lines = Lines(right)
    got = []

    async def read() -> None:
        while (line := await lines.read()) is not None:
            got.append(line)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        for part in (b"on", b"e\ntwo\nthr", b"ee\nhalf"):
            await left.send_all(part)
            await trio.testing.wait_all_tasks_blocked()
        await left.aclose()

    assert got == [b"one", b"two", b"three"]


async def test_a_line_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded whatever a process prints."""
    monkeypatch.setattr("longfuse.load.pipes.LINE_BYTES_MAX", 10)
    left, right = trio.testing.memory_stream_one_way_pair()
    await left.send_all(b"x" * 20)

    with pytest.raises(ValueError, match="a line of more than 10 bytes"):
        await Lines(right).read()
