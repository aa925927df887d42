"""Replay: the game that a journal tells, rebuilt up to any of its entries.

Owns the comparison of what is recorded with what comes out. It drives the game and nothing else:
no journal is changed, and a game that comes out otherwise is reported, never adjusted.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from longfuse.actors import ActorHost, InlineHost
from longfuse.game.entries import GameFault, Refused, Rewind
from longfuse.game.game import Game
from longfuse.journal.format import BadLine, Entered, Header, JournalError, key_of
from longfuse.journal.reader import Journal
from longfuse.rulesets.catalogue import Ruleset, SeatSetup, UnknownRuleset, load


class Difference(Exception):
    """What a journal says and what comes out differ. entry: the first where they do; 0: set-up."""

    def __init__(self, entry: int, what: str, recorded: str = "", found: str = "") -> None:
        where = "before the first entry" if entry == 0 else f"at entry {entry}"
        told = f": recorded {recorded}, found {found}" if recorded or found else ""
        super().__init__(f"{where}: {what}{told}")
        self.entry = entry
        self.what = what
        self.recorded = recorded
        self.found = found


class Replayed(msgspec.Struct):
    """A journal's game as it is after some of its entries, and the ruleset that plays it."""

    journal: Journal
    ruleset: Ruleset
    game: Game
    entry: int
    again: Callable[[], Game]
    """Makes the game before its first entry once more."""
    standing: list[Entered] = []
    """The entries that no rewinding has undone."""


def ruleset_of(header: Header) -> Ruleset:
    """The ruleset that a journal was played with.

    Raises:
        JournalError: it is not one of ours.
    """
    try:
        return load(header.ruleset)
    except UnknownRuleset as error:
        raise JournalError(1, 0, str(error)) from error


def begin(
    journal: Journal,
    *,
    host: ActorHost | None = None,
    keep_events: bool = False,
    views: bool = False,
    secret: str = "",
) -> Replayed:
    """The game before its first entry, not compared with anything yet.

    views: keep what viewers are shown. secret: of its shuffles, where the journal has none.

    Raises:
        JournalError: it cannot be set up.
    """
    header = journal.header
    ruleset = ruleset_of(header)
    try:
        key = key_of(header, journal.end, secret)
    except BadLine as wrong:
        raise JournalError(1, 0, str(wrong)) from wrong
    seats = tuple(SeatSetup(seat.name, seat.deck) for seat in header.seats)

    def make(host: ActorHost) -> Game:
        game = ruleset.create(
            seats,
            host=host,
            key=key,
            options=dict(header.options),
            keep_events=keep_events,
            views=views,
        )
        game.start()
        return game

    try:
        game = make(host or InlineHost())
    except (Refused, GameFault, KeyError, ValueError, TypeError) as error:
        raise JournalError(1, 0, f"the game cannot be set up: {error}") from error
    return Replayed(journal, ruleset, game, 0, lambda: make(InlineHost()))


def replay(
    journal: Journal,
    *,
    to: int | None = None,
    host: ActorHost | None = None,
    keep_events: bool = False,
    any_version: bool = False,
    after: Callable[[Replayed], None] | None = None,
    views: bool = False,
    secret: str = "",
) -> Replayed:
    """Rebuild the game up to entry `to` (None: all), comparing on the way.

    any_version: play it though other rules wrote it. after: called at the start and after each
    entry. views, secret: as in `begin`.

    Raises:
        JournalError: it cannot be set up, or there is no such entry.
        Difference: something comes out otherwise.
    """
    last = len(journal.entries) if to is None else to
    if not 0 <= last <= len(journal.entries):
        reason = f"there is no entry {last}; the last is {len(journal.entries)}"
        raise JournalError(len(journal.entries) + 1, len(journal.entries), reason)
    if not any_version:
        _compare_versions(journal.header)
    replayed = begin(journal, host=host, keep_events=keep_events, views=views, secret=secret)
    if after is not None:
        after(replayed)
    for line in journal.entries[:last]:
        enter(replayed, line)
        if after is not None:
            after(replayed)
    if last == len(journal.entries):
        _compare_end(replayed)
    return replayed


def _compare_versions(header: Header) -> None:
    found = ruleset_of(header).rules_version()
    if header.rules_version != found:
        raise Difference(0, "it was played with other rules", header.rules_version, found)


def enter(replayed: Replayed, line: Entered) -> None:
    """Let the next entry of the journal into the game, and compare.

    Raises:
        Difference: it is refused, the game breaks, or comes to another state.
    """
    if isinstance(line.entry, Rewind):
        _rewind(replayed, line.n, line.entry.to)
    else:
        _advance(replayed.game, line)
        replayed.standing.append(line)
    if line.state:
        found = replayed.game.state_hash()
        if line.state != found:
            raise Difference(line.n, "the state differs", line.state, found)
    replayed.entry = line.n


def _advance(game: Game, line: Entered) -> None:
    assert not isinstance(line.entry, Rewind), "it enters no game"
    try:
        game.advance(line.entry)
    except Refused as refused:
        raise Difference(line.n, f"the game refuses it: {refused.reason}") from refused
    except GameFault as fault:
        raise Difference(line.n, f"the game breaks: {fault}") from fault


def _rewind(replayed: Replayed, n: int, to: int) -> None:
    """Play the game anew, up to the entry numbered `to`."""
    kept = [line for line in replayed.standing if line.n <= to]
    if to and (not kept or kept[-1].n != to):
        raise Difference(n, f"it goes back to entry {to}, which is not there or undone")
    replayed.game = replayed.again()
    for line in kept:
        _advance(replayed.game, line)
    if kept and kept[-1].state:
        found = replayed.game.state_hash()
        if kept[-1].state != found:
            what = f"played anew, entry {to} comes to another state"
            raise Difference(n, what, kept[-1].state, found)
    replayed.standing = kept


def _compare_end(replayed: Replayed) -> None:
    journal, result = replayed.journal, replayed.game.result
    if journal.end is None:
        return
    if result is None:
        raise Difference(
            replayed.entry, "the game is not over", f"{journal.end.result}", "no result"
        )
    if journal.end.result != result:
        told = (
            msgspec.json.encode(journal.end.result).decode(),
            msgspec.json.encode(result).decode(),
        )
        raise Difference(replayed.entry, "it ends otherwise", *told)
