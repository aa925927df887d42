"""A player at a terminal that is a script, at a real server over in-memory streams."""

from __future__ import annotations

import functools
import io
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping

import trio

from host.rig import URL, MemoryListener
from longfuse.cli import play, play_serving
from longfuse.cli.hosting import NoJournals
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
    """The arguments of the command."""
    fields = {
        "url": None,
        "table": None,
        "name": "Ada",
        "ruleset": None,
        "deck": None,
        "against": None,
        "bot": "default",
        "seed": "1",
        "plain": True,
        "cards": [],
    }
    return Namespace(**{**fields, **changed})


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
            functools.partial(serve, Config(), games, NoJournals(), bots=bots, listeners=[listener])
        )
        screen = Screen(page, plain=True)
        code = await play.play_at(
            URL, arguments, script, screen, is_own=True, stream=listener.dial()
        )
        nursery.cancel_scope.cancel()
    assert code == 0
    return page.getvalue()
