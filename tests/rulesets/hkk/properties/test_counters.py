"""Random games: what holds of rule 127's counters at every moment of every game."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longfuse.game.entries import Decision
from longfuse.game.game import Game
from longfuse.rulesets.hkk import asking, counters
from longfuse.rulesets.hkk.duel import Duel
from longfuse.rulesets.hkk.options import OPTIONS
from longfuse.rulesets.hkk.state import Permanent
from longfuse.timing.messages import Happened
from longfuse.timing.references import Ref
from rulesets.hkk.properties.games import answer, make

TURNS = 12
Stay = tuple[Ref, str]


class Watcher:
    """Looks at a game after every decision, and counts what falls in which phase."""

    def __init__(self, game: Game, rules: Duel) -> None:
        self.game = game
        self.rules = rules
        self.zero: set[Stay] = set()
        self.ticks: list[tuple[Ref, str, int]] = []
        self.due: dict[Stay, bool] = {}
        self.since = 0
        self.seen = 0

    def look(self) -> None:
        """What must hold now."""
        for ref in self.game.board.zone("board"):
            value: Permanent = self.game.store.values[ref]
            for kind, number in value.counters:
                assert number >= 0
                if (ref, kind) in self.zero:
                    assert number == 0, "once zero, always zero in that stay"
                if number == 0 and kind in value.entered_with:
                    self.zero.add((ref, kind))
            self._gates(ref, value)
        for message in self.game.log.events[self.seen :]:
            if message.event == "counter removed" and message.fact("rule"):
                self._tick(message)
        self.seen = len(self.game.log.events)

    def _gates(self, ref: Ref, value: Permanent) -> None:
        for ability in self.rules.definition(ref).abilities:
            gate = ability.gate
            if gate is None or not asking.usable(self.rules, ref, ability):
                continue
            assert gate.counter in value.entered_with
            assert (value.count(gate.counter) > 0) == (gate.works == "open")
            assert not asking.suppressed(self.rules, ref, ability)

    def _tick(self, message: Happened) -> None:
        assert message.amount == 1
        key = (message.subjects[0], str(message.fact("kind")), self.game.now.turn)
        assert key not in self.ticks, "one in each phase"
        self.ticks.append(key)

    # ------------------------------------------------------------ from phase to phase

    def leave(self) -> None:
        """A phase is about to be left: before the preparation phase note what may fall in it, after
        it hold that against what fell."""
        if self.game.now.phase == "end of turn":
            self.due = self._running(self.rules.opponent(self.game.now.owner))
            self.since = self.game.last_ordinal
        elif self.game.now.phase == "preparation":
            self._hold_against(self._running(self.game.now.owner))

    def _running(self, seat: int) -> dict[Stay, bool]:
        """The counters of a player's permanents, each with whether it is frozen."""
        return {
            (ref, kind): counters.is_frozen(self.rules, ref, kind)
            for ref, kind in counters.falling(self.rules, seat)
        }

    def _hold_against(self, after: dict[Stay, bool]) -> None:
        acted = [m for m in self.game.log.events if m.ordinal > self.since]
        if any(m.event in ("card played", "card finalized", "ability used") for m in acted):
            return
        for (ref, kind), frozen in self.due.items():
            if after.get((ref, kind), frozen) != frozen or not self.rules.is_there(ref):
                continue
            fell = (ref, kind, self.game.now.turn) in self.ticks
            assert fell != frozen, "one falls in each phase, unless it is frozen"


def _play(seed: int, options: dict[str, str]) -> Game:
    chance = random.Random(seed)
    game = make(seed, options=options, hold=True)
    assert isinstance(game.rules, Duel)
    watcher = Watcher(game, game.rules)
    while game.result is None and game.now.turn <= TURNS:
        watcher.look()
        if game.held is not None:
            watcher.leave()
            game.go_on()
            continue
        prompt = game.prompt
        assert prompt is not None
        game.advance(Decision(prompt.seat, prompt.id, answer(chance, prompt)))
    return game


@pytest.mark.rule("127.0.1", "127.0.2", "127.0.4", "127.0.6", "127.1", "127.2")
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_counters_in_random_games(seed: int) -> None:
    """Never below zero; a gate works on its side only; zero is for good; one falls a phase."""
    _play(seed, {})


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(sorted(OPTIONS)))
def test_the_same_with_another_reading(seed: int, option: str) -> None:
    """Whatever reading is in force."""
    if option != "D15":
        _play(seed, {option: OPTIONS[option][-1]})


def test_one_seed_one_game() -> None:
    """The same decisions give the same states."""
    assert _play(7, {}).state_hash() == _play(7, {}).state_hash()
