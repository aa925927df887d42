"""The exhaustive runner: games and positions by which every card is tried, and what came of them.

Owns chance (all of it from one seed), the order of things, and the keeping of faults. What a deck
or a position is, the ruleset says.
"""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from longfuse.actors import ActorHost
from longfuse.bots.random import RandomBot
from longfuse.cli.local import PLAYERS, BotGame
from longfuse.cli.output import CommandError, Progress
from longfuse.game.entries import Decision, GameFault
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.catalogue import SeatSetup, load, load_trials
from longfuse_protocol.prompts import Answer, Prompt

POSITION_DECISIONS_MAX = 160
FAULTS_MAX = 25
EAGER = 0.7
"""How often a bot of a position takes an offer of the card that is tried."""


STUCK_S = 10.0
"""CPU time after which one decision is taken to go on for ever."""


class Stuck(Exception):
    """A decision takes too long."""


@contextmanager
def unstuck() -> Iterator[Callable[[], None]]:
    """Raise Stuck where the rules go round in circles; call what is given before each decision."""

    def stuck(_number: int, _frame: object) -> None:
        raise Stuck(f"one decision took more than {STUCK_S:.0f} s")

    def begin() -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, STUCK_S)

    before = signal.signal(signal.SIGVTALRM, stuck)
    try:
        begin()
        yield begin
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Fault(msgspec.Struct, kw_only=True):
    """A game or position that broke. where: what makes it again."""

    where: str
    what: str
    decks: list[str] = []
    entry: int = 0
    journal: str = ""


class Tried(msgspec.Struct, kw_only=True):
    """What `cards play --json` prints."""

    ruleset: str
    seed: str
    cards: dict[str, int]
    games: int
    decisions: int
    positions: int
    unused_after_games: int
    unused: list[str]
    faults: list[Fault]
    cpu_s: float


class TriedGame(BotGame):
    """A game whose cards are watched."""

    def __init__(self, runner: Runner, number: int, seats: tuple[SeatSetup, ...]) -> None:
        self._runner = runner
        super().__init__(runner.ruleset, f"cards-{runner.seed}", number, seats=seats)

    def _create(self, host: ActorHost, keep_events: bool, views: bool) -> Game:
        made: Game = self._runner.games_of.game(
            self.seats, key_of_seed(self.seed), self._runner.used
        )
        return made


class Eager:
    """A random bot that likes to use the cards of one name."""

    def __init__(self, seed: str, seat: int, card: str) -> None:
        self._bot = RandomBot(seed, seat)
        self._chance = random.Random(f"{seed}/{seat}/eager")
        self._card = card

    def choose(self, prompt: Prompt) -> Answer:
        """An answer that fits."""
        if prompt.shape == "one" and self._chance.random() < EAGER:
            found = [
                index
                for index, item in enumerate(prompt.items)
                if item.legal and self._card in item.label
            ]
            if found:
                return self._chance.choice(found)
        return self._bot.choose(prompt)


class Runner:
    """All games and positions of one seed."""

    def __init__(self, ruleset: str, seed: str, card_list: Path | None, folder: Path) -> None:
        self.ruleset = load(ruleset)
        self.seed = seed
        self.games_of, self._positions_of = load_trials(ruleset)
        self.pools: list[Any] = self.games_of.pools(card_list)
        self.used = self.games_of.Used()
        self._folder = folder
        self._games = self._decisions = self._positions = self._unused_after_games = 0
        self._faults: list[Fault] = []
        self._began = time.process_time()

    def tried(self) -> Tried:
        """What came of it so far."""
        return Tried(
            ruleset=self.ruleset.NAME,
            seed=self.seed,
            cards={pool.name: len(pool.cards) for pool in self.pools},
            games=self._games,
            decisions=self._decisions,
            positions=self._positions,
            unused_after_games=self._unused_after_games,
            unused=[one for pool, card in self._unused() for one in self.used.unused(card)],
            faults=self._faults,
            cpu_s=round(time.process_time() - self._began, 2),
        )

    def _unused(self) -> list[tuple[Any, Any]]:
        return [
            (pool, card)
            for pool in self.pools
            for card in pool.cards.values()
            if self.used.unused(card)
        ]

    def _failed(self, fault: Fault) -> None:
        self._faults.append(fault)
        if len(self._faults) == FAULTS_MAX:
            raise CommandError(f"{FAULTS_MAX} faults; the last: {fault.where}: {fault.what}", 1)

    # ------------------------------------------------------------ games

    def play_games(self, games: int) -> None:
        """Games with random decks, each of one pool."""
        progress = Progress("games played", games)
        for number in range(games):
            self._play_game(number)
            progress.at(number + 1)
        progress.done()
        self._unused_after_games = len(self._unused())

    def _play_game(self, number: int) -> None:
        pool = self.pools[number % len(self.pools)]
        pick = random.Random(f"{self.seed}/{number}/decks").randrange
        wanted = [name for name in pool.cards if name not in self.used.played]
        decks = [self.games_of.random_deck(pool, pick, wanted) for _ in PLAYERS]
        seats = tuple(map(SeatSetup, PLAYERS, decks))
        played = TriedGame(self, number, seats)
        try:
            with unstuck() as begin:
                for _ in played.play():
                    begin()
        except (GameFault, CommandError, Stuck) as error:
            played.states += [""] * (len(played.made) - len(played.states))
            self._failed(
                Fault(
                    where=f"game {number} of seed {self.seed}, entry {len(played.made)}",
                    what=str(error),
                    decks=[deck.name for deck in decks],
                    entry=len(played.made),
                    journal=str(played.save(self._folder)),
                )
            )
        self.used.take(played.game)
        self._games += 1
        self._decisions += len(played.made)

    # ------------------------------------------------------------ positions

    def play_positions(self, tries: int) -> None:
        """Positions of what the games did not use."""
        left = self._unused()
        progress = Progress("cards placed in positions", len(left))
        for number, (pool, card) in enumerate(left, 1):
            self._try(pool, card, tries)
            progress.at(number)
        progress.done()

    def play_positions_of(self, name: str, tries: int) -> None:
        """Positions of one card, however often it was used."""
        found = [(pool, pool.cards[name]) for pool in self.pools if name in pool.cards]
        if not found:
            raise CommandError(f"no card that can be played is called {name!r}")
        for pool, card in found:
            for number in range(tries):
                self._play_position(pool, card, number)

    def _try(self, pool: Any, card: Any, tries: int) -> None:
        for number in range(tries):
            if not self.used.unused(card):
                break
            self._play_position(pool, card, number)

    def _play_position(self, pool: Any, card: Any, number: int) -> None:
        seed = f"{self.seed}/{card.name}/{number}"
        pick = random.Random(seed).randrange
        entered = 0
        try:
            game = self._positions_of.game(card, pool, pick, key_of_seed(seed), self.used)
            bots = [Eager(seed, seat, card.name) for seat in range(len(PLAYERS))]
            with unstuck() as begin:
                game.start()
                while entered < POSITION_DECISIONS_MAX and (prompt := game.prompt) is not None:
                    begin()
                    answer = bots[prompt.seat].choose(prompt)
                    entered += 1
                    game.advance(Decision(prompt.seat, prompt.id, answer))
            self.used.take(game)
        except (GameFault, Stuck) as error:
            self._failed(
                Fault(
                    where=f"position {number} of {card.name}, seed {self.seed}, entry {entered}",
                    what=str(error),
                    entry=entered,
                )
            )
        self._positions += 1
