"""The desk: what a player has before them, and showing it.

Owns what is printed when: a block again only when it has changed, and nothing of it in the middle
of a play. What is on the table comes from the client's view and is laid out by its ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from longfuse.cli import play_answers
from longfuse.cli.play_book import Book, folded, is_waiting
from longfuse.cli.play_screen import Screen
from longfuse.rulesets.rendering import Block, Rendering, Row, Scene, Tone
from longfuse_protocol.client import Client
from longfuse_protocol.prompts import Prompt

BLOCKS = ("table", "hand", "chain", "fuses")


class Desk:
    """One player's place at one table."""

    def __init__(self, client: Client, screen: Screen, rendering: Rendering) -> None:
        assert client.place is not None
        assert client.place.seat is not None
        self.screen = screen
        self.rendering = rendering
        self.book = Book(rendering, client.place.seat)
        self.prompt: Prompt | None = None
        """What this player is asked now."""
        self.own_time: Callable[[], str] = str
        """How much time the player has, in a sentence; "" where none is counted."""
        self._client = client
        self._news_from = 0
        self._shown: dict[str, Block] = {}
        self._status = ""

    def scene(self) -> Scene:
        """The view as it is now."""
        return self.book.scene(self._client.mirror.view.entities)

    def take(self, events: list[dict[str, Any]]) -> None:
        """Something happened, and the view has changed."""
        self.book.look(self._client.mirror.view.entities)
        self.book.told(events)

    def recall(self, recap: Sequence[dict[str, Any]]) -> None:
        """The view is here in full, and what happened last is told again."""
        self.book.look(self._client.mirror.view.entities)
        self.book.recalled(recap)

    def new_game(self) -> None:
        """Another game begins at this table: nothing of the last one counts any more."""
        players = self.book.players
        self.book = Book(self.rendering, self.book.seat)
        self.book.players = players
        self.prompt = None
        self._news_from = 0
        self._shown.clear()
        self._status = ""

    def decided(self) -> None:
        """The player has decided, and is asked nothing until they are asked again."""
        self.prompt = None

    def who_thinks(self) -> str:
        """Whom everybody waits for."""
        seat = self.scene().get("asked").get("seat")
        if seat is None or seat not in range(len(self.book.players)):
            table = self._client.table
            has_begun = table is not None and table.status == "playing"
            return "Waiting for another player." if has_begun else "The game has not begun."
        if seat == self.book.seat:
            return "You are asked in a moment."
        return f"Waiting for {self.book.players[seat]}."

    # ------------------------------------------------------------ showing

    def ask(self, prompt: Prompt) -> None:
        """Show what has changed, what has happened, and what is asked."""
        self.prompt = prompt
        self.book.look(self._client.mirror.view.entities)
        if self._news_from < len(self.book.log) or not self._shown:
            self._show_changes()
            self.show_news()
        self.show_prompt()

    def look(self) -> None:
        """Show what lies there, for a player who comes back to it and may not be asked."""
        self.book.look(self._client.mirror.view.entities)
        self._show_changes()

    def show_news(self) -> None:
        """What has happened since this was shown last."""
        news = self.book.log[self._news_from :]
        self._news_from = len(self.book.log)
        if news:
            self.screen.heading("What has happened")
            self.screen.numbered(folded(news))

    def _show_changes(self) -> None:
        scene = self.scene()
        status = self.rendering.status(scene)
        blocks = {name: self.block(name, scene) for name in BLOCKS}
        changed = [name for name in BLOCKS if blocks[name] != self._shown.get(name)]
        if changed or status != self._status:
            self.screen.heading(f"===== {status} =====")
        self._status = status
        for name in changed:
            self._shown[name] = blocks[name]
            if blocks[name].rows:
                self.screen.block(blocks[name], in_full=False)

    def block(self, name: str, scene: Scene | None = None) -> Block:
        """One of the blocks by its name."""
        scene = scene or self.scene()
        match name:
            case "table":
                return self.rendering.table(scene)
            case "hand":
                return self.rendering.hand(scene)
            case "chain":
                return self.rendering.chain(scene)
            case "rules":
                return self.rendering.summary()
            case _:
                return self._fuses(scene)

    def _fuses(self, scene: Scene) -> Block:
        """The waiting abilities, the oldest first: what they say, until when, how often."""
        waiting = [
            (int(key[1:]), fields)
            for key, fields in scene.entities.items()
            if is_waiting(key, fields)
        ]
        rows = []
        for _, fields in sorted(waiting, key=lambda one: one[0]):
            whose = fields.get("controller", -1)
            source, words = str(fields.get("source")), str(fields.get("words", ""))
            words = words.removeprefix(f"{source}: ")
            said = [f"{scene.whose(whose)} {fields.get('kind')}"] if whose in (0, 1) else []
            said += [self.book.words(str(fields.get("window"))), _uses(fields.get("uses"))]
            if fields.get("about"):
                said.append(f"about {scene.name(str(fields['about']))}")
            tone: Tone = "mine" if whose == scene.seat else "theirs"
            rows.append(Row(source, f"{', '.join(said)}: {words}", tone, self._printed(source)))
        return Block("Fuses (abilities that wait)", tuple(rows))

    def _printed(self, card: str) -> str:
        """What a waiting ability's source says, where its card is to be seen or known."""
        seen = self._client.mirror.view.entities.values()
        text = next((fields.get("text") for fields in seen if fields.get("card") == card), None)
        text = text or (self.rendering.printed(card) or {}).get("text")
        return " ".join(f"The card says: {text}".split()) if text else ""

    def show_prompt(self) -> None:
        """What is asked: the items that can be chosen, and what to type."""
        prompt, screen = self.prompt, self.screen
        if prompt is None:
            return
        source = f" ({prompt.source})" if prompt.source and prompt.source not in prompt.text else ""
        screen.heading(self.book.words(prompt.text) + source)
        screen.numbered(
            (str(number), self._item(prompt, index))
            for number, index in enumerate(play_answers.numbered(prompt), 1)
        )
        if more := len(play_answers.refused(prompt)):
            screen.line(f"{more} not possible now: `?` tells why.", "dim")
        if time := self.own_time():
            screen.line(time, "dim")
        said = f"Enter: {play_answers.default_words(prompt, self.book.label)}."
        screen.line(said if prompt.shape == "one" else f"{play_answers.how(prompt)} {said}", "dim")
        screen.cursor()

    def _item(self, prompt: Prompt, index: int) -> str:
        label = self.book.label(prompt.items[index])
        if prompt.shape == "divide" and index < len(prompt.bounds):
            low, high = prompt.bounds[index]
            label += f" ({low} to {high})"
        return label

    def show_refused(self) -> None:
        """The items that cannot be chosen, each with its reason."""
        if self.prompt is None:
            self.screen.line("You are not asked anything now.")
            return
        items = [self.prompt.items[index] for index in play_answers.refused(self.prompt)]
        if not items:
            self.screen.line("Everything that is listed is possible.")
        for item in items:
            self.screen.row("-", f"{self.book.label(item)}: {item.reason or 'no reason is given'}")
        if self.prompt.clause:
            self.screen.line(f"What is asked follows rule {self.prompt.clause}.", "dim")


def _uses(uses: object) -> str:
    if isinstance(uses, int):
        return "1 use left" if uses == 1 else f"{uses} uses left"
    return "every time" if uses == "every" else f"{uses} left"
