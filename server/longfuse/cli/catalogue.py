"""What can be played: rulesets, sets, cards and decks.

Each card is shown as printed, then as the compiler understood it, in canonical words. With names
of cards, only those; with --brief, names only. The exit code is 1 if a name is no card's.
"""

from __future__ import annotations

import argparse
from typing import Any

from longfuse.cli import ruleset_option
from longfuse.cli.cards_showing import as_printed, understood
from longfuse.cli.deck import deck_book
from longfuse.cli.output import CommandError, print_json, print_line
from longfuse.rulesets import sideboards
from longfuse.rulesets.catalogue import DECKS


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("cards", nargs="*", metavar="CARD", help="only the cards of these names")
    ruleset_option.argument(parser, "only of one")
    parser.add_argument("--brief", action="store_true", help="names only")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """List it."""
    wanted = [arguments.ruleset] if arguments.ruleset else list(DECKS)
    found = [deck_book(name).catalogue() for name in wanted]
    if arguments.cards:
        found = [_only(one, arguments.cards) for one in found]
    if arguments.json:
        print_json({"rulesets": found})
    else:
        for one in found:
            _print(one, brief=arguments.brief)
    known = {
        card["name"].casefold() for one in found for each in one["sets"] for card in each["cards"]
    }
    unknown = [name for name in arguments.cards if name.casefold() not in known]
    if unknown:
        raise CommandError(f"there is no card {', '.join(map(repr, unknown))}", 1)
    return 0


def _only(listed: dict[str, Any], names: list[str]) -> dict[str, Any]:
    wanted = {name.casefold() for name in names}
    sets = [
        {**each, "cards": [card for card in each["cards"] if card["name"].casefold() in wanted]}
        for each in listed["sets"]
    ]
    return {**listed, "sets": [each for each in sets if each["cards"]], "decks": []}


def _print(listed: dict[str, Any], *, brief: bool) -> None:
    for each in listed["sets"]:
        print_line(f"{listed['ruleset']}, {each['name']}: {_cards(len(each['cards']))}")
        for card in each["cards"]:
            if brief:
                print_line(f"  {card['name']}")
                continue
            print_line()
            for line in (*as_printed(card), *understood(card["words"])):
                print_line(f"  {line}")
        print_line()
    for deck in listed["decks"]:
        state = "" if deck["legal"] else ", not legal"
        what = [" and ".join(deck.get("runes", ())) or deck.get("name_hu", "")]
        if deck["sideboard"]:
            what.append(sideboards.sized(sum(deck["sideboard"].values())))
        print_line(f"deck {deck['name']}: {', '.join(what)}{state}")


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
