"""The screen of `play`: blocks, lines and questions, printed one after another.

Owns how they look: colours where the terminal has some, words in any case. Nothing is drawn over,
so it works over ssh, with a screen reader, and into a file. What came from elsewhere is printed
without its control characters.
"""

from __future__ import annotations

import io
import sys
import textwrap
from collections.abc import Iterable
from typing import TextIO

from rich.text import Text

from longfuse.cli.output import clean
from longfuse.cli.telling import Terminal
from longfuse.rulesets.rendering import Block, Tone

STYLES: dict[Tone, str] = {
    "": "",
    "mine": "cyan",
    "theirs": "yellow",
    "strong": "bold",
    "dim": "dim",
}
LABEL_MAX = 26
TEXT_MIN = 24
INDENT = "  "


class Screen:
    """Prints for one player."""

    def __init__(self, file: TextIO | None = None, *, plain: bool = False) -> None:
        file = file or sys.stdout
        if isinstance(file, io.TextIOWrapper):
            file.reconfigure(errors="replace")
        self._told: set[str] = set()
        self._is_at_cursor = False
        self._console = Terminal(
            file=file,
            highlight=False,
            soft_wrap=True,
            no_color=plain or None,
            color_system=None if plain else "auto",
        )

    def heading(self, text: str) -> None:
        """Something begins."""
        self._print("")
        self._wrapped(text, "bold")

    def block(self, block: Block, *, in_full: bool = True) -> None:
        """A heading, and rows with their labels in a column; details once, or in full."""
        self.heading(block.title)
        column = min(LABEL_MAX, max((len(row.label) for row in block.rows), default=0))
        for row in block.rows:
            is_new = bool(row.detail) and row.detail not in self._told
            self._told.add(row.detail)
            said = [row.text, row.detail] if row.detail and (in_full or is_new) else [row.text]
            said[:-1] = [one.removesuffix(".") for one in said[:-1] if one]
            self.row(row.label, ". ".join(said), row.tone, column)

    def row(self, label: str, text: str, tone: Tone = "", column: int = 0) -> None:
        """A label, and beside it a text as wide as there is room."""
        label = clean(label).ljust(column)
        hang = INDENT + " " * (column + 2)
        begin = INDENT + " " * (len(label) + 2)
        room = max(TEXT_MIN + len(begin), self._console.width)
        lines = textwrap.wrap(clean(text), room, initial_indent=begin, subsequent_indent=hang)
        first = Text(INDENT).append(label, STYLES[tone])
        if lines:
            first.append(lines[0][len(begin) - 2 :])
        first.rstrip()
        self._console.print(first)
        for line in lines[1:]:
            self._print(line)

    def numbered(self, rows: Iterable[tuple[str, str]], tone: Tone = "") -> None:
        """Texts behind their numbers."""
        rows = list(rows)
        column = max((len(number) for number, _ in rows), default=0)
        for number, text in rows:
            self.row(number.rjust(column), text, tone, column)

    def line(self, text: str, tone: Tone = "") -> None:
        """A sentence to the player."""
        self._wrapped(text, STYLES[tone])

    def aside(self, text: str, tone: Tone = "") -> None:
        """A sentence that comes while the player may be typing: they may go on afterwards."""
        was_at_cursor = self._is_at_cursor
        self.leave_cursor()
        self.line(text, tone)
        if was_at_cursor:
            self.cursor()

    def closing(self, text: str) -> None:
        """Something is over."""
        self._print("")
        self._wrapped(text, "bold green")

    def cursor(self) -> None:
        """The player may type."""
        self._is_at_cursor = True
        self._console.print("> ", end="", style="bold", markup=False)
        self._console.file.flush()

    def echo(self, text: str) -> None:
        """What was typed where no terminal shows it."""
        self._print(clean(text), "dim")

    def leave_cursor(self) -> None:
        """What comes next stands below the cursor, if the player could type."""
        if self._is_at_cursor:
            self._print("")
        self._is_at_cursor = False

    def typed(self) -> None:
        """The player has typed a line: what comes next stands below it."""
        self._is_at_cursor = False

    def _wrapped(self, text: str, style: str) -> None:
        for one in textwrap.wrap(clean(text), max(TEXT_MIN, self._console.width)) or [""]:
            self._print(one, style)

    def _print(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style or None, markup=False)
