"""Games of the toy between two people with fair shuffles: what is saved, and what each has kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from journal import toy_rules
from journal.games import SEATS
from longfuse.actors import InlineHost
from longfuse.bots.play import next_decision
from longfuse.bots.random import RandomBot
from longfuse.game.entries import Interruption
from longfuse.host.feeds import Feeds
from longfuse.host.shuffling import Shuffling
from longfuse.journal.format import Chain, End, Entered, Header, Line, SeatLine, Transcript
from longfuse_protocol.from_server import Over
from longfuse_protocol.receipts import Receipt

SECRET = bytes(range(200, 232))
NONCES = ("11" * 32, "22" * 32)


class Dealt(NamedTuple):
    """A game that was played: the lines of its journal, not sealed yet, and the receipts."""

    lines: list[Line]
    receipts: list[Receipt]

    def sealed(self, change: Callable[[Line], Line] = lambda line: line) -> list[bytes]:
        """The journal as it is saved by somebody who changes lines first."""
        chain = Chain()
        return [chain.seal(change(line)) for line in self.lines]


def shuffle(
    *,
    secret: bytes = SECRET,
    takes_part: tuple[bool, bool] = (True, True),
    decks: tuple[object, ...] = ("small", "large"),
    frames_before: int = 0,
) -> tuple[Shuffling, list[Receipt]]:
    """The shuffle of honest clients with a server, to its end."""
    machine = Shuffling(
        game="t1-1",
        counter=7,
        ruleset="toy",
        rules_version=toy_rules.rules_version(),
        decks=decks,
        takes_part=takes_part,
        secret=secret,
    )
    nonces = [nonce if part else "" for nonce, part in zip(NONCES, takes_part, strict=True)]
    kept = [
        Receipt.begin(seat, machine.commitment(1), nonce, frames_before)
        for seat, nonce in enumerate(nonces)
    ]
    taking_part = [receipt for receipt in kept if receipt.nonce]
    for receipt in taking_part:
        machine.hash(receipt.seat, receipt.hash_message())
    for receipt in taking_part:
        machine.nonce(receipt.seat, receipt.nonce_message())
    for receipt in kept:
        for told in machine.messages(1):
            receipt.take(told)
    return machine, kept


def dealt(
    seed: str = "1",
    *,
    entries: int = 1_000,
    secret: bytes = SECRET,
    takes_part: tuple[bool, bool] = (True, True),
    frames_before: int = 0,
) -> Dealt:
    """A game between bots that answer by a seed; after so many entries seat 0 concedes."""
    machine, kept = shuffle(secret=secret, takes_part=takes_part, frames_before=frames_before)
    game = toy_rules.create(SEATS, host=InlineHost(), key=machine.key, options={})
    game.start()
    game.introduce([seat.name for seat in SEATS])
    feeds = Feeds("t1", 2)
    _show(kept, feeds.begin(game))
    header = Header(
        table="t1-1",
        ruleset="toy",
        rules_version=toy_rules.rules_version(),
        seats=tuple(SeatLine(seat.name, seat.deck) for seat in SEATS),
        randomness=Transcript.of(machine.transcript),
    )
    lines: list[Line] = [header]
    bots = [RandomBot(seed, seat) for seat in (0, 1)]
    while game.result is None:
        decision = next_decision(game, bots)
        entry = decision if len(lines) <= entries else Interruption("concede", 0)
        game.advance(entry)
        lines.append(Entered(n=len(lines), entry=entry, state=game.state_hash()))
        _show(kept, feeds.take(game))
    lines.append(End(entries=len(lines) - 1, result=game.result, secret=machine.revealed().secret))
    for receipt in kept:
        receipt.take(Over(n=1, winner=game.result.winner, reason=game.result.reason))
        receipt.take(machine.revealed())
    return Dealt(lines, kept)


def _show(kept: list[Receipt], frames: list[object]) -> None:
    for receipt in kept:
        frame = frames[receipt.seat]
        if frame is not None:
            receipt.take(msgspec.structs.replace(frame, n=frame.n + receipt.frames_before))
