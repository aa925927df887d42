"""A player at a terminal that is a script, at a real server over in-memory streams."""

from __future__ import annotations

import argparse
import functools
import io
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping

import trio
import trio.testing

from host.rig import URL, MemoryListener
from longfuse.cli import play, play_serving
from longfuse.cli.hosting import MemoryJournals
from longfuse.cli.play import Connection
from longfuse.cli.play_screen import Screen
from longfuse.config import Config
from longfuse.host.ports import BotFactory
from longfuse.host.server import serve
from longfuse_protocol.prompts import Answer, Prompt


class Default:
    """A bot that plays the default."""

    async def decide(self, prompt: Prompt, _game: object) -> Answer:
        return prompt.default


BOTS: Mapping[str, BotFactory] = {"default": lambda _seat, _seed: Default()}


class Script:
    """Lines that are typed one after another, each when something is asked."""

    def __init__(self, lines: Iterable[str], *, is_live: bool = False) -> None:
        self._lines = iter(lines)
        self.is_live = is_live
        self.forgotten = 0

    async def next(self) -> str | None:
        await trio.sleep(1)
        return next(self._lines, None)

    def forget(self) -> None:
        self.forgotten += 1


class Page(io.StringIO):
    """What the screen shows."""

    def last(self, size: int = 2_000) -> str:
        """The end of it."""
        return self.getvalue()[-size:]


def given(**changed: object) -> Namespace:
    """The arguments of the command, as they are without any, with changes."""
    parser = argparse.ArgumentParser()
    play.arguments(parser)
    usual = {"name": "Ada", "plain": True, "bot": "default", "seed": "1"}
    return Namespace(**{**vars(parser.parse_args([])), **usual, **changed})


def wire_given(**changed: object) -> Namespace:
    """The same for a game on a server that others have, against whoever sits down."""
    return given(**{"url": URL, "bot": None, "seed": None, **changed})


async def play_script(
    lines: Iterable[str] | Callable[[Page], Iterable[str]],
    *,
    bots: Mapping[str, BotFactory] = BOTS,
    is_live: bool = False,
    **changed: object,
) -> str:
    """Play a script to its end or the game's; return all that was shown."""
    arguments = given(**changed)
    listener, page = MemoryListener(), Page()
    script = Script(lines(page) if callable(lines) else lines, is_live=is_live)
    async with trio.open_nursery() as nursery:
        games = play_serving.SeededGames(arguments.seed)
        await nursery.start(
            functools.partial(
                serve, Config(), games, MemoryJournals(), bots=bots, listeners=[listener]
            )
        )
        screen = Screen(page, plain=True)
        own = Connection(URL, stream=listener.dial(), is_own=True, takes_tokens=False)
        code = await play.play_at(own, arguments, script, screen)
        nursery.cancel_scope.cancel()
    assert code == 0
    return page.getvalue()


class Player:
    """A player at a terminal who types what the test says, when the test says it."""

    is_live = True

    def __init__(self) -> None:
        self.page = Page()
        self._typed, self._lines = trio.open_memory_channel[str](100)
        self._seen = 0

    async def next(self) -> str | None:
        try:
            return await self._lines.receive()
        except trio.EndOfChannel:
            return None

    def forget(self) -> None:
        """Nothing is typed too early here."""

    async def play(self, connection: Connection, arguments: Namespace) -> int:
        """Play until the player goes."""
        return await play.play_at(connection, arguments, self, Screen(self.page, plain=True))

    async def type(self, line: str) -> str:
        """Type a line; return what is shown until nothing more happens by itself."""
        self._typed.send_nowait(line)
        return await self.sees()

    async def sees(self) -> str:
        """Return what was shown since the last time, once nothing more happens by itself."""
        await trio.testing.wait_all_tasks_blocked()
        shown = self.page.getvalue()[self._seen :]
        self._seen += len(shown)
        return shown

    def go(self) -> None:
        """Type nothing more: the player leaves."""
        self._typed.close()
