"""A server that is killed at any write: what is on the disk then is counted, and verifies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
import trio

from journal.games import use_toy
from longfuse.cli.hosting import Games, Journals
from longfuse.config import Config
from longfuse.host.kept_secrets import open_secrets
from longfuse.host.secret_ledger import account, secret_of_ended
from longfuse.host.server import serve
from longfuse.journal.reader import read
from longfuse.journal.store import FileStore
from longfuse.journal.verify import verify
from longfuse.journal.writer import open_writer
from longfuse_protocol import messages as m
from longfuse_protocol import receipts
from longfuse_protocol.client import Client, open_client
from support.listening import URL, MemoryListener

pytestmark = pytest.mark.realtime
ENTRIES = 6
Files = dict[Path, bytes]


class Moment(NamedTuple):
    """Where a server may be killed: what is on the disk, and what its clients know by then."""

    files: Files
    acknowledged: tuple[str, ...]
    receipts: tuple[bytes, ...]


class Disk:
    """Notes every moment of the files in a folder: what was written, and what is sure to stay.

    Every write is made in two halves. What was not synced may be lost, and a new file with it as
    long as its folder was not synced.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.moments: list[Moment] = []
        self.clients: list[Client] = []
        self.acknowledged: list[str] = []
        self._folder = folder
        self._synced: Files = {}
        self._named: set[Path] = set()
        self._real = {name: getattr(os, name) for name in ("write", "fsync", "fdatasync")}
        monkeypatch.setattr(os, "write", self._write)
        for name in ("fsync", "fdatasync"):
            monkeypatch.setattr(os, name, partial(self._sync, self._real[name]))

    def _path(self, file: int) -> Path | None:
        path = Path(os.readlink(f"/proc/self/fd/{file}"))
        return path.relative_to(self._folder) if path.is_relative_to(self._folder) else None

    def _write(self, file: int, data: bytes) -> int:
        if self._path(file) is None:
            return self._real["write"](file, data)
        written = self._real["write"](
            file, data[: (len(data) + 1) // 2 if len(data) > 50 else None]
        )
        self._note()
        return written

    def _sync(self, sync: object, file: int) -> None:
        sync(file)
        path = self._path(file)
        if path is None:
            return
        whole = self._folder / path
        if whole.is_dir():
            self._named |= {one.relative_to(self._folder) for one in whole.iterdir()}
        else:
            self._synced[path] = whole.read_bytes()
        self._note()

    def _note(self) -> None:
        written = {
            path.relative_to(self._folder): path.read_bytes()
            for path in self._folder.rglob("*.jsonl")
        }
        sure = {path: data for path, data in self._synced.items() if path in self._named}
        for files in (written, sure):
            self.moments.append(
                Moment(
                    files,
                    tuple(self.acknowledged),
                    tuple(receipts.written(one) for one in self._receipts()),
                )
            )

    def _receipts(self) -> Iterator[receipts.Receipt]:
        for client in self.clients:
            yield from client.receipts.values()


async def played(disk: Disk, folder: Path) -> None:
    """Play a game of some entries between two clients, which the second one gives up."""
    listener, files = MemoryListener(), FileStore(folder)
    with open_secrets(folder) as secrets:
        async with open_writer(files) as writer, trio.open_nursery() as nursery:
            await nursery.start(
                partial(
                    serve,
                    Config(hello_s=3_600, nonce_s=3_600, ping_s=3_600),
                    Games(),
                    Journals(writer, files),
                    secrets=secrets,
                    listeners=[listener],
                )
            )
            async with (
                open_client(URL, name="Ada", stream=listener.dial()) as ada,
                open_client(URL, name="Bob", stream=listener.dial()) as bob,
            ):
                disk.clients = [ada, bob]
                place = await ada.create("toy", 2)
                await bob.join(place.info.table)
                async with trio.open_nursery() as playing:
                    for client in (ada, bob):
                        playing.start_soon(play, disk, client)
            nursery.cancel_scope.cancel()


async def play(disk: Disk, client: Client) -> None:
    """Answer every prompt, and give the game up at the last one."""
    async for event in client:
        if isinstance(event, m.Asked):
            is_last = len(disk.acknowledged) >= ENTRIES
            answered = await (
                client.concede() if is_last else client.decide(event.prompt, event.prompt.default)
            )
            disk.acknowledged.append(answered.command)
        if isinstance(event, m.Revealed):
            return


def check(moment: Moment, folder: Path) -> None:
    """A server that starts on these files counts on, and each receipt is of what is there."""
    for path, data in moment.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    with open_secrets(folder):
        pass
    counted = account(folder)
    assert counted.wrong == ()
    assert all(one.why for one in counted.shuffles)
    known = {one.game: one.counter for one in counted.shuffles}
    for written in moment.receipts:
        receipt = receipts.read(written)
        assert known[receipt.game] == receipt.counter
        path = folder / f"{receipt.game}.jsonl"
        if not path.exists() or b"\n" not in path.read_bytes():
            assert not receipt.frames
            assert not moment.acknowledged
            continue
        secret = secret_of_ended(folder, receipt.game)
        assert secret is not None
        verdict = verify(path, unfinished=True, receipt=receipt, secret=secret)
        assert verdict.is_same, verdict
        commands = [line.command for line in read(path, torn=True).entries]
        assert set(moment.acknowledged) <= set(commands)


async def test_every_state_of_the_disk_can_be_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that a client was told is lost, the count has no hole, and its receipt holds."""
    use_toy(monkeypatch)
    data = tmp_path / "data"
    data.mkdir()
    with monkeypatch.context() as patched:
        disk = Disk(data, patched)
        await played(disk, data)

    assert len(disk.acknowledged) == ENTRIES + 1
    for number, moment in enumerate(disk.moments):
        folder = tmp_path / str(number)
        folder.mkdir()
        check(moment, folder)
    assert len({msgspec.msgpack.encode(one.receipts) for one in disk.moments}) > ENTRIES
