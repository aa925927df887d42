"""Where "why" and "why not" are answered, in games of chance of every ruleset."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from longfuse.actors import InlineHost
from longfuse.bots.random import RandomBot
from longfuse.game.entries import Decision, Entry, Refused, TakeBack
from longfuse.game.eyes import Viewer
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.catalogue import SeatSetup, load, names
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import View

VIEWERS: tuple[Viewer, ...] = (0, 1, "spectator")
ENTRIES = 250
ASKED_WHAT_TO_DO = ("priority", "focus", "action")


class Seen(NamedTuple):
    """After an entry: every viewer's view, what it has been told so far, and what is asked."""

    views: dict[Viewer, View]
    told: dict[Viewer, dict[int, dict[str, Any]]]
    prompt: Prompt | None


def a_game(ruleset: str, seed: int) -> Game:
    """A game that waits for its first entry."""
    rules = load(ruleset)
    decks = list(rules.decks())
    seats = tuple(SeatSetup(f"P{seat}", decks[(seed + seat) % len(decks)]) for seat in range(2))
    game = rules.create(seats, host=InlineHost(), key=key_of_seed(seed), options={})
    game.start()
    return game


def entries(game: Game, seed: int) -> Iterator[Entry]:
    """Play by chance, and now and then take back; what was entered."""
    chance = random.Random(seed)
    bots = [RandomBot(f"why {seed}", seat) for seat in range(2)]
    for _ in range(ENTRIES):
        prompt = game.open_prompt
        if prompt is None:
            return
        entry: Entry = Decision(prompt.seat, prompt.id, bots[prompt.seat].choose(prompt))
        if game.has_open_play and chance.random() < 0.2:
            entry = TakeBack(prompt.seat)
        try:
            game.advance(entry)
        except Refused:
            continue
        yield entry


def watched(ruleset: str, seed: int) -> Iterator[Seen]:
    """Look at a game after each entry."""
    game = a_game(ruleset, seed)
    told: dict[Viewer, dict[int, dict[str, Any]]] = {viewer: {} for viewer in VIEWERS}
    for _ in entries(game, seed):
        for viewer in VIEWERS:
            events: Any = game.frames(viewer).events
            told[viewer] |= {event["n"]: event for event in events}
        yield Seen({viewer: game.view(viewer) for viewer in VIEWERS}, told, game.open_prompt)


@pytest.mark.parametrize("ruleset", names())
def test_a_fuse_says_which_event_lit_it(ruleset: str) -> None:
    """By the viewer's own number, the same as long as it waits; and the event names its source."""
    waiting = 0
    for seed in range(4):
        lit: dict[tuple[Viewer, str], int] = {}
        for seen in watched(ruleset, seed):
            for viewer, view in seen.views.items():
                now = {key: one for key, one in view.entities.items() if key[1:].isdecimal()}
                for key in [key for key in now if key.startswith("w")]:
                    number: Any = now[key]["created_by"]
                    event = seen.told[viewer][number]
                    assert event["event"] == "ability created"
                    assert now[key]["source"] in event["text"]
                    assert lit.setdefault((viewer, key), number) == number
                    waiting += 1
                for key in [key for at, key in lit if at == viewer and key not in now]:
                    del lit[viewer, key]
    assert waiting > 100


@pytest.mark.parametrize("ruleset", names())
def test_causes_come_before_what_they_cause(ruleset: str) -> None:
    """A cause is an event that the viewer was told of before, or none."""
    caused = 0
    for seen in watched(ruleset, 1):
        for told in seen.told.values():
            newest = list(told.values())[-20:]
            for event in newest:
                assert event["cause"] < event["n"]
                assert event["cause"] == 0 or event["cause"] in told
                caused += event["cause"] > 0
    assert caused > 100


@pytest.mark.parametrize("ruleset", names())
def test_nobody_needs_to_watch_for_numbers_to_be_the_same(ruleset: str) -> None:
    """A game that is played again from its entries, looked at only at the end, shows the same."""
    game, again = a_game(ruleset, 3), a_game(ruleset, 3)
    for entry in entries(game, 3):
        for viewer in VIEWERS:
            game.frames(viewer)
        again.advance(entry)

    for viewer in VIEWERS:
        assert again.view(viewer).entities == game.view(viewer).entities


@pytest.mark.parametrize("ruleset", names())
def test_what_can_t_be_done_says_why(ruleset: str) -> None:
    """Who is asked what to do finds each card of the hand; what is not legal has a reason, and the
    clause of it if the reason names one."""
    offered = refused = 0
    for seed in range(3):
        for seen in watched(ruleset, seed):
            prompt = seen.prompt
            if prompt is None:
                continue
            for item in prompt.items:
                if not item.legal:
                    refused += 1
                    assert item.reason
                    assert not item.reason.endswith(")") or item.reason.endswith(f"({item.clause})")
                else:
                    assert (item.reason, item.clause) == ("", "")
            if prompt.kind in ASKED_WHAT_TO_DO:
                hand: Any = seen.views[prompt.seat].entities[f"zone:hand:{prompt.seat}"]["objects"]
                about = {key for item in prompt.items for key in item.about}
                offered += len(hand)
                assert set(hand) <= about
    assert offered > 100
    assert refused > 100


@pytest.mark.parametrize(
    ("ruleset", "death", "fight"),
    [("riftbound", "unit died", "mark:combat"), ("hkk", "creature died", "attacked")],
)
def test_a_death_leads_back_to_the_fight(ruleset: str, death: str, fight: str) -> None:
    """Who died of damage did so because of that damage, and that came of a fight or of a card."""
    roots: Counter[str] = Counter()
    for seed in range(4):
        for seen in watched(ruleset, seed):
            told = seen.told[0]
            for event in list(told.values())[-20:]:
                if event["event"] == death and " damage" in event["text"]:
                    damage = told[event["cause"]]
                    assert damage["event"] == "damage dealt"
                    assert set(event["objects"]) <= set(damage["objects"])
                    roots[told[damage["cause"]]["event"]] += 1
    assert roots[fight] > 0
    assert len(roots) > 1
