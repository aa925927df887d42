"""Whatever acts or ends by the calendar has been announced at the last chance before it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from complaints.scene import LONG
from host.passed_games import RULESETS, drawn, of_shipped_cards
from longfuse.game.entries import Decision
from longfuse.game.game import Game
from longfuse.rulesets.catalogue import load_passing

SEEDS = range(60 if LONG else 3)
ENTRIES = 700 if LONG else 400
FALLS = "127.0.1"
"""The clause of a counter that falls; what a card takes away has another."""

Entities = Mapping[str, Mapping[str, Any]]


class Gone(NamedTuple):
    """A fuse that has acted or ended, or a last counter that has fallen.

    key: what announces it. warned: what was announced at the last chance that anybody had.
    """

    key: str
    warned: frozenset[str]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_fuses_that_wait_for_a_time_are_announced(ruleset: str) -> None:
    """Whole random games of shipped cards: each that ends or acts at a mark has interrupted before,
    and each last counter that falls by the rules (127.0.1). All is tried with LONGFUSE_LONG=1."""
    seen = 0
    for seed in SEEDS:
        for gone in _gone(ruleset, seed):
            seen += 1
            assert gone.key in gone.warned, (seed, gone)

    assert seen > 30


def _gone(ruleset: str, seed: int) -> Iterator[Gone]:
    game, chance = of_shipped_cards(ruleset, seed), random.Random(seed)
    rules = load_passing(ruleset)
    seat, warned = 0, frozenset[str]()
    for _ in range(ENTRIES):
        question, prompt = game.prompt, game.open_prompt
        if question is None or prompt is None:
            return
        if rules.chance(prompt, game.view(prompt.seat)) is not None:
            seat = prompt.seat
            found = rules.interruptions(game.view(seat), (), seat)
            warned = frozenset(one.key for one in found if one.kind == "fuse")
        before = game.view(seat).entities
        game.frames(seat)
        game.advance(Decision(question.seat, question.id, drawn(ruleset, chance, question)))
        if game.result is not None:
            return
        events = game.frames(seat).events
        for key in (*_timed_out(game, seat, before, events), *_fallen(before, events)):
            yield Gone(f"fuse:{key}", warned)


def _timed_out(
    game: Game, seat: int, before: Entities, events: list[dict[str, Any]]
) -> Iterator[str]:
    """What waits no more, after a mark that it waited for was reached."""
    now, turn, player = game.view(seat).entities, before["mark"]["turn"], before["mark"]["player"]
    reached = []
    for event in events:
        if event["event"] == "mark:turn":
            turn, player = turn + 1, event["player"]
        reached.append((event["event"], turn, player))
    for key, fields in before.items():
        if key[0] != "w" or not key[1:].isdigit() or key in now:
            continue
        if any(
            "over" not in mark
            and name == f"mark:{mark['mark']}"
            and mark["turn"] <= at
            and mark["player"] in (None, whose)
            for mark in fields["marks"]
            for name, at, whose in reached
        ):
            yield key


def _fallen(before: Entities, events: list[dict[str, Any]]) -> Iterator[str]:
    """Permanents of hkk whose last counter of a kind has fallen by the rules alone (127.0.1)."""
    for event in events:
        for key in event["objects"] if event["clause"] == FALLS else ():
            kind = event["text"].split()[1]  # "A delayed counter falls off …"
            if before.get(key, {}).get("counters", {}).get(kind) == 1:
                yield f"{key}:{kind}"
