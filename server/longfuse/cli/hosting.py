"""Games and journals as a server needs them: rulesets behind its port for games, files behind its
port for journals.

Owns what is between the two: the state hash that goes with every entry.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
import structlog
import trio

from longfuse.actors import ActorHost, InlineHost
from longfuse.bots.random import RandomBot
from longfuse.bots.sensible import SensibleBot
from longfuse.cli.own_cards import by_ruleset, carried, read_deck, with_cards
from longfuse.game.entries import Recorded, Refused
from longfuse.game.game import Game
from longfuse.host import ports
from longfuse.host.wall import now_ms
from longfuse.journal.format import Header, JournalError, SeatLine, Transcript, transcript_of
from longfuse.journal.reader import Journal, read
from longfuse.journal.store import FileStore
from longfuse.journal.writer import Writer
from longfuse.rulesets.catalogue import (
    DECKS,
    Ruleset,
    SeatSetup,
    load,
    load_advice,
    load_decks,
    load_passing,
    names,
    next_options,
)
from longfuse.rulesets.passing import PassingRules
from longfuse_protocol.messages import RulesetInfo, Terms
from longfuse_protocol.prompts import Answer, Prompt

log = structlog.get_logger()

STREAMS = "streams"
"""Where a saved game says, among the table's options, what was shown there before."""

RANDOM_LABELS = "random_labels"
"""An option of games that no table may have: with it, the seats' shuffles could be tied together,
and one player's cards would tell the other's.
"""


class Games:
    """The games of one server. cards: files whose decks can be played, too."""

    def __init__(self, cards: Sequence[str | Path] = ()) -> None:
        known = [load(name) for name in names()]
        files = by_ruleset(known, cards)
        self._rulesets = {one.NAME: with_cards(one, files[one.NAME]) for one in known}
        self._catalogue: tuple[RulesetInfo, ...] = ()
        self._cards: dict[str, dict[str, object]] = {}

    def catalogue(self) -> Sequence[RulesetInfo]:
        """What can be played, with the decks that each seat may take."""
        if not self._catalogue:  # made once: clients ask for it as often as they like
            self._catalogue = tuple(_info(ruleset) for ruleset in self._rulesets.values())
        return self._catalogue

    def cards(self, ruleset: str) -> dict[str, object]:
        """A ruleset's sets with their cards, and its decks."""
        if ruleset not in DECKS:
            raise Refused("option", f"ruleset {ruleset!r} lists no cards")
        if ruleset not in self._cards:
            self._cards[ruleset] = load_decks(ruleset).catalogue()
        return self._cards[ruleset]

    def passing(self, ruleset: str) -> PassingRules:
        """How a seat's chances to pass are known."""
        return load_passing(ruleset)

    def check(self, ruleset: str, seats: int, options: Mapping[str, object]) -> None:
        """Refused if no game can be set up so: the ruleset says it of a game of the usual decks."""
        info = next(info for info in self.catalogue() if info.name == ruleset)
        if not info.seats_min <= seats <= info.seats_max:
            takes = f"from {info.seats_min} to {info.seats_max} seats"
            raise Refused("option", f"{ruleset} takes {takes}, not {seats}")
        if options:
            self._try(ruleset, seats, options)

    def load(self) -> None:
        """Load all that games need: reading cards at the first would hold up whoever is there."""
        for info in self.catalogue():
            self.rules_version(info.name)
            self._try(info.name, info.seats_min, {})

    def _try(self, ruleset: str, seats: int, options: Mapping[str, object]) -> None:
        """Set up a game of the usual decks."""
        decks = [self.deck(ruleset, seat, "") for seat in range(seats)]
        self.create(ruleset, decks, options, bytes(32), InlineHost())

    def deck(self, ruleset: str, seat: int, deck: str) -> ports.Deck:
        """A seat's deck, by its name or as its text; with "", the seat's usual one."""
        rules = self.ruleset(ruleset)
        decks = list(rules.decks())
        if not deck:
            return carried(rules, decks[seat % len(decks)])
        if "\n" in deck:
            return read_deck(rules, deck)
        if deck not in decks:
            raise Refused("option", f"there is no deck {deck!r}; there is {_list(decks)}")
        return carried(rules, deck)

    def may_replace(self, ruleset: str, deck: ports.Deck, by: ports.Deck) -> str:
        """Why one deck may not take the other's place between games; "" if it may."""
        if deck == by:
            return ""
        if ruleset not in DECKS:
            return "decks of this ruleset have no sideboard"
        return "; ".join(load_decks(ruleset).may_replace(deck, by))

    def next_options(
        self, ruleset: str, options: Mapping[str, object], last: ports.Game | None
    ) -> Mapping[str, object]:
        """The options of a match's next game: what may not come again, who begins."""
        assert last is None or isinstance(last, Game), "every game of this server is one"
        return next_options(ruleset, options, last)

    def rules_version(self, ruleset: str) -> str:
        """The digest of all that decides a game."""
        return self.ruleset(ruleset).rules_version()

    def create(
        self,
        ruleset: str,
        decks: Sequence[ports.Deck],
        options: Mapping[str, object],
        key: bytes,
        tasks: ActorHost,
    ) -> ports.Game:
        """A game that waits for its first entry."""
        if RANDOM_LABELS in options:
            raise Refused("option", f"there is no option {RANDOM_LABELS!r}")
        setups = tuple(SeatSetup(f"P{seat}", deck) for seat, deck in enumerate(decks, 1))
        game = self.ruleset(ruleset).create(setups, host=tasks, key=key, options=dict(options))
        game.start()
        return game

    def ruleset(self, name: str) -> Ruleset:
        """The ruleset of that name, with this server's card files."""
        return self._rulesets[name]


