"""Games between bots in this process, without a server: for `demo` and `bench`.

Owns how such a game is set up, so that a seed and a number name one game for ever, and how it is
saved. It tells nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from longfuse.actors import ActorHost, InlineHost
from longfuse.bots.play import Chooser, next_decision
from longfuse.bots.random import RandomBot
from longfuse.cli.output import CommandError
from longfuse.cli.own_cards import carried
from longfuse.game.entries import Decision, GameFault, Refused
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.journal.format import Chain, End, Entered, Header, Line, SeatLine, Seed
from longfuse.rulesets.catalogue import (
    Ruleset,
    SeatSetup,
    UnknownRuleset,
    load,
    names,
)

DECISIONS_MAX = 50_000
"""A game between bots that takes longer than this will not end."""
PLAYERS = ("Ada", "Bo")


def ruleset_named(name: str | None) -> Ruleset:
    """The ruleset of that name, or without one the first; CommandError if there is none."""
    try:
        return load(name or names()[0])
    except UnknownRuleset as error:
        raise CommandError(str(error)) from error


def seats_of(ruleset: Ruleset, number: int = 0) -> tuple[SeatSetup, ...]:
    """Two players with decks of the ruleset; which ones depends on the number of the game."""
    decks = dealt(list(ruleset.decks()), number)
    return tuple(
        SeatSetup(player, carried(ruleset, deck))
        for player, deck in zip(PLAYERS, decks, strict=True)
    )


def dealt(decks: Sequence[str], number: int) -> tuple[str, ...]:
    """The decks of two players by the number of the game: in time, every pair of them."""
    chosen = number % len(decks) ** len(PLAYERS)
    return tuple(
        decks[(chosen // len(decks) ** seat + seat) % len(decks)] for seat in range(len(PLAYERS))
    )


class BotGame:
    """One game between two bots: random ones, until others take their places."""

    def __init__(
        self,
        ruleset: Ruleset,
        seed: str,
        number: int = 0,
        *,
        host: ActorHost | None = None,
        keep_events: bool = False,
        deal: int | None = None,
        views: bool = False,
        seats: tuple[SeatSetup, ...] | None = None,
    ) -> None:
        """deal: by which number the decks are dealt out, if not by that of the game. views: whether
        a bot looks at the game as its seat sees it. seats: who plays, if nothing is dealt out.
        """
        self.ruleset = ruleset
        self.name = f"demo-{seed}-{number}"
        self.seed = f"{seed}/{number}"
        self.seats = seats or seats_of(ruleset, number if deal is None else deal)
        self.bots: list[Chooser] = [RandomBot(self.seed, n) for n in range(len(self.seats))]
        self.made: list[Decision] = []
        self.states: list[str] = []
        self.cpu_s = 0.0
        """CPU time of the game alone: setting up, entering, hashing; the bots' thinking apart."""
        began = time.process_time()
        self.game = self._create(host or InlineHost(), keep_events, views)
        self.game.start()
        self.cpu_s += time.process_time() - began

    def _create(self, host: ActorHost, keep_events: bool, views: bool) -> Game:
        try:
            return self.ruleset.create(
                self.seats,
                host=host,
                key=key_of_seed(self.seed),
                options={},
                keep_events=keep_events,
                views=views,
            )
        except Refused as refused:
            raise CommandError(f"no game can be made: {refused.reason}", 1) from refused

    def play(self) -> Iterator[Decision]:
        """Play on to the end, decision by decision; each has been entered when it is given out.

        A decision at which the game breaks is kept, so that it can be saved and played again.
        """
        game, clock = self.game, time.process_time
        while (decision := next_decision(game, self.bots)) is not None:
            if len(self.made) == DECISIONS_MAX:
                raise CommandError(f"{self.name} did not end within {DECISIONS_MAX:,} decisions", 1)
            began = clock()
            self.made.append(decision)
            try:
                game.advance(decision)
            except GameFault:
                self.states.append("")
                raise
            self.states.append(game.state_hash())
            self.cpu_s += clock() - began
            yield decision

    def header(self) -> Header:
        """What its journal begins with."""
        return Header(
            table=self.name,
            ruleset=self.ruleset.NAME,
            rules_version=self.ruleset.rules_version(),
            seats=tuple(SeatLine(seat.name, seat.deck) for seat in self.seats),
            randomness=Seed(self.seed),
        )

    def lines(self) -> Iterator[bytes]:
        """Its journal."""
        chain = Chain()
        yield chain.seal(self.header())
        for number, (entry, state) in enumerate(zip(self.made, self.states, strict=True), 1):
            line: Line = Entered(n=number, entry=entry, state=state)
            yield chain.seal(line)
        if self.game.result is not None:
            yield chain.seal(End(entries=len(self.made), result=self.game.result))

    def save(self, folder: Path) -> Path:
        """Write its journal as a file; CommandError if that cannot be done."""
        path = folder / f"{self.name}.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"".join(self.lines()))
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror or error}") from error
        return path
