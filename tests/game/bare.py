"""A bare rule book for tests of the kernel: it does what a script says and notes its course.

Events: "hit" (an amount on an object), "leave" (an object goes to its owner's pile). Replacements
may add to an amount, prevent it, or do something else instead; triggers are noted, not run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from longfuse.abilities.ability import Ability
from longfuse.abilities.scope import Scope
from longfuse.actors import InlineHost
from longfuse.game.entries import Interruption, Result
from longfuse.game.faces import Face
from longfuse.game.game import Game
from longfuse.game.installed import ExpiryHandle
from longfuse.game.questions import Steps
from longfuse.game.randomness import key_of_seed
from longfuse.game.rules import Rules, Trigger
from longfuse.game.state import Card, ObjectState, SeatState
from longfuse.timing.messages import Happened, Message, Proposed
from longfuse.timing.records import Record, Source
from longfuse.timing.references import Ref, Seat
from longfuse.timing.windows import Window


class Plain(msgspec.Struct, frozen=True):
    """A card."""

    name: str
    abilities: tuple[Any, ...] = ()


class Thing(ObjectState, frozen=True, kw_only=True):
    """An object that can be hit."""

    hits: int = 0


class Player(SeatState, frozen=True, kw_only=True):
    """A seat's number."""

    points: int = 0


class Bare(Rules):
    """The rule book."""

    name = "bare"
    turn_end = "end"
    zone_names = ("board", "chain", "pile:0", "pile:1", "hand:0", "hand:1")

    def __init__(self, script: Callable[[Bare], Steps[Any]] | None = None) -> None:
        self.script = script
        self.course: list[str] = []
        self.triggered: list[Trigger] = []
        self.agreeing = True

    def play(self) -> Steps[Result]:
        """What the script says."""
        for seat in (0, 1):
            self.game.start_seat(Player(seat=seat))
        if self.script is not None:
            yield from self.script(self)
        return Result(None, "the script has ended")

    def interrupt(self, entry: Interruption) -> Result | None:
        """Whoever concedes loses."""
        self.game.installed.player_left(entry.seat)
        return Result(1 - entry.seat, "conceded")

    # ------------------------------------------------------------ publishing

    def commit(self, proposal: Proposed) -> list[Happened]:
        """Write it."""
        self.course.append(f"commit {proposal.event}")
        game = self.game
        ref = proposal.subject
        if proposal.event == "leave":
            assert ref is not None
            card = game.board.card(ref)
            game.move_card(card.id, f"pile:{card.owner}")
        elif proposal.event == "hit":
            assert ref is not None
            game.change(ref, hits=game.store.values[ref].hits + proposal.amount)
        return [
            game.happened(
                self.happened_name(proposal.event),
                subjects=proposal.subjects,
                player=proposal.player,
                amount=proposal.amount,
            )
        ]

    def leaving(self, proposal: Proposed) -> tuple[Ref, ...]:
        """Who leaves."""
        self.course.append(f"leaving {proposal.event}")
        return proposal.subjects if proposal.event == "leave" else ()

    def replacement_chooser(self, _proposal: Proposed) -> Seat:
        """Seat 0."""
        return 0

    def in_order(self, proposals: list[Proposed]) -> list[Proposed]:
        """As they come."""
        return proposals

    def rewrite(self, record: Record, proposal: Proposed, _scope: Scope) -> Steps[Proposed | None]:
        """Add, or do nothing instead."""
        self.course.append(f"rewrite {proposal.event}")
        yield from ()
        how = record.ability.rewrite.how
        if how == "plus":
            return msgspec.structs.replace(proposal, amount=proposal.amount + 1)
        return None if how == "instead" else proposal

    def agrees(self, _record: Record, _message: Message, _scope: Scope) -> Steps[bool]:
        """As the test wants."""
        yield from ()
        return self.agreeing

    def happened_name(self, proposed: str) -> str:
        """Hit and left."""
        return {"leave": "left"}.get(proposed, proposed)

    def triggers(self, triggers: list[Trigger]) -> Steps[None]:
        """Note them."""
        self.course.append(f"triggers {len(triggers)}")
        self.triggered += triggers
        yield from ()

    # ------------------------------------------------------------ objects

    def new_object(self, ref: Ref, card: Card, zone: str, **fields: Any) -> ObjectState:
        """A thing."""
        fields.setdefault("controller", card.owner)
        return Thing(ref=ref, owner=card.owner, zone=zone, **fields)

    def behaves(self, _card: Card, zone: str) -> bool:
        """On the board."""
        return zone == "board"

    def printed(self, _state: ObjectState, card: Card) -> tuple[Any, ...]:
        """All abilities."""
        return card.definition.abilities

    def functions(self, _record: Record) -> bool:
        """Always."""
        return True

    def scope_of(self, record: Record, message: Message | None = None) -> Scope:
        """With what was captured."""
        return Scope(
            self,  # type: ignore[arg-type]
            record.controller,
            record.source,
            names=record.names(),
            message=message,
            record=record,
        )

    def remembered_of(self, _ref: Ref) -> tuple[tuple[str, Any], ...]:
        """Nothing."""
        return ()

    def words(self, ability: Any) -> str:
        """Its text."""
        return str(ability.text)

    # ------------------------------------------------------------ the table

    def controller_of(self, ref: Ref) -> Seat:
        """The base controller."""
        value = self.game.store.values.get(ref)
        return self.game.board.card(ref).owner if value is None else int(value.controller)

    def owner_of(self, ref: Ref) -> Seat:
        """Whose card it is."""
        return self.game.board.card(ref).owner

    def turn_player(self) -> Seat:
        """Whose turn it is."""
        return self.game.now.owner

    def seats(self) -> tuple[Seat, ...]:
        """Both."""
        return (0, 1)

    def attached(self, _ref: Ref, _to_it: bool) -> tuple[Ref, ...]:
        """Nothing is."""
        return ()

    def is_kind(self, _ref: Ref, _word: str) -> bool:
        """Everything is of every kind."""
        return True

    # ------------------------------------------------------------ what viewers see

    def sees(self, viewer: Any, _ref: Ref, zone: str) -> bool:
        """Hands are their owner's; piles are nobody's; the board is everybody's."""
        return zone in ("board", "chain") or zone == f"hand:{viewer}"

    def object_view(self, ref: Ref) -> Face:
        """Its name."""
        return Face({"card": self.game.board.card(ref).name})

    def seat_view(self, seat: Seat) -> dict[str, Any]:
        """Points."""
        return {"points": self.game.seat_state(seat).points}

    def more_views(self, _key: Any) -> dict[str, dict[str, Any]]:
        """Nothing more."""
        return {}

    def is_told(self, message: Happened) -> bool:
        """All but marks."""
        return not message.event.startswith("mark:")

    def sentence(self, message: Happened, viewer: Any) -> str:
        """The event."""
        return message.event if viewer is None else "something"


