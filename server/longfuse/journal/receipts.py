"""A saved game against a player's receipt: is it the game that this player has played?

Owns the comparison and its sentences. A receipt is believed where the two differ: a server can
write a saved game anew, and not what a player has kept. It plays nothing; whoever replays the game
lets `Frames` watch.
"""

from __future__ import annotations

from collections.abc import Sequence

from longfuse.game.entries import Result
from longfuse.game.game import Game
from longfuse.journal.format import transcript_of
from longfuse.journal.reader import Journal
from longfuse.journal.replay import Replayed
from longfuse_protocol.receipts import Receipt
from longfuse_protocol.shuffles import opens, secret_of
from longfuse_protocol.views import RunningDigest


def differences(journal: Journal, receipt: Receipt) -> tuple[str, ...]:
    """What the saved game says otherwise than the receipt, and what the receipt itself finds."""
    transcript = transcript_of(journal.header)
    if transcript is None:
        return ("The saved game is drawn from a seed: it is not the game of this receipt.",)
    seat = receipt.seat
    compared: list[tuple[str, str | int | None, str | int | None]] = [
        ("Game", receipt.game, transcript.game),
        ("Counter", receipt.counter, transcript.counter),
        ("Ruleset", receipt.ruleset, transcript.ruleset),
        ("Rules version", receipt.rules_version, transcript.rules_version),
        ("Commitment", receipt.commitment, transcript.commitment),
        *_by_seat("Digest of the deck", receipt.decks, transcript.decks),
        *_by_seat("Hash", receipt.hashes, transcript.hashes),
        *_by_seat("Nonce", receipt.nonces, transcript.nonces),
        ("Own nonce", receipt.nonce, "".join(transcript.nonces[seat : seat + 1])),
    ]
    found = [
        f"{what}: the receipt has {_told(kept)}, the saved game {_told(saved)}."
        for what, kept, saved in compared
        if kept != saved
    ]
    found += _wrong_secret(journal, receipt)
    # A secret that has not reached the player may stand in the file, where it is looked at, too.
    is_known = bool(receipt.secret or not _secret(journal))
    return (*found, *(receipt.check_end() if is_known else receipt.check_start()))


class Frames:
    """What the receipt has of the game beside what a replay with views gives: frames and end.

    Called after each entry.
    """

    def __init__(self, receipt: Receipt) -> None:
        self._receipt = receipt
        self._digest = RunningDigest()
        self._game: Game | None = None
        self._n = receipt.frames_before
        self._different = ""

    def __call__(self, replayed: Replayed) -> None:
        """Take the seat's next frame, if there is one, as the server's table does."""
        game, seat = replayed.game, self._receipt.seat
        if not 0 <= seat < game.seats:
            return
        frame = game.frames(seat)
        if game is not self._game:  # the first frame brings all of the view, and going back does
            self._game = game
            self._digest = RunningDigest()
            self._digest.apply(game.view(seat).entities)
        elif frame:
            self._digest.apply(frame.changes)
        else:
            return
        self._n += 1
        kept, found = self._receipt.frames.get(self._n), self._digest.hex()
        if kept is not None and kept != found and not self._different:
            self._different = (
                f"Game frame {self._n}, after entry {replayed.entry}: the receipt has {kept}, "
                f"the saved game gives {found}."
            )

    def differences(self) -> tuple[str, ...]:
        """What differs when the replay is over: the end; the first frame, or one that is not there.

        The game's own result counts, not the line about it: that is the last to be written.
        """
        found = [] if self._game is None else _wrong_end(self._game.result, self._receipt)
        last = max(self._receipt.frames, default=0)
        if self._different:
            found.append(self._different)
        elif last > self._n:
            found.append(
                f"The receipt has game frame {last}; the saved game stops at frame {self._n}."
            )
        return tuple(found)


def _by_seat(
    what: str, kept: Sequence[str], saved: Sequence[str]
) -> list[tuple[str, str | None, str | None]]:
    if not kept:
        return []  # it never came; the secret and the own nonce decide without it
    return [
        (f"{what} of seat {seat}", _at(kept, seat), _at(saved, seat))
        for seat in range(max(len(kept), len(saved)))
    ]


def _at(values: Sequence[str], seat: int) -> str | None:
    return values[seat] if seat < len(values) else None


def _told(value: str | int | None) -> str:
    return "none" if value in (None, "") else str(value)


def _wrong_secret(journal: Journal, receipt: Receipt) -> list[str]:
    """Does the file's secret open what this player was shown before any nonce?"""
    revealed = _secret(journal)
    if not revealed:
        return []
    found = []
    if receipt.secret and receipt.secret != revealed:
        found.append("The secret of the saved game is not the one that was revealed to this seat.")
    try:
        fits = opens(secret_of(revealed), receipt.transcript())
    except ValueError:
        fits = False
    if not fits:
        found.append("The secret of the saved game does not open the commitment of the receipt.")
    return found


def _secret(journal: Journal) -> str:
    return journal.end.secret if journal.end is not None else ""


def _wrong_end(result: Result | None, receipt: Receipt) -> list[str]:
    over = receipt.over
    if over is None:
        return []
    if result is None:
        return ["The game of the receipt is over; the saved game is not."]
    if (over.winner, over.reason) == (result.winner, result.reason):
        return []
    return [
        f"End: the receipt has winner {_told(over.winner)}, {over.reason!r}, "
        f"the saved game winner {_told(result.winner)}, {result.reason!r}."
    ]
