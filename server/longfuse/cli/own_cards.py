"""Card files on the command line: a ruleset together with the cards and decks of files.

Owns how a deck is given to a game and its journal: one that ships by its name, any other whole,
with its cards, so that a replay needs no file. A deck may also be given as its text.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from longfuse.actors import ActorHost
from longfuse.cli.files import unreadable
from longfuse.cli.output import CommandError
from longfuse.game.entries import Refused
from longfuse.game.game import Game
from longfuse.rulesets.catalogue import DECKS, Ruleset, SeatSetup, load_decks

REASONS_TOLD = 10
REASON_CHARS = 200


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare --cards."""
    parser.add_argument(
        "--cards",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="card files, or folders of them, besides what ships",
    )


class OwnCards:
    """A ruleset whose decks are those of card files, then those that ship."""

    def __init__(self, ruleset: Ruleset, files: Sequence[str | Path]) -> None:
        """Raises CommandError for a file with an error."""
        for path in map(Path, files):
            check_readable(path)
        self.NAME = ruleset.NAME
        self.OPTIONS = ruleset.OPTIONS
        self._ruleset = ruleset
        self._shipped = ruleset.decks()
        try:
            self._decks = ruleset.decks(files) if files else self._shipped
        except Refused as refused:
            raise CommandError(refused.reason, 1) from refused
        self.brought = load_decks(ruleset.NAME).brought(files)
        """The cards of the files, read once: decks as text may have them."""

    def create(
        self,
        seats: tuple[SeatSetup, ...],
        *,
        host: ActorHost,
        key: bytes,
        options: dict[str, Any],
        keep_events: bool = False,
        views: bool = True,
    ) -> Game:
        """A game that has not started."""
        return self._ruleset.create(
            seats, host=host, key=key, options=options, keep_events=keep_events, views=views
        )

    def decks(self, files: Sequence[str | Path] = ()) -> Mapping[str, Any]:
        """All of them, by name."""
        return self._decks

    def rules_version(self) -> str:
        """The ruleset's: what files bring stands in each deck."""
        return self._ruleset.rules_version()

    def clauses(self) -> tuple[str, ...]:
        """The ruleset's."""
        return self._ruleset.clauses()

    def carried(self, name: str) -> Any:
        """A deck as a game and its journal take it."""
        return name if name in self._shipped else self._decks[name]


def with_cards(ruleset: Ruleset, files: Sequence[str | Path]) -> Ruleset:
    """The ruleset, with the cards of those files if there are any."""
    return OwnCards(ruleset, files) if files and ruleset.NAME in DECKS else ruleset


def by_ruleset(rulesets: Sequence[Ruleset], files: Sequence[str | Path]) -> dict[str, list[Path]]:
    """Which of those files each ruleset reads; CommandError for one that none does."""
    found: dict[str, list[Path]] = {ruleset.NAME: [] for ruleset in rulesets}
    listed = [ruleset for ruleset in rulesets if ruleset.NAME in DECKS]
    for path in map(Path, files):
        check_readable(path)
        for one in sorted(path.glob("*.toml")) if path.is_dir() else [path]:
            found[_reader_of(one, listed)].append(one)
    return found


def check_readable(path: Path) -> None:
    """Raise CommandError for a file or a folder that cannot be opened."""
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError as error:
        raise unreadable(path, error) from error


def _reader_of(path: Path, rulesets: Sequence[Ruleset]) -> str:
    reasons: list[str] = []
    for ruleset in rulesets:
        try:
            ruleset.decks([path])
        except Refused as refused:
            reasons.append(refused.reason)
        else:
            return ruleset.NAME
    raise CommandError(min(reasons, key=_strangeness), 1)


def _strangeness(reason: str) -> tuple[int, int]:
    """How far a file is from what a ruleset reads: by the words that it does not know at all."""
    return reason.count("is called “"), len(reason)


def carried(ruleset: Ruleset, name: str) -> Any:
    """A deck of a ruleset as a game and its journal take it."""
    return ruleset.carried(name) if isinstance(ruleset, OwnCards) else name


def deck_name(deck: Any) -> str:
    """A deck's name, however it is given."""
    return str(getattr(deck, "name", deck))


def read_deck(ruleset: Ruleset, text: str) -> Any:
    """A legal deck from its text: the text as it was, or with cards of files the deck whole.

    Refused with each reason why it is none.
    """
    if ruleset.NAME not in DECKS:
        raise Refused("deck", "decks of this ruleset are given by their names")
    brought = ruleset.brought if isinstance(ruleset, OwnCards) else None
    found = load_decks(ruleset.NAME).check_deck(text, brought)
    if not found["legal"]:
        told = _told([str(reason["text"]) for reason in found["reasons"]])
        raise Refused("deck", f"this deck may not be played: {told}")
    return found["deck"] if found["deck"].get("own") else text


def _told(reasons: Sequence[str]) -> str:
    """The first reasons in one sentence, each cut to a length that people read: clients write the
    text, and are sent this.
    """
    told = [one if len(one) <= REASON_CHARS else f"{one[:REASON_CHARS]}…" for one in reasons]
    more = [f"and {len(told) - REASONS_TOLD} more"] if len(told) > REASONS_TOLD else []
    return "; ".join(told[:REASONS_TOLD] + more)