# ---------------------------------------------------------------- helpers


def a_game(script: Callable[[Bare], Steps[Any]] | None = None) -> tuple[Game, Bare]:
    """A game that has run its script to the first question or to its end."""
    rules = Bare(script)
    game = Game(rules, InlineHost(), seats=2, key=key_of_seed(1), keep_events=True)
    if script is not None:
        game.start()
    else:
        for seat in (0, 1):
            game.start_seat(Player(seat=seat))
        done(game.begin_turn(0))
    return game, rules


def done(steps: Steps[Any]) -> Any:
    """Run steps in which nobody is asked; their value."""
    try:
        while True:
            item = next(steps)
            assert type(item).__name__ == "Mark", f"asked: {item}"
    except StopIteration as stop:
        return stop.value


def a_thing(game: Game, name: str = "Oak", owner: int = 0, *abilities: Any, **fields: Any) -> Ref:
    """A new object on the board."""
    made = game.board.new_card(Plain(name, abilities), owner)
    return game.move_card(made.id, "board", **fields)


def waits(game: Game, window: Window, kind: str = "triggered", **fields: Any) -> ExpiryHandle:
    """A delayed record with that window; the handle that watches it."""
    installed = game.installed
    installed.last_id += 1
    ability = fields.pop("ability", Ability(kind=kind))  # type: ignore[arg-type]
    installed.put(
        Record(
            id=installed.last_id,
            kind=kind,
            delayed=True,
            controller=fields.pop("controller", 0),
            source=Source(None, fields.pop("source", "Fuse"), 0),
            ability=ability,
            digest="",
            window=window,
            watch=fields.pop("watch", ("hit",)),
            **fields,
        )
    )
    return ExpiryHandle(installed, installed.last_id)
