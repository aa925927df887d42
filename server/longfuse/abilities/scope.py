"""What the words of a running ability refer to.

Owns `Scope`: who controls the ability, its source as it was, the names given so far, the message
that woke it. And `Table`, the port through which words are looked up in a game: a ruleset
implements it. A scope lives as long as one ability runs; only captured values outlive it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.abilities.nodes import Objects, Selector, Tally
    from longfuse.timing.messages import Message
    from longfuse.timing.records import Source


class Table(Protocol):
    """The game as words see it. Objects that have left are seen as they were."""

    def seats(self) -> tuple[Seat, ...]:
        """All seats in turn order, from the turn player."""

    def turn_player(self) -> Seat:
        """Whose turn it is."""

    def is_there(self, ref: Ref) -> bool:
        """Whether that stay has not ended."""

    def controller_of(self, ref: Ref) -> Seat:
        """Who controls it, after all changes (as it was, if it left)."""

    def owner_of(self, ref: Ref) -> Seat:
        """Whose card it is."""

    def card_name(self, ref: Ref) -> str:
        """Its name."""

    def zone_of(self, ref: Ref) -> str:
        """The zone word of where it is, or was."""

    def is_kind(self, ref: Ref, word: str) -> bool:
        """Whether it is of that kind."""

    def is_state(self, ref: Ref, word: str) -> bool:
        """Whether that state word holds for it."""

    def has_tag(self, ref: Ref, tag: str) -> bool:
        """Whether it has the tag."""

    def has_keyword(self, ref: Ref, keyword: str) -> bool:
        """Whether it has the keyword."""

    def is_at(self, ref: Ref, place: str, scope: Scope, place_of: Objects | None) -> bool:
        """Whether the place word holds for it."""

    def source_place(self, scope: Scope) -> str:
        """ "Here": where an ability's source is, or was."""

    def stat_of(self, ref: Ref, stat: str) -> int:
        """A number of an object."""

    def seat_stat(self, seat: Seat, stat: str) -> int:
        """A number of a player."""

    def holds(self, scope: Scope, word: str, amount: int) -> bool:
        """Whether a state word of the game holds."""

    def in_zone(self, selector: Selector, scope: Scope) -> Iterable[Ref]:
        """The objects in the selector's zone, in the game's own order."""

    def targets_of(self, ref: Ref) -> tuple[Ref, ...]:
        """What an item on the chain has chosen."""

    def attached(self, ref: Ref, to_it: bool) -> tuple[Ref, ...]:
        """What is attached to it, or what it is attached to."""

    def linked(self, scope: Scope, name: str) -> tuple[Ref, ...]:
        """The members of the source's link."""

    def tally(self, scope: Scope, tally: Tally) -> int:
        """How often an event happened."""


class Scope:
    """The names of one running ability."""

    __slots__ = ("controller", "item", "message", "names", "record", "source", "table")

    def __init__(
        self,
        table: Table,
        controller: Seat,
        source: Source,
        *,
        names: dict[str, Any] | None = None,
        message: Message | None = None,
        record: Any = None,
        item: int = 0,
    ) -> None:
        self.table = table
        self.controller = controller
        self.source = source
        self.names: dict[str, Any] = names if names is not None else {}
        self.message = message
        self.record = record
        self.item = item

    def with_name(self, name: str, value: Any) -> Scope:
        """The same scope with one more name; the original does not change."""
        return Scope(
            self.table,
            self.controller,
            self.source,
            names={**self.names, name: value},
            message=self.message,
            record=self.record,
            item=self.item,
        )


class Unresolved(Exception):
    """A word refers to nothing that could be known: a defect of the program, not of the game."""
