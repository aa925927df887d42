"""List the tables of a running server, with their terms, and what can be played there.

The newest table comes first. `longfuse play --url URL --table ID` sits down where a seat is open,
and `longfuse watch URL ID` watches. Tables that only who is invited may join are not listed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import trio

from longfuse.cli import running, wire_options
from longfuse.cli.output import CommandError, clean, print_json, print_lines
from longfuse.cli.terms import told_terms
from longfuse_protocol.client import NEVER, ClientClosed, open_client
from longfuse_protocol.messages import SeatInfo, TableInfo, Tables


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument(
        "url", type=wire_options.address, metavar="URL", help="of the server: ws://HOST:PORT/ws"
    )
    parser.add_argument("--name", default="visitor", help="what to call yourself there")
    wire_options.arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """List."""
    found = running.run(_browse, arguments)
    if arguments.json:
        print_json(found)
    else:
        print_lines(clean(line) for line in lines_of(found))
    return 0


async def _browse(given: argparse.Namespace) -> Tables:
    try:
        with wire_options.refusals_told():
            async with open_client(
                given.url,
                name=given.name,
                token=wire_options.read_token(given.token),
                program="longfuse tables",
                retry=NEVER,
            ) as client:
                return await client.browse()
    except (ClientClosed, trio.TooSlowError) as error:
        raise CommandError("the server does not say which tables it has", 1) from error


def lines_of(found: Tables) -> Iterator[str]:
    """What is printed for people."""
    for ruleset in found.rulesets:
        least, most = ruleset.seats_min, ruleset.seats_max
        seats = f"{least}" if least == most else f"{least} to {most}"
        title = f" ({ruleset.title})" if ruleset.title not in ("", ruleset.name) else ""
        decks = f"; decks: {', '.join(ruleset.decks)}" if ruleset.decks else ""
        yield f"{ruleset.name}{title}: {seats} seats{decks}"
    if found.bots:
        yield f"bots: {', '.join(found.bots)}"
    if not found.tables:
        yield "no tables"
    for info in found.tables:
        yield from _table(info)


def _table(info: TableInfo) -> Iterator[str]:
    seats = " against ".join(map(_seat, info.seats))
    score = f", {'-'.join(map(str, info.score))}" if info.terms.best_of > 1 else ""
    yield f"{info.table}  {info.ruleset}, {info.status}{score}: {seats}"
    watching = f"; {info.spectators} watch" if info.spectators else ""
    yield f"    {told_terms(info.terms)}{watching}"
    if info.options:
        yield "    " + ", ".join(f"{name}: {value}" for name, value in info.options.items())


def _seat(seat: SeatInfo) -> str:
    if seat.kind == "open":
        return "an open seat"
    if seat.kind == "bot":
        return f"{seat.name} (bot)"
    said = ["guest"] if seat.guest and seat.kind == "player" else []
    said += ["gone"] if seat.kind == "gone" else [] if seat.here else ["away"]
    return f"{seat.name} ({', '.join(said)})" if said else seat.name
