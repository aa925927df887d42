"""Play a game at this terminal: against a bot here, or with --url on a server.

Everything is printed in lines, one block after another, and answered by numbers and words; `help`
lists them. Without --url a game against a bot runs in this process. With --url a table is opened
on that server, against one of its bots with --bot, otherwise for whoever sits down; with --table
that table is joined, and with --pair the server finds somebody who wants to play the same. With
--serve the server is this process, and others can reach it. Input may come from a pipe: then every
line is an answer or a word, and the table is left where they end.

A lost connection is taken up again by itself. With --resume FILE another process can go on with the
seat as well, for as long as the server keeps it.
"""

from __future__ import annotations

import argparse
import contextlib
import random
from pathlib import Path

import msgspec
import trio

from longfuse import log
from longfuse.cli import (
    kept_session,
    own_cards,
    play_serving,
    ruleset_option,
    running,
    terms,
    wire_options,
)
from longfuse.cli.hosting import BOTS
from longfuse.cli.kept_session import KeptSession
from longfuse.cli.output import CommandError
from longfuse.cli.play_desk import Desk
from longfuse.cli.play_input import Lines, TypedLines
from longfuse.cli.play_screen import Screen
from longfuse.cli.play_seating import sit_down
from longfuse.cli.play_session import Session
from longfuse.rulesets.catalogue import load_rendering
from longfuse_protocol.client import (
    Client,
    ClientClosed,
    Ended,
    NotConnected,
    SavedSession,
    open_client,
)
from longfuse_protocol.client_line import Dial
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import RulesetInfo

BEST_BOT = "sensible"
"""Who plays against you unless you say otherwise."""
PLAYER = "Player"


class Connection(msgspec.Struct, frozen=True):
    """How a server is reached: by its address, unless a stream or a way to dial is given."""

    url: str
    stream: trio.abc.Stream | None = None
    dial: Dial | None = None
    is_own: bool = False
    """The server is this process, and nobody else's game is there."""
    takes_tokens: bool = True
    shown: str = ""
    """The address that others are told; "" if none is."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument(
        "--url",
        type=wire_options.address,
        help="of a server: ws://HOST:PORT/ws; without it, play here",
    )
    parser.add_argument("--table", metavar="ID", help="with --url: the table to sit down at")
    parser.add_argument(
        "--invitation", metavar="CODE", help="with --table, where only who is invited sits down"
    )
    parser.add_argument(
        "--pair", action="store_true", help="with --url: with anybody who wants to play the same"
    )
    parser.add_argument(
        "--serve",
        metavar="HOST:PORT",
        help="open the table on a server of your own that others can reach; port 0 is any",
    )
    parser.add_argument("--name", help=f"what to call yourself ({PLAYER})")
    wire_options.arguments(parser)
    ruleset_option.argument(parser, "what to play", more=", or what a server has")
    parser.add_argument(
        "--deck", metavar="D", help="your deck, how its name begins, or a deck file"
    )
    parser.add_argument("--against", metavar="D", help="your opponent's deck")
    parser.add_argument("--bot", metavar="B", help=f"who plays against you: {', '.join(BOTS)}")
    parser.add_argument(
        "--seed", metavar="S", help="of shuffles and bot; without it, another each time"
    )
    parser.add_argument(
        "--receipts", type=Path, metavar="DIR", help="keep receipts there, for `verify --receipt`"
    )
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="keep the seat in this file, and go on with it"
    )
    own_cards.arguments(parser)
    parser.add_argument("--plain", action="store_true", help="no colours")
    terms.arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play."""
    _check(arguments)
    log.configure(level="warning")
    return running.run(_play, arguments, TypedLines(), Screen(plain=arguments.plain))


def _check(given: argparse.Namespace) -> None:
    """Raise CommandError where what is given contradicts itself."""
    has_server = given.url is not None or given.resume is not None
    if not has_server:
        for word in ("table", "pair", "token"):
            if getattr(given, word):
                raise CommandError(f"--{word} is for games on a server: give its --url, too")
    if given.receipts is not None and not has_server and given.serve is None:
        raise CommandError("--receipts is for games on a server: here a seed decides the shuffles")
    if given.serve is not None and (has_server or given.table or given.pair):
        raise CommandError("--serve opens a table on a server of your own: give no other")
    if given.table and given.pair:
        raise CommandError(
            "--table is one table, --pair any that the server finds: give one of them"
        )
    if (has_server or given.serve is not None) and given.seed is not None:
        raise CommandError("--seed is for games here: a server shuffles by itself")
    if has_server and given.cards:
        raise CommandError("--cards is for games here: a server has its own cards")
    if given.invitation is not None and given.table is None:
        raise CommandError("--invitation is to a table: give its --table, too")
    is_opened = given.table is None and not given.pair
    if not is_opened and (given.against or given.bot or (given.ruleset and given.table)):
        raise CommandError("ruleset, opponent and bots of a table are its opener's choice")
    opening = [word for word in terms.OPENING if getattr(given, word)]
    opening += ["clock"] if given.clock and given.table is not None else []
    if not is_opened and opening:
        word = opening[0].replace("_", "-")
        raise CommandError(f"--{word} is a term of the table: its opener's choice")
    terms.read_terms(given)


