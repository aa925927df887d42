"""Passing: what a ruleset says about the chances that a seat may let go by.

Owns the port that a ruleset offers for it, and what passes through it; what rulesets find alike is
in `passing_facts`. It reads what the asked seat's own client has: its prompt, its view, its events.
So nothing that the seat may not know can decide whether it is asked. It never looks at a game, and
never answers a prompt itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from longfuse_protocol.passing import Interrupt
from longfuse_protocol.prompts import Answer, Prompt
from longfuse_protocol.views import View

Events = Sequence[Mapping[str, Any]]
"""What a seat was told has happened, as frames bring it, oldest first."""


class Chance(NamedTuple):
    """A prompt that can be passed.

    options: whether anything but passing is legal. own: whether the seat would begin something
    here, and not only respond: its own main phase. Such a chance is passed for `until` alone.
    """

    answer: Answer
    options: bool
    own: bool = False


class Where(NamedTuple):
    """Where a game stands. turn: 0 before the first. seat: whose turn it is."""

    turn: int
    seat: int | None
    phase: str


class Interruption(NamedTuple):
    """Why a seat may want to be asked.

    text: a clause for people ("you are attacked"). key: the same for the same cause at every look.
    fresh: it has come with these very events. source: what on the chain brings it, as prompts name
    it; "" if nothing there does.
    """

    kind: Interrupt
    text: str
    key: str
    fresh: bool = False
    source: str = ""


class PassingRules(Protocol):
    """What a ruleset knows of the chances to act in it."""

    @property
    def phases(self) -> Mapping[str, str]:
        """The phases in the order of a turn, each with its name in a sentence ("main phase")."""

    def where(self, view: View) -> Where:
        """Where the game stands."""

    def chance(self, prompt: Prompt, view: View) -> Chance | None:
        """How the prompt is passed; None if it is no chance that can be."""

    def interruptions(self, view: View, events: Events, seat: int) -> Sequence[Interruption]:
        """All that might make the seat want to be asked now, whatever its settings."""


class NoPassing:
    """Of a ruleset that says nothing about passing: nobody is ever passed for."""

    phases: Mapping[str, str] = {}

    def where(self, view: View) -> Where:
        """Nowhere: it has no phases to stop at."""
        return Where(0, None, "")

    def chance(self, prompt: Prompt, view: View) -> Chance | None:
        """Every prompt is asked."""
        return None

    def interruptions(self, view: View, events: Events, seat: int) -> Sequence[Interruption]:
        """Nothing is passed, so nothing interrupts."""
        return ()
