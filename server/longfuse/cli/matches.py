"""Matches: games between two named bots, each as often at either seat, and what came of them.

Owns the counting: games won by bot and seat, the delayed abilities that each bot created and how
many of those acted before they ended, and how long decisions took.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from longfuse.bots.play import Chooser
from longfuse.cli.local import BotGame
from longfuse.cli.players import seated
from longfuse.game.game import Game
from longfuse.rulesets.catalogue import Ruleset
from longfuse.timing.messages import Message
from longfuse.timing.records import Ended, Reason, Record


class Waited(msgspec.Struct, kw_only=True):
    """The delayed abilities that a bot created, in all its games.

    acted: those that did something before they ended. open: those that had not ended, nor acted,
    when the game was over; they count for neither. statements: those of all that are in force as
    long as they last, like "it can't move this turn"; they wait for nothing and count as acting.
    share: of those that wait, without the open ones, how many acted; share_all: with statements.
    """

    created: int = 0
    acted: int = 0
    open: int = 0
    statements: int = 0
    share: float = 0.0
    share_all: float = 0.0
    idle: dict[str, int] = {}
    """By source, how many ended without having acted."""


class Tally(msgspec.Struct, kw_only=True):
    """How one bot fared."""

    games: int = 0
    won: int = 0
    won_by_seat: dict[str, int] = {}
    games_by_seat: dict[str, int] = {}
    decisions: int = 0
    slowest_ms: float = 0.0
    """Of CPU, without the garbage collector: what neither other programs nor other games cost."""
    slowest_wall_ms: float = 0.0
    mean_ms: float = 0.0
    delayed: Waited


class Match(msgspec.Struct, kw_only=True):
    """What `demo --bots A,B --json` prints."""

    ruleset: str
    seed: str
    games: int
    bots: dict[str, Tally]
    drawn: int
    longest_game: int


def play_match(
    ruleset: Ruleset,
    seed: str,
    bots: tuple[str, str],
    games: int,
    played: Callable[[BotGame, int], None] | None = None,
) -> Match:
    """Play that many games; at every other one the bots change seats and keep the decks' seats.

    played: is given each game when it is over, and how many are done.
    """
    labels = bots if bots[0] != bots[1] else (f"{bots[0]} 1", f"{bots[1]} 2")
    tallies = {label: Tally(delayed=Waited()) for label in labels}
    drawn = longest = 0
    for number in range(games):
        swapped = number % 2
        at = [labels[seat ^ swapped] for seat in (0, 1)]
        game = BotGame(ruleset, seed, number, deal=number // 2, views=True)
        timed = [
            Timed(seated(bots[seat ^ swapped], ruleset, game.game, f"{seed}/{number}", seat))
            for seat in (0, 1)
        ]
        game.bots = list(timed)
        watch = Watch(game.game)
        with _collector_watched():
            for _ in game.play():
                watch.look()
        drawn += not _count(game, at, tallies, timed, watch)
        longest = max(longest, len(game.made))
        if played is not None:
            played(game, number + 1)
    for tally in tallies.values():
        _share(tally)
    return Match(
        ruleset=ruleset.NAME,
        seed=seed,
        games=games,
        bots=tallies,
        drawn=drawn,
        longest_game=longest,
    )


def _count(
    game: BotGame,
    at: Sequence[str],
    tallies: dict[str, Tally],
    timed: Sequence[Timed],
    watch: Watch,
) -> bool:
    """Add one game to the tallies; whether somebody won it."""
    result = game.game.result
    assert result is not None, "play returns when the game is over"
    for seat, label in enumerate(at):
        tally, word = tallies[label], f"P{seat + 1}"
        tally.games += 1
        tally.games_by_seat[word] = tally.games_by_seat.get(word, 0) + 1
        if result.winner == seat:
            tally.won += 1
            tally.won_by_seat[word] = tally.won_by_seat.get(word, 0) + 1
        tally.decisions += timed[seat].decisions
        tally.mean_ms += timed[seat].total_ms
        tally.slowest_ms = round(max(tally.slowest_ms, timed[seat].slowest_ms), 3)
        tally.slowest_wall_ms = round(max(tally.slowest_wall_ms, timed[seat].slowest_wall_ms), 3)
        watch.count(seat, tally.delayed)
    return result.winner is not None


def _share(tally: Tally) -> None:
    tally.mean_ms = round(tally.mean_ms / max(1, tally.decisions), 3)
    delayed = tally.delayed
    ended = delayed.created - delayed.open
    delayed.share_all = round(delayed.acted / max(1, ended), 4)
    waiting = ended - delayed.statements
    delayed.share = round((delayed.acted - delayed.statements) / max(1, waiting), 4)
    ranked = sorted(delayed.idle.items(), key=lambda one: (-one[1], one[0]))
    delayed.idle = dict(ranked)


def lines_of(match: Match) -> Iterator[str]:
    """A match in lines for people."""
    yield f"{match.games} games of {match.ruleset}, seed {match.seed}; nobody won {match.drawn}"
    for name, tally in match.bots.items():
        seats = ", ".join(
            f"{tally.won_by_seat.get(seat, 0)} of {games} as {seat}"
            for seat, games in sorted(tally.games_by_seat.items())
        )
        delayed = tally.delayed
        yield f"{name}: won {tally.won} of {tally.games} ({seats})"
        yield (
            f"  {tally.decisions:,} decisions, {tally.mean_ms:.2f} ms each,"
            f" the slowest {tally.slowest_ms:.1f} ms"
        )
        yield (
            f"  of {delayed.created} delayed abilities {delayed.acted} acted;"
            f" of those that wait for something {delayed.share:.0%}"
        )


class _Collector:
    """The CPU time that the garbage collector has taken while it was watched."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._began = 0.0

    def __call__(self, phase: str, _info: dict[str, int]) -> None:
        """Told by the collector when it begins and ends."""
        if phase == "start":
            self._began = time.thread_time()
        else:
            self.seconds += time.thread_time() - self._began


