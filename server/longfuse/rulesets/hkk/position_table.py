"""One game that a position file is played in, seen through the file's names.

Owns what the actions of steps mean in the prompts of hkk, and what may be expected of objects,
players and the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from longfuse.abilities.ability import Ability
from longfuse.actors import InlineHost
from longfuse.game import chain
from longfuse.game.game import Game
from longfuse.game.positions.outcome import Refusal, refusal_of
from longfuse.game.positions.said import plain
from longfuse.game.positions.words import SEATS
from longfuse.game.questions import Option, Question
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.hkk import asking, entry
from longfuse.rulesets.hkk.duel import Duel
from longfuse.rulesets.hkk.offers import Activate, Move, Pass, Play, Strike
from longfuse.rulesets.hkk.position_events import count
from longfuse.rulesets.hkk.position_start import Start, deck, turn_seat
from longfuse.rulesets.hkk.setup import Setup
from longfuse.rulesets.hkk.state import Permanent, word_of
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.game.positions.file import Position
    from longfuse.game.positions.steps import Step


def stand(position: Position) -> Table:
    """A game that stands at the start of a position; it holds at every mark."""
    start = Start(position)
    tokens = {**entry.definitions(), **position.cards}
    setup = Setup(
        SEATS,
        (deck(0), deck(1)),
        first=turn_seat(position.start),
        tokens=tokens,
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
        return question.kind in ("priority", "action")

    def passing(self, question: Question) -> int | None:
        """The item that passes."""
        found = (i for i, item in enumerate(question.items) if isinstance(item.value, Pass))
        return next(found, None)

    def ending(self, question: Question) -> int | None:
        """A turn is ended by passing in each of its phases."""
        return self.passing(question)

    def option(self, step: Step, question: Question) -> int:
        """The item that a step's action means; Refusal with the rule's reason if there is none."""
        match step.do:
            case "play":
                return self._play(self._now(step.get("object")), question)
            case "activate":
                return self._activate(
                    self._now(step.get("object")), step.get("ability", ""), question
                )
            case "move":
                refs = [self._now(name) for name in step.get("objects")]
                return self._among(Move, refs, question, "move")
            case "attack":
                said = step.get("pairs")
                names = list(said) if isinstance(said, dict) else [one for one, _ in said]
                return self._among(Strike, [self._now(one) for one in names], question, "attack")
        raise Refusal("timing", f"“{step.do}” is not offered")

    def _now(self, name: str) -> Ref:
        card = self.cards[name]
        return Ref(card, self.game.board.place(card).residency)

    def _play(self, ref: Ref, question: Question) -> int:
        found = _of(question, Play, ref)
        if found:
            return _legal(question, found)
        if self.game.board.card(ref).owner != question.seat:
            raise Refusal("ownership", "it is not that player's card", also=("location",))
        where = self.game.board.place(ref.card).zone
        raise Refusal("location", f"it is in {where}, or nothing is played now", also=("timing",))

    def _activate(self, ref: Ref, words: str, question: Question) -> int:
        found = _of(question, Activate, ref)
        if words:
            found = [i for i in found if self._begins(question.items[i].value.ability, words)]
        if found:
            return _legal(question, found)
        if self.game.board.place(ref.card).zone != "board":
            raise Refusal("location", "it is not in play")
        if self.duel.controller_of(ref) != question.seat:
            raise Refusal("ownership", "that player does not control it")
        raise Refusal("state", f"it has no such ability now: {words!r}", also=("timing",))

    def _begins(self, ability: Ability, words: str) -> bool:
        return plain(self.duel.words(ability)).startswith(plain(words))

    def _among(self, kind: type, refs: list[Ref], question: Question, verb: str) -> int:
        index = next((i for i, o in enumerate(question.items) if isinstance(o.value, kind)), None)
        offered = question.items[index].value.refs if index is not None else ()
        for ref in refs:
            if ref in offered:
                continue
            value = self.game.store.values.get(ref)
            if not isinstance(value, Permanent) or value.zone != "board":
                raise Refusal("location", "it is not in play")
            if self.duel.controller_of(ref) != question.seat:
                raise Refusal("ownership", "that player does not control it")
            if value.passive:
                raise Refusal("state", "it is passive", also=("cost",))
            if index is None:
                raise Refusal("timing", f"creatures do not {verb} now", also=("location",))
            raise Refusal("forbidden", f"it may not {verb}", also=("location", "state"))
        assert index is not None
        return index

    def asks_where(self, question: Question) -> bool:
        """Where a permanent goes is never asked as it is played."""
        return False

    def pays(self, words: str, question: Question) -> bool:
        """Whatever optional cost is offered."""
        return True

    def assigned(self, question: Question, division: Mapping[str, int]) -> tuple[int, ...]:
        """Damage is never assigned in an order."""
        raise Refusal("target", "no damage is assigned here")

    def means(self, name: str, item: Option) -> bool:
        """Whether an item is a place, a seat or a mode of that name."""
        if item.refs:
            return False
        if name in SEATS and isinstance(item.value, int):
            return bool(item.value == SEATS.index(name))
        return item.value == name or plain(item.label).startswith(plain(name))

    # ------------------------------------------------------------ looking

    def object_facts(self, ref: Ref) -> dict[str, Any]:
        """What an object is like now."""
        card = self.game.board.card(ref)
        zone, _, seat = self.game.board.place(ref.card).zone.partition(":")
        value = self.game.store.values.get(ref)
        found: dict[str, Any] = {
            "zone": f"{SEATS[int(seat)]}.{zone}" if seat else zone,
            "owner": SEATS[card.owner],
            "controller": SEATS[self.duel.controller_of(ref)],
            "token": card.token,
            "cost": card.definition.cost,
            "damage": 0,
            "strength": card.definition.damage,
            "life": card.definition.life,
            "exhausted": False,
            "suppressed": False,
            "attached_to": None,
            "designation": "none",
            "counters": {},
            "entered_with": [],
            "keywords": [],
            "at": self._in_deck(ref),
        }
        if isinstance(value, Permanent) and zone == "board":
            found.update(self._in_play(value))
        return found

    def _in_play(self, value: Permanent) -> dict[str, Any]:
        duel, ref = self.duel, value.ref
        attacks = duel.combat.attacks if duel.combat is not None else ()
        designation = "none"
        if any(one.attacker == ref for one in attacks):
            designation = "attacker"
        elif any(one.target == ref for one in attacks):
            designation = "defender"
        seat = SEATS[duel.controller_of(ref)]
        return {
            "zone": f"{seat}.{word_of(value.place)}",
            "damage": value.wounds,
            "exhausted": value.passive,
            "suppressed": asking.suppressed(duel, ref, None),
            "attached_to": value.attached_to,
            "designation": designation,
            "counters": dict(value.counters),
            "entered_with": list(value.entered_with),
            "strength": asking.number(duel, ref, "damage"),
            "life": asking.number(duel, ref, "life"),
            "keywords": list(asking.keywords_of(duel, ref)),
        }

    def _in_deck(self, ref: Ref) -> str | None:
        zone = self.game.board.place(ref.card).zone
        if not zone.startswith("deck"):
            return None
        refs = self.game.board.zone(zone)
        if refs[-1] == ref:
            return "top"
        return "bottom" if refs[0] == ref else "between"

    def seat_facts(self, seat: Seat) -> dict[str, Any]:
        """A player's numbers."""
        player, zone = self.duel.player(seat), self.game.board.zone
        return {
            "life": player.life,
            "magic": player.magic,
            "hand": len(zone(f"hand:{seat}")),
            "hand_cards": [ref.card for ref in zone(f"hand:{seat}")],
            "deck": len(zone(f"deck:{seat}")),
            "discard": len(zone(f"discard:{seat}")),
            "nothing": len(zone(f"nothing:{seat}")),
        }

    def game_facts(self) -> dict[str, Any]:
        """The queue, who may act, whose turn and phase it is."""
        game, result = self.game, self.game.result
        prompt = game.prompt
        acting = prompt.seat if prompt is not None and self.is_action(prompt) else None
        return {
            "chain": [self._item(item) for item in chain.items(game)],
            "showdown": "none",
            "priority": _seat_name(acting),
            "focus": "none",
            "turn": _seat_name(game.now.owner),
            "phase": game.now.place,
            "winner": _seat_name(result.winner if result is not None else None),
            "control": {},
        }

    def _item(self, item: Any) -> dict[str, Any]:
        source = item.card if item.card is not None else item.source.object
        return {
            "source": source.card if source is not None else None,
            "controller": SEATS[item.controller],
            "kind": "spell" if item.kind == "instant" else item.kind,
            "state": item.state,
        }

    def happened(self, word: str) -> Mapping[str | int, int]:
        """How often an event happened, by seat name and by card number."""
        return count(self.game, word)

    def mark_words(self, mark: str, owner: str, how: str) -> tuple[str, ...]:
        """The ways to say a mark."""
        turn = f"{owner}'s turn" if owner else "turn"
        if how == "until":
            edge = "end" if mark == self.duel.turn_end else "start"
            return (f"until {edge} of {turn}", f"until {edge} of turn")
        if mark == self.duel.turn_end:
            return ("at end of turn", f"at end of {turn}", "at end of this turn")
        names = {"turn": turn, "preparation": f"{owner}'s preparation phase"}
        name = names.get(mark, f"{owner}'s {mark} phase")
        return (f"at start of {name}", f"at start of {mark}", f"at {mark}", f"at {mark} of {owner}")


def _of(question: Question, kind: type, ref: Ref) -> list[int]:
    """The items that do something of that kind with an object."""
    return [
        index
        for index, item in enumerate(question.items)
        if isinstance(item.value, kind) and getattr(item.value, "ref", None) == ref
    ]


def _legal(question: Question, found: list[int]) -> int:
    for index in found:
        if question.items[index].legal:
            return index
    raise refusal_of(question.items[found[0]].reason)


def _seat_name(seat: Seat | None) -> str:
    return SEATS[seat] if seat is not None and seat >= 0 else "none"