def _list(words: Sequence[str]) -> str:
    return ", ".join(repr(word) for word in words)


def _info(ruleset: Ruleset) -> RulesetInfo:
    return RulesetInfo(
        name=ruleset.NAME,
        title=ruleset.NAME,
        decks=tuple(ruleset.decks()),
        options=dict(ruleset.OPTIONS),
        phases=tuple(load_passing(ruleset.NAME).phases),
    )


GAMES_MAX = 200
"""Games that are over and kept in memory."""
ENTRIES_MAX = 100_000
"""Their entries, of all together."""
ENTRIES_OF_A_GAME_MAX = 20_000


class MemoryJournals:
    """Keeps the last games in memory: a server without a data folder."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[ports.Header, list[Recorded]]] = {}
        self._over: OrderedDict[str, ports.Saved] = OrderedDict()
        self._entries = 0
        """Of all games that are over."""

    async def open(self, header: ports.Header) -> None:
        """Begin to keep a game."""
        self._open[header.game] = (header, [])

    async def append(self, id: str, record: ports.Record, game: ports.Game) -> None:
        """Keep an entry; a game of too many is not kept at all."""
        kept = self._open.get(id)
        if kept is not None:
            kept[1].append(record.entry)
            if len(kept[1]) > ENTRIES_OF_A_GAME_MAX:
                del self._open[id]

    async def close(self, id: str, secret: str, game: ports.Game) -> None:
        """Keep the game for a while, in place of those that ended longest ago."""
        kept = self._open.pop(id, None)
        if kept is None:
            return
        header, entries = kept
        self._over[id] = ports.Saved(
            header=header, entries=tuple(entries), secret=secret, over_ms=now_ms()
        )
        self._entries += len(entries)
        while len(self._over) > GAMES_MAX or self._entries > ENTRIES_MAX:
            self._entries -= len(self._over.popitem(last=False)[1].entries)

    def abandon(self, id: str) -> None:
        """Keep it no more."""
        self._open.pop(id, None)

    async def opened(self, id: str) -> None:
        """Keep that it may be seen whole."""
        if id in self._over:
            self._over[id] = msgspec.structs.replace(self._over[id], is_open=True)

    async def find(self, id: str) -> ports.Saved | None:
        """A game that is over, if it is here still."""
        return self._over.get(id)


class Journals:
    """Every game of a server as a file that `verify` and `replay` read."""

    def __init__(self, writer: Writer, files: FileStore) -> None:
        """files: where the writer's games are."""
        self._writer = writer
        self._files = files

    async def open(self, header: ports.Header) -> None:
        """Begin a game's journal."""
        table_options = msgspec.to_builtins(header.terms)
        if header.streams:
            table_options[STREAMS] = msgspec.to_builtins(header.streams)
        await self._writer.open(
            Header(
                table=header.game,
                ruleset=header.ruleset,
                rules_version=header.transcript.rules_version,
                seats=tuple(
                    SeatLine(name, deck)
                    for name, deck in zip(header.seats, header.decks, strict=True)
                ),
                options=header.options,
                table_options=table_options,
                randomness=Transcript.of(header.transcript),
                opened_ms=header.opened_ms,
            )
        )

    async def append(self, id: str, record: ports.Record, game: ports.Game) -> None:
        """Add an entry, with the state hash that came of it."""
        assert isinstance(game, Game), "every game of this server is one"
        await self._writer.append(
            id,
            record.entry,
            command=record.command,
            rule=record.rule,
            spent_ms=record.spent_ms,
            at_ms=record.at_ms,
            state="" if game.fault is not None else game.state_hash(),
        )

    async def close(self, id: str, secret: str, game: ports.Game) -> None:
        """End the journal of a game that is over."""
        assert game.result is not None, id
        await self._writer.close(id, game.result, secret=secret, at_ms=now_ms())

    def abandon(self, id: str) -> None:
        """Leave a game's journal without an end."""
        self._writer.abandon(id)

    async def opened(self, id: str) -> None:
        """Add that all seats have agreed to show it whole."""
        if not await self._writer.opened(id, at_ms=now_ms()):
            log.warning("opened_too_late", game=id)

    async def find(self, id: str) -> ports.Saved | None:
        """A game that is over, from its file; None if there is none that can be read."""
        try:
            journal = await trio.to_thread.run_sync(partial(read, self._files.path(id), torn=True))
        except (FileNotFoundError, ValueError):
            return None
        except JournalError as error:
            log.warning("journal_unreadable", game=id, reason=str(error))
            return None
        return _saved(journal)


