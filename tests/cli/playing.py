"""A player at a terminal that is a script, at a real server over in-memory streams."""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import re
from argparse import Namespace
from collections.abc import AsyncIterator, Callable, Iterable, Mapping

import msgspec
import trio
import trio.testing

from host.rig import URL, MemoryListener
from longfuse.cli import play, play_serving
from longfuse.cli.hosting import Games, MemoryJournals
from longfuse.cli.output import CommandError
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
        self._read: str | None = None
        self.forgotten = 0

    async def next(self) -> str | None:
        await self.has_more()
        line, self._read = self._read, None
        return line

    async def has_more(self) -> bool:
        if self._read is None:
            await trio.sleep(1)
            self._read = next(self._lines, None)
        return self._read is not None

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


class Dialer:
    """A way to a server over in-memory streams that can be cut and barred."""

    def __init__(self, listener: MemoryListener) -> None:
        self._listener = listener
        self._streams: list[trio.abc.Stream] = []
        self.is_barred = False

    async def __call__(self) -> trio.abc.Stream:
        await trio.lowlevel.checkpoint()
        if self.is_barred:
            raise OSError("no way through")
        self._streams.append(self._listener.dial())
        return self._streams[-1]

    async def cut(self) -> None:
        """End the newest connection without a word."""
        await trio.aclose_forcefully(self._streams[-1])


class Player:
    """A player at a terminal who types what the test says, when the test says it."""

    is_live = True

    def __init__(self, listener: MemoryListener, **changed: object) -> None:
        """changed: the arguments of the command."""
        self.dialer = Dialer(listener)
        self.code: int | None = None
        self._given = wire_given(**changed)
        self._page = Page()
        self._typed, self._lines = trio.open_memory_channel[str](100)
        self._read: str | None = None
        self._seen = 0

    async def next(self) -> str | None:
        await self.has_more()
        line, self._read = self._read, None
        return line

    async def has_more(self) -> bool:
        if self._read is None:
            with contextlib.suppress(trio.EndOfChannel):
                self._read = await self._lines.receive()
        return self._read is not None

    def forget(self) -> None:
        """Nothing is typed too early here."""

    async def play(self) -> None:
        """Play until the player goes."""
        here = Connection(URL, dial=self.dialer, shown=URL)
        screen = Screen(self._page, plain=True)
        try:
            self.code = await play.play_at(here, self._given, self, screen)
        except CommandError as error:
            self.code = error.code
            self._page.write(f"error: {error}\n")

    async def types(self, *lines: str) -> str:
        """Type lines; return what is shown until nothing more happens by itself."""
        for line in lines:
            self._typed.send_nowait(line)
        return await self.sees()

    async def sees(self) -> str:
        """Return what was shown since the last time, once nothing more happens by itself."""
        await trio.testing.wait_all_tasks_blocked()
        shown = self._page.getvalue()[self._seen :]
        self._seen += len(shown)
        return " ".join(shown.split())

    async def reconnected(self) -> str:
        """Return what is shown until the lost connection is back."""
        await trio.sleep(1)
        return await self.sees()

    @property
    def shown(self) -> str:
        """All that was shown."""
        return " ".join(self._page.getvalue().split())

    def goes(self, *lines: str) -> None:
        """Type these and nothing more: the player leaves."""
        for line in lines:
            self._typed.send_nowait(line)
        self._typed.close()


@contextlib.asynccontextmanager
async def two_players(
    listener: MemoryListener,
    *,
    joins: Mapping[str, object] | None = None,
    **opens: object,
) -> AsyncIterator[tuple[Player, Player]]:
    """Ada opens a table with these arguments, and Bob joins; both leave in the end."""
    ada = Player(listener, **opens)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ada.play)
        told = await ada.sees()
        named = re.search(r"--table (\w+)(?: --invitation (\S+))?", told)
        assert named is not None, told
        found = {"table": named[1], "invitation": named[2]}
        bob = Player(listener, name="Bob", **{**found, **(joins or {})})
        nursery.start_soon(bob.play)
        await trio.testing.wait_all_tasks_blocked()
        yield ada, bob
        ada.goes()
        bob.goes()


@contextlib.asynccontextmanager
async def open_games(**settings: object) -> AsyncIterator[MemoryListener]:
    """A server of the rulesets that there are, which keeps nothing."""
    listener = MemoryListener()
    config = msgspec.structs.replace(Config(), **settings)
    async with trio.open_nursery() as nursery:
        run = functools.partial(serve, config, Games(), MemoryJournals(), bots=BOTS)
        await nursery.start(functools.partial(run, listeners=[listener]))
        yield listener
        nursery.cancel_scope.cancel()
