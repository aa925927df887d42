"""Chat at a table: what others say, and the player's words for it.

Owns that each line is shown once: a client that comes back is told the last ones again.
"""

from __future__ import annotations

from collections.abc import Mapping

from longfuse.cli.play_screen import Screen
from longfuse.cli.play_words import HelpRow, Word, is_done
from longfuse_protocol.client import Client, Event
from longfuse_protocol.messages import Said


class Chat:
    """What is said, by whom."""

    title = "Talking"
    help = (
        HelpRow("say TEXT", "say something to those in the same room"),
        HelpRow("mute [NAME]", "hear nothing more of that person, or of anybody"),
        HelpRow("unmute [NAME]", "hear that person again, or everybody"),
        HelpRow("report N WHY", "bring line N of the chat before the operator"),
    )

    def __init__(self, client: Client, screen: Screen) -> None:
        self._client = client
        self._screen = screen
        self._shown: dict[str, int] = {}
        """The last line that was shown of each room."""

    @property
    def words(self) -> Mapping[str, Word]:
        """What can be typed."""
        return {
            "say": self._say,
            "mute": self._mute,
            "unmute": self._unmute,
            "report": self._report,
        }

    def hear(self, event: Event) -> None:
        """Show a line that is new."""
        if isinstance(event, Said) and event.line > self._shown.get(event.room, -1):
            self._shown[event.room] = event.line
            self._screen.aside(f"[{event.line}] {event.name}: {event.text}")

    async def _say(self, text: str) -> bool:
        if not text:
            self._screen.line("Say what? `say` and the words.")
        else:
            await is_done(self._screen, self._client.say(text), "Nothing is said")
        return True

    async def _mute(self, name: str) -> bool:
        if await is_done(self._screen, self._client.mute(name), "Nobody is muted"):
            whom = name or "anybody"
            self._screen.line(f"You hear nothing more of {whom}. `unmute` undoes it.")
        return True

    async def _unmute(self, name: str) -> bool:
        wish = self._client.mute(name, muted=False)
        if await is_done(self._screen, wish, "Nobody is heard again"):
            self._screen.line(f"You hear {name or 'everybody'} again.")
        return True

    async def _report(self, rest: str) -> bool:
        number, _, why = rest.partition(" ")
        if not number.isdecimal() or len(number) > 9:
            self._screen.line("Report what? `report`, the number of a line of the chat, and why.")
        else:
            wish = self._client.report(int(number), why.strip())
            if await is_done(self._screen, wish, "Nothing is reported"):
                self._screen.line(f"Line {number} is brought before the operator.")
        return True