_collector = _Collector()


@contextmanager
def _collector_watched() -> Iterator[None]:
    gc.callbacks.append(_collector)
    try:
        yield
    finally:
        gc.callbacks.remove(_collector)


class Timed:
    """A bot with a stopwatch."""

    def __init__(self, bot: Chooser) -> None:
        self._bot = bot
        self.decisions = 0
        self.total_ms = 0.0
        self.slowest_ms = 0.0
        self.slowest_wall_ms = 0.0

    def choose(self, prompt: Any) -> Any:
        """The bot's answer."""
        began, began_wall = time.thread_time(), time.perf_counter()
        collecting = _collector.seconds
        answer = self._bot.choose(prompt)
        took = (time.thread_time() - began - (_collector.seconds - collecting)) * 1000
        took_wall = (time.perf_counter() - began_wall) * 1000
        self.slowest_wall_ms = max(self.slowest_wall_ms, took_wall)
        self.decisions += 1
        self.total_ms += took
        self.slowest_ms = max(self.slowest_ms, took)
        return answer


# ---------------------------------------------------------------- what waits, and what acts


class Watch:
    """The delayed abilities of one game: which came, which acted, which ended without.

    It listens where the rules are handed what an ability does: triggers and rewritten proposals. A
    waiting passive has acted when its object used it up. Nothing of the game is changed.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.created: dict[int, Record] = {}
        self.acted: set[int] = set()
        self.ended: dict[int, Reason] = {}
        self._seen = 0
        rules: Any = game.rules
        rules.triggers = self._triggers(rules.triggers)
        rules.rewrite = self._rewrite(rules.rewrite)

    def _triggers(self, inner: Callable[..., Any]) -> Callable[..., Any]:
        def triggers(found: list[Any]) -> Any:
            self.acted.update(one.record.id for one in found if one.record is not None)
            return inner(found)

        return triggers

    def _rewrite(self, inner: Callable[..., Any]) -> Callable[..., Any]:
        def rewrite(record: Record, proposal: Message, scope: Any) -> Generator[Any, Any, Any]:
            found = yield from inner(record, proposal, scope)
            if found is not proposal:
                self.acted.add(record.id)
            return found

        return rewrite

    def look(self) -> None:
        """Note what has come and gone since the last decision."""
        game = self.game
        if game.store.savepoint is not None:
            return
        for record in game.subscriptions.waiting():
            self.created.setdefault(record.id, record)
        fresh = game.installed.ended_count - self._seen
        self._seen = game.installed.ended_count
        for end in game.installed.ended()[: max(0, fresh)]:
            self._note(end)

    def _note(self, end: Ended) -> None:
        if end.reason is Reason.NOT_CREATED:
            return
        self.created.setdefault(end.record.id, end.record)
        self.ended[end.record.id] = end.reason
        if end.reason is Reason.FIRED:
            self.acted.add(end.record.id)
        elif end.reason is Reason.DECLINED:
            self.acted.discard(end.record.id)

    def count(self, seat: int, waited: Waited) -> None:
        """Add what a seat created to a tally."""
        for record in self.created.values():
            if record.controller != seat:
                continue
            waited.created += 1
            if record.kind == "passive" and record.ability.binds is None:
                waited.statements += 1
                waited.acted += 1
            elif record.id in self.acted:
                waited.acted += 1
            elif record.id not in self.ended:
                waited.open += 1
            else:
                waited.idle[record.source.card] = waited.idle.get(record.source.card, 0) + 1
