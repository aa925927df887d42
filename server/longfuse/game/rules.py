"""Rules: what a ruleset gives the kernel.

Owns the port between a game and its rule book. One instance belongs to one game. The kernel calls
it and never knows which rule book it is; a ruleset calls the kernel's `Game` for every change.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.abilities.scope import Scope
from longfuse.abilities.watching import speaks_of_itself, watch_words
from longfuse.timing.messages import Happened, Message, Proposed
from longfuse.timing.records import Reason, Record
from longfuse.timing.references import Ref, Seat
from longfuse.timing.windows import InZone, Window

if TYPE_CHECKING:
    from collections.abc import Callable

    from longfuse.game.entries import Interruption, Result
    from longfuse.game.eyes import Viewer
    from longfuse.game.faces import Face
    from longfuse.game.game import Game
    from longfuse.game.questions import Steps
    from longfuse.game.state import Card, ObjectState
    from longfuse_protocol.views import Entity

    Keys = Callable[[Ref], str | None]


class Trigger(msgspec.Struct, frozen=True):
    """A triggered ability whose condition has been met: the record as it was, and the message.

    noted: the number of the message that says so; 0 where there is none yet.
    """

    record: Record
    message: Happened
    controller: Seat
    noted: int = 0

    def indistinguishable(self, other: object) -> bool:
        """Whether nobody could tell the two apart: same words, captured values and controller."""
        return (
            isinstance(other, Trigger)
            and self.record.digest == other.record.digest
            and self.record.captured == other.record.captured
            and self.controller == other.controller
            and (not speaks_of_itself(self.record.ability) or self._comes_from_where(other))
        )

    def _comes_from_where(self, other: Trigger) -> bool:
        return (
            self.record.source.object == other.record.source.object
            and self.message.subjects == other.message.subjects
        )


class Rules(ABC):
    """One rule book at work in one game."""

    name: str
    turn_marks: frozenset[str] = frozenset({"turn"})
    """Marks by which a whole turn is named: "the end of your next turn" is not this one's."""
    closing_marks: Mapping[str, str] = MappingProxyType({})
    """Marks that come as something that may come again within a turn ends, and what that is."""
    turn_end: str
    """The mark at which "this turn" ends."""
    mark_clauses: Mapping[str, str] = MappingProxyType({})
    """The clause under which each mark comes, where the rule book has one."""
    end_clauses: Mapping[Reason, str] = MappingProxyType({})
    """The clause under which a delayed ability ends for a reason, where the rule book has one."""
    replacement_clause: str = ""
    """The clause by which somebody orders several replacements of one event, if there is one."""
    zone_names: tuple[str, ...]
    """Every zone of the game, each with an actor of its own."""

    game: Game

    # -------------------------------------------------------------- the course of a game

    @abstractmethod
    def play(self) -> Steps[Result]:
        """The whole game, from set-up to its result."""

    @abstractmethod
    def interrupt(self, entry: Interruption) -> Result | None:
        """What an interruption does: the result, or None where the game goes on."""

    # -------------------------------------------------------------- publishing

    @abstractmethod
    def commit(self, proposal: Proposed) -> list[Happened]:
        """Carry out one proposal by messages to the actors; say what happened."""

    @abstractmethod
    def leaving(self, proposal: Proposed) -> tuple[Ref, ...]:
        """The objects whose stay this proposal will end."""

    @abstractmethod
    def replacement_chooser(self, proposal: Proposed) -> Seat:
        """Who orders several replacements of one event."""

    @abstractmethod
    def in_order(self, proposals: list[Proposed]) -> list[Proposed]:
        """In which order simultaneous proposals are looked at."""

    def arrange(self, proposals: list[Proposed]) -> Steps[list[Proposed]]:
        """The same after asking whom it concerns, where the order decides what is replaced."""
        yield from ()
        return proposals

    @abstractmethod
    def rewrite(self, record: Record, proposal: Proposed, scope: Scope) -> Steps[Proposed | None]:
        """Apply a replacement: the changed proposal, None if something else was done instead, or
        the same one if it changed nothing."""

    @abstractmethod
    def agrees(self, record: Record, message: Message, scope: Scope) -> Steps[bool]:
        """Whether its controller uses an optional replacement, and has paid for it."""

    def is_optional(self, ability: Any) -> bool:
        """Whether its controller may decline it: its words say so, or the rule book does."""
        return bool(ability.optional)

    @abstractmethod
    def happened_name(self, proposed: str) -> str:
        """The event that a proposal becomes, to count "the Nth time"."""

    @abstractmethod
    def triggers(self, triggers: list[Trigger]) -> Steps[None]:
        """Take what one batch has triggered: order it and make it pending."""

    # -------------------------------------------------------------- objects and abilities

    @abstractmethod
    def new_object(self, ref: Ref, card: Card, zone: str, **fields: Any) -> ObjectState:
        """The value of a new stay."""

    @abstractmethod
    def behaves(self, card: Card, zone: str) -> bool:
        """Whether such an object has behaviour there: it gets an actor and a task."""

    @abstractmethod
    def printed(self, state: ObjectState, card: Card) -> tuple[Any, ...]:
        """The abilities of a new stay that function where it is."""

    def watch_words(self, ability: Any) -> tuple[str, ...]:
        """The index words under which an installed ability waits."""
        return watch_words(ability)

    @abstractmethod
    def functions(self, record: Record) -> bool:
        """Whether an installed ability works at present."""

    @abstractmethod
    def scope_of(self, record: Record, message: Message | None = None) -> Scope:
        """What the words of an installed ability refer to."""

    def residency(self, ref: Ref) -> Window:
        """The window of an object's stay in its appropriate zone."""
        return InZone(ref, self.game.zone_word(ref))

    @abstractmethod
    def words(self, ability: Any) -> str:
        """What an ability says, in the ruleset's canonical words."""

    def words_of(self, record: Record) -> str:
        """What an installed ability says; a ruleset may name what it has captured."""
        return self.words(record.ability)

    # -------------------------------------------------------------- what viewers see

    @abstractmethod
    def sees(self, viewer: Viewer, ref: Ref, zone: str) -> bool:
        """Whether a viewer sees the face of an object in a zone."""

    @abstractmethod
    def object_view(self, ref: Ref) -> Face:
        """What whoever sees an object knows of it.

        Of an object without stored state it must not change as long as its stay lasts.
        """

    def view_asks(self, _ref: Ref) -> tuple[str, ...] | None:
        """The index words of all questions that `object_view` asks of passives about an object.

        While nothing waits under any of them, what is shown of the object follows from its stored
        value alone. None: it hangs on more than that.
        """
        return None

    @abstractmethod
    def seat_view(self, seat: Seat) -> Entity:
        """What everybody knows of a player."""

    @abstractmethod
    def more_views(self, key: Keys) -> dict[str, Entity]:
        """Further entities that everybody sees: chain items, what goes on."""

    @abstractmethod
    def is_told(self, message: Happened) -> bool:
        """Whether viewers are told of an event at all."""

    @abstractmethod
    def sentence(self, message: Happened, viewer: Viewer | None) -> str:
        """What happened in a sentence. viewer: one that may not know its objects; None: all."""

    @abstractmethod
    def remembered_of(self, ref: Ref) -> tuple[tuple[str, Any], ...]:
        """The numbers of an object that are kept when it leaves."""
