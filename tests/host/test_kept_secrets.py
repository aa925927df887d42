"""The secrets of shuffles: counted without holes, durable, and ended for a reason."""

from __future__ import annotations

import json
import os
import stat
import traceback
from pathlib import Path

import msgspec
import pytest
import trio

from longfuse.host import secret_ledger
from longfuse.host.kept_secrets import SERVER_STOPPED, FileSecrets, MemorySecrets, open_secrets
from longfuse.host.secret_ledger import LedgerError, account, secret_of_ended

# The disk is real, and worked at from a thread.
pytestmark = pytest.mark.realtime


@pytest.fixture(params=["memory", "files"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> object:
    """Both forms of the port."""
    if request.param == "memory":
        yield MemorySecrets()
        return
    with open_secrets(tmp_path) as files:
        yield files


async def test_secrets_are_fresh_and_counted(kept: MemorySecrets | FileSecrets) -> None:
    """Numbers follow each other, whatever ends in between."""
    first = await kept.open("a-1")
    await kept.reveal("a-1", "over")
    others = [await kept.open(f"b-{number}") for number in range(3)]

    assert [one.counter for one in (first, *others)] == [1, 2, 3, 4]
    assert len({one.secret for one in (first, *others)}) == 4
    assert {len(one.secret) for one in others} == {32}


async def test_many_tables_at_once_leave_no_hole(kept: MemorySecrets | FileSecrets) -> None:
    """Each gets its own number, also where some are cancelled."""
    got: list[int] = []

    async def table(number: int) -> None:
        with trio.CancelScope() as scope:
            if number % 3 == 0:
                scope.cancel()
            got.append((await kept.open(f"t-{number}")).counter)

    async with trio.open_nursery() as nursery:
        for number in range(12):
            nursery.start_soon(table, number)

    last = await kept.open("last")
    assert sorted(got) == list(range(1, len(got) + 1))
    assert last.counter == len(got) + 1


async def test_a_game_is_dealt_once(kept: MemorySecrets | FileSecrets) -> None:
    """Neither while it runs nor after it has ended."""
    await kept.open("a-1")
    with pytest.raises(ValueError, match="never dealt twice"):
        await kept.open("a-1")
    await kept.reveal("a-1", "aborted: nobody came")
    with pytest.raises(ValueError, match="never dealt twice"):
        await kept.open("a-1")

    assert (await kept.open("a-11")).counter == 2


async def test_no_game_of_an_earlier_server_is_dealt_again(tmp_path: Path) -> None:
    """However many there were; a game that has only nearly the same id is another."""
    lines: list[object] = []
    for counter in range(1, 101):
        lines.append({**LINES[0], "counter": counter, "game": f"{counter}-1"})
        lines.append({**LINES[1], "counter": counter})
    write_ledger(tmp_path, lines)

    with open_secrets(tmp_path) as kept:
        for counter in range(1, 101):
            with pytest.raises(ValueError, match="never dealt twice"):
                await kept.open(f"{counter}-1")
        assert (await kept.open("1-11")).counter == 101


async def test_a_secret_is_revealed_once(kept: MemorySecrets | FileSecrets) -> None:
    """And only if there is one."""
    await kept.open("a-1")
    await kept.reveal("a-1", "over")
    for game in ("a-1", "b-1"):
        with pytest.raises(ValueError, match="no secret that is still kept"):
            await kept.reveal(game, "over")


async def test_a_secret_is_durable_before_it_is_given_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is synced with the line in it, and is for the server's user alone."""
    path = tmp_path / "secrets" / "ledger.jsonl"
    synced: list[bytes] = []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(path.read_bytes()), fsync(file)))
    with open_secrets(tmp_path) as kept:
        one = await kept.open("a-1")

        assert one.secret.hex().encode() in synced[-1]
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_what_a_server_leaves_open_is_ended_by_the_next(tmp_path: Path) -> None:
    """Counting goes on after a crash, a torn line included, and the aborted game is listed."""
    with open_secrets(tmp_path) as kept:
        first = await kept.open("a-1")
        await kept.open("b-1")
        await kept.reveal("b-1", "over")
    with (tmp_path / "secrets" / "ledger.jsonl").open("ab") as file:
        file.write(b'{"kind":"opened","counter":3,"game":"c-1","sec')

    with open_secrets(tmp_path) as kept:
        assert (await kept.open("c-1")).counter == 3
        found = account(tmp_path)

    assert [(one.counter, one.game, one.why) for one in found.shuffles] == [
        (1, "a-1", SERVER_STOPPED),
        (2, "b-1", "over"),
        (3, "c-1", ""),
    ]
    assert found.wrong == ()
    assert secret_of_ended(tmp_path, "a-1") == first.secret.hex()
    assert secret_of_ended(tmp_path, "c-1") is None
    assert secret_of_ended(tmp_path, "d-1") is None


