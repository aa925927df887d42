"""Trying cards out: which of them games have used, and random decks of those that have not been.

Owns the pool of cards that can be played, `Watching`, a duel that notes which abilities it carries
out, and the legal decks that a runner plays. Chance comes from whoever calls: `pick(n)` is a number
below n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from longfuse.abilities.ability import Ability, Create
from longfuse.abilities.scope import Scope
from longfuse.abilities.watching import walk
from longfuse.actors import InlineHost
from longfuse.game.game import Game
from longfuse.game.questions import Steps
from longfuse.rulesets.catalogue import SeatSetup
from longfuse.rulesets.riftbound import entry, library
from longfuse.rulesets.riftbound.decks import Deck
from longfuse.rulesets.riftbound.definition import Definition, define
from longfuse.rulesets.riftbound.duel import Duel
from longfuse.rulesets.riftbound.legality import (
    COPIES_MOST,
    FIELDS,
    MAIN_LEAST,
    PLAYED,
    RUNES,
    SIGNATURES_MOST,
)
from longfuse.rulesets.riftbound.setup import Setup
from longfuse.timing.messages import Proposed
from longfuse.timing.records import Record

Pick = Callable[[int], int]

DONE_KINDS = ("spell", "triggered", "activated", "replacement")
"""Abilities that do something at one moment; the others are used by being in force."""


class Pool(msgspec.Struct):
    """Cards that can be played: definitions by name, and the fields of those that do not ship."""

    name: str
    cards: dict[str, Definition]
    fields: dict[str, dict[str, Any]] = {}

    def of_type(self, *types: str) -> list[Definition]:
        """Those of these types, in a fixed order."""
        return [card for card in self.cards.values() if card.type in types]


def pools(card_list: str | Path | None = None) -> list[Pool]:
    """The cards that ship; and of a public list those that are understood and played."""
    found = [Pool("shipped", dict(entry.definitions()))]
    if card_list is not None:
        brought = library.read_files([card_list])
        known = {
            name: define(card)
            for name, card in brought.cards.items()
            if card.type != "rune" and "token" not in card.supertypes
        }
        found.append(Pool("list", known, brought.fields))
    return found


# ---------------------------------------------------------------- what was used


class Used:
    """Which cards were played, and which abilities did something, over many games."""

    def __init__(self) -> None:
        self.played: set[str] = set()
        self.created: set[str] = set()
        self.acted: set[str] = set()
        self._carried: dict[tuple[str, int], Ability] = {}
        self._resolved: set[tuple[str, int]] = set()
        self._abilities: set[tuple[str, Ability]] = set()
        self._anywhere: set[Ability] = set()

    def carried_out(self, source: str, ability: Ability) -> None:
        """An ability of that source does something."""
        self._carried.setdefault((source, id(ability)), ability)

    def take(self, game: Game) -> None:
        """Note what a game's log tells."""
        board = game.board
        for message in game.log.events:
            if message.event in ("card played", "hidden") and message.subjects:
                self.played.add(board.cards[message.subjects[0].card].definition.name)
        for ref in board.zone("board"):
            definition = board.card(ref).definition
            if definition.type in ("legend", "battlefield"):
                self.played.add(definition.name)
        for key, ability in self._carried.items():
            if key not in self._resolved:
                self._resolved.add(key)
                self._abilities.add((key[0], ability))
                self._anywhere.add(ability)

    def unused(self, card: Definition) -> list[str]:
        """What of a card was never used: its name, or the words of its abilities."""
        if card.name not in self.played:
            return [card.name]
        found = [
            f"{card.name}: {ability.text or ability.keyword or ability.kind}"
            for ability in (*card.abilities, *card.built_in, *card.effect)
            if ability.kind in DONE_KINDS and not self._is_done(card, ability)
        ]
        if makes_delayed(card) and card.name not in self.created and not found:
            found.append(f"{card.name}: its delayed ability was never created")
        return found

    def _is_done(self, card: Definition, ability: Ability) -> bool:
        if ability.kind == "spell" and not ability.program.body:
            return True
        if ability.kind == "replacement" and getattr(ability.when, "event", "") == "enter":
            # Looked up where something enters; nothing tells of it.
            return True
        return (card.name, ability) in self._abilities or (
            ability in card.effect and ability in self._anywhere
        )


def makes_delayed(card: Definition) -> bool:
    """Whether its words create a delayed ability."""
    return any(isinstance(node, Create) for one in card.abilities for node in walk(one))


