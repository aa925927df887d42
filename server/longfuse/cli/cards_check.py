"""Compile card files and say what was understood, or where the compiler stopped.

A FILE is a set (TOML) or a public list of cards (JSON). Each card of a set is shown with what was
understood, said back in plain words; with --brief, and of a list, only what is refused. A failure
shows the line, a mark under the word where the compiler stopped, what it expected there, and the
nearest wording that is understood. Different cards are counted once by name; with --delayed,
`delayed` and `delayed_compiled` count those whose names stand in that file, one a line. The exit
code is 1 if a card of a set is refused; a public list is only reported on.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from longfuse.cli import cards_showing as showing
from longfuse.cli import ruleset_option
from longfuse.cli.files import unreadable
from longfuse.cli.output import CommandError, print_json, print_line
from longfuse.cli.own_cards import check_readable
from longfuse.rulesets.catalogue import UnknownRuleset, load_cards, load_writing, names


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="card files")
    ruleset_option.argument(
        parser, "whose cards they are", more="; else the one that knows their types"
    )
    parser.add_argument(
        "--delayed", type=Path, metavar="FILE", help="names of cards to count apart, one a line"
    )
    parser.add_argument("--brief", action="store_true", help="only what is refused")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Compile and report."""
    if arguments.ruleset is None:
        arguments.ruleset = _whose(arguments.files)
    try:
        reader = load_cards(arguments.ruleset)
    except UnknownRuleset as error:
        raise CommandError(str(error)) from error
    delayed = None if arguments.delayed is None else _names_in(arguments.delayed)
    for path in arguments.files:
        check_readable(path)
    try:
        report = reader.cards_report(arguments.files, delayed)
    except (ValueError, msgspec.DecodeError, KeyError, TypeError, AttributeError) as error:
        raise CommandError(f"this is no file of cards: {error}") from error
    if arguments.json:
        print_json(report)
    else:
        _print(arguments, report)
    is_set = any(path.suffix == ".toml" for path in arguments.files)
    return 1 if report["failures"] and is_set else 0


def _whose(files: Sequence[Path]) -> str:
    """The first ruleset that knows the types of all cards in some files; else the first of all."""
    for name in names():
        reader = load_cards(name)
        try:
            entries = [one for path in files for one in reader.read_entries(path)]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
        if entries and all(one.get("type") in reader.TYPES for one in entries):
            return name
    return names()[0]


def _names_in(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise unreadable(path, error) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path}: this is no text: {error}") from error


def _print(arguments: argparse.Namespace, report: dict[str, Any]) -> None:
    writing = load_writing(arguments.ruleset)
    for path in arguments.files:
        for said in writing.read(path):
            is_wanted = not (said.is_played or path.suffix == ".json") or not said.is_understood
            if is_wanted or (path.suffix != ".json" and not arguments.brief):
                for line in showing.report(said):
                    print_line(line)
    played = f", {report['playable']} of them are played whole" if "playable" in report else ""
    print_line(f"{report['compiled']} of {report['cards']} cards compile{played}")
    if arguments.delayed is not None:
        print_line(
            f"{report['delayed_compiled']} of {report['delayed']} with delayed abilities compile"
        )
