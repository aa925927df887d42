"""Watch a table of a running server, told in sentences until its game is over.

Without TABLE it is the newest game that is being played there.
"""

from __future__ import annotations

import argparse

import trio

from longfuse.cli import running
from longfuse.cli.output import CommandError
from longfuse.cli.telling import Teller
from longfuse.cli.wire_telling import Spectator
from longfuse_protocol.client import Client, NotConnected, Refused, open_client
from longfuse_protocol.codec import CODECS, MSGPACK
from longfuse_protocol.messages import Browse, Tables

BROWSE_S = 10.0


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("url", metavar="URL", help="of the server: ws://HOST:PORT/…")
    parser.add_argument("table", metavar="TABLE", nargs="?", help="the id of the table")
    parser.add_argument("--name", default="spectator", help="what to call yourself there")
    parser.add_argument(
        "--subprotocol", choices=sorted(CODECS), default=MSGPACK, help="how messages are spelt"
    )


def run(arguments: argparse.Namespace) -> int:
    """Watch."""
    return running.run(_watch, arguments)


async def _watch(arguments: argparse.Namespace) -> int:
    teller = Teller()
    try:
        async with open_client(
            arguments.url,
            name=arguments.name,
            subprotocol=arguments.subprotocol,
            program="longfuse watch",
        ) as client:
            table = arguments.table or await _newest(client)
            await client.spectate(table)
            spectator = Spectator(client, teller)
            over = await spectator.tell()
    except NotConnected as error:
        raise CommandError(f"no connection: {error}") from error
    except Refused as refused:
        raise CommandError(f"the server refuses: {refused.answer.reason}", 1) from refused
    if over is None:
        ended = spectator.ended
        reason = f" ({ended.code} {ended.reason})" if ended is not None else ""
        raise CommandError(f"the connection ended before the game did{reason}", 1)
    return 0


async def _newest(client: Client) -> str:
    client.send(Browse())
    with trio.move_on_after(BROWSE_S):
        async for event in client:
            if isinstance(event, Tables):
                for info in event.tables:
                    if info.status == "playing":
                        return info.table
                break
    raise CommandError("no game is being played there now; `longfuse play --url` opens one", 1)
