"""Games and journals as a server needs them: rulesets behind its port for games, files behind its
port for journals.

Owns what is between the two: the state hash that goes with every entry, and the end of a journal
when its game is over. A game is known by its seed until its table has a journal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from longfuse.actors import ActorHost
from longfuse.bots.random import RandomBot
from longfuse.bots.sensible import SensibleBot
from longfuse.cli.own_cards import by_ruleset, carried, read_deck, with_cards
from longfuse.game.entries import Refused
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.host import ports
from longfuse.journal.format import Header, SeatLine, Seed
from longfuse.journal.writer import Writer
from longfuse.rulesets.catalogue import Ruleset, SeatSetup, load, load_advice, names
from longfuse_protocol.messages import RulesetInfo
from longfuse_protocol.prompts import Answer, Prompt

DECK_OPTION = "deck {}"
"""The table option that names the deck of a seat, counted from 1."""
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
        self._by_seed: WeakValueDictionary[int, Game] = WeakValueDictionary()
        self._catalogue: tuple[RulesetInfo, ...] = ()

    def catalogue(self) -> Sequence[RulesetInfo]:
        """What can be played, with the decks that each seat may take."""
        if not self._catalogue:  # made once: clients ask for it as often as they like
            self._catalogue = tuple(_info(ruleset) for ruleset in self._rulesets.values())
        return self._catalogue

    def create(
        self,
        ruleset: str,
        seats: int,
        options: Mapping[str, object],
        seed: int,
        tasks: ActorHost,
    ) -> ports.Game:
        """A game that waits for its first entry."""
        if RANDOM_LABELS in options:
            raise Refused("option", f"there is no option {RANDOM_LABELS!r}")
        rules = self.ruleset(ruleset)
        setups, left = seat_setups(rules, seats, options)
        game = rules.create(setups, host=tasks, key=key_of_seed(seed), options=left)
        game.start()
        self._by_seed[seed] = game
        return game

    def ruleset(self, name: str) -> Ruleset:
        """The ruleset of that name, with this server's card files."""
        return self._rulesets[name]

    def take(self, seed: int) -> Game:
        """The game that was made with this seed."""
        return self._by_seed[seed]


def seat_setups(
    ruleset: Ruleset, seats: int, options: Mapping[str, object]
) -> tuple[tuple[SeatSetup, ...], dict[str, Any]]:
    """Who plays with which deck, and the options that are the ruleset's."""
    decks = list(ruleset.decks())
    left = dict(options)
    setups = []
    for seat in range(seats):
        option = DECK_OPTION.format(seat + 1)
        deck = left.pop(option, decks[seat % len(decks)])
        if isinstance(deck, str) and "\n" in deck:
            setups.append(SeatSetup(f"P{seat + 1}", read_deck(ruleset.NAME, deck)))
            continue
        if deck not in decks:
            raise Refused("option", f"{option}: there is no deck {deck!r}; there is {_list(decks)}")
        setups.append(SeatSetup(f"P{seat + 1}", carried(ruleset, deck)))
    return tuple(setups), left


def _list(words: Sequence[str]) -> str:
    return ", ".join(repr(word) for word in words)


def _info(ruleset: Ruleset) -> RulesetInfo:
    decks = list(ruleset.decks())
    options: dict[str, object] = {DECK_OPTION.format(seat): decks for seat in (1, 2)}
    return RulesetInfo(name=ruleset.NAME, title=ruleset.NAME, options=options)


class NoJournals:
    """Keeps nothing: a server without a data folder."""

    async def open(self, header: ports.Header) -> None:
        """Nothing is kept."""

    async def append(self, table: str, record: ports.Record) -> None:
        """Nothing is kept."""


class Journals:
    """Every game of a server as a file that `verify` and `replay` read."""

    def __init__(self, games: Games, writer: Writer) -> None:
        self._games = games
        self._writer = writer
        self._playing: WeakValueDictionary[str, Game] = WeakValueDictionary()
        """By table. A table that is suspended or given up takes its game with it."""

    async def open(self, header: ports.Header) -> None:
        """Begin a game's journal."""
        ruleset = self._games.ruleset(header.ruleset)
        setups, left = seat_setups(ruleset, len(header.seats), header.options)
        self._playing[header.table] = self._games.take(header.seed)
        await self._writer.open(
            Header(
                table=header.table,
                ruleset=header.ruleset,
                rules_version=ruleset.rules_version(),
                seats=tuple(
                    SeatLine(name, setup.deck)
                    for name, setup in zip(header.seats, setups, strict=True)
                ),
                options=left,
                table_options={"players": list(header.seats)},
                randomness=Seed(str(header.seed)),
                opened_ms=header.opened_ms,
            )
        )

    async def append(self, table: str, record: ports.Record) -> None:
        """Add an entry that the game has taken; with the last one, the end."""
        game = self._playing[table]
        broken = game.fault is not None
        await self._writer.append(
            table,
            record.entry,
            command=record.command,
            spent_ms=record.spent_ms,
            at_ms=record.at_ms,
            state="" if broken else game.state_hash(),
        )
        if broken:
            self._writer.abandon(table)
            del self._playing[table]
        elif game.result is not None:
            await self._writer.close(table, game.result, at_ms=record.at_ms)
            del self._playing[table]


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
