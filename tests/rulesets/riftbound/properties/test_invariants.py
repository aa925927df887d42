"""What holds after every entry of every game."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longfuse.actors import InlineHost
from longfuse.game.game import Game
from longfuse.game.state import ChainItem
from longfuse.game.store import Store
from longfuse.rulesets.riftbound.duel import Duel
from rulesets.riftbound.properties.games import (
    any_game,
    may_take_back,
    play,
    random_pick,
    take_back,
)

seeds = st.integers(0, 2**32 - 1)


def hashed_anew(game: Game) -> str:
    """The state hash, computed from nothing."""
    store = Store()
    for key, value in game.store.values.items():
        store.put(key, value)
    return store.digest()


def cards_are_somewhere_once(game: Game) -> None:
    """Every card is in the one zone that it is said to be in, and no zone has it twice."""
    found: dict[int, str] = {}
    for name in game.rules.zone_names:
        for ref in game.board.zone(name):
            assert ref.card not in found, f"{game.board.card(ref).name} is in two places"
            found[ref.card] = name
            assert game.board.is_there(ref), f"{ref} is in {name} and not there"
    for card in game.board.cards:
        zone = game.board.place(card.id).zone
        assert found.get(card.id, "") == zone
        if not card.token:
            assert zone, f"{card.name} has vanished"


def tasks_are_objects_with_behaviour(game: Game, host: InlineHost) -> None:
    """The actors are the zones and the objects that behave where they are."""
    behaving = {
        ref
        for name in game.rules.zone_names
        for ref in game.board.zone(name)
        if game.rules.behaves(game.board.card(ref), name)
    }
    assert set(game.board.objects) == behaving
    assert len(host.tasks()) == len(behaving) + len(game.rules.zone_names)


def records_are_alive(game: Game) -> None:
    """No record is installed whose object has gone, and store and index agree."""
    installed = game.subscriptions.records
    kept = {key[1] for key in game.store.values if key[0] == "record"}
    assert set(installed) == kept
    for record in installed.values():
        if not record.delayed and record.source.object is not None:
            assert game.board.is_there(record.source.object), record.source.card
        if record.about is not None:
            assert game.board.is_there(record.about), record.source.card


@settings(max_examples=12)
@given(seeds)
def test_random_games_break_no_invariant(seed: int) -> None:
    """Cards, actors, records and the hash agree after every entry, whatever is played."""
    host = InlineHost()
    game = any_game(seed, host=host)
    rules = game.rules
    assert isinstance(rules, Duel)
    rules.recheck_every = 7
    chooser = random.Random(seed)
    for number, _ in enumerate(play(game, random_pick(chooser), entries=400)):
        cards_are_somewhere_once(game)
        tasks_are_objects_with_behaviour(game, host)
        records_are_alive(game)
        if number % 20 == 0:
            assert game.state_hash() == hashed_anew(game)


@settings(max_examples=12)
@given(seeds)
def test_a_one_shot_acts_at_most_once(seed: int) -> None:
    """A delayed ability with one use becomes a chain item once; one that has ended, never."""
    game = any_game(seed)
    acted: dict[int, set[int]] = {}
    for _ in play(game, random_pick(random.Random(seed)), entries=400):
        for item in (v for v in game.store.values.values() if isinstance(v, ChainItem)):
            record = item.record
            if record is not None and record.delayed and record.uses == 1:
                acted.setdefault(record.id, set()).add(item.id)
    assert all(len(items) == 1 for items in acted.values())


@settings(max_examples=15)
@given(seeds)
def test_taking_back_restores_everything(seed: int) -> None:
    """State, ids, ordinals, randomness and actors are as before the play began."""
    host = InlineHost()
    game = any_game(seed, host=host, views=True)
    chooser = random.Random(seed)
    pick = random_pick(chooser)
    before = (game.state_hash(), host.tasks(), views_of(game), game.last_ordinal)
    for _ in play(game, pick, entries=300):
        if not may_take_back(game):
            before = (game.state_hash(), host.tasks(), views_of(game), game.last_ordinal)
        elif chooser.random() < 0.5:
            take_back(game)
            assert (game.state_hash(), host.tasks(), views_of(game), game.last_ordinal) == before
            records_are_alive(game)


def views_of(game: Game) -> list[object]:
    """What every viewer sees."""
    return [game.view(viewer) for viewer in (0, 1, "spectator")]


@settings(max_examples=6)
@given(seeds)
def test_the_same_seed_and_decisions_are_the_same_game(seed: int) -> None:
    """Two runs have the same hash after every entry."""
    runs = []
    for _ in range(2):
        game = any_game(seed)
        hashes = [game.state_hash() for _ in play(game, random_pick(random.Random(seed)))]
        runs.append((hashes, game.result))
    assert runs[0] == runs[1]


def test_the_checks_can_fail() -> None:
    """A card that is put into a second zone is found out."""
    game = any_game(1)
    ref = game.board.zone("hand:0")[0]
    game.board.arrange("hand:1", (*game.board.zone("hand:1"), ref))
    with pytest.raises(AssertionError, match="two places"):
        cards_are_somewhere_once(game)
