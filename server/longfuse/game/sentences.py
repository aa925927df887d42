"""Sentences that rulesets tell alike: an event's parts in words, and the course of chain items.

Owns how players, objects and causes are named in sentences, and that who may not know an event's
objects is told no names. Which events are told, and all other words, are a ruleset's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

from longfuse.game.state import SeatState
from longfuse.timing.messages import Happened
from longfuse.timing.references import NOBODY, Ref, Seat


class Named(Protocol):
    """A game, as far as its players and objects have names."""

    def player(self, seat: Seat, /) -> SeatState:
        """What is kept for a player."""

    def card_name(self, ref: Ref, /) -> str:
        """An object's name."""

    def owner_of(self, ref: Ref, /) -> Seat:
        """Whose card it is."""

    def is_there(self, ref: Ref, /) -> bool:
        """Whether the stay has not ended."""


DuelT = TypeVar("DuelT", bound=Named)


class Teller(ABC, Generic[DuelT]):
    """One event, with its parts in words."""

    def __init__(self, duel: DuelT, message: Happened, is_shut_out: bool) -> None:
        self.duel = duel
        self.message = message
        self.is_shut_out = is_shut_out

    @abstractmethod
    def is_public(self, ref: Ref) -> bool:
        """Whether all see the face of an object that is there."""

    @property
    def who(self) -> str:
        """The player's name."""
        seat = self.message.player
        return "Nobody" if seat == NOBODY else self.duel.player(seat).name

    @property
    def whose(self) -> str:
        """The player's name in the genitive."""
        return f"{self.who}'s"

    @property
    def it(self) -> str:
        """The first subject."""
        return self._name(0)

    @property
    def other(self) -> str:
        """The second subject."""
        return self._name(1)

    def _name(self, index: int) -> str:
        if self.is_shut_out or len(self.message.subjects) <= index:
            return "a card"
        return self.duel.card_name(self.message.subjects[index])

    @property
    def its_player(self) -> str:
        """The first subject with its owner."""
        if not self.message.subjects:
            return "a card"
        ref = self.message.subjects[0]
        return f"{self.duel.player(self.duel.owner_of(ref)).name}'s {self.it}"

    @property
    def by(self) -> str:
        """What did it, if that is known."""
        source = self.message.source
        return f" (by {self.duel.card_name(source)})" if source is not None else ""

    @property
    def by_another(self) -> str:
        """The same, where it is not the first subject itself."""
        return "" if self.message.source in self.message.subjects[:1] else self.by

    @property
    def amount(self) -> int:
        """The amount."""
        return self.message.amount

    @property
    def label(self) -> str:
        """What it is called after: the card of an item on the chain, or of what waits."""
        return str(self.message.fact("label", "a card"))

    @property
    def chosen(self) -> str:
        """What an item has chosen: what all may see by name, where it still is; "" if nothing."""
        return ", ".join(
            self.duel.card_name(ref)
            if self.duel.is_there(ref) and self.is_public(ref)
            else "what is gone"
            for ref in self.message.fact("chosen", ())
        )

    @property
    def on_chosen(self) -> str:
        """The same behind what is done to it."""
        return f" on {self.chosen}" if self.chosen else ""


def died(tell: Teller[Any]) -> str:
    """A creature or unit dies: of damage, or by something else."""
    damage = tell.message.fact("damage")
    return f"{tell.its_player} dies{f' of {damage} damage' if damage else tell.by_another}."


def _came_to_nothing(tell: Teller[Any]) -> str:
    why = tell.message.fact("why")
    return f"{tell.label} comes to nothing" + (f": {why}." if why else ".")


OF_ITEMS: Mapping[str, Callable[[Teller[Any]], str]] = MappingProxyType(
    {
        "came to nothing": _came_to_nothing,
        "done": lambda t: f"{t.label} is done.",
        "declined": lambda t: f"{t.who} declines {t.label}.",
        "paid": lambda t: f"{t.who} pays for {t.label}.",
    }
)
"""How an item ends where its effects do not tell it (`game.chain`), and that it was paid for."""
