"""A client's part in fair shuffles: its nonces, and a receipt for each game.

The client owns one and lets it hear what concerns shuffles. It draws the nonces, says what is to be
answered and what is wrong, and keeps the receipts, in a folder too if there is one. A nonce is
opened only while nothing is wrong: whoever then loses the seat has at least seen no card.
"""

import os
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from pathlib import Path

from longfuse_protocol import messages as m
from longfuse_protocol.receipts import Receipt, written
from longfuse_protocol.shuffles import NONCE_BYTES

Entropy = Callable[[int], bytes]
"""Gives so many bytes that nobody can guess."""

RECEIPTS_MAX = 64
"""Receipts kept in memory; the oldest go first."""

About = m.Commitment | m.NonceHashes | m.Nonces | m.Revealed


class Shuffles:
    """The shuffles of one client's games."""

    def __init__(self, entropy: Entropy, folder: Path | None) -> None:
        self.receipts: OrderedDict[str, Receipt] = OrderedDict()
        self._entropy = entropy
        self._folder = folder
        self._paths: dict[str, Path] = {}
        """Where those receipts are kept."""
        self._playing: Receipt | None = None
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def hear(
        self, told: About, seat: int, frames_before: int = 0
    ) -> tuple[m.NonceHash | m.Nonce | None, tuple[str, ...]]:
        """Take in a step of a shuffle; return what to answer, and what is wrong, in sentences.

        frames_before: the number of the last game frame, which was of an earlier game.
        """
        receipt = self.receipts.get(told.game)
        if receipt is None:
            if not isinstance(told, m.Commitment):
                return None, ()  # a game whose shuffle this client has not seen begin
            receipt = self._begin(told, seat, frames_before)
        receipt.take(told)
        wrong = receipt.check_end() if isinstance(told, m.Revealed) else receipt.check_start()
        if isinstance(told, m.Nonces):
            self._playing = receipt
        if isinstance(told, m.Nonces | m.Revealed) or wrong:
            wrong += self._store(receipt)
        if wrong:
            return None, wrong
        if isinstance(told, m.Commitment):
            return receipt.hash_message(), ()
        if isinstance(told, m.NonceHashes):
            return receipt.nonce_message(), ()
        return None, ()

    def follow(self, told: m.Events | m.Snapshot | m.Over) -> tuple[str, ...]:
        """Note what was seen of the game that is played; return what is wrong."""
        if self._playing is None:
            return ()
        self._playing.take(told)
        return self.end() if isinstance(told, m.Over) else ()

    def resume(self, game: str) -> None:
        """Hear which game is played after a resume."""
        if self._playing is not None and self._playing.game != game:
            self.end()

    def end(self) -> tuple[str, ...]:
        """Keep the receipt of the game that was played; return what is wrong."""
        receipt, self._playing = self._playing, None
        return () if receipt is None else self._store(receipt)

    def _begin(self, told: m.Commitment, seat: int, frames_before: int) -> Receipt:
        receipt = Receipt.begin(seat, told, self._entropy(NONCE_BYTES).hex(), frames_before)
        self.receipts[told.game] = receipt
        if len(self.receipts) > RECEIPTS_MAX:
            self._paths.pop(self.receipts.popitem(last=False)[0], None)
        return receipt

    def _store(self, receipt: Receipt) -> tuple[str, ...]:
        """Write a receipt whole or not at all, where nobody else reads."""
        if self._folder is None:
            return ()
        path = self._folder
        try:
            if receipt.game not in self._paths:
                self._paths[receipt.game] = _free(self._folder, receipt)
            path = self._paths[receipt.game]
            fresh = path.with_suffix(".new")
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(written(receipt))
            fresh.replace(path)
        except OSError as error:
            return (f"The receipt of game {receipt.game} could not be kept at {path}: {error}.",)
        return ()


def _free(folder: Path, receipt: Receipt) -> Path:
    """Return a file that is not there yet: what was kept before may be evidence, and a server
    could name a game that it has named before.
    """
    name, end = _file_name(receipt.game), f"seat{receipt.seat}.receipt.json"
    path = folder / f"{name}.{end}"
    for number in count(2):
        if not path.exists():
            break
        path = folder / f"{name}.{number}.{end}"
    return path


def _file_name(game: str) -> str:
    """A game's id as a file's name, whatever a server may call it."""
    kept = (one if one.isascii() and (one.isalnum() or one in "-_.") else "_" for one in game[:80])
    return "".join(kept).lstrip(".")
