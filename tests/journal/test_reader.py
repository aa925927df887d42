"""Reading a journal is total: every file is a game, or it is said where it breaks."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.games import header, journal_lines, write
from longfuse.game.entries import Decision, Result
from longfuse.journal import reader
from longfuse.journal.format import (
    LINE_BYTES_MAX,
    NO_DIGEST,
    Chain,
    End,
    Entered,
    JournalError,
    Opened,
    digest_of,
)
from longfuse.journal.reader import Journal, read_from


def reading(data: bytes) -> Journal:
    return read_from(io.BytesIO(data))


def broken(data: bytes) -> JournalError:
    with pytest.raises(JournalError) as caught:
        reading(data)
    return caught.value


def sealed(*lines: object) -> bytes:
    chain = Chain()
    return b"".join(chain.seal(line) for line in lines)


def entry(n: int, seat: int = 0) -> Entered:
    return Entered(n=n, entry=Decision(seat, n, 0))


END = End(entries=2, result=Result(0, "won"))


def test_a_journal_reads_back() -> None:
    """Header, entries and end come back as they were written."""
    lines = journal_lines()

    journal = reading(b"".join(lines))

    assert journal.header == header()
    assert len(journal.entries) == len(lines) - 2
    assert journal.end is not None
    assert journal.end.entries == len(journal.entries)


def test_a_journal_cut_at_any_byte_is_reported() -> None:
    """A cut inside a line names the entry it tears; one between lines leaves a game without end."""
    lines = journal_lines(limit=3)
    whole = b"".join(lines)
    ends = [len(b"".join(lines[:count])) for count in range(len(lines) + 1)]

    for cut in range(len(whole)):
        before = sum(end <= cut for end in ends) - 1
        if cut in ends[1:]:
            assert len(reading(whole[:cut]).entries) == before - 1
            continue
        error = broken(whole[:cut])
        assert error.entry == before
        assert error.line == before + 1


def test_a_journal_cut_at_any_byte_is_whole_up_to_there() -> None:
    """Where a torn line is expected it is left out, and nothing else is: no altered byte passes."""
    chain = Chain()
    lines = [chain.seal(line) for line in (header(), entry(1), entry(2), END, Opened(at_ms=1))]
    whole = b"".join(lines)
    ends = [len(b"".join(lines[:count])) for count in range(len(lines) + 1)]

    for cut in range(ends[1], len(whole)):
        journal = read_from(io.BytesIO(whole[:cut]), torn=True)
        count = sum(end <= cut for end in ends) - 1
        assert len(journal.entries) == min(count - 1, 2)
        assert (journal.end is not None) is (count >= 4)
        assert not journal.opened
    for altered in (whole[: ends[2] - 1] + b"x" + whole[ends[2] :], b"x" * (LINE_BYTES_MAX + 1)):
        with pytest.raises(JournalError):
            read_from(io.BytesIO(altered), torn=True)


def test_a_finished_game_stays_one_where_the_line_after_it_is_cut_off() -> None:
    """It is said that the game is whole; whoever shows it again goes by that."""
    data = sealed(header(), entry(1), entry(2), END, Opened())

    assert "the game is whole" in str(broken(data[:-10]))
    assert read_from(io.BytesIO(data[:-10]), torn=True).end == END


def test_a_finished_journal_cut_between_lines_has_no_end() -> None:
    """Without its last line a game counts as one that still runs."""
    lines = journal_lines()

    assert reading(b"".join(lines[:-1])).end is None


def test_any_altered_byte_is_reported_at_its_line() -> None:
    """Each byte of each line is under the digest, or is part of it."""
    lines = journal_lines(limit=2)

    for number, line in enumerate(lines):
        for position in range(len(line)):
            altered = bytearray(line)
            altered[position] ^= 1
            error = broken(b"".join([*lines[:number], bytes(altered), *lines[number + 1 :]]))
            assert error.line == number + 1
            assert error.entry == number


@pytest.mark.parametrize("number", range(5))
def test_a_line_taken_out_or_moved_is_reported(number: int) -> None:
    """The chain breaks where a line is missing, or stands in another's place."""
    lines = journal_lines(limit=6)
    without = lines[:number] + lines[number + 1 :]
    swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]

    assert broken(b"".join(without)).line == number + 1
    assert broken(b"".join(swapped)).line == number + 1


def test_a_line_added_at_the_end_is_reported() -> None:
    """Nothing follows the end of a game."""
    lines = journal_lines()

    assert "follows the end" in str(broken(b"".join([*lines, lines[-1]])))


@pytest.mark.parametrize(
    ("data", "at", "word"),
    [
        (b"", 0, "empty"),
        (b"\n", 0, "digest"),
        (b"no journal\n", 0, "digest"),
        (sealed(entry(1)), 0, "header"),
        (sealed(header(version=2)), 0, "version 2"),
        (sealed(header(format="diary")), 0, "diary"),
        (sealed(header(seats=())), 0, "seat"),
        (sealed(header(), header()), 1, "second header"),
        (sealed(header(), entry(2)), 1, "entry 1 should follow"),
        (sealed(header(), entry(1), entry(1)), 2, "entry 2 should follow"),
        (sealed(header(), entry(1, seat=2)), 1, "no seat 2"),
        (sealed(header(), entry(1), End(entries=2, result=Result(0, "won"))), 2, "2 entries"),
    ],
)
def test_what_no_game_looks_like_is_reported(data: bytes, at: int, word: str) -> None:
    """Even with a sound chain: another format, another version, wrong numbers."""
    error = broken(data)

    assert error.entry == at
    assert word in str(error)


@given(st.binary(max_size=400))
def test_any_bytes_are_answered(data: bytes) -> None:
    """Garbage never raises anything but a `JournalError`."""
    broken(data)


@given(st.data())
def test_any_content_under_a_sound_chain_is_answered(data: st.DataObject) -> None:
    """Whoever can compute digests can still not make the reader fail otherwise."""
    body = data.draw(st.binary(max_size=60) | st.just(b'{"kind":"header"' + b"[" * 50))
    digest = digest_of(NO_DIGEST, body)

    broken(body + f',"digest":"{digest}"}}\n'.encode())


def test_the_check_that_the_format_s_page_shows_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its few lines accept a sound journal and refuse one with an altered byte."""
    page = Path(reader.__file__).with_name("README.md").read_text()
    check = page.split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(tmp_path)
    lines = journal_lines(limit=4)
    path = write(tmp_path / "game.jsonl", lines)

    exec(check, {})

    path.write_bytes(b"".join(lines).replace(b"small", b"large"))
    with pytest.raises(AssertionError):
        exec(check, {})