def _saved(journal: Journal) -> ports.Saved | None:
    """A journal's game as the host knows games; None if it is not over, or was no table's."""
    header, end = journal.header, journal.end
    transcript = transcript_of(header)
    if end is None or transcript is None:
        return None
    terms = dict(header.table_options)
    streams = terms.pop(STREAMS, ())
    return ports.Saved(
        header=ports.Header(
            game=header.table,
            ruleset=header.ruleset,
            seats=tuple(seat.name for seat in header.seats),
            decks=tuple(seat.deck for seat in header.seats),
            options=header.options,
            terms=msgspec.convert(terms, Terms),
            transcript=transcript,
            opened_ms=header.opened_ms,
            streams=msgspec.convert(streams, tuple[ports.Mark, ...]),
        ),
        entries=tuple(line.entry for line in journal.entries),
        secret=end.secret,
        over_ms=end.at_ms,
        is_open=journal.opened,
    )


def random_bot(seat: int, seed: int) -> RandomBot:
    """The bot that draws; its seed is not the game's, so that it tells nothing about it."""
    return RandomBot(f"bot of {seed}", seat)


class HostedBot:
    """A sensible bot, which learns at its first prompt what game it plays."""

    def __init__(self, seat: int, seed: int) -> None:
        self._seat = seat
        self._seed = seed
        self._bot: SensibleBot | None = None

    async def decide(self, prompt: Prompt, game: ports.Game) -> Answer:
        """What the advice for the game's ruleset rates highest."""
        if self._bot is None:
            assert isinstance(game, Game), "every game of this server is one"
            self._bot = SensibleBot(
                load_advice(game.rules.name), f"bot of {self._seed}", self._seat
            )
        return self._bot.answer(prompt, game.view(prompt.seat))


BOTS: Mapping[str, ports.BotFactory] = {"random": random_bot, "sensible": HostedBot}
