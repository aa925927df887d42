"""The words that a player can type besides answers: looking things up, and leaving.

Owns the list of them with their help. A word that changes nothing in the game is done here; the
others are the session's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from longfuse.cli.play_answers import how, numbered
from longfuse.cli.play_book import KEY, folded
from longfuse.cli.play_desk import Desk
from longfuse.cli.play_why import HELP as WHY
from longfuse.cli.play_why import why
from longfuse.cli.play_words import HelpRow, Words

LOG_SHOWN = 20

HELP = (
    HelpRow("a number", "choose that item; the first words of an item do as well"),
    HelpRow("Enter", "what the prompt says that Enter does"),
    HelpRow("?", "what is not possible now, and why"),
    HelpRow("table", "what lies on the table"),
    HelpRow("hand", "your hand, with costs and texts"),
    HelpRow("chain", "what waits to resolve, bottom to top"),
    HelpRow("fuses", "the abilities that wait: what lit them, until when, how often"),
    HelpRow("rules", "the rules in short, where the game tells them"),
    HelpRow("card NAME", "what a card says; also `card 2` for item 2"),
    HelpRow("log [N]", f"the last {LOG_SHOWN} or N lines of what happened; `log all`"),
    WHY,
    HelpRow("undo", "take back the play that you have open"),
    HelpRow("concede", "give the game up; asked twice"),
    HelpRow("quit", "leave; a game that still runs is given up"),
)


class Commands:
    """What can be looked up at a desk."""

    def __init__(self, desk: Desk, others: Sequence[Words] = ()) -> None:
        """others: the groups of words that are somebody else's, for `help`."""
        self._desk = desk
        self._others = others
        self._words: dict[str, Callable[[str], None]] = {
            "?": self._refused,
            "help": self._help,
            "table": self._block("table", "There is nothing on the table."),
            "hand": self._block("hand", "Your hand is empty."),
            "chain": self._block("chain", "The chain is empty."),
            "fuses": self._block("fuses", "No ability waits."),
            "rules": self._block("rules", "They are in the rule book of this game."),
            "card": self._card,
            "log": self._log,
            "why": self._why,
        }

    def do(self, word: str, rest: str) -> bool:
        """Do what the word says; False if it is none of these."""
        command = self._words.get(word)
        if command is not None:
            command(rest)
        return command is not None

    def _refused(self, _: str) -> None:
        self._desk.show_refused()

    def _help(self, _: str) -> None:
        screen, prompt = self._desk.screen, self._desk.prompt
        groups = [("The game", HELP), *((group.title, group.help) for group in self._others)]
        column = max(len(row.word) for _, rows in groups for row in rows)
        for title, rows in groups:
            screen.heading(title)
            for word, told in rows:
                screen.row(word, told, "strong", column)
        if prompt is not None:
            screen.line(f"Now: {self._desk.book.words(prompt.text)} {how(prompt)}")

    def _block(self, name: str, empty: str) -> Callable[[str], None]:
        def show(_: str) -> None:
            block = self._desk.block(name)
            if block.rows:
                self._desk.screen.block(block)
            else:
                self._desk.screen.line(empty)

        return show

    def _card(self, name: str) -> None:
        desk = self._desk
        scene = desk.scene()
        if not name:
            desk.screen.line("Which card? `card` and its name, or the number of an item.")
            return
        keys = self._keys(name)
        fields = scene.get(keys[0]) if keys else desk.rendering.printed(name)
        if not fields:
            desk.screen.line(f"No card {name!r} is to be seen, nor known by that name.")
            return
        desk.screen.block(desk.rendering.card(fields))

    def _keys(self, name: str) -> list[str]:
        """The objects that a name or an item's number means, the best first."""
        desk = self._desk
        if name.isdecimal() and desk.prompt is not None:
            numbers = numbered(desk.prompt)
            at = int(name[:9]) - 1
            return list(desk.prompt.items[numbers[at]].about) if 0 <= at < len(numbers) else []
        word = name.casefold()
        named = {
            key: desk.book.name(key).casefold()
            for key in desk.scene().entities
            if KEY.fullmatch(key)
        }
        exact = [key for key, card in named.items() if card == word]
        return exact or [key for key, card in named.items() if card.startswith(word)]

    def _log(self, rest: str) -> None:
        entries = self._desk.book.log
        count = len(entries) if rest == "all" else LOG_SHOWN
        if rest.isdecimal():
            count = int(rest[:9])
        shown = entries[-count:] if count else []
        if shown:
            self._desk.screen.numbered(folded(shown))
        else:
            self._desk.screen.line("Nothing has happened.")

    def _why(self, rest: str) -> None:
        why(self._desk, rest, self._keys)
