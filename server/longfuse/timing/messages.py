"""Timing messages: what is about to happen, what has happened, what is asked.

Owns the three families. A message is immutable; `event` is a name that the
ruleset declares. Messages are made by the game while it publishes; nothing here delivers them.
"""

from __future__ import annotations

from typing import Any

import msgspec

from longfuse.timing.references import NOBODY, Ref, Seat

NO_FACTS: dict[str, Any] = {}


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What every message carries.

    event: the name of what it is about. id: its number in this game. cause: the id of the message
    because of which it came (0: the start, or a player's decision). batch: what is simultaneous has
    the same. mark: the calendar mark it came under. subjects: the objects it is about, the first
    above all. player: the seat that does it or to which it happens. source: the object that does
    it. amount and facts: frozen at publication (the damage dealt, the cost paid). clause: the rule
    that made this step.
    """

    event: str
    id: int = 0
    cause: int = 0
    batch: int = 0
    mark: int = 0
    subjects: tuple[Ref, ...] = ()
    player: Seat = NOBODY
    source: Ref | None = None
    amount: int = 0
    facts: dict[str, Any] = msgspec.field(default_factory=lambda: NO_FACTS)
    clause: str = ""

    @property
    def subject(self) -> Ref | None:
        """The first subject, or None."""
        return self.subjects[0] if self.subjects else None

    def fact(self, name: str, default: Any = None) -> Any:
        """A fact by its name; `amount` counts as one."""
        return self.amount if name == "amount" else self.facts.get(name, default)


class Proposed(Message, frozen=True, kw_only=True):
    """This is about to happen; replacements may rewrite it.

    replaces: the proposal for which it stands in (0: none). applied: the records that were applied
    to it or to what it stands in for; none of them applies again (370.2 in one book's words).
    by_own_execution: the item that is resolving told it to (390.3.a).
    """

    replaces: int = 0
    applied: frozenset[int] = frozenset()
    by_own_execution: bool = False


class Happened(Message, frozen=True, kw_only=True):
    """This has happened.

    ordinal: the place in the game's log. were: the subjects as they were just before, for
    conditions about objects that have left. secret: the seats that may know the subjects' faces
    (None: everybody).
    """

    ordinal: int = 0
    were: tuple[Any, ...] = ()
    secret: tuple[Seat, ...] | None = None


class Asked(Message, frozen=True, kw_only=True):
    """What is the value, is it allowed? `value` is where the answer starts from."""

    value: Any = None


def would(event: str) -> str:
    """The index word under which replacements of a proposal wait."""
    return "would:" + event


def ask(word: str) -> str:
    """The index word under which passives that answer a question wait."""
    return "ask:" + word


def reached(mark: str) -> str:
    """The event name of a calendar mark being reached."""
    return "mark:" + mark
