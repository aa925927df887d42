"""Play all cards: many games of random bots with random decks, then a position for what was unused.

Decks are legal, and made of the cards that ship; every other game is one of the cards of --list (or
of the file that LONGFUSE_CARD_LIST names) that are understood and played. Cards not used yet go
into decks first. What was never used in the games is placed in positions, some tries each. It
prints what remained unused. A fault is told with its seed and entry, and its journal is saved
under --save; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

from longfuse.cli import process, ruleset_option
from longfuse.cli.cards_trying import Runner, Tried
from longfuse.cli.output import CommandError, plain, print_json, print_line
from longfuse.rulesets.catalogue import TRIALS

LIST_VARIABLE = "LONGFUSE_CARD_LIST"
UNUSED_SHOWN = 60


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="how many (1000)")
    parser.add_argument("--tries", type=int, default=10, metavar="N", help="positions a card (10)")
    parser.add_argument("--seed", metavar="S", help="without it, another each time")
    ruleset_option.argument(parser, "whose cards", has_default=True)
    parser.add_argument("--list", type=Path, metavar="FILE", help="a public list of cards")
    parser.add_argument("--card", metavar="NAME", help="only positions, and only of this card")
    parser.add_argument(
        "--save", type=Path, metavar="DIR", default=Path("faults"), help="for broken games (faults)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Play, and say what was never used."""
    if arguments.ruleset not in TRIALS:
        name = arguments.ruleset
        instead = f"longfuse demo --ruleset {name} --games 100 --cards FILE"
        raise CommandError(f"the cards of {name!r} are not tried out this way; try `{instead}`")
    named = os.environ.get(LIST_VARIABLE, "")
    card_list = arguments.list or (Path(named) if named else None)
    if card_list is not None and not card_list.is_file():
        raise CommandError(f"{card_list}: there is no such file")
    seed = arguments.seed or str(random.SystemRandom().randrange(10**6))
    process.set_up()
    runner = Runner(arguments.ruleset, seed, card_list, arguments.save)
    if arguments.card is None:
        runner.play_games(arguments.games)
        runner.play_positions(arguments.tries)
    else:
        runner.play_positions_of(arguments.card, arguments.tries)
    tried = runner.tried()
    if arguments.json:
        print_json(tried)
    else:
        _print(tried)
    return 1 if tried.faults else 0


def _print(tried: Tried) -> None:
    pools = ", ".join(f"{count} cards of {name}" for name, count in tried.cards.items())
    print_line(f"seed {tried.seed}: {pools}")
    print_line(f"{tried.games} games, {tried.decisions:,} decisions, {tried.cpu_s:.0f} s of CPU")
    print_line(
        f"{tried.unused_after_games} cards not wholly used in them: {tried.positions} positions"
    )
    for fault in tried.faults:
        print(plain(f"FAULT {fault.where}: {fault.what}"), file=sys.stderr)
        if fault.journal:
            print(plain(f"  saved as {fault.journal}"), file=sys.stderr)
    for one in tried.unused[:UNUSED_SHOWN]:
        print_line(f"never used: {one}")
    if len(tried.unused) > UNUSED_SHOWN:
        print_line(f"… and {len(tried.unused) - UNUSED_SHOWN} more (--json has all)")
    print_line("no faults" if not tried.faults else f"{len(tried.faults)} faults")
