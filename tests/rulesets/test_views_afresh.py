"""What viewers are shown entry by entry is what would be made of the game from nothing.

Games of every ruleset are played at random, with plays taken back, people introduced and games
ended in the middle of a play. After every entry each viewer's view, and what its frames add up to,
is held against one made by other `Views` and other rules that have kept nothing.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from longfuse.abilities.ability import Do
from longfuse.abilities.watching import walk
from longfuse.actors import InlineHost
from longfuse.bots.random import RandomBot
from longfuse.game.entries import Decision, Interruption, TakeBack
from longfuse.game.eyes import Viewer
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.game.rules import Rules
from longfuse.game.views import Views
from longfuse.rulesets.hkk import entry as hkk_entry
from longfuse.rulesets.hkk.duel import Duel
from longfuse.rulesets.hkk.setup import Deck, Setup
from longfuse.rulesets.riftbound.definition import Definition
from longfuse.timing.references import Ref
from longfuse_protocol.views import Delta, Entity, View, apply
from rulesets.hkk.pool import POOL
from rulesets.riftbound.properties import games as riftbound

ENTRIES = 300
Shown = dict[Viewer, dict[str, Entity]]


def riftbound_game(seed: int) -> Game:
    """A game of shipped cards, many of which can be hidden or change who controls what."""
    chance, cards = random.Random(seed), riftbound.playable()
    often = [card for card in cards if "Hidden" in card.keyword_amounts or is_thief(card)]
    one, other = (
        riftbound.deck(name, [*chance.choices(cards, k=30), *chance.choices(often, k=10)], name)
        for name in ("North", "South")
    )
    return riftbound.make(seed, (one, other), views=True)


def is_thief(card: Definition) -> bool:
    """Whether it takes control of something."""
    nodes = walk((card.program, card.abilities))
    return any(isinstance(node, Do) and node.verb == "control" for node in nodes)


def hkk_game(seed: int) -> Game:
    """A game of test cards, which do everything to counters, and of shipped ones."""
    chance, shipped = random.Random(seed), hkk_entry.definitions()
    brought = tuple(
        Deck(name, (*POOL, *chance.choices([*shipped.values()], k=30))) for name in ("one", "other")
    )
    rules = Duel(Setup(("Ada", "Bo"), brought, tokens=shipped))
    game = Game(rules, InlineHost(), seats=2, key=key_of_seed(seed))
    game.start()
    return game


GAMES: dict[str, Callable[[int], Game]] = {"riftbound": riftbound_game, "hkk": hkk_game}
SEEN = {
    "riftbound": {"attached", "control", "facedown", "fuse ended", "parts", "token"},
    "hkk": {"attached", "control", "copy", "fuse ended", "parts", "suppressed", "token"},
}
"""What must have been seen in the games of a ruleset, so that they try what they are to try."""


def made_afresh(game: Game, viewers: Iterable[Viewer]) -> Shown:
    """Those views, made by nothing that has kept anything; the viewers' ids are as given so far."""
    rules, views = game.rules, game.views
    assert views is not None
    fresh = Views(game)
    fresh._waits = dict(views._waits)
    for viewer, eyes in fresh.eyes.items():
        known = views.eyes[viewer]
        eyes.ids, eyes.made = dict(known.ids), dict(known.made)
        eyes.numbered, eyes.last_number = known.numbered, known.last_number
    game.rules, game.views = forgetful(rules), fresh
    try:
        return {viewer: game.view(viewer).entities for viewer in viewers}
    finally:
        game.rules, game.views = rules, views


def forgetful(rules: Rules) -> Rules:
    """The same rules without what they have worked out: their tables, and as of when those are."""
    other = copy.copy(rules)
    for name, value in vars(rules).items():
        if isinstance(value, dict):
            setattr(other, name, {})
        elif name.endswith("_at"):
            setattr(other, name, -1)
    return other


