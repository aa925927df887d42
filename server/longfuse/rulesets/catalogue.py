"""The rulesets that can be played, each loaded when it is first asked for.

Owns the one list of them, and the port that each offers to whoever makes, replays or tells games:
a module with these names. It knows where a ruleset lies and nothing of how it is played.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, cast

import msgspec

from longfuse.rulesets.passing import NoPassing, PassingRules
from longfuse.rulesets.rendering import PlainRendering, Rendering

if TYPE_CHECKING:
    from longfuse.actors import ActorHost
    from longfuse.game.game import Game
    from longfuse.game.positions import PositionRules
    from longfuse_protocol.prompts import Prompt
    from longfuse_protocol.views import View

MODULES: dict[str, str] = {
    "riftbound": "longfuse.rulesets.riftbound.entry",
    "hkk": "longfuse.rulesets.hkk.entry",
}
"""Where the entry of each ruleset lies, by its name."""

POSITIONS: dict[str, str] = {
    "riftbound": "longfuse.rulesets.riftbound.position",
    "hkk": "longfuse.rulesets.hkk.position",
}
"""Where each ruleset says how position files are played."""

CARDS: dict[str, str] = {
    "riftbound": "longfuse.rulesets.riftbound.cards",
    "hkk": "longfuse.rulesets.hkk.cards",
}
"""Where the reader of card files lies."""

ADVICE: dict[str, str] = {
    "riftbound": "longfuse.rulesets.riftbound.advice",
    "hkk": "longfuse.rulesets.hkk.advice",
}
"""Where each ruleset says what a sensible player would answer, if it does."""

PASSING: dict[str, str] = {
    "riftbound": "longfuse.rulesets.riftbound.passing",
    "hkk": "longfuse.rulesets.hkk.passing",
}
"""Where each ruleset says which chances to act may be passed for a seat, if it does."""

DECKS: dict[str, str] = {
    "riftbound": "longfuse.rulesets.riftbound.listing",
    "hkk": "longfuse.rulesets.hkk.listing",
}
"""Where each ruleset lists its sets, cards and decks, and checks decks."""

MATCHES: dict[str, str] = {
    "riftbound": "longfuse.rulesets.riftbound.matches",
    "hkk": "longfuse.rulesets.hkk.matches",
}
"""Where each ruleset says what the games of a match are played with, if it does."""

WRITING: dict[str, str] = {
    "riftbound": "longfuse.rulesets.riftbound.writing",
    "hkk": "longfuse.rulesets.hkk.writing",
}
"""Where each ruleset says how cards are written and checked one by one."""

TRIALS: dict[str, tuple[str, str]] = {
    "riftbound": (
        "longfuse.rulesets.riftbound.trying",
        "longfuse.rulesets.riftbound.trying_position",
    )
}
"""Where each ruleset says how all its cards are tried out: in games, and in positions."""

RENDERINGS: dict[str, str] = {
    "riftbound": "longfuse.rulesets.riftbound.rendering",
    "hkk": "longfuse.rulesets.hkk.rendering",
}
"""Where each ruleset says how its views are laid out in lines, if it does."""


class SeatSetup(msgspec.Struct, frozen=True):
    """Who sits where, and with what: a deck by its name, or as a list in the ruleset's own form."""

    name: str
    deck: Any = ""


class UnknownRuleset(Exception):
    """There is no such ruleset; the message says which there are."""


class Ruleset(Protocol):
    """What the entry module of a ruleset offers."""

    NAME: str
    OPTIONS: Mapping[str, tuple[str, ...]]
    """The readings that a table may choose: the values of each, the default first."""

    def create(
        self,
        seats: tuple[SeatSetup, ...],
        *,
        host: ActorHost,
        key: bytes,
        options: dict[str, Any],
        keep_events: bool = False,
        views: bool = True,
    ) -> Game:
        """A game that has not started.

        keep_events: keep its whole log. views: whether anybody will ever look.
        """

    def decks(self, files: Sequence[str | Path] = ()) -> Mapping[str, Any]:
        """The decks of those card files, then those that ship, by name; Refused for a bad file."""

    def rules_version(self) -> str:
        """The digest of all that decides a game: kernel, ruleset and card sets."""

    def clauses(self) -> tuple[str, ...]:
        """The clauses that tests are to cover."""


class CardReader(Protocol):
    """What the card module of a ruleset offers."""

    @property
    def TYPES(self) -> Collection[str]:
        """The types that its cards may have."""

    def read_entries(self, path: str | Path) -> list[dict[str, Any]]:
        """The cards of a file, uncompiled; ValueError if it holds none."""

    def cards_report(
        self, paths: Iterable[str | Path], delayed_names: Iterable[str] | None = None
    ) -> dict[str, Any]:
        """What its compiler understands of some files: `cards`, `compiled`, `failures`, …"""


