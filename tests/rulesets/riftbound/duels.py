"""Duels for rule tests: stand one somewhere, decide for both seats, look at what is there.

    duel = a_duel(hand=[spell("Spark", "Deal 1 to a unit.")], board=[unit("Oak", 3, owner=1)])
    duel.play("Spark", choose=["Oak"])
    duel.pass_all()
    assert duel["Oak"].damage == 1

Cards go by their names, so each card of a test has its own. Seat 0 is the turn player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from longfuse.actors import InlineHost
from longfuse.game.entries import Decision, TakeBack
from longfuse.game.game import Game
from longfuse.game.questions import Question
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.riftbound.definition import Definition, blank
from longfuse.rulesets.riftbound.duel import Duel
from longfuse.rulesets.riftbound.entry import rune
from longfuse.rulesets.riftbound.offers import EndTurn, Pass, Play
from longfuse.rulesets.riftbound.setup import Deck, Setup
from longfuse.timing.records import Record
from longfuse.timing.references import Ref
from rulesets.riftbound.cards import Placed
from rulesets.riftbound.standing import Standing

DECK_SIZE = 10
RUNE_DECK_SIZE = 6
STEPS_MAX = 400


class Thing:
    """A card as it is now."""

    def __init__(self, playing: Playing, number: int) -> None:
        self._rules = playing.rules
        self._game = playing.game
        place = self._game.board.place(number)
        self.ref = Ref(number, place.residency)
        self._zone = place.zone

    @property
    def place(self) -> str:
        """Its zone, or its place on the board: hand:0, trash:1, base:0, bf:1; empty if nowhere."""
        value = self._game.store.values.get(self.ref)
        return value.place if self._zone == "board" and value is not None else self._zone

    @property
    def might(self) -> int:
        """Its Might after all changes."""
        return self._rules.stat_of(self.ref, "might")

    @property
    def controller(self) -> int:
        """Who controls it."""
        return self._rules.controller_of(self.ref)

    @property
    def keywords(self) -> set[str]:
        """The keywords that it has."""
        return {word for word in ("Tank", "Deflect", "Ganking") if self.has(word)}

    def has(self, keyword: str) -> bool:
        """Whether it has a keyword."""
        return self._rules.has_keyword(self.ref, keyword)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game.store.values[self.ref], name)


class Playing:
    """One duel, both of whose seats the test decides for."""

    def __init__(self, game: Game, rules: Duel, cards: dict[str, int]) -> None:
        self.game = game
        self.rules = rules
        self.cards = cards

    # ------------------------------------------------------------ looking

    def __getitem__(self, name: str) -> Thing:
        return Thing(self, self.cards[name])

    def find(self, name: str) -> list[Thing]:
        """All cards of a name on the board, tokens for example."""
        return [
            Thing(self, ref.card)
            for ref in self.game.board.zone("board")
            if self.game.board.card(ref).name == name
        ]

    @property
    def prompt(self) -> Question:
        """What is asked now."""
        assert self.game.prompt is not None, f"nobody is asked: {self.game.result}"
        return self.game.prompt

    @property
    def asked(self) -> tuple[int, str]:
        """Who is asked, and for what kind of answer ("main" for the turn player's free choice)."""
        kind = "main" if self._is_main() else self.prompt.kind
        return (self.prompt.seat, kind)

    @property
    def chain(self) -> list[str]:
        """The sources of the items on the chain, oldest first."""
        store = self.game.store
        return [store.values[("item", n)].source.card for n in store.get(("chain",)) or ()]

    @property
    def waiting(self) -> list[str]:
        """The sources of the delayed abilities that wait, oldest first."""
        return [record.source.card for record in self.game.subscriptions.waiting()]

    def record(self, source: str) -> Record:
        """The waiting delayed ability of that source."""
        found = [r for r in self.game.subscriptions.waiting() if r.source.card == source]
        assert len(found) == 1, f"{source} made {len(found)} that wait"
        return found[0]

    @property
    def ended(self) -> list[tuple[str, str]]:
        """The delayed abilities that have ended, oldest first, each with its reason."""
        ends = reversed(self.game.installed.ended())
        return [(end.record.source.card, str(end.reason)) for end in ends]

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

    def hand(self, seat: int) -> int:
        """How many cards a seat has in hand."""
        return len(self.game.board.zone(f"hand:{seat}"))

    def points(self, seat: int) -> int:
        """A seat's points."""
        return self.rules.player(seat).points

    def controls(self, place: str) -> int:
        """Who controls a battlefield."""
        field = self.rules.battlefield(place)
        assert field is not None
        return field.controller

    def offers(self, name: str, how: str = "") -> bool:
        """Whether the seat that is asked may play that card now."""
        return any(
            option.legal
            for option in self.prompt.items
            if isinstance(option.value, Play)
            and self._name(option.value.ref) == name
            and option.value.how in (how, how or "ambush")
        )

    def reason(self, name: str) -> str:
        """Why the seat that is asked may not play that card now."""
        return next(
            option.reason
            for option in self.prompt.items
            if isinstance(option.value, Play) and self._name(option.value.ref) == name
        )

    def _name(self, ref: Ref) -> str:
        return self.game.board.card(ref).name

    def _is_main(self) -> bool:
        items = self.prompt.items
        return bool(items) and isinstance(items[-1].value, EndTurn)

    def _may_pass(self) -> bool:
        items = self.game.prompt.items if self.game.prompt is not None else ()
        return bool(items) and isinstance(items[-1].value, Pass)

    # ------------------------------------------------------------ deciding

    def decide(self, answer: Any) -> None:
        """Give the open prompt an answer as it goes over the wire."""
        prompt = self.prompt
        self.game.advance(Decision(prompt.seat, prompt.id, answer))

    def take_back(self, seat: int) -> None:
        """Take back that seat's open play."""
        self.game.advance(TakeBack(seat))

    def play(
        self,
        name: str,
        *,
        seat: int | None = None,
        choose: Sequence[Any] = (),
        to: str = "",
        pay: bool = False,
        how: str = "",
    ) -> None:
        """Play a card. choose: one entry per choice. to: where. pay: take the optional cost."""
        assert seat in (None, self.prompt.seat), f"seat {self.prompt.seat} is asked"
        if seat is None and not self._holds(name) and self._may_pass():
            self.pass_()
        for index, option in enumerate(self.prompt.items):
            if isinstance(option.value, Play) and self._name(option.value.ref) == name:
                if how and option.value.how != how:
                    continue
                assert option.legal, f"{name}: {option.reason}"
                self._begin(index, choose, to, pay)
                return
        raise AssertionError(f"{name} is not offered: {[o.label for o in self.prompt.items]}")

    def _holds(self, name: str) -> bool:
        return any(
            isinstance(option.value, Play) and self._name(option.value.ref) == name
            for option in self.prompt.items
        )

    def hide(self, name: str, *, at: str = "") -> None:
        """Hide a card facedown, at a battlefield if there is a choice."""
        for index, option in enumerate(self.prompt.items):
            if option.label == f"Hide {name}":
                assert option.legal, f"{name}: {option.reason}"
                self.decide(index)
                while self.prompt.clause == "811.1.b" or self.prompt.kind == "pay":
                    self.answer(at) if self.prompt.kind != "pay" else self.decide(0)
                return
        raise AssertionError(f"{name} can't be hidden: {[o.label for o in self.prompt.items]}")

    def use(self, name: str, *, choose: Sequence[Any] = ()) -> None:
        """Use an activated ability."""
        for index, option in enumerate(self.prompt.items):
            if option.label.startswith(f"Use {name}:"):
                assert option.legal, f"{name}: {option.reason}"
                self._begin(index, choose, "", False)
                return
        raise AssertionError(f"{name} can't be used: {[o.label for o in self.prompt.items]}")

    def _begin(self, index: int, choose: Sequence[Any], to: str, pay: bool) -> None:
        left = list(choose)
        self.decide(index)
        while True:
            self._consume_settled(left)
            prompt = self.game.prompt
            if prompt is None or prompt.kind in ("priority", "focus"):
                break
            if prompt.clause == "355.2":
                self.answer(to or f"base:{prompt.seat}")
            elif prompt.kind == "pay":
                self._answer_pay(prompt, pay)
            elif left:
                self.answer(left.pop(0))
            else:
                break
        assert not left, f"nobody asked for {left}"

    def _answer_pay(self, prompt: Question, pay: bool) -> None:
        is_offer = [option.label for option in prompt.items] == ["yes", "no"]
        self.decide((0 if pay else 1) if is_offer else prompt.default)

    def _consume_settled(self, left: list[Any]) -> None:
        for question, answer in self.game.settled:
            if left and question.kind in ("target", "card") and question.clause != "355.2":
                wanted = self._index(question, left[0])
                given = answer if not isinstance(wanted, tuple) else tuple(answer)
                if given == wanted or answer == (wanted,):
                    left.pop(0)

    def answer(self, wanted: Any) -> None:
        """Answer the open prompt in words: a card's name, a place, a list of them, yes or no."""
        prompt = self.prompt
        if isinstance(wanted, bool):
            self.decide(0 if wanted else 1)
        elif prompt.shape in ("one", "some", "order"):
            found = self._index(prompt, wanted)
            is_many = prompt.shape != "one"
            self.decide((found,) if is_many and isinstance(found, int) else found)
        else:
            self.decide(wanted)

    def _index(self, prompt: Question, wanted: Any) -> Any:
        if isinstance(wanted, list):
            return tuple(self._index(prompt, one) for one in wanted)
        for index, option in enumerate(prompt.items):
            names = {option.label, *(self._name(ref) for ref in option.refs[:2])}
            if wanted in names or option.value == wanted or wanted == option.label.split(":")[0]:
                return index
        raise AssertionError(f"no {wanted!r} among {[o.label for o in prompt.items]}")

    def move(self, names: Sequence[str], to: str) -> None:
        """Take the standard move with some units."""
        index = next(i for i, o in enumerate(self.prompt.items) if o.label == "Move units")
        self.decide(index)
        if self.game.prompt is not None and self.prompt.text == "Which units move?":
            self.answer(list(names))
        if self.game.prompt is not None and self.prompt.text == "Where do they move?":
            self.answer(to)

    def pass_(self, seat: int | None = None) -> None:
        """Pass priority or focus."""
        assert seat in (None, self.prompt.seat), f"seat {self.prompt.seat} is asked"
        assert self._may_pass(), f"{self.asked} can't pass: {self.prompt.text}"
        self.decide(len(self.prompt.items) - 1)

    def pass_all(self) -> None:
        """Both pass until the chain is empty, or somebody is asked something else."""
        for _ in range(STEPS_MAX):
            if not self.chain or not self._may_pass():
                return
            self.pass_()
        raise AssertionError("the chain does not come to rest")

    def resolve(self) -> None:
        """Both pass once: the newest item resolves."""
        self.pass_()
        self.pass_()

    def pass_showdown(self) -> None:
        """Both pass until no showdown goes on, or somebody is asked something else."""
        for _ in range(STEPS_MAX):
            if self.game.prompt is None or self._is_main() or not self._may_pass():
                return
            self.pass_()

    def end_turn(self) -> None:
        """The turn player ends the turn; everybody passes until the next Main Phase's decision."""
        assert self._is_main(), f"{self.asked}: {self.prompt.text}"
        self.decide(len(self.prompt.items) - 1)
        self.pass_showdown()

    def advance(self, place: str) -> None:
        """Go on, ending the turn if need be, to the first decision in that phase or step, or to
        where it is left."""
        game = self.game
        start = game.now.mark.id
        game.hold = lambda mark: game.now.place == place and mark.id > start
        for _ in range(STEPS_MAX):
            if game.held is not None or game.result is not None:
                break
            if game.now.place == place and game.now.mark.id > start:
                break
            if self._is_main():
                self.decide(len(self.prompt.items) - 1)
            else:
                self.pass_()
        game.hold = None

    def go_on(self) -> None:
        """Leave the mark at which `advance` has stopped."""
        self.game.go_on()


# ---------------------------------------------------------------- a duel


def a_duel(
    *,
    hand: Sequence[Placed] = (),
    theirs: Sequence[Placed] = (),
    board: Sequence[Placed] = (),
    trash: Sequence[Placed] = (),
    deck: Sequence[Placed] = (),
    start: str = "main",
    energy: Sequence[int] = (0, 0),
    power: Sequence[Mapping[str, int]] = ({}, {}),
    runes: Sequence[Sequence[str]] = ((), ()),
    points: Sequence[int] = (0, 0),
    xp: Sequence[int] = (0, 0),
    scored: Sequence[Sequence[str]] = ((), ()),
    control: Mapping[str, int] | None = None,
    battlefields: Sequence[Definition] = (),
    deck_size: int = DECK_SIZE,
    options: Mapping[str, str] | None = None,
    seed: int = 1,
) -> Playing:
    """A duel that waits for its first decision.

    hand, theirs: the hands of seat 0 and seat 1. board, trash, deck (on top, the first topmost):
    by each card's owner. start: the phase in which seat 0's turn begins. control: who controls
    which battlefield; by default whoever alone has units there.
    """
    standing = Standing(
        hands=(tuple(hand), tuple(replace(one, owner=1) for one in theirs)),
        board=tuple(board),
        trash=tuple(trash),
        deck=tuple(deck),
        start=start,
        players=tuple(
            {
                "energy": energy[seat],
                "power": tuple(power[seat].items()),
                "points": points[seat],
                "xp": xp[seat],
                "scored": tuple(scored[seat]),
                "turns": 2,
            }
            for seat in (0, 1)
        ),
        runes=tuple(tuple(domains) for domains in runes),
        control=control,
    )
    decks = _decks(battlefields, deck_size)
    rules = Duel(Setup(("P1", "P2"), decks, first=0, resume=standing.resume))
    game = Game(
        rules,
        InlineHost(),
        seats=2,
        key=key_of_seed(seed),
        options=dict(options or {}),
        keep_events=True,
    )
    playing = Playing(game, rules, standing.cards)
    game.start()
    return playing


def _decks(battlefields: Sequence[Definition], size: int) -> tuple[Deck, ...]:
    """Decks of cards without text, with the battlefields that a test names first."""
    fields = (
        *battlefields,
        blank("Field One", "battlefield", 0),
        blank("Field Two", "battlefield", 0),
    )
    return tuple(
        Deck(
            f"deck {seat}",
            tuple(blank(f"Blank {n}") for n in range(size, 0, -1)),
            tuple(rune("fury") for _ in range(RUNE_DECK_SIZE)),
            fields[seat],
        )
        for seat in (0, 1)
    )
