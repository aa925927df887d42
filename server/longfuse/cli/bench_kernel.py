"""What the kernel's own steps cost: asking an actor, and publishing past many that wait.

Owns a rule book in which nothing happens but what is published here, so that the figures are the
kernel's and no game's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec

from longfuse.abilities.ability import Ability, Change, Duration
from longfuse.abilities.nodes import Named, When
from longfuse.abilities.scope import Scope
from longfuse.actors import Actor, InlineHost
from longfuse.game.entries import Interruption, Result
from longfuse.game.eyes import Viewer
from longfuse.game.faces import Face
from longfuse.game.game import Game
from longfuse.game.questions import Steps
from longfuse.game.randomness import key_of_seed
from longfuse.game.rules import Rules, Trigger
from longfuse.game.state import Card, ObjectState
from longfuse.timing.messages import Happened, Message, Proposed
from longfuse.timing.records import Record, Source
from longfuse.timing.references import Ref, Seat
from longfuse_protocol.views import Entity

ASKS = 20_000
PUBLISHES = 1_000
EVENT = "struck"

_FOR_GOOD = Duration("game")
_OF_ONE = When(event=EVENT, subject=Named("t1"))
TRIGGER = Ability(kind="triggered", when=_OF_ONE, window=_FOR_GOOD, text="When it is struck, …")
WAITING = (
    TRIGGER,
    Ability(
        kind="replacement",
        when=When(event="strike", subject=Named("t1")),
        window=_FOR_GOOD,
        text="If it would be struck, …",
    ),
    Ability(
        kind="passive",
        changes=(Change(asks="might", of=Named("t1"), amount=1),),
        window=_FOR_GOOD,
        text="It has +1 might.",
    ),
)
"""What waits, in turn: one ability of each kind, about one object."""


class _Counter:
    """A behaviour that does as little as one can."""

    def __init__(self) -> None:
        self.count = 0

    def receive(self, step: int) -> int:
        """Count."""
        self.count += step
        return self.count


def ask_s() -> float:
    """CPU seconds of one ask of an actor."""
    actor: Actor[int, int] = Actor("counter", _Counter())
    ask = actor.ask
    began = time.process_time()
    for _ in range(ASKS):
        ask(1)
    return (time.process_time() - began) / ASKS


class Publishing:
    """A game in which so many abilities wait, of which one is woken by what is published."""

    def __init__(self, waiting: int) -> None:
        self._game = Game(_Nothing(), InlineHost(), seats=2, key=key_of_seed(0), views=False)
        self._struck = self._new_object()
        self._wait(TRIGGER, self._struck)
        for number in range(waiting - 1):
            self._wait(WAITING[number % len(WAITING)], self._new_object())

    def _new_object(self) -> Ref:
        board = self._game.board
        return board.arrive(board.new_card(_Plain(), 0).id, "field")

    def _wait(self, ability: Ability, about: Ref) -> None:
        table = self._game.rules_table
        source = Source(None, "bench", 0)
        self._game.installed.create(ability, Scope(table, 0, source, names={"t1": (about,)}))

    def publish_s(self) -> float:
        """CPU seconds of publishing one proposal in all five steps."""
        game = self._game
        game.log.new_turn()
        game.log.events.clear()
        proposal = Proposed(event="strike", subjects=(self._struck,), amount=1)
        began = time.process_time()
        for _ in range(PUBLISHES):
            for _step in game.publish(proposal):
                raise AssertionError("nobody is asked here")
        return (time.process_time() - began) / PUBLISHES


class _Plain(msgspec.Struct, frozen=True):
    """A card without abilities."""

    name: str = "card"
    abilities: tuple[Any, ...] = ()


class _Nothing(Rules):
    """A rule book that carries out what is published, and lets what is woken fall."""

    name = "bench"
    turn_end = "end"
    zone_names = ("field",)

    def __init__(self) -> None:
        self.woken = 0

    def play(self) -> Steps[Result]:
        """Nothing is played."""
        yield from ()
        return Result(None, "nothing is played")

    def interrupt(self, _entry: Interruption) -> Result | None:
        """Nothing can be interrupted."""
        return None

    def commit(self, proposal: Proposed) -> list[Happened]:
        """It happens."""
        return [self.game.happened(EVENT, subjects=proposal.subjects, amount=proposal.amount)]

    def leaving(self, _proposal: Proposed) -> tuple[Ref, ...]:
        """Nothing leaves."""
        return ()

    def replacement_chooser(self, _proposal: Proposed) -> Seat:
        """There is never a choice."""
        return 0

    def in_order(self, proposals: list[Proposed]) -> list[Proposed]:
        """As they come."""
        return proposals

    def rewrite(self, _record: Record, proposal: Proposed, _scope: Scope) -> Steps[Proposed | None]:
        """Nothing is changed."""
        yield from ()
        return proposal

    def agrees(self, _record: Record, _message: Message, _scope: Scope) -> Steps[bool]:
        """Always."""
        yield from ()
        return True

    def happened_name(self, _proposed: str) -> str:
        """There is one event."""
        return EVENT

    def triggers(self, triggers: list[Trigger]) -> Steps[None]:
        """They are counted."""
        yield from ()
        self.woken += len(triggers)

    def new_object(self, ref: Ref, card: Card, zone: str, **fields: Any) -> ObjectState:
        """A plain object."""
        return ObjectState(ref=ref, owner=card.owner, controller=card.owner, zone=zone, **fields)

    def behaves(self, _card: Card, _zone: str) -> bool:
        """Never."""
        return False

    def printed(self, _state: ObjectState, _card: Card) -> tuple[Any, ...]:
        """Nothing is printed."""
        return ()

    def functions(self, _record: Record) -> bool:
        """Always."""
        return True

    def scope_of(self, record: Record, message: Message | None = None) -> Scope:
        """The record's own names."""
        return Scope(
            self.game.rules_table,
            record.controller,
            record.source,
            names=record.names(),
            message=message,
            record=record,
        )

    def words(self, ability: Any) -> str:
        """Its own."""
        return str(ability.text)

    # Nobody looks.

    def sees(self, _viewer: Viewer, _ref: Ref, _zone: str) -> bool:
        """Nobody sees anything."""
        return False

    def object_view(self, _ref: Ref) -> Face:
        """Nothing is shown."""
        return Face({})

    def seat_view(self, _seat: Seat) -> Entity:
        """Nothing is shown."""
        return {}

    def more_views(self, _key: Callable[[Ref], str | None]) -> dict[str, Entity]:
        """Nothing is shown."""
        return {}

    def is_told(self, _message: Happened) -> bool:
        """Nothing is told."""
        return False

    def sentence(self, _message: Happened, _viewer: Viewer | None) -> str:
        """Nothing is told."""
        return ""

    def remembered_of(self, _ref: Ref) -> tuple[tuple[str, Any], ...]:
        """Nothing."""
        return ()