class Advice(Protocol):
    """What a ruleset knows about playing well; it reads prompts and views as any client does."""

    def value(self, view: View, seat: int) -> float:
        """What a position is worth to a seat; 0 is even."""

    def rate(self, prompt: Prompt, view: View) -> Sequence[float]:
        """How good each item is for the prompt's seat, above 0 worth choosing; of a number, every
        number from the least on. Empty where the prompt's default is as good as anything.
        """


class DeckBook(Protocol):
    """What a ruleset offers that lists its cards, and has decks that people make."""

    SetError: type[Exception]
    """What is raised for a card file with errors."""

    def catalogue(self) -> dict[str, Any]:
        """`ruleset`, `sets` with their `cards`, `decks`: plain data, for clients and people."""

    def brought(self, files: Sequence[str | Path]) -> Any:
        """The cards of those files, as `check_deck` takes them; SetError for one with an error."""

    def check_deck(self, text: str, brought: Any = None) -> dict[str, Any]:
        """A deck's text checked: `name`, `format`, `legal`, `reasons` (each `rule`, `text`), …

        brought: cards of files that it may have. `deck` has those of them along that it has.
        """

    def may_replace(self, deck: Any, by: Any) -> Iterable[str]:
        """Why one deck may not take the other's place between the games of a match; nothing, if it
        may. Both are legal decks, in any of the forms that a seat's deck may have.
        """

    def deck_text(self, name: str) -> str:
        """A deck that ships, as text; KeyError if there is none of that name."""


def names() -> tuple[str, ...]:
    """The rulesets that can be played; the first is what a command takes unless told otherwise."""
    return tuple(MODULES)


def load(name: str) -> Ruleset:
    """The entry of a ruleset; UnknownRuleset if there is none of that name."""
    return cast("Ruleset", _module(MODULES, name))


def load_cards(name: str) -> CardReader:
    """The reader of a ruleset's card files; UnknownRuleset if there is none of that name."""
    return cast("CardReader", _module(CARDS, name))


class NoAdvice:
    """Of a ruleset that knows nothing about playing well: every prompt's default will do."""

    def value(self, view: View, seat: int) -> float:
        """Every position is even."""
        return 0.0

    def rate(self, prompt: Prompt, view: View) -> Sequence[float]:
        """Nothing is better than the default."""
        return ()


def load_advice(name: str) -> Advice:
    """What a ruleset knows about playing well."""
    return cast("Advice", _module(ADVICE, name).Advice()) if name in ADVICE else NoAdvice()


def load_passing(name: str) -> PassingRules:
    """What a ruleset knows of passing; also for one that says nothing of it: nothing is passed."""
    if name not in PASSING:
        return NoPassing()
    rules: PassingRules = _module(PASSING, name).PASSING
    return rules


def load_decks(name: str) -> DeckBook:
    """The catalogue of a ruleset; UnknownRuleset if there is none of that name."""
    return cast("DeckBook", _module(DECKS, name))


def next_options(name: str, options: Mapping[str, Any], last: Game | None) -> dict[str, Any]:
    """The options of a match's next game. options: the table's. last: the game before it, None for
    the match's first.
    """
    if name not in MATCHES:
        return dict(options)
    found: dict[str, Any] = _module(MATCHES, name).next_options(options, last)
    return found


def load_writing(name: str) -> Any:
    """How a ruleset's cards are written; UnknownRuleset if there is none of that name."""
    return _module(WRITING, name)


def load_trials(name: str) -> tuple[Any, Any]:
    """How a ruleset's cards are tried out; UnknownRuleset if there is none of that name."""
    games = {ruleset: modules[0] for ruleset, modules in TRIALS.items()}
    positions = {ruleset: modules[1] for ruleset, modules in TRIALS.items()}
    return _module(games, name), _module(positions, name)


def load_positions() -> Mapping[str, PositionRules]:
    """What every ruleset gives so that position files of it can be played, by its name."""
    return {name: _module(POSITIONS, name).POSITIONS for name in POSITIONS}


def load_rendering(name: str) -> Rendering:
    """How a ruleset's views are laid out in lines; also for a ruleset that says nothing of it."""
    if name not in RENDERINGS:
        return PlainRendering()
    rendering: Rendering = _module(RENDERINGS, name).RENDERING
    return rendering


def _module(modules: Mapping[str, str], name: str) -> ModuleType:
    module = modules.get(name)
    if module is None:
        raise UnknownRuleset(f"there is no ruleset {name!r}; there is {', '.join(modules)}")
    return importlib.import_module(module)
