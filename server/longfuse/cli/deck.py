"""Decks as text: `longfuse deck check FILE…`, `longfuse deck show NAME`, `longfuse deck list`.

`check` says of each deck in a FILE whether it is legal, and if it is not, every reason with its
rule; the exit code is 1 if one is not. `show` prints a deck that ships in the format that `check`
reads: a start for one's own. A deck file can be played: `longfuse play --deck FILE`.

A deck file has one thing a line, and # begins a comment:

  Name: Mine
  Legend: The Unsleeping Light
  Champion: Maren, First to Wake

  Battlefields
  Breakwater

  Main
  3 Bellrope Squire

  Sideboard
  2 Hush Before Dawn

  Runes
  6 calm

A sideboard may be left out: its cards can be exchanged for others between the games of a match.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from longfuse.cli import ruleset_option
from longfuse.cli.files import unreadable
from longfuse.cli.output import CommandError, print_json, print_line
from longfuse.rulesets import sideboards
from longfuse.rulesets.catalogue import DeckBook, UnknownRuleset, load_decks


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("action", choices=["check", "show", "list"], help="what to do")
    parser.add_argument("what", nargs="*", metavar="FILE|NAME", help="deck files, or a deck's name")
    ruleset_option.argument(parser, "whose decks they are", has_default=True)
    parser.add_argument(
        "--cards",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="card files, besides those that ship",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked."""
    book = deck_book(arguments.ruleset)
    if arguments.action == "list":
        return _list(book, as_json=arguments.json)
    if not arguments.what:
        raise CommandError("which one? name " + _wanted(arguments.action))
    if arguments.action == "show":
        return _show(book, " ".join(arguments.what), as_json=arguments.json)
    return _check(book, [Path(one) for one in arguments.what], arguments)


def deck_book(ruleset: str) -> DeckBook:
    """The decks of a ruleset; CommandError if there is none of that name."""
    try:
        return load_decks(ruleset)
    except UnknownRuleset as error:
        raise CommandError(str(error)) from error


def _wanted(action: str) -> str:
    return "a deck file" if action == "check" else "a deck (`longfuse deck list`)"


def _list(book: DeckBook, *, as_json: bool) -> int:
    decks = book.catalogue()["decks"]
    if as_json:
        print_json({"decks": decks})
        return 0
    for deck in decks:
        runes = " and ".join(deck.get("runes", ()))
        what = [runes, deck.get("legend") or "no legend"] if runes else [deck.get("name_hu", "")]
        if deck["sideboard"]:
            what.append(sideboards.sized(sum(deck["sideboard"].values())))
        print_line(f"{deck['name']}: {'; '.join(what)}")
    return 0


def _show(book: DeckBook, name: str, *, as_json: bool) -> int:
    try:
        text = book.deck_text(name)
    except KeyError:
        known = ", ".join(deck["name"] for deck in book.catalogue()["decks"])
        raise CommandError(f"there is no deck {name!r}; there is {known}") from None
    if as_json:
        print_json({"name": name, "text": text})
    else:
        print_line(text.removesuffix("\n"))
    return 0


def _check(book: DeckBook, files: list[Path], arguments: argparse.Namespace) -> int:
    found: list[dict[str, Any]] = []
    try:
        brought = book.brought(arguments.cards)
    except book.SetError as error:
        raise CommandError(str(error), 1) from error
    for path in files:
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise unreadable(path, error) from error
        except UnicodeDecodeError as error:
            raise CommandError(f"{path}: this is no text: {error}") from error
        found.append({"file": str(path), **book.check_deck(text, brought)})
    if arguments.json:
        print_json({"decks": found})
    else:
        for one in found:
            _print(one)
    return 0 if all(one["legal"] for one in found) else 1


def _print(found: dict[str, Any]) -> None:
    title = found["name"] or found["file"]
    if "cards" in found:
        counted = [f"{found['cards']} cards ({found['different']} different)"]
        if "runes" in found:
            kind = "a house deck, without legend" if found["format"] == "house" else "a duel deck"
            counted = [kind, *counted, f"{found['runes']} runes"]
        if found["sideboard"]:
            counted.append(sideboards.sized(found["sideboard"]))
        print_line(f"{title}: {', '.join(counted)}")
    else:
        print_line(f"{title}: this is no deck")
    for reason in found["reasons"]:
        print_line(f"  {reason['text']}" + (f" ({reason['rule']})" if reason["rule"] else ""))
    if found["legal"]:
        print_line("  legal")
