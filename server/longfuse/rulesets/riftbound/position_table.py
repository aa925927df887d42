"""A riftbound game that a position is played in, seen through the file's names.

Owns the riftbound side of `game.positions.rules.PositionTable`: which offer a step's action means,
why one is refused, and the facts that expectations may name. It enters nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import TYPE_CHECKING, Any

from longfuse.abilities.ability import Ability
from longfuse.actors import InlineHost
from longfuse.game.game import Game
from longfuse.game.positions.outcome import Refusal, refusal_of
from longfuse.game.positions.said import plain
from longfuse.game.positions.steps import Step
from longfuse.game.positions.words import SEATS
from longfuse.game.questions import Option, Question
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.riftbound import asking, position_facts
from longfuse.rulesets.riftbound import text as card_text
from longfuse.rulesets.riftbound.assigning import lethal
from longfuse.rulesets.riftbound.duel import Duel
from longfuse.rulesets.riftbound.offers import Activate, EndTurn, Hide, Move, Pass, Play
from longfuse.rulesets.riftbound.position_events import count
from longfuse.rulesets.riftbound.position_places import same_location, zone_word
from longfuse.rulesets.riftbound.position_start import Start, deck, turn_seat
from longfuse.rulesets.riftbound.setup import Setup
from longfuse.rulesets.riftbound.state import Permanent
from longfuse.timing.references import NOBODY, Ref, Seat

if TYPE_CHECKING:
    from longfuse.game.positions.file import Position


def stand(position: Position) -> Table:
    """A game that stands at the start of a position; it holds at every mark."""
    start = Start(position)
    setup = Setup(
        SEATS,
        (deck(position, 0), deck(position, 1)),
        first=turn_seat(position.start),
        resume=start.resume,
    )
    duel = Duel(setup)
    game = Game(
        duel,
        InlineHost(),
        seats=len(SEATS),
        key=key_of_seed(position.id),
        options=dict(position.options),
        keep_events=True,
        views=False,
    )
    game.hold = lambda mark: True
    game.start()
    return Table(duel, game, start)


class Table:
    """One game, with the file's names for what is in it."""

    def __init__(self, duel: Duel, game: Game, start: Start) -> None:
        self.duel = duel
        self.game = game
        self.cards: Mapping[str, int] = start.cards
        self.began: Mapping[str, Ref] = start.began

    # ------------------------------------------------------------ actions

    def is_action(self, question: Question) -> bool:
        """Whether it asks for a free action."""
        return question.kind in ("priority", "focus")

    def passing(self, question: Question) -> int | None:
        """The item that passes."""
        return _first(question, Pass)

    def ending(self, question: Question) -> int | None:
        """The item that ends the turn."""
        return _first(question, EndTurn)

    def option(self, step: Step, question: Question) -> int:
        """The item that a step's action means; Refusal with the rule's reason if there is none."""
        seat = question.seat
        match step.do:
            case "play":
                return self._play(self._now(step.get("object")), question, seat)
            case "activate":
                ref = self._now(step.get("object"))
                return self._activate(ref, step.get("ability", ""), question, seat)
            case "move":
                refs = [self._now(name) for name in step.get("objects")]
                return self._move(refs, question, seat)
            case "hide":
                return self._hide(self._now(step.get("object")), question, seat)
        raise Refusal("timing", f"“{step.do}” is not offered")

    def _now(self, name: str) -> Ref:
        card = self.cards[name]
        return Ref(card, self.game.board.place(card).residency)

    def _play(self, ref: Ref, question: Question, seat: Seat) -> int:
        found = _of(question, Play, ref)
        if found:
            return _legal(question, found)
        if self.game.board.card(ref).owner != seat:
            raise Refusal("ownership", "it is not that player's card", also=("location",))
        zone = zone_word(self.game.board.place(ref.card).zone, self.game.place_of(ref), "")
        raise Refusal("location", f"it is in {zone}", also=("timing",))

    def _activate(self, ref: Ref, words: str, question: Question, seat: Seat) -> int:
        found = _of(question, Activate, ref)
        if words:
            found = [i for i in found if self._begins(question.items[i].value.ability, ref, words)]
        if found:
            return _legal(question, found)
        if self.game.board.place(ref.card).zone == "board":
            if self.duel.controller_of(ref) != seat:
                raise Refusal("ownership", "that player does not control it")
            raise Refusal("state", f"it has no such ability: {words!r}")
        raise Refusal("location", "it is not on the board")

    def _begins(self, ability: Ability, ref: Ref, words: str) -> bool:
        """Whether an ability's words, printed or as the compiler says them, begin so."""
        definition = self.game.board.card(ref).definition
        wanted = plain(words)
        said = [ability.text, card_text.say(ability), card_text.say(ability, definition.type)]
        lines = [line for line in definition.text.splitlines() if line.strip()]
        if len(lines) == len(definition.abilities) and ability in definition.abilities:
            said.append(lines[definition.abilities.index(ability)])
        return any(plain(one).startswith(wanted) for one in said if one)

    def _move(self, refs: list[Ref], question: Question, seat: Seat) -> int:
        index = _first(question, Move)
        offered: tuple[Ref, ...] = question.items[index].value.refs if index is not None else ()
        for ref in refs:
            if ref not in offered:
                raise self._cannot_move(ref, question, seat)
        assert index is not None
        return index

    def _cannot_move(self, ref: Ref, question: Question, seat: Seat) -> Refusal:
        value = self.game.store.values.get(ref)
        if self.ending(question) is None:
            return Refusal("timing", "units move in a Neutral Open state only (446)")
        if not isinstance(value, Permanent) or value.zone != "board":
            return Refusal("location", "it is not on the board")
        if self.duel.controller_of(ref) != seat:
            return Refusal("ownership", "that player does not control it")
        if value.exhausted:
            return Refusal("state", "it is exhausted (446)", also=("cost",))
        if asking.forbidden(self.duel, "move", seat, ref) is not None:
            return Refusal("forbidden", "an effect says so")
        return Refusal("location", "there is nowhere to move to")

    def _hide(self, ref: Ref, question: Question, seat: Seat) -> int:
        found = _of(question, Hide, ref)
        if found:
            return _legal(question, found)
        if self.game.board.card(ref).owner != seat:
            raise Refusal("ownership", "it is not that player's card")
        if self.game.board.place(ref.card).zone not in (f"hand:{seat}", f"champion:{seat}"):
            raise Refusal("location", "only a card in the hand or Champion Zone is hidden (811)")
        if "Hidden" in self.game.board.card(ref).definition.keyword_amounts:
            raise Refusal("timing", "a card is hidden in the own turn, with no chain open (811)")
        raise Refusal("state", "it does not have Hidden")

    def asks_where(self, question: Question) -> bool:
        """355.2, 811.1.b: where a card that is being played enters, or is hidden."""
        return question.clause in ("355.2", "811.1.b")

    def pays(self, words: str, question: Question) -> bool:
        """Whether words name an optional additional cost: by its keyword, or as its card says."""
        label = question.text.rpartition("(")[2].partition(")")[0].lower()
        named = [keyword for keyword in PAID_KEYWORDS if keyword in plain(words)]
        if label in PAID_KEYWORDS or named:
            return label in named
        return True

    def assigned(self, question: Question, division: Mapping[str, int]) -> tuple[int, ...]:
        """The order in which units get their lethal damage that comes to a division (460.2.c)."""
        refs = [item.value for item in question.items]
        if not all(name in self.cards and isinstance(n, int) for name, n in division.items()):
            raise Refusal("target", f"a number for each unit is needed, not {division!r}")
        by_card = {self.cards[name]: number for name, number in division.items()}
        wanted = [by_card.get(ref.card, 0) for ref in refs]
        total = sum(wanted)
        for order in permutations(range(len(refs))):
            left, found = total, [0] * len(refs)
            for index in order:
                found[index] = min(left, lethal(self.duel, refs[index]))
                left -= found[index]
            if found == wanted and not left:
                return order
        raise Refusal("target", "lethal damage goes to one unit in full before the next (460.2.c)")

    def means(self, name: str, item: Option) -> bool:
        """Whether an item is a location, a seat or a mode of that name."""
        if isinstance(item.value, str):
            if same_location(name, item.value):
                return True
            return plain(item.label).startswith(plain(name))
        if name in SEATS and not item.refs:
            return bool(item.value == SEATS.index(name))
        return not item.refs and plain(item.label).startswith(plain(name))

    # ------------------------------------------------------------ looking

    def object_facts(self, ref: Ref) -> dict[str, Any]:
        """What an object is like now."""
        return position_facts.object_facts(self.duel, ref)

    def seat_facts(self, seat: Seat) -> dict[str, Any]:
        """A player's numbers."""
        return position_facts.seat_facts(self.duel, seat)

    def game_facts(self) -> dict[str, Any]:
        """The chain, the showdown, who may act, whose turn and phase it is, who controls what."""
        prompt = self.game.prompt
        acting = prompt.seat if prompt is not None and self.is_action(prompt) else NOBODY
        return position_facts.game_facts(self.duel, self.game, acting)

    def happened(self, word: str) -> Mapping[str | int, int]:
        """How often an event happened."""
        return count(self.game, word)

    def mark_words(self, mark: str, owner: str, how: str) -> tuple[str, ...]:
        """The ways to say a mark."""
        turn = f"{owner}'s turn" if owner else "turn"
        if how == "until":
            end = mark == self.duel.turn_end
            edge = "end" if end else "start"
            return (f"until {edge} of {turn}", f"until {edge} of turn")
        if mark == "ending":
            return ("at end of turn", f"at end of {turn}", "at end of this turn")
        if mark == "main":
            return (
                f"at main phase of {owner}",
                "at main phase",
                f"at start of {owner}'s main phase",
            )
        names = {"turn": turn, "beginning": f"{owner}'s beginning phase"}
        name = names.get(mark, f"{owner}'s {mark} phase")
        spoken = (f"at start of {name}", f"at start of {mark} phase of {owner}")
        return (*spoken, f"at start of {mark}", f"at start of {turn}")


PAID_KEYWORDS = ("accelerate", "repeat")


def _of(question: Question, kind: type, ref: Ref) -> list[int]:
    """The items that do something of that kind with an object."""
    return [
        index
        for index, item in enumerate(question.items)
        if isinstance(item.value, kind) and getattr(item.value, "ref", None) == ref
    ]


def _first(question: Question, kind: type) -> int | None:
    found = (i for i, item in enumerate(question.items) if isinstance(item.value, kind))
    return next(found, None)


def _legal(question: Question, found: list[int]) -> int:
    for index in found:
        if question.items[index].legal:
            return index
    raise refusal_of(question.items[found[0]].reason)
