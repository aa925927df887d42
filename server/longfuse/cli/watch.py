"""Watch a table of a running server, told in sentences until all its games are over.

Without TABLE it is the newest game that is being played there. Who comes late is told what happened
last. On a terminal, what you type is said to the other spectators; the players don't hear it.

With --replay a game that is over is told once more, as spectators saw it, or with --seat as one of
its players did, where the server may show that.
"""

from __future__ import annotations

import argparse
import sys

import trio

from longfuse.cli import running, wire_options
from longfuse.cli.output import CommandError
from longfuse.cli.play_input import Lines, TypedLines
from longfuse.cli.telling import LineTeller, Teller
from longfuse.cli.wire_replay import tell_replay
from longfuse.cli.wire_telling import Spectator
from longfuse_protocol.client import (
    Client,
    ClientClosed,
    Refused,
    open_client,
)
from longfuse_protocol.client_line import Dial
from longfuse_protocol.codec import CODECS, MSGPACK
from longfuse_protocol.errors import WireError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument(
        "url", type=wire_options.address, metavar="URL", help="of the server: ws://HOST:PORT/ws"
    )
    parser.add_argument("table", metavar="TABLE", nargs="?", help="the id of the table")
    parser.add_argument("--name", default="Watcher", help="what to call yourself there (Watcher)")
    parser.add_argument("--invitation", metavar="CODE", help="where only who is invited may watch")
    parser.add_argument("--replay", metavar="GAME", help="a game that is over, by its id")
    parser.add_argument("--seat", type=int, metavar="N", help="with --replay: as player N saw it")
    wire_options.arguments(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON object for each line")
    parser.add_argument(
        "--subprotocol", choices=sorted(CODECS), default=MSGPACK, help="how messages are spelt"
    )


def run(arguments: argparse.Namespace) -> int:
    """Watch."""
    return running.run(_watch, arguments, TypedLines() if sys.stdin.isatty() else None)


async def _watch(given: argparse.Namespace, lines: Lines | None, dial: Dial | None = None) -> int:
    if given.seat is not None and given.replay is None:
        raise CommandError("--seat is for --replay: spectators of a game see no hands")
    if given.replay is not None and given.table is not None:
        raise CommandError("--replay names a game: give no table")
    teller = LineTeller() if given.json else Teller()
    try:
        with wire_options.refusals_told():
            async with open_client(
                given.url,
                name=given.name,
                token=wire_options.read_token(given.token),
                subprotocol=given.subprotocol,
                program="longfuse watch",
                dial=dial,
            ) as client:
                if given.replay is not None:
                    code = given.invitation or ""
                    await tell_replay(client, given.replay, given.seat, code, teller)
                    return 0
                table = given.table or await _newest(client)
                await client.spectate(table, invitation=given.invitation or "")
                spectator = Spectator(client, teller)
                async with trio.open_nursery() as nursery:
                    if lines is not None:
                        nursery.start_soon(_talk, client, lines, teller)
                    await spectator.tell()
                    nursery.cancel_scope.cancel()
    except (ClientClosed, trio.TooSlowError) as error:
        raise CommandError("the server does not let you watch in time", 1) from error
    if spectator.is_over:
        return 0
    if spectator.ended is not None:
        ended = spectator.ended
        text = f"the connection ended before the game did ({ended.code} {ended.reason})"
        raise CommandError(text, 1)
    return 1


async def _talk(client: Client, lines: Lines, teller: Teller) -> None:
    """Say to the other spectators what is typed, until nothing is any more."""
    while (line := await lines.next()) is not None:
        if not line.strip():
            continue
        try:
            await client.say(line.strip())
        except Refused as refused:
            teller.note(f"that is not said: {refused.answer.reason}")
        except (ClientClosed, WireError, trio.TooSlowError) as error:
            teller.note(f"that is not said: {error}")


async def _newest(client: Client) -> str:
    found = await client.browse()
    for info in found.tables:
        if info.status == "playing" and info.terms.watch == "open":
            return info.table
    raise CommandError("no game is being played there now; `longfuse play --url` opens one", 1)
