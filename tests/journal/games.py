"""Toy games for the tests: played by bots, written as journals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from journal import toy_rules
from longfuse.actors import InlineHost
from longfuse.bots.random import RandomBot
from longfuse.game.entries import Entry
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.journal.format import Chain, End, Entered, Header, Line, SeatLine, Seed
from longfuse.rulesets import catalogue
from longfuse.rulesets.catalogue import SeatSetup
from support.playing import play_game

SEATS = (SeatSetup("Ada", "small"), SeatSetup("Bo", "large"))


def use_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the toy the ruleset that can be played."""
    monkeypatch.setattr(catalogue, "MODULES", {"toy": "journal.toy_rules"})


def new_game(seed: str = "1", *, keep_events: bool = False) -> Game:
    """A game that waits for its first decision."""
    game = toy_rules.create(
        SEATS, host=InlineHost(), key=key_of_seed(seed), options={}, keep_events=keep_events
    )
    game.start()
    return game


def played(seed: str = "1", limit: int = 1_000) -> tuple[list[Entry], Game]:
    """The entries of a game between random bots, and that game after them."""
    game = new_game(seed)
    entries: list[Entry] = []
    entries.extend(play_game(game, [RandomBot(seed, seat) for seat in (0, 1)], limit))
    return entries, game


def header(seed: str = "1", **changed: object) -> Header:
    """The header of a toy game."""
    fields = {
        "table": "t1",
        "ruleset": "toy",
        "rules_version": toy_rules.rules_version(),
        "seats": tuple(SeatLine(seat.name, seat.deck) for seat in SEATS),
        "randomness": Seed(seed),
    }
    return Header(**{**fields, **changed})


def journal_lines(
    seed: str = "1",
    *,
    limit: int = 1_000,
    entries: Sequence[Entry] | None = None,
    change: Callable[[Line], Line] = lambda line: line,
) -> list[bytes]:
    """A game's journal, line by line, each as `change` makes it, sealed after that."""
    if entries is None:
        entries, _ = played(seed, limit)
    game = new_game(seed)
    lines: list[Line] = [header(seed)]
    for number, entry in enumerate(entries, 1):
        game.advance(entry)
        lines.append(Entered(n=number, entry=entry, state=game.state_hash()))
    if game.result is not None:
        lines.append(End(entries=len(entries), result=game.result))
    chain = Chain()
    return [chain.seal(change(line)) for line in lines]


def write(path: Path, lines: Sequence[bytes]) -> Path:
    """These lines as a file."""
    path.write_bytes(b"".join(lines))
    return path