def test_two_servers_can_t_share_a_count(tmp_path: Path) -> None:
    """The second does not start."""
    with open_secrets(tmp_path), pytest.raises(LedgerError, match="another server"):
        open_secrets(tmp_path).__enter__()
    with open_secrets(tmp_path) as kept:
        assert isinstance(kept, FileSecrets)


@pytest.mark.parametrize("fails", ["write", "fsync"])
async def test_a_full_disk_begins_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """The number is not used up, and the next game gets it."""
    with open_secrets(tmp_path) as kept:
        await kept.open("a-1")
        with monkeypatch.context() as broken:
            broken.setattr(os, fails, refuse)
            with pytest.raises(LedgerError, match="No space left"):
                await kept.open("b-1")
            with pytest.raises(LedgerError, match="No space left"):
                await kept.reveal("a-1", "over")

        assert (await kept.open("b-1")).counter == 2
        await kept.reveal("a-1", "over")
    assert account(tmp_path).wrong == ()


async def test_a_ledger_that_can_t_be_mended_takes_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a line could stand before the next."""
    with open_secrets(tmp_path) as kept:
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", refuse)
            broken.setattr(os, "ftruncate", refuse)
            with pytest.raises(LedgerError, match="No space left"):
                await kept.open("a-1")

        with pytest.raises(LedgerError, match="restart the server"):
            await kept.open("b-1")


def refuse(*_: object) -> None:
    raise OSError(28, "No space left on device")


LINES = [
    {"kind": "opened", "counter": 1, "game": "a-1", "secret": "5e" * 32, "at_ms": 1},
    {"kind": "ended", "counter": 1, "why": "over", "at_ms": 2},
    {"kind": "opened", "counter": 2, "game": "b-1", "secret": "5f" * 32, "at_ms": 3},
    {"kind": "ended", "counter": 2, "why": "aborted: x", "at_ms": 4},
    {"kind": "opened", "counter": 3, "game": "c-1", "secret": "60" * 32, "at_ms": 5},
]


def write_ledger(data: Path, lines: list[object]) -> None:
    (data / "secrets").mkdir()
    written = b"".join(
        line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines
    )
    (data / "secrets" / "ledger.jsonl").write_bytes(written)


@pytest.mark.parametrize(
    ("lines", "line", "wrong"),
    [
        ([*LINES[:2], LINES[4]], 3, "There is no 2: that is a hole in the count."),
        (LINES[4:], 1, "There is no 1 to 2: that is a hole in the count."),
        ([*LINES[:2], LINES[3]], 3, "Line 3 ends 2, which was never opened."),
        ([*LINES[:2], LINES[1]], 3, "Line 3 ends 1 a second time."),
        ([*LINES[:2], LINES[0]], 3, "Line 3 opens 1 a second time."),
        ([*LINES[:2], {**LINES[2], "game": "a-1"}], 3, "Line 3 deals the game a-1 a second time."),
        ([LINES[0], b"{5e5e5e\n"], 2, "Line 2 can't be read."),
    ],
)
def test_holes_in_the_count_are_found(
    tmp_path: Path, lines: list[object], line: int, wrong: str
) -> None:
    """The account names them; a server does not count on from there."""
    write_ledger(tmp_path, lines)

    assert wrong in account(tmp_path).wrong
    with pytest.raises(LedgerError, match=f"line {line} does not follow") as caught:
        open_secrets(tmp_path).__enter__()
    assert "5e5e5e" not in "".join(traceback.format_exception(caught.value))


def test_a_line_that_is_being_written_is_not_counted_yet(tmp_path: Path) -> None:
    """The account of a running server does not complain of it."""
    write_ledger(tmp_path, [*LINES[:2], json.dumps(LINES[2]).encode()[:40]])

    told = account(tmp_path)

    assert ([one.counter for one in told.shuffles], told.wrong) == ([1], ())


def test_an_account_has_no_secrets(tmp_path: Path) -> None:
    """Whoever may see the list sees no hand; nor does a line of the ledger show when printed."""
    write_ledger(tmp_path, LINES)
    line = msgspec.json.decode(json.dumps(LINES[4]), type=secret_ledger.Opened)

    told = f"{account(tmp_path)} {line!r} {line.__rich_repr__()}"

    assert account(tmp_path).wrong == ()
    assert not any(secret * 32 in told for secret in ("5e", "5f", "60"))