class Onlooker:
    """Takes every viewer's frames of a game, and holds them against what is made afresh."""

    def __init__(self, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        views = game.views
        assert views is not None
        self.game = game
        self.views = views
        self.shown = {viewer: View() for viewer in views.eyes}
        self.seen: Counter[str] = Counter()
        self._outside: Shown = {}
        self._begins = views.play_begins
        monkeypatch.setattr(views, "play_begins", self._play_begins)

    def _play_begins(self, seat: int) -> None:
        others: list[Viewer] = [viewer for viewer in self.views.eyes if viewer != seat]
        self._outside = made_afresh(self.game, others)
        self._begins(seat)

    def look(self, *, first: bool) -> None:
        """Take what is new. first: look at the whole view before that, too."""
        for viewer, shown in self.shown.items():
            if first:
                self.game.view(viewer)
            changes = self.game.frames(viewer).changes
            self._hold_against(shown, changes)
            apply(shown, changes)
        expected = made_afresh(self.game, self.shown)
        if self.game.has_open_play:
            expected |= self._outside
        for viewer, shown in self.shown.items():
            assert shown.entities == expected[viewer], viewer
            assert self.game.view(viewer).entities == expected[viewer], viewer

    def _hold_against(self, shown: View, changes: Delta) -> None:
        for key, entity in changes.items():
            before = shown.entities.get(key)
            assert before != entity, f"{key} has not changed: {entity}"
            self._note(key, before, entity)

    def _note(self, key: str, before: Entity | None, now: Entity | None) -> None:
        if key.startswith("w") and now is None:
            self.seen["fuse ended"] += 1
        if not key.startswith("o") or now is None:
            return
        self.seen["attached"] += now.get("attached_to") is not None
        self.seen["control"] += now.get("controller") not in (None, now["owner"])
        self.seen["facedown"] += now["zone"] == "facedown"
        self.seen["copy"] += before is not None and before["card"] != now["card"]
        self.seen.update(word for word in ("token", "parts", "suppressed") if word in now)


def play(game: Game, seed: int, onlooker: Onlooker) -> None:
    """Play by chance: decide, take back, be introduced; at last concede, in an open play if any."""
    chance = random.Random(seed)
    bots = [RandomBot(f"afresh {seed}", seat) for seat in range(2)]
    last = chance.randrange(ENTRIES // 2, ENTRIES)
    for number in range(ENTRIES):
        prompt = game.open_prompt
        if prompt is None:
            return
        if number >= last and (game.has_open_play or number == ENTRIES - 1):
            onlooker.seen["given up in a play"] += game.has_open_play
            game.advance(Interruption("concede", prompt.seat))
        elif game.has_open_play and chance.random() < 0.3:
            onlooker.seen["taken back"] += 1
            game.advance(TakeBack(prompt.seat))
        else:
            game.advance(Decision(prompt.seat, prompt.id, bots[prompt.seat].choose(prompt)))
        if chance.random() < 0.02:
            game.introduce((f"Ada {number}", "Bo"))
        onlooker.look(first=chance.random() < 0.2)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", GAMES)
def test_what_is_shown_is_what_would_be_made_afresh(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After every entry, for every viewer, whatever happens in the games."""
    seen: Counter[str] = Counter()
    for seed in range(6):
        game = GAMES[ruleset](seed)
        onlooker = Onlooker(game, monkeypatch)
        onlooker.look(first=False)
        play(game, seed, onlooker)
        seen.update(onlooker.seen)
    wanted = SEEN[ruleset] | {"taken back", "given up in a play"}
    assert not {word for word in wanted if not seen[word]}, seen


class Spied(dict[Any, Any]):
    """A table that notes what is looked up in it."""

    def __init__(self, table: dict[Any, Any]) -> None:
        super().__init__(table)
        self.looked_up: set[Any] = set()

    def __getitem__(self, key: Any) -> Any:
        """The value."""
        self.looked_up.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        """Whether it is there."""
        self.looked_up.add(key)
        return super().__contains__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value, or that."""
        self.looked_up.add(key)
        return super().get(key, default)


def own(ref: Ref) -> set[Any]:
    """What of the state an object may show without being looked at again: all that is its own, and
    whether anything is a copy, which goes with the value of what became one."""
    return {ref, ("card", ref.card), ("last", ref), ("copies",)}


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", GAMES)
def test_what_is_settled_is_shown_by_its_own_value_alone(ruleset: str) -> None:
    """While no passive waits of which the ruleset says that it is asked, nothing else is read of
    the state, and no other passive is asked for."""
    game = GAMES[ruleset](7)
    stored = game.store.values = Spied(game.store.values)
    live = game.subscriptions.live = Spied(game.subscriptions.live)
    bots = [RandomBot("settled", seat) for seat in range(2)]
    settled: Counter[str] = Counter()
    for _ in range(ENTRIES):
        prompt = game.open_prompt
        if prompt is None:
            break
        game.advance(Decision(prompt.seat, prompt.id, bots[prompt.seat].choose(prompt)))
        for ref in game.board.objects:
            asks = game.rules.view_asks(ref)
            if asks is None or any(live.get(word) for word in asks):
                continue
            rules = forgetful(game.rules)
            stored.looked_up.clear()
            live.looked_up.clear()
            face = rules.object_view(ref)
            assert stored.looked_up <= own(ref), f"{face.fields} reads {stored.looked_up}"
            assert live.looked_up <= set(asks), f"{face.fields} asks for {live.looked_up}"
            settled[str(face.fields["type"])] += 1
    assert len(settled) > 2, settled
