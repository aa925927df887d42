"""Let bots play. Without options, one game in this process, told in sentences: sensible bots play
it, or those of --bots.

With --games, or --json, that many games of random bots are played and counted: `games`,
`decisions`, `winners` (how many each seat won), `cpu_s` (without the bots' thinking),
`decisions_per_cpu_s` (null where that took less than the clock can tell), `calibration` (CPU
seconds of a fixed loop, to compare machines by), `state_hash` (over the last state of every game:
the same seed and rules give the same).

With --games and --bots A,B, those play, each as often at either seat, and what is counted is how
they fared: `bots` (by name: `won`, `won_by_seat`, `slowest_ms`, `delayed`: of the delayed abilities
that it created, how many acted before they ended), `drawn`, `longest_game`.

With --serve, a server is started, its address is printed, and two bots play over websockets; on a
terminal further games follow until Ctrl-C. A server shuffles by itself: there --seed is refused.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from statistics import median

import msgspec

from longfuse.cli import own_cards, process, ruleset_option, running
from longfuse.cli.calibration import calibrate
from longfuse.cli.demo_serve import serve_demo
from longfuse.cli.local import BotGame, ruleset_named
from longfuse.cli.matches import lines_of, play_match
from longfuse.cli.output import CommandError, Progress, at_least_1, print_json, print_lines
from longfuse.cli.players import pair_of, seated
from longfuse.cli.telling import GameTeller, Teller
from longfuse.rulesets.catalogue import Ruleset

SHOWN = "sensible,sensible"
"""Who plays a game that is told."""


class Counted(msgspec.Struct, kw_only=True):
    """What `demo --json` prints."""

    ruleset: str
    seed: str
    games: int
    decisions: int
    winners: dict[str, int]
    cpu_s: float
    decisions_per_cpu_s: float | None
    calibration: float
    state_hash: str


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("--games", type=at_least_1, metavar="N", help="play N games and count (1)")
    parser.add_argument(
        "--seed", metavar="S", help="of decks, shuffles and bots; without it, another each time"
    )
    ruleset_option.argument(parser, "what to play")
    own_cards.arguments(parser)
    parser.add_argument(
        "--bots", metavar="A,B", help="which bots play: random, sensible (to be told: sensible)"
    )
    parser.add_argument("--save", type=Path, metavar="DIR", help="save every game in DIR")
    parser.add_argument("--json", action="store_true", help="count, and print one JSON object")
    parser.add_argument(
        "--serve", action="store_true", help="play over websockets, where others can connect"
    )
    parser.add_argument(
        "--port", type=int, default=0, help="with --serve: the port; 0, the default, is any"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play."""
    ruleset = ruleset_named(arguments.ruleset)
    seed = arguments.seed or str(random.SystemRandom().randrange(10**6))
    process.set_up()
    bots = pair_of(arguments.bots or SHOWN)
    if arguments.serve:
        if arguments.seed is not None:
            raise CommandError("--seed is for games in this process: a server shuffles by itself")
        return serve_demo(
            ruleset, bots, port=arguments.port, save=arguments.save, cards=arguments.cards
        )
    if arguments.save is not None:
        running.check_folder(arguments.save)
    ruleset = own_cards.with_cards(ruleset, arguments.cards)
    if arguments.games is None and not arguments.json:
        return _tell(ruleset, seed, bots, arguments.save)
    if arguments.bots is not None:
        return _match(ruleset, seed, bots, arguments)
    counted = _count_games(ruleset, seed, arguments.games or 1, arguments.save)
    if arguments.json:
        print_json(counted)
    else:
        _print(counted)
    return 0


def _match(
    ruleset: Ruleset, seed: str, bots: tuple[str, str], arguments: argparse.Namespace
) -> int:
    games = arguments.games or 1
    progress = Progress("games played", games)

    def played(game: BotGame, number: int) -> None:
        progress.at(number)
        if arguments.save is not None:
            game.save(arguments.save)

    match = play_match(ruleset, seed, bots, games, played)
    progress.done()
    if arguments.json:
        print_json(match)
    else:
        print_lines(lines_of(match))
    return 0


def _tell(ruleset: Ruleset, seed: str, bots: tuple[str, str], folder: Path | None) -> int:
    teller = Teller()
    shown = BotGame(ruleset, seed, views=True)
    shown.bots = [
        seated(bot, ruleset, shown.game, shown.seed, seat) for seat, bot in enumerate(bots)
    ]
    names = tuple(seat.name for seat in shown.seats)
    decks = " against ".join(
        f"{seat.name} ({own_cards.deck_name(seat.deck)})" for seat in shown.seats
    )
    teller.note(f"{ruleset.NAME}: {decks}, seed {seed}")
    game_teller = GameTeller(teller, shown.game, names)
    game_teller.tell_new()
    with _saving(shown, folder):
        for _ in shown.play():
            game_teller.tell_new()
    game_teller.tell_end()
    return 0


@contextmanager
def _saving(bots: BotGame, folder: Path | None) -> Iterator[None]:
    """Save the game when it is over, and also where it breaks: its journal shows the fault."""
    try:
        yield
    finally:
        if folder is not None:
            bots.save(folder)


def _count_games(ruleset: Ruleset, seed: str, games: int, folder: Path | None) -> Counted:
    progress = Progress("games played", games)
    winners = {"P1": 0, "P2": 0}
    states = blake2b(digest_size=16)
    decisions, cpu_s = 0, 0.0
    BotGame(ruleset, seed)  # loads the cards, which is no part of any game
    calibrations = [calibrate() for _ in range(3)]
    for number in range(games):
        bots = BotGame(ruleset, seed, number)
        with _saving(bots, folder):
            for _ in bots.play():
                pass
        result = bots.game.result
        assert result is not None, "play returns when the game is over"
        winner = "nobody" if result.winner is None else f"P{result.winner + 1}"
        winners[winner] = winners.get(winner, 0) + 1
        states.update(bots.game.state_hash().encode())
        decisions += len(bots.made)
        cpu_s += bots.cpu_s
        progress.at(number + 1)
    progress.done()
    calibrations += [calibrate() for _ in range(3)]
    return Counted(
        ruleset=ruleset.NAME,
        seed=seed,
        games=games,
        decisions=decisions,
        winners=winners,
        cpu_s=round(cpu_s, 6),
        decisions_per_cpu_s=round(decisions / cpu_s, 1) if cpu_s else None,
        calibration=round(median(calibrations), 6),
        state_hash=states.hexdigest(),
    )


def _print(counted: Counted) -> None:
    won = ", ".join(f"{seat} {count}" for seat, count in counted.winners.items())
    print(f"{counted.games} games of {counted.ruleset}, seed {counted.seed}; won: {won}")
    rate = counted.decisions_per_cpu_s
    rated = "too fast for this clock" if rate is None else f"{rate:,.0f} per CPU second"
    print(f"{counted.decisions:,} decisions, {rated}")
    print(f"state {counted.state_hash}")
