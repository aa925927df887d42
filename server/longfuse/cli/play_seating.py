"""From what was asked for on the command line to a seat: at a table joined, opened, or paired at.

Owns how rulesets and decks are named there: by the beginning of a name, or a deck by its file.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import trio

from longfuse.cli.files import unreadable
from longfuse.cli.output import CommandError
from longfuse.cli.play_input import Lines
from longfuse.cli.play_pairing import Pairing
from longfuse.cli.play_screen import Screen
from longfuse.cli.terms import read_clock, read_terms
from longfuse_protocol.client import Client, ClientClosed, NotPaired
from longfuse_protocol.messages import Place, RulesetInfo, SeatWish, Tables


async def sit_down(
    client: Client, given: argparse.Namespace, lines: Lines, screen: Screen
) -> Place | None:
    """A seat at the table that was named, at a new one, or with whoever wants to play the same.

    None where the player goes before there is one. Raises `Refused` of the server, and
    CommandError.
    """
    try:
        found = await client.browse()
        if given.table is not None:
            return await _join(client, given, found)
        info = _ruleset(found, given.ruleset)
        deck = named_deck(given.deck, info.decks)
        if given.pair:
            pairing = Pairing(client, lines, screen, info.name, read_clock(given.clock))
            return await pairing.wait(deck)
        against = named_deck(given.against, info.decks)
        other = SeatWish(kind="bot", bot=given.bot) if given.bot else SeatWish()
        seats = (SeatWish(), SeatWish(kind=other.kind, bot=other.bot, deck=against))
        return await client.create(info.name, seats, deck=deck, terms=read_terms(given))
    except NotPaired as error:
        raise CommandError(f"nobody was found: {error}", 1) from error
    except ClientClosed as error:
        raise CommandError(f"no seat: {error}", 1) from error
    except trio.TooSlowError as error:
        raise CommandError("no seat: the server takes too long", 1) from error


async def _join(client: Client, given: argparse.Namespace, found: Tables) -> Place:
    """Join the table; its ruleset says which decks there are, unless it is not listed."""
    played = {table.table: table.ruleset for table in found.tables}
    decks = {info.name: info.decks for info in found.rulesets}
    known = decks.get(played.get(given.table, ""), ())
    deck = named_deck(given.deck, known)
    return await client.join(given.table, deck=deck, invitation=given.invitation or "")


def _ruleset(found: Tables, name: str | None) -> RulesetInfo:
    known = {info.name: info for info in found.rulesets}
    if not known:
        raise CommandError("nothing can be played there", 1)
    return known[_named(name or next(iter(known)), list(known), "ruleset")]


def named_deck(word: str | None, known: Sequence[str]) -> str:
    """The deck of that name, or the text of a deck file; "" for none.

    Where no names are known, the word is left to the server. Raises CommandError for a word that
    means no deck, and for a file that cannot be read.
    """
    if not word:
        return ""
    path = Path(word)
    if word in known or not path.is_file():
        return _named(word, known, "deck") if known else word
    try:
        return path.read_text(encoding="utf-8") + "\n"
    except OSError as error:
        raise unreadable(path, error) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path}: this is no text: {error}") from error


def _named(word: str, known: Sequence[str], what: str) -> str:
    """The one of that name, or whose name begins so."""
    if word in known:
        return word
    begins = [one for one in known if one.casefold().startswith(word.casefold())]
    if len(begins) != 1:
        raise CommandError(f"no {what} {word!r}; there is {', '.join(map(repr, known))}")
    return begins[0]
