"""Games of hkk for rule tests: stand one somewhere, decide for both seats, look at what is there.

    duel = a_duel(hand=[card("Slow Ember", "building", strengthens(delayed(2)))])
    duel.play("Slow Ember")
    duel.to("draw", turn=0)
    assert duel.counters("Slow Ember") == {"delayed": 1}

Cards go by their names, so each card of a test has its own. Seat 0 is the active player at first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from longfuse.actors import InlineHost
from longfuse.game import chain
from longfuse.game.entries import Decision
from longfuse.game.game import Game
from longfuse.game.questions import Question, Steps
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.hkk import turn
from longfuse.rulesets.hkk.definition import blank
from longfuse.rulesets.hkk.duel import Duel
from longfuse.rulesets.hkk.offers import Activate, Move, Pass, Play, Strike
from longfuse.rulesets.hkk.setup import Deck, Setup
from longfuse.rulesets.hkk.state import Permanent, place
from longfuse.timing.calendar import next_turn, reach
from longfuse.timing.references import Ref
from rulesets.hkk.cards import Placed

FIRST_TURN = 3
DECK_SIZE = 20
STEPS_MAX = 600


class Standing:
    """A place in a turn, and how a game is put there."""

    def __init__(
        self,
        hand: Sequence[Placed],
        board: Sequence[Placed],
        discard: Sequence[Placed],
        deck: Sequence[Placed],
        start: str,
        players: Sequence[Mapping[str, int]],
    ) -> None:
        self.places = (("hand", hand), ("discard", discard), ("deck", tuple(reversed(deck))))
        self.board = board
        self.start = start
        self.players = players
        self.cards: dict[str, int] = {}

    def resume(self, rules: Duel) -> Steps[None]:
        """Put everything where it is, then play on."""
        game = rules.game
        now = game.now
        for number in range(FIRST_TURN if self.start != "preparation" else FIRST_TURN - 1):
            now = next_turn(now, number % 2)
        names = list(turn.NAMES)
        for name in names[: names.index(self.start)]:
            now = reach(now, name, phase=name)
        game.store.put(("now",), now)
        for word, placed in self.places:
            for one in placed:
                game.move_card(self._make(game, one), f"{word}:{one.owner}")
        for one in self.board:
            self._in_play(game, one)
        for seat, fields in enumerate(self.players):
            game.change_seat(seat, turns=2, **fields)
        if self.start == "preparation":
            game.change_seat(0, turns=1)
        yield from turn.take_turn(rules, 0, self.start)

    def _make(self, game: Game, one: Placed) -> int:
        made = game.board.new_card(one.definition, one.owner, token=one.token)
        self.cards[one.definition.name] = made.id
        return made.id

    def _in_play(self, game: Game, one: Placed) -> None:
        controller = one.owner if one.controller is None else one.controller
        word = one.place or ("reserve" if one.definition.type == "creature" else "table")
        fields = dict(one.fields)
        if "on" in fields:
            to = self.cards[fields.pop("on")]
            fields["attached_to"] = Ref(to, game.board.place(to).residency)
        number = self._make(game, one)
        where = place(word, controller)
        game.move_card(number, "board", place=where, controller=controller, **fields)


class Playing:
    """One game, both of whose seats the test decides for."""

    def __init__(self, game: Game, rules: Duel, cards: dict[str, int]) -> None:
        self.game = game
        self.rules = rules
        self.cards = cards

    # ------------------------------------------------------------ looking

    def ref(self, name: str) -> Ref:
        """A card's present stay."""
        number = self.cards[name]
        return Ref(number, self.game.board.place(number).residency)

    def value(self, name: str) -> Permanent:
        """A permanent as it is."""
        found: Permanent = self.game.store.values[self.ref(name)]
        return found

    def zone(self, name: str) -> str:
        """Its zone, or its place in play."""
        zone = self.game.board.place(self.cards[name]).zone
        return self.value(name).place if zone == "board" else zone

    def counters(self, name: str) -> dict[str, int]:
        """The counters on it."""
        return dict(self.value(name).counters)

    def damage(self, name: str) -> int:
        """A creature's damage after all changes."""
        return self.rules.stat_of(self.ref(name), "damage")

    def hand(self, seat: int) -> int:
        """How many cards a seat has in hand."""
        return len(self.game.board.zone(f"hand:{seat}"))

    def life(self, seat: int) -> int:
        """A seat's life."""
        return self.rules.player(seat).life

    def magic(self, seat: int) -> int:
        """A seat's magic points."""
        return self.rules.player(seat).magic

    @property
    def queue(self) -> list[str]:
        """The sources of what is in the queue, oldest first."""
        return [item.source.card for item in chain.items(self.game)]

    @property
    def phase(self) -> str:
        """The present phase."""
        return self.game.now.phase

    @property
    def prompt(self) -> Question:
        """What is asked now, or next: a game of a test stops at the end of each phase."""
        while self.game.held is not None:
            self.game.go_on()
        assert self.game.prompt is not None, f"nobody is asked: {self.game.result}"
        return self.game.prompt

    def count(self, event: str, name: str | None = None, **facts: Any) -> int:
        """How often an event happened, to a card of that name if given."""
        return sum(
            message.event == event
            and all(message.fact(key) == value for key, value in facts.items())
            and (name is None or self._is_about(message, name))
            for message in self.game.log.events
        )

    def _is_about(self, message: Any, name: str) -> bool:
        return bool(message.subjects) and self.game.board.card(message.subjects[0]).name == name

    def reason(self, name: str) -> str:
        """Why the card can't be played, or its ability not be used; "" if it can."""
        return next(
            option.reason
            for option in self.prompt.items
            if isinstance(option.value, Play | Activate) and self._called(option.refs) == name
        )

    def _called(self, refs: tuple[Ref, ...]) -> str:
        return self.rules.card_name(refs[0]) if refs else ""

    # ------------------------------------------------------------ deciding

    def decide(self, answer: Any) -> None:
        """Give the open prompt an answer as it goes over the wire."""
        prompt = self.prompt
        self.game.advance(Decision(prompt.seat, prompt.id, answer))

    def _act(self, kind: type, name: str, choose: Sequence[Any]) -> None:
        for index, option in enumerate(self.prompt.items):
            if isinstance(option.value, kind) and name in ("", self._called(option.refs)):
                assert option.legal, f"{name}: {option.reason}"
                self.decide(index)
                for wanted in choose:
                    settled = [q for q, _ in self.game.settled if q.kind == "target"]
                    if any(self._fits(question, wanted) for question in settled):
                        continue
                    assert not self.may_pass(), f"nobody asked for {wanted}"
                    self.answer(wanted)
                return
        raise AssertionError(f"{name} is not offered: {[o.label for o in self.prompt.items]}")

    def _fits(self, question: Question, wanted: Any) -> bool:
        """Whether the only answer of a question that the game settled is the one wanted."""
        names = wanted if isinstance(wanted, list) else [wanted]
        legal = [one for one in question.items if one.legal]
        known = [{one.label, one.value, self._called(one.refs)} for one in legal]
        if len(known) != len(names):
            return False
        return all(name in one for name, one in zip(names, known, strict=True))

    def play(self, name: str, *, choose: Sequence[Any] = (), through: bool = True) -> None:
        """Play a card; through: both pass until it has come about."""
        self._act(Play, name, choose)
        if through:
            self.pass_all()

    def use(self, name: str, *, choose: Sequence[Any] = (), through: bool = True) -> None:
        """Use an activated ability."""
        self._act(Activate, name, choose)
        if through:
            self.pass_all()

    def attack(self, *pairs: tuple[str, str]) -> None:
        """Attack: who attacks whom (a creature or P1, P2)."""
        self._act(Strike, "", [[one for one, _ in pairs], *(other for _, other in pairs)])

    def move(self, names: Sequence[str], to: str) -> None:
        """Move creatures in the exchange."""
        self._act(Move, "", [list(names), to])

    def answer(self, wanted: Any) -> None:
        """Answer the open prompt in words: a card's name, a list of them, yes or no, a number."""
        prompt = self.prompt
        if isinstance(wanted, bool):
            self.decide(0 if wanted else 1)
        elif prompt.shape in ("some", "order"):
            names = wanted if isinstance(wanted, list) else [wanted]
            self.decide(tuple(self._index(prompt, one) for one in names))
        elif prompt.shape == "one":
            self.decide(self._index(prompt, wanted))
        else:
            self.decide(wanted)

    def _index(self, prompt: Question, wanted: str) -> int:
        for index, option in enumerate(prompt.items):
            if wanted in (option.label, option.value) or self._called(option.refs) == wanted:
                return index
        raise AssertionError(f"no {wanted!r} among {[o.label for o in prompt.items]}")

    def may_pass(self) -> bool:
        """Whether the open prompt asks to act or pass."""
        items = self.game.prompt.items if self.game.prompt is not None else ()
        return bool(items) and isinstance(items[-1].value, Pass)

    def pass_(self) -> None:
        """Pass."""
        assert self.may_pass(), self.prompt.text
        self.decide(len(self.prompt.items) - 1)

    def pass_all(self) -> None:
        """Both pass until the queue is empty, or somebody is asked something else."""
        for _ in range(STEPS_MAX):
            if not self.queue or not self.may_pass():
                return
            self.pass_()
        raise AssertionError("the queue does not come to rest")

    def to(self, phase: str, turn: int | None = None) -> None:
        """Pass on to the next time that the game is in a phase, of that seat's turn if given; at
        its first decision, else before it is left. Another question stops it."""
        game = self.game
        began = (game.now.turn, game.now.phase)

        def reached() -> bool:
            here = (game.now.turn, game.now.phase)
            return here != began and here[1] == phase and turn in (None, game.now.owner)

        for _ in range(STEPS_MAX):
            if game.result is not None or reached():
                break
            if game.held is not None:
                game.go_on()
            elif not self.may_pass():
                break
            else:
                self.pass_()


