"""Play a game at this terminal: against a bot here, or with --url on a server.

Everything is printed in lines, one block after another, and answered by numbers and words; `help`
lists them. Without --url a game against a bot runs in this process. With --url a table is opened
on that server, against one of its bots with --bot, otherwise for whoever sits down; with --table
that table is joined. Input may come from a pipe: then every line is an answer or a word, and the
game is left where they end.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import trio

from longfuse import log
from longfuse.cli import own_cards, play_serving, running
from longfuse.cli.hosting import BOTS, DECK_OPTION
from longfuse.cli.output import CommandError
from longfuse.cli.play_desk import Desk
from longfuse.cli.play_input import Lines, TypedLines
from longfuse.cli.play_screen import Screen
from longfuse.cli.play_session import Session
from longfuse.rulesets.catalogue import load_rendering
from longfuse_protocol.client import Client, Ended, NotConnected, Refused, open_client
from longfuse_protocol.messages import Browse, Joined, RulesetInfo, SeatWish, Tables

BROWSE_S = 10.0
BEST_BOT = "sensible"
"""Who plays against you unless you say otherwise."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("--url", help="of a server: ws://HOST:PORT/…; without it, play here")
    parser.add_argument("--table", metavar="ID", help="with --url: the table to sit down at")
    parser.add_argument("--name", default="Player", help="what to call yourself (Player)")
    parser.add_argument("--ruleset", metavar="R", help="what to play")
    parser.add_argument(
        "--deck", metavar="D", help="your deck, how its name begins, or a deck file"
    )
    parser.add_argument("--against", metavar="D", help="your opponent's deck")
    parser.add_argument("--bot", metavar="B", help=f"who plays against you: {', '.join(BOTS)}")
    parser.add_argument(
        "--seed", metavar="S", help="of shuffles and bot; without it, another each time"
    )
    own_cards.arguments(parser)
    parser.add_argument("--plain", action="store_true", help="no colours")


def run(arguments: argparse.Namespace) -> int:
    """Play."""
    _check(arguments)
    log.configure(level="warning")
    try:
        return running.run(_play, arguments, TypedLines(), Screen(plain=arguments.plain))
    except CommandError as error:
        if isinstance(error.__cause__, BrokenPipeError):
            raise error.__cause__ from None
        raise


def _check(given: argparse.Namespace) -> None:
    if given.url is None and given.table is not None:
        raise CommandError("--table names a table of a server: give its --url, too")
    if given.url is not None and given.seed is not None:
        raise CommandError("--seed is for games here: a server shuffles by itself")
    if given.url is not None and given.cards:
        raise CommandError("--cards is for games here: a server has its own cards")
    if given.table is not None and (given.deck or given.against or given.bot or given.ruleset):
        raise CommandError("ruleset, decks and bots of a table are its opener's choice")


async def _play(given: argparse.Namespace, lines: Lines, screen: Screen) -> int:
    if given.url is not None:
        return await play_at(given.url, given, lines, screen)
    seed = given.seed or str(random.SystemRandom().randrange(10**6))
    given.bot = given.bot or (BEST_BOT if BEST_BOT in BOTS else next(iter(BOTS)))
    async with play_serving.open_own_server(seed, given.cards) as server:
        screen.line(f"A game against a bot, seed {seed}. `help` lists what you can type.", "dim")
        return await play_at(server.url, given, lines, screen, is_own=True)


async def play_at(
    url: str,
    given: argparse.Namespace,
    lines: Lines,
    screen: Screen,
    *,
    is_own: bool = False,
    stream: trio.abc.Stream | None = None,
) -> int:
    """Play one game on the server at that address; return the exit code."""
    try:
        async with open_client(
            url, name=given.name, program="longfuse play", stream=stream
        ) as client:
            place = await _sit_down(client, given)
            desk = Desk(client, screen, load_rendering(place.info.ruleset))
            session = Session(client, desk, lines, url="" if is_own else url)
            await session.run()
    except NotConnected as error:
        raise CommandError(f"no connection: {error}") from error
    except Refused as refused:
        raise CommandError(f"the server refuses: {refused.answer.reason}", 1) from refused
    if session.over is None and session.ended is not None and not session.has_left:
        ended = session.ended
        raise CommandError(
            f"the connection ended before the game did ({ended.code} {ended.reason})", 1
        )
    return 0


async def _sit_down(client: Client, given: argparse.Namespace) -> Joined:
    """A seat at the table that was named, or at a new one."""
    if given.table is not None:
        return await client.join(given.table)
    info = await _ruleset(client, given.ruleset)
    options: dict[str, bool | int | str] = {}
    for seat, deck in ((1, given.deck), (2, given.against)):
        if deck is not None:
            option = DECK_OPTION.format(seat)
            options[option] = _deck(deck, _decks(info, option))
    other = SeatWish(kind="bot", bot=given.bot) if given.bot else SeatWish()
    return await client.create(info.name, (SeatWish(), other), options=options)


async def _ruleset(client: Client, name: str | None) -> RulesetInfo:
    client.send(Browse())
    with trio.move_on_after(BROWSE_S):
        async for event in client:
            if isinstance(event, Tables):
                known = {info.name: info for info in event.rulesets}
                if not known:
                    raise CommandError("nothing can be played there", 1)
                return known[_named(name or next(iter(known)), list(known), "ruleset")]
            if isinstance(event, Ended):
                raise CommandError(f"the connection ended ({event.code} {event.reason})", 1)
    raise CommandError("the server does not say what can be played there", 1)


def _decks(info: RulesetInfo, option: str) -> Sequence[str]:
    decks = info.options.get(option, ())
    return [str(deck) for deck in decks] if isinstance(decks, list | tuple) else []


def _deck(word: str, known: Sequence[str]) -> str:
    """The deck of that name, or the text of a deck file."""
    path = Path(word)
    if word in known or not path.is_file():
        return _named(word, known, "deck")
    try:
        return path.read_text(encoding="utf-8") + "\n"
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: {error}") from error


def _named(word: str, known: Sequence[str], what: str) -> str:
    """The one of that name, or whose name begins so."""
    if word in known:
        return word
    begins = [one for one in known if one.casefold().startswith(word.casefold())]
    if len(begins) != 1:
        raise CommandError(f"no {what} {word!r}; there is {', '.join(map(repr, known))}")
    return begins[0]
