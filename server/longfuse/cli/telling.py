"""Telling a game: sentences as they come, with colour on a terminal.

Owns how they look, and that what others wrote does nothing to the terminal. What is said is the
ruleset's.
"""

from __future__ import annotations

import sys

from rich.console import Console

from longfuse.cli.output import clean, print_json
from longfuse.game.game import Game
from longfuse.timing.messages import reached

TURN = reached("turn")
MARK = reached("")


class Terminal(Console):
    """A console whose reader may go away (`| head`): the command's caller deals with that."""

    def on_broken_pipe(self) -> None:
        """Leave it to whoever prints."""
        raise BrokenPipeError


class Teller:
    """Prints sentences, on a terminal with headings and colour."""

    def __init__(self) -> None:
        self._console = Terminal(file=sys.stdout, highlight=False, soft_wrap=True)
        self._phase = ""
        """The phase that has begun; it is told when something happens in it."""

    @property
    def is_terminal(self) -> bool:
        """Whether somebody watches."""
        return self._console.is_terminal

    def heading(self, text: str) -> None:
        """Something begins."""
        self._print(f"\n{clean(text)}", "bold cyan")

    def sentence(self, text: str) -> None:
        """Something happened."""
        self._print(f"  {clean(text)}")

    def event(self, name: str, text: str) -> None:
        """Something happened; a new turn is a heading. Not everything has a sentence, and a phase
        in which nothing happens is passed over."""
        if not text:
            return
        if name.startswith(MARK) and name != TURN:
            self._phase = text
            return
        if name == TURN:
            self.heading(text)
        else:
            if self._phase:
                self.sentence(self._phase)
            self.sentence(text)
        self._phase = ""

    def closing(self, text: str) -> None:
        """Something is over."""
        self._print(f"\n{clean(text)}", "bold green")

    def note(self, text: str) -> None:
        """Something that is no part of the game."""
        self._print(clean(text), "dim")

    def _print(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style or None, markup=False)


class LineTeller(Teller):
    """The same for programs: one JSON object a line, with `event` and `text`.

    An event is named as the rules name it; `note` is what is no part of the game, `closing` an end.
    """

    def event(self, name: str, text: str) -> None:
        """Something happened. Not everything has a sentence."""
        if text:
            self._print_event(name, text)

    def closing(self, text: str) -> None:
        """Something is over."""
        self._print_event("closing", text)

    def note(self, text: str) -> None:
        """Something that is no part of the game."""
        self._print_event("note", text)

    def _print_event(self, event: str, text: str) -> None:
        print_json({"event": event, "text": text})
        sys.stdout.flush()


class GameTeller:
    """Tells one game that runs in this process, with everything that happens in it."""

    def __init__(self, teller: Teller, game: Game, names: tuple[str, ...]) -> None:
        self._teller = teller
        self._game = game
        self._names = names

    def tell_new(self) -> None:
        """Tell what happened since the last entry."""
        rules = self._game.rules
        for message in self._game.log.events:
            if rules.is_told(message):
                self._teller.event(message.event, rules.sentence(message, None))

    def tell_end(self) -> None:
        """Tell the result."""
        result = self._game.result
        assert result is not None, "the game is not over"
        self._teller.closing(told_result(result.winner, result.reason, self._names))


def told_result(winner: int | None, reason: str, names: tuple[str, ...]) -> str:
    """How a game ended, in a sentence."""
    who = "Nobody" if winner is None else names[winner]
    return f"{who} wins: {reason.rstrip('.')}."
