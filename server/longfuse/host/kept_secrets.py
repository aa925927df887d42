"""The secrets of shuffles while their games run: drawn, counted, kept, and given up at the end.

Owns the port that tables use and its two forms: in a data folder, where a secret is durable before
anybody is bound to it, and in memory, for a server that keeps nothing. Every game that gets a
number ends with a reason, so that the count has no holes: a server that doesn't like a deal can't
make it unseen. What a server that stopped has left open is ended when the next one starts, since no
game goes on after that.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import trio

from longfuse.host.secret_ledger import Ledger, open_ledger
from longfuse_protocol.shuffles import SECRET_BYTES

SERVER_STOPPED = "aborted: the server stopped"
GAMES_REMEMBERED = 4_096
"""Ids that a server without a data folder knows again."""


class Kept:
    """A game's number and its secret, which is in nothing that this prints."""

    __slots__ = ("counter", "secret")

    def __init__(self, counter: int, secret: bytes) -> None:
        self.counter = counter
        self.secret = secret

    def __repr__(self) -> str:
        """The number alone."""
        return f"Kept(counter={self.counter})"


class Secrets(Protocol):
    """Keeps the secrets of one server's games."""

    async def open(self, game: str) -> Kept:
        """Draw a game's secret under the next number, and return when it is durable.

        ValueError if that game has had one; OSError if it can't be kept: then no game may begin.
        Whoever calls this must `reveal`, whatever happens.
        """

    async def reveal(self, game: str, why: str) -> None:
        """Note that a game has ended, and why: from now on its secret belongs to its seats.

        why: "over", or "aborted: " with the reason. ValueError if its secret isn't kept any more;
        OSError if that can't be written: the seats are to have the secret all the same.
        """


class MemorySecrets:
    """Secrets that go with the process."""

    def __init__(self) -> None:
        self._counter = 0
        self._open: set[str] = set()
        self._ended: deque[str] = deque(maxlen=GAMES_REMEMBERED)

    async def open(self, game: str) -> Kept:
        """Draw and count."""
        await trio.lowlevel.checkpoint()
        if game in self._open or game in self._ended:
            raise ValueError(f"game {game} has been dealt already: it is never dealt twice")
        self._counter += 1
        self._open.add(game)
        return Kept(self._counter, secrets.token_bytes(SECRET_BYTES))

    async def reveal(self, game: str, why: str) -> None:
        """Forget that it was open."""
        await trio.lowlevel.checkpoint()
        if game not in self._open:
            raise ValueError(f"game {game} has no secret that is still kept")
        self._open.discard(game)
        self._ended.append(game)


class FileSecrets:
    """Secrets in a data folder. Made by `open_secrets`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._one = trio.CapacityLimiter(1)
        """The ledger takes one caller at a time."""

    async def open(self, game: str) -> Kept:
        """Draw and count. Once the disk is at work, a cancelled caller waits for it."""
        opened = await trio.to_thread.run_sync(self._ledger.open, game, limiter=self._one)
        return Kept(opened.counter, bytes.fromhex(opened.secret))

    async def reveal(self, game: str, why: str) -> None:
        """Note the end."""
        await trio.to_thread.run_sync(self._ledger.end, game, why, limiter=self._one)


@contextmanager
def open_secrets(data: Path) -> Iterator[FileSecrets]:
    """The secrets in a data folder; LedgerError, an OSError, if they can't be used.

    It blocks: to be opened before the server serves. What an earlier server left open ends here.
    """
    with open_ledger(data) as ledger:
        for game in ledger.games:
            ledger.end(game, SERVER_STOPPED)
        yield FileSecrets(ledger)
