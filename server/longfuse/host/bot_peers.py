"""Bots of the server in seats: peers that decide in this process.

A table owns them. A bot is told its prompts and sends its decisions through the table's inbox, as a
client would, so it can do nothing that a client could not. For each game it is made anew.
"""

from collections.abc import Callable

import trio

from longfuse.host.peers import Outgoing
from longfuse.host.ports import Bot, Game
from longfuse_protocol.codec import Codec
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import Answered, Asked, Decide
from longfuse_protocol.prompts import Prompt


class BotFault(Exception):
    """A bot gave an answer that the game does not take: a defect of ours."""


class BotPeer:
    """A bot in a seat."""

    codec: Codec | None = None
    _HARMLESS = frozenset(
        {
            Code.STALE_PROMPT,
            Code.NOT_ASKED,
            Code.NOT_NOW,
            Code.NOT_STARTED,
            Code.OVER,
            Code.SUSPENDED,
            Code.DRAINING,
        }
    )
    """The game moved on, or stopped, while the bot was thinking."""

    def __init__(self, name: str, make: Callable[[], Bot]) -> None:
        """make: a new bot, with a seed of its own: nobody at a table may know the game's."""
        self.name = name
        self._make = make
        self._decisions = 0
        self.begin()

    def begin(self) -> None:
        """Make ready for a new game."""
        self._bot = self._make()
        self._prompt: Prompt | None = None
        self._told = trio.Event()

    def send(self, outgoing: Outgoing) -> None:
        """Hear of a prompt; anything else it can see in the game."""
        message = outgoing.message
        if type(message) is Asked:
            self._prompt = message.prompt
            self._told.set()
        elif type(message) is Answered and not message.ok and message.code not in self._HARMLESS:
            raise BotFault(f"bot {self.name}: {message.code}: {message.reason}")

    def flush(self) -> None:
        """Nothing is held back."""

    async def play(self, game: Game, decide: Callable[["BotPeer", Decide], object]) -> None:
        """Decide in one game, until cancelled. A prompt that was replaced is not answered."""
        bot = self._bot
        while True:
            await self._told.wait()
            self._told = trio.Event()
            prompt = self._prompt
            assert prompt is not None
            answer = await bot.decide(prompt, game)
            self._decisions += 1
            command = f"{self.name}-{self._decisions}"
            decide(self, Decide(command=command, prompt=prompt.id, answer=answer))
