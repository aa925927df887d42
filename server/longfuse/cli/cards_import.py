"""Turn a public list of cards into set files, one for each set of it, in a folder.

It is for an operator who has the right to use the cards. A card that is not understood, or that
this version does not play yet, is left out and listed, with the reason; --all writes it all the
same, as a comment.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import msgspec

from longfuse.cli import ruleset_option
from longfuse.cli.files import unreadable
from longfuse.cli.output import CommandError, Progress, print_json, print_line
from longfuse.rulesets.catalogue import UnknownRuleset, load_writing


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("list", type=Path, metavar="LIST", help="the list (JSON)")
    parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="the folder")
    ruleset_option.argument(parser, "whose cards they are", has_default=True)
    parser.add_argument("--all", action="store_true", help="write what is left out as comments")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Read, compile and write."""
    try:
        writing = load_writing(arguments.ruleset)
    except UnknownRuleset as error:
        raise CommandError(str(error)) from error
    try:
        sets: dict[str, list[dict[str, Any]]] = writing.list_sets(arguments.list)
    except OSError as error:
        raise unreadable(arguments.list, error) from error
    except (msgspec.DecodeError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CommandError(f"{arguments.list}: this is no list of cards: {error}") from error
    done: list[dict[str, Any]] = []
    read = 0
    progress = Progress("cards read", sum(map(len, sets.values())))
    for name, cards in sets.items():
        said = []
        for fields in cards:
            said.append(writing.said(fields))
            read += 1
            progress.at(read)
        done.append(_write(writing, arguments, name, said))
    progress.done()
    _report(arguments, done)
    return 0


def _write(
    writing: Any, arguments: argparse.Namespace, name: str, said: list[Any]
) -> dict[str, Any]:
    path = arguments.to / f"{name}.toml"
    text = writing.set_file(name, [one.fields for one in said if one.is_played])
    left = [{"card": one.name, "why": why_not(one)} for one in said if not one.is_played]
    if arguments.all:
        for one in (one for one in said if not one.is_played):
            lines = [f"left out: {why_not(one)}", *writing.as_toml(one.fields).splitlines()]
            text += "\n" + "".join(f"# {line}\n" for line in lines)
    try:
        arguments.to.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise unreadable(path, error) from error
    return {"file": str(path), "cards": len(said) - len(left), "left_out": left}


def why_not(said: Any) -> str:
    """Why a card is left out, in one line."""
    if said.entry is not None:
        return f"not played yet: {', '.join(said.entry['missing'])}"
    if said.errors:
        return "; ".join(said.errors)
    return "; ".join(
        f"line {one['line']}: stopped at “{one['stopped_at']}”" for one in said.failures
    )


def _report(arguments: argparse.Namespace, done: list[dict[str, Any]]) -> None:
    if arguments.json:
        print_json({"files": done})
        return
    for one in done:
        for left in one["left_out"]:
            print_line(f"{left['card']}: {left['why']}")
    for one in done:
        print_line(f"{one['file']}: {one['cards']} cards, {len(one['left_out'])} left out")