class Watching(Duel):
    """A duel that notes which abilities it carries out; the game is the same."""

    def __init__(self, setup: Setup, used: Used) -> None:
        super().__init__(setup)
        self._used = used

    def has_stopped(self, scope: Scope) -> bool:
        """Asked before each instruction."""
        item = self.game.store.get(("item", scope.item)) if scope.item else None
        if item is not None:
            if item.kind == "spell" and item.card is not None:
                for ability in self.game.board.card(item.card).definition.abilities:
                    if ability.kind == "spell":
                        self._used.carried_out(scope.source.card, ability)
            else:
                self._used.carried_out(scope.source.card, item.ability)
        if scope.record is not None:
            self._note(scope.record)
        return super().has_stopped(scope)

    def rewrite(self, record: Record, proposal: Proposed, scope: Scope) -> Steps[Proposed | None]:
        """A replacement applies."""
        self._note(record)
        return super().rewrite(record, proposal, scope)

    def create(self, ability: Ability, scope: Scope) -> Steps[None]:
        """An instruction creates a delayed ability."""
        self._used.created.add(scope.source.card)
        return super().create(ability, scope)

    def _note(self, record: Record) -> None:
        if record.delayed:
            self._used.acted.add(record.source.card)
        else:
            self._used.carried_out(record.source.card, record.ability)


def game(seats: Sequence[SeatSetup], key: bytes, used: Used) -> Game:
    """A game that has not started, and that notes what it uses."""
    duel = Watching(entry.setup_of(seats, {}), used)
    return game_of(duel, key)


def game_of(duel: Duel, key: bytes) -> Game:
    """A game of these rules whose whole log is kept."""
    return Game(
        duel, InlineHost(), seats=entry.SEATS, key=key, options={}, keep_events=True, views=False
    )


# ---------------------------------------------------------------- random decks


def random_deck(pool: Pool, pick: Pick, wanted: Iterable[str] = ()) -> Deck:
    """A legal deck; cards whose names are wanted go first."""
    first = frozenset(wanted)
    legends = [card for card in pool.of_type("legend") if champions(pool, card)]
    legends = [card for card in legends if _room(pool, card) >= MAIN_LEAST]
    legend = _choose(legends, pick, first)
    champion = _choose(champions(pool, legend), pick, first)
    counts = _main(pool, legend, champion, pick, first)
    fields = _shuffled(pool.of_type("battlefield"), pick, first)[:FIELDS]
    identity = list(legend.domains)
    share = 3 + pick(RUNES - 5) if len(identity) == 2 else RUNES
    runes = {identity[0]: share}
    if len(identity) == 2:
        runes[identity[1]] = RUNES - share
    deck = Deck(
        f"Random {legend.name}",
        counts,
        runes,
        legend.name,
        champion.name,
        tuple(field.name for field in fields),
    )
    return library.carrying(deck, pool.fields)


def champions(pool: Pool, legend: Definition) -> list[Definition]:
    """The champion units that a legend may have (103.2.a.2), in its domains."""
    return [
        card
        for card in pool.of_type("unit")
        if "champion" in card.supertypes
        and set(card.tags) & set(legend.tags)
        and set(card.domains) <= set(legend.domains)
    ]


def _may_hold(legend: Definition, card: Definition) -> bool:
    if not set(card.domains) <= set(legend.domains):
        return False
    return "signature" not in card.supertypes or bool(set(card.tags) & set(legend.tags))


def _copies(card: Definition) -> int:
    return 1 if "Unique" in card.keyword_amounts else COPIES_MOST


def _room(pool: Pool, legend: Definition) -> int:
    """How many cards a deck of that legend could have."""
    found = [card for card in pool.of_type(*PLAYED) if _may_hold(legend, card)]
    plain = sum(_copies(card) for card in found if "signature" not in card.supertypes)
    return plain + min(SIGNATURES_MOST, len(found))


def _main(
    pool: Pool, legend: Definition, champion: Definition, pick: Pick, first: frozenset[str]
) -> dict[str, int]:
    possible = [card for card in pool.of_type(*PLAYED) if _may_hold(legend, card)]
    counts: dict[str, int] = {}
    left, signatures = MAIN_LEAST - 1, SIGNATURES_MOST
    generous = False
    while left > 0:
        for card in _shuffled(possible, pick, first):
            most = _copies(card) - counts.get(card.name, 0) - (card is champion)
            if "signature" in card.supertypes:
                most = min(most, signatures)
            count = min(left, most if generous else min(most, 1 + pick(COPIES_MOST)))
            if count > 0:
                counts[card.name] = counts.get(card.name, 0) + count
                left -= count
                signatures -= count if "signature" in card.supertypes else 0
        generous = True
    return counts


def _choose(found: Sequence[Definition], pick: Pick, first: frozenset[str]) -> Definition:
    return _shuffled(found, pick, first)[0]


def _shuffled(found: Sequence[Definition], pick: Pick, first: frozenset[str]) -> list[Definition]:
    """In a random order, those that are wanted before the others."""
    left, mixed = list(found), []
    while left:
        mixed.append(left.pop(pick(len(left))))
    return sorted(mixed, key=lambda card: card.name not in first)