async def _play(given: argparse.Namespace, lines: Lines, screen: Screen) -> int:
    if given.serve is not None:
        async with play_serving.open_shared_server(given.serve, given.cards) as (server, shown):
            connection = Connection(server.url, shown=shown, takes_tokens=False)
            return await play_at(connection, given, lines, screen)
    if given.url is not None or given.resume is not None:
        kept = kept_session.load(given.resume) if given.resume is not None else None
        url = given.url or (kept.url if kept is not None else "")
        if not url:
            raise CommandError(f"--resume: {given.resume} is not there: give a --url to begin")
        return await play_at(Connection(url, shown=url), given, lines, screen)
    seed = given.seed or str(random.SystemRandom().randrange(10**6))
    given.bot = given.bot or (BEST_BOT if BEST_BOT in BOTS else next(iter(BOTS)))
    async with play_serving.open_own_server(seed, given.cards) as server:
        screen.line(f"A game against a bot, seed {seed}.", "dim")
        connection = Connection(server.url, is_own=True, takes_tokens=False)
        return await play_at(connection, given, lines, screen)


async def play_at(
    connection: Connection, given: argparse.Namespace, lines: Lines, screen: Screen
) -> int:
    """Play at one table of the server there; return the exit code."""
    kept = kept_session.load(given.resume) if given.resume is not None else None
    with wire_options.refusals_told():
        try:
            async with _open(connection, given, kept) as client:
                session = await _begin(client, connection, given, lines, screen)
                if session is None:
                    return 0
                await session.run()
        except NotConnected as error:
            if kept is None or error.ended.rejected != Code.UNKNOWN_SESSION:
                raise
            text = f"the session in {given.resume} is over: remove the file to begin anew"
            raise CommandError(text, 1) from error
    is_gone = session.ended is not None and session.ended.rejected == Code.UNKNOWN_SESSION
    has_ended = session.has_left or session.is_lost or session.is_finished or is_gone
    if given.resume is not None and has_ended:
        kept_session.end(given.resume, connection.url)
    if session.is_alone:
        raise CommandError("the input ended before anybody sat down: the table is left", 1)
    if session.is_lost:
        return 1
    if session.over is None and session.ended is not None and not session.has_left:
        raise _too_early(session.ended)
    return 0


def _too_early(ended: Ended) -> CommandError:
    """What the player is told where the connection ended before the game did."""
    if ended.rejected == Code.UNKNOWN_SESSION:
        text = "your seat is gone: you were away for too long, or the server has been restarted"
        return CommandError(text, 1)
    text = f"the connection ended before the game did ({ended.code} {ended.reason})"
    return CommandError(text, 1)


def _open(
    connection: Connection, given: argparse.Namespace, kept: KeptSession | None
) -> contextlib.AbstractAsyncContextManager[Client]:
    return open_client(
        connection.url,
        name=given.name or (kept.name if kept is not None else PLAYER),
        program="longfuse play",
        token=wire_options.read_token(given.token) if connection.takes_tokens else "",
        resume=kept.session if kept is not None else None,
        # In a game of one's own there is nobody to distrust, and its seed is to decide all.
        shuffles=not connection.is_own,
        receipts=given.receipts,
        stream=connection.stream,
        dial=connection.dial,
    )


async def _begin(
    client: Client,
    connection: Connection,
    given: argparse.Namespace,
    lines: Lines,
    screen: Screen,
) -> Session | None:
    """Take the seat, or find it still there; None where the player goes before."""
    assert client.welcome is not None
    if client.welcome.name != (given.name or PLAYER) and client.place is None:
        screen.line(f"You are {client.welcome.name} there.", "dim")
    if client.place is None and given.resume is not None and given.resume.exists():
        kept_session.end(given.resume, connection.url)
        text = f"the seat of the session in {given.resume} is gone: remove the file to begin anew"
        raise CommandError(text, 1)
    place = client.place or await sit_down(client, given, lines, screen)
    if place is None:
        return None
    if place.seat is None:
        raise CommandError("this session only watches; `longfuse watch` shows the table", 1)
    if given.resume is not None:
        saved = SavedSession(client.session_saved().secret)
        kept_session.keep(given.resume, KeptSession(connection.url, client.welcome.name, saved))
    desk = Desk(client, screen, load_rendering(place.info.ruleset))
    info = await _info(client, place.info.ruleset)
    return Session(client, desk, lines, info, url=connection.shown)


async def _info(client: Client, ruleset: str) -> RulesetInfo:
    """What the server says of the ruleset."""
    try:
        found = await client.browse()
    except (ClientClosed, trio.TooSlowError) as error:
        raise CommandError("the server does not say what can be played there", 1) from error
    return next((one for one in found.rulesets if one.name == ruleset), RulesetInfo(name=ruleset))
