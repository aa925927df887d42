"""What a ruleset gives so that position files of it can be played.

Owns two ports: `PositionRules` reads cards and builds a game that stands at the start of a
position; `PositionTable` is one such game, seen through the file's names. Nothing here knows a
ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from longfuse.game.positions.schema import Field

if TYPE_CHECKING:
    from longfuse.game.game import Game
    from longfuse.game.positions.file import Position
    from longfuse.game.positions.steps import Step
    from longfuse.game.questions import Option, Question
    from longfuse.timing.references import Ref, Seat


class Vocabulary(msgspec.Struct, frozen=True):
    """The words that a ruleset adds to those of every position file.

    phases: phases and steps in their order; main_phase: where `end turn` goes on to. refs: names
    that need no [[object]] (the battlefields). actions: which of the actions there are. start,
    seat_start, object: keys of those tables. object_facts, seat_facts: what may be expected.
    happened: events that are counted.
    """

    phases: tuple[str, ...]
    main_phase: str
    refs: tuple[str, ...]
    actions: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]
    start: Mapping[str, Field]
    seat_start: Mapping[str, Field]
    object: Mapping[str, Field]
    object_facts: Mapping[str, Field]
    seat_facts: Mapping[str, Field]
    happened: tuple[str, ...]
    is_location: Callable[[str], bool]


class PositionRules(Protocol):
    """A ruleset, as position files need it."""

    name: str
    vocabulary: Vocabulary

    def define(self, fields: Mapping[str, Any]) -> Any:
        """The card of a [[card]] table.

        Raises:
            CardErrors: its fields are wrong.
            CardUnreadable: its text can't be compiled.
        """

    def shipped(self, name: str) -> Any | None:
        """A card of the shipped sets; None if there is none of that name."""

    def complaints(
        self,
        start: Mapping[str, Any],
        battlefields: list[dict[str, Any]],
        objects: list[dict[str, Any]],
        cards: Mapping[str, Any],
    ) -> list[str]:
        """What is wrong that only the ruleset can see: zones, counts, what can't be there."""

    def table(self, position: Position) -> PositionTable:
        """A game that stands at the start of a position. Every call gives the same game anew."""


class PositionTable(Protocol):
    """One game that a position is played in."""

    game: Game
    cards: Mapping[str, int]
    """The card of each ref."""
    began: Mapping[str, Ref]
    """The stay of each ref's card at the start."""

    # -------------------------------------------------------------- actions

    def passing(self, question: Question) -> int | None:
        """The item that passes; None if there is none."""

    def ending(self, question: Question) -> int | None:
        """The item that ends the turn; None if there is none."""

    def option(self, step: Step, question: Question) -> int:
        """The item that a step's action means.

        Raises:
            Refusal: it is not there, or not legal.
        """

    def is_action(self, question: Question) -> bool:
        """Whether the question asks for a free action (priority, focus, the turn's own actions)."""

    def asks_where(self, question: Question) -> bool:
        """Whether the question asks where what is being played goes: the key `to` answers it."""

    def pays(self, words: str, question: Question) -> bool:
        """Whether words of `pay` name the optional cost that a question offers."""

    def assigned(self, question: Question, division: Mapping[str, int]) -> tuple[int, ...]:
        """The order of assigning combat damage that comes to a division.

        Raises:
            Refusal: no order does.
        """

    def means(self, name: str, item: Option) -> bool:
        """Whether an item of a prompt is what a file calls by that name (not a ref)."""

    # -------------------------------------------------------------- looking

    def object_facts(self, ref: Ref) -> dict[str, Any]:
        """What `expect` may say about an object, as it is now."""

    def seat_facts(self, seat: Seat) -> dict[str, Any]:
        """What `expect` may say about a player."""

    def game_facts(self) -> dict[str, Any]:
        """chain (with cards' numbers), showdown, priority, focus, turn, phase, control, winner."""

    def happened(self, word: str) -> Mapping[str | int, int]:
        """How often that event happened since the start, by seat name and by card number."""

    def mark_words(self, mark: str, owner: str, how: str) -> tuple[str, ...]:
        """The ways to say a mark in a window. how: "at" or "until"; owner: a seat's name or ""."""
