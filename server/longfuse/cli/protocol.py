"""Show what travels between server and clients, for people and tools that write clients.

schema prints the JSON Schema (2020-12) of all messages. tables prints the tables of the protocol's
page in Markdown; with --write it puts them into the page instead, between its markers.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import longfuse_protocol
from longfuse.cli.output import CommandError, print_lines
from longfuse_protocol.schema import MESSAGES, schema, without_descriptions
from longfuse_protocol.schema_page import PARTS, NoSuchPart, filled, part

PAGE = Path(longfuse_protocol.__file__).parents[1] / "README.md"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("what", choices=("schema", "tables"), help="what to show")
    parser.add_argument("--side", choices=tuple(MESSAGES), help="schema: who sends the messages")
    parser.add_argument("--brief", action="store_true", help="schema: without descriptions")
    parser.add_argument(
        "--write",
        nargs="?",
        const=PAGE,
        type=Path,
        metavar="FILE",
        help="tables: into this page; into the one beside the source if none is named",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print or write it."""
    if arguments.what == "schema":
        if arguments.write is not None:
            raise CommandError("--write is for tables; a schema is printed")
        found = schema(arguments.side)
        print(json.dumps(without_descriptions(found) if arguments.brief else found, indent=1))
    elif arguments.side or arguments.brief:
        raise CommandError("--side and --brief are for a schema; tables are of both sides, whole")
    elif arguments.write is not None:
        _write(arguments.write)
    else:
        print_lines(f"{name}\n\n{part(name)}" for name in PARTS)
    return 0


def _write(page: Path) -> None:
    before = page.read_text(encoding="utf-8")
    try:
        after = filled(before)
    except NoSuchPart as error:
        raise CommandError(f"{page}: {error}") from error
    if after == before:
        print(f"{page}: as it is made")
    else:
        page.write_text(after, encoding="utf-8")
        print(f"{page}: written anew")