def a_duel(
    *,
    hand: Sequence[Placed] = (),
    theirs: Sequence[Placed] = (),
    board: Sequence[Placed] = (),
    discard: Sequence[Placed] = (),
    deck: Sequence[Placed] = (),
    start: str = "first main",
    magic: Sequence[int] = (10, 10),
    life: Sequence[int] = (20, 20),
    options: Mapping[str, str] | None = None,
    tokens: Sequence[Placed] = (),
    seed: int = 1,
) -> Playing:
    """A game that waits for its first decision.

    hand, theirs: the hands of seat 0 and seat 1. board, discard, deck (on top, the first topmost):
    by each card's owner. start: the phase in which seat 0's turn begins.
    """
    hands = (*hand, *(replace(one, owner=1) for one in theirs))
    players = tuple({"magic": magic[seat], "life": life[seat]} for seat in (0, 1))
    standing = Standing(hands, board, discard, deck, start, players)
    filler = Deck("fillers", tuple(blank(f"Blank {n}") for n in range(DECK_SIZE)))
    made = {one.definition.name: one.definition for one in tokens}
    rules = Duel(
        Setup(("P1", "P2"), (filler, filler), first=0, resume=standing.resume, tokens=made)
    )
    game = Game(
        rules,
        InlineHost(),
        seats=2,
        key=key_of_seed(seed),
        options=dict(options or {}),
        keep_events=True,
    )
    playing = Playing(game, rules, standing.cards)
    game.hold = lambda mark: True
    game.start()
    return playing
