"""A tiny deterministic game: all five shapes of prompt, chance, take-backs and delayed abilities.

Each turn the turn player may light a fuse (a delayed ability that scores the next time a player
does, or ends with the turn), divides points between the seats, guesses a die, draws, discards and
orders. It offers what a ruleset's entry offers, so journal, bots and commands can be tried on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from longfuse.abilities.ability import Ability, Duration
from longfuse.abilities.nodes import When
from longfuse.abilities.scope import Scope
from longfuse.actors import ActorHost
from longfuse.game.entries import Interruption, Refused, Result
from longfuse.game.eyes import Viewer
from longfuse.game.faces import Face
from longfuse.game.game import Game
from longfuse.game.questions import Option, Question, Steps
from longfuse.game.rules import Rules, Trigger
from longfuse.game.state import Card, ObjectState, SeatState
from longfuse.rulesets.catalogue import SeatSetup
from longfuse.timing.messages import Happened, Message, Proposed
from longfuse.timing.records import Record, Source
from longfuse.timing.references import NOBODY, Ref, Seat

NAME = "toy"
OPTIONS: dict[str, tuple[str, ...]] = {}
GOAL = 12

FUSE = Ability(
    kind="triggered",
    when=When(event="scored"),
    uses=1,
    window=Duration("this turn"),
    text="The next time a player scores this turn, that player scores 1.",
)


class Plain(msgspec.Struct, frozen=True):
    """A card without abilities."""

    name: str
    abilities: tuple[Any, ...] = ()


class Player(SeatState, frozen=True, kw_only=True):
    """What a seat has."""

    points: int = 0


class Toy(Rules):
    """The rule book of the toy."""

    name = NAME
    turn_end = "end"
    zone_names = ("deck:0", "deck:1", "hand:0", "hand:1", "trash:0", "trash:1", "chain")

    def __init__(self, setups: tuple[SeatSetup, ...]) -> None:
        self.setups = setups

    # ------------------------------------------------------------ the course of a game

    def play(self) -> Steps[Result]:
        """Turns until a seat has the goal."""
        game = self.game
        for seat, setup in enumerate(self.setups):
            game.start_seat(Player(seat=seat, name=setup.name))
            for number in range(decks()[setup.deck]):
                card = game.board.new_card(Plain(f"Card {number}"), seat)
                game.move_card(card.id, f"deck:{seat}")
            game.shuffle(f"deck:{seat}", seat)
        turn = 0
        while True:
            seat = turn % 2
            yield from game.begin_turn(seat)
            yield from game.reach("main", phase="main")
            while not (yield from game.open_play(seat, self.fuse(seat))):
                pass  # taken back: asked again
            yield from self.share(seat)
            yield from self.guess(seat)
            yield from self.discard(seat)
            yield from game.over("main")
            yield from game.reach("end")
            turn += 1
            best = max((0, 1), key=lambda s: game.seat_state(s).points)
            if game.seat_state(best).points >= GOAL:
                return Result(best, f"{GOAL} points", "2.1")

    def fuse(self, seat: Seat) -> Steps[None]:
        """Light a fuse or not; a second question lets the seat take it back."""
        lit = yield question(
            seat, "one", "act", "Light a fuse?", options(("no", "yes")), default=0, public=False
        )
        if lit == "yes":
            source = Source(None, "Fuse", seat)
            self.game.installed.create(FUSE, Scope(self.game.rules_table, seat, source))
            yield question(seat, "one", "may", "Sure?", options(("yes",)), default=0, public=False)

    def share(self, seat: Seat) -> Steps[None]:
        """Divide two points between the seats."""
        points = yield question(
            seat,
            "divide",
            "divide",
            "Who gets points?",
            options(("0", "1")),
            default=(2, 0),
            total=2,
        )
        for receiver, amount in enumerate(points):
            if amount:
                yield from self.score(receiver, amount, "1.1")

    def guess(self, seat: Seat) -> Steps[None]:
        """A right guess of the die scores."""
        guess = yield question(seat, "number", "number", "Which?", (), default=1, least=1, most=3)
        if self.game.random(3, "die") + 1 == guess:
            yield from self.score(seat, 2, "1.2")

    def discard(self, seat: Seat) -> Steps[None]:
        """Draw three, discard up to two of them, order what is left."""
        game = self.game
        for ref in reversed(game.board.zone(f"deck:{seat}")[-3:]):
            game.move_card(ref.card, f"hand:{seat}")
        hand = self.hand(seat)
        gone = yield question(
            seat, "some", "card", "Discard?", hand, default=(), least=0, most=min(2, len(hand))
        )
        for ref in gone:
            game.move_card(ref.card, f"trash:{seat}")
        hand = self.hand(seat)
        order = yield question(seat, "order", "order", "Order?", hand, default=(*range(len(hand)),))
        game.board.arrange(f"hand:{seat}", order)

    def hand(self, seat: Seat) -> tuple[Option, ...]:
        """The cards of a hand as items."""
        board = self.game.board
        refs = board.zone(f"hand:{seat}")
        return tuple(Option(label=board.card(ref).name, value=ref, refs=(ref,)) for ref in refs)

    def score(self, seat: Seat, amount: int, clause: str) -> Steps[None]:
        """A seat scores, unless something else happens instead."""
        proposal = Proposed(event="score", player=seat, amount=amount, clause=clause)
        yield from self.game.publish(proposal)

    def interrupt(self, entry: Interruption) -> Result | None:
        """Whoever concedes loses; an agreed draw is refused."""
        if entry.kind == "agreed draw":
            raise Refused("illegal", "the toy knows no draw")
        return Result(1 - entry.seat, "conceded", "2.2")

    # ------------------------------------------------------------ publishing

    def commit(self, proposal: Proposed) -> list[Happened]:
        """Write the points."""
        game = self.game
        points = game.seat_state(proposal.player).points + proposal.amount
        game.change_seat(proposal.player, points=points)
        happened = game.happened(
            "scored", player=proposal.player, amount=proposal.amount, clause=proposal.clause
        )
        return [happened]

    def triggers(self, triggers: list[Trigger]) -> Steps[None]:
        """They act at once."""
        for trigger in triggers:
            self.game.cause = trigger.message.id
            yield from self.score(trigger.message.player, 1, "1.3")
            self.game.cause = 0

    def leaving(self, _proposal: Proposed) -> tuple[Ref, ...]:
        """Nothing does."""
        return ()

    def replacement_chooser(self, proposal: Proposed) -> Seat:
        """Whoever is affected."""
        return proposal.player

    def in_order(self, proposals: list[Proposed]) -> list[Proposed]:
        """As they come."""
        return proposals

    def rewrite(self, _record: Record, proposal: Proposed, _scope: Scope) -> Steps[Proposed | None]:
        """There are no replacements."""
        yield from ()
        return proposal

    def agrees(self, _record: Record, _message: Message, _scope: Scope) -> Steps[bool]:
        """Always."""
        yield from ()
        return True

    def happened_name(self, proposed: str) -> str:
        """Only points."""
        return proposed + "d"

    # ------------------------------------------------------------ what viewers see

    def words(self, ability: Ability) -> str:
        """Its own."""
        return ability.text

    def sees(self, viewer: Viewer, ref: Ref, zone: str) -> bool:
        """Hands are their owner's, what is discarded is everybody's."""
        return zone.startswith("trash") or zone == f"hand:{viewer}"

    def object_view(self, ref: Ref) -> Face:
        """Its name."""
        return Face({"name": self.game.board.card(ref).name})

    def seat_view(self, seat: Seat) -> dict[str, object]:
        """Points."""
        return {"points": self.game.seat_state(seat).points}

    def more_views(self, key: Callable[[Ref], str | None]) -> dict[str, dict[str, object]]:
        """Nothing more."""
        return {}

    def is_told(self, message: Happened) -> bool:
        """Turns and points are."""
        return message.event in ("mark:turn", "scored")

    def sentence(self, message: Happened, viewer: Viewer | None) -> str:
        """Turns and points are worth one."""
        if message.event == "mark:turn":
            return f"Turn of {self.game.seat_state(message.player).name}"
        if message.event != "scored":
            return ""
        return f"{self.game.seat_state(message.player).name} scores {message.amount}."

    # ------------------------------------------------------------ objects and abilities

    def new_object(self, ref: Ref, card: Card, zone: str, **fields: Any) -> ObjectState:
        """A plain object."""
        return ObjectState(ref=ref, owner=card.owner, controller=card.owner, zone=zone, **fields)

    def behaves(self, _card: Card, zone: str) -> bool:
        """In a hand."""
        return zone.startswith("hand")

    def printed(self, _state: ObjectState, _card: Card) -> tuple[Any, ...]:
        """None."""
        return ()

    def functions(self, _record: Record) -> bool:
        """Always."""
        return True

    def scope_of(self, record: Record, message: Message | None = None) -> Scope:
        """The record's own."""
        return Scope(self.game.rules_table, record.controller, record.source, message=message)

    def remembered_of(self, _ref: Ref) -> tuple[tuple[str, Any], ...]:
        """Nothing."""
        return ()

    def controller_of(self, ref: Ref) -> Seat:
        """Its owner."""
        return self.game.board.card(ref).owner if ref.card >= 0 else NOBODY


def options(values: Sequence[Any]) -> tuple[Option, ...]:
    """Items that stand for these values."""
    return tuple(Option(label=str(value), value=value) for value in values)


def question(
    seat: Seat, shape: Any, kind: str, text: str, items: tuple[Option, ...], **more: Any
) -> Question:
    """A question of the toy."""
    return Question(id=0, seat=seat, shape=shape, kind=kind, text=text, items=items, **more)


# ---------------------------------------------------------------- what a ruleset's entry offers


def create(
    seats: tuple[SeatSetup, ...],
    *,
    host: ActorHost,
    key: bytes,
    options: dict[str, Any],
    keep_events: bool = False,
    views: bool = True,
) -> Game:
    """A game that has not started."""
    if len(seats) != 2:
        raise Refused("seats", "the toy is for two")
    rules = Toy(seats)
    return Game(
        rules, host, seats=2, key=key, options=options, keep_events=keep_events, views=views
    )


def decks() -> Mapping[str, int]:
    """Two decks: how many cards each has."""
    return {"small": 12, "large": 30}


def rules_version() -> str:
    """Never another."""
    return "toy 1"


def clauses() -> tuple[str, ...]:
    """The rule book."""
    return ("1.1", "1.2", "1.3", "2.1", "2.2")
