"""A game of a real ruleset whose every step is fixed: three clients that follow one course.

The first game makes the course, by chance; all others follow it, whatever happens to their
connections. All that is drawn at random comes the same, so every such game is the same game.
"""

from __future__ import annotations

import contextlib
import hashlib
import random
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

import trio
from msgspec.structs import replace

from e2e.wiretap import open_house, same_chance
from host.rig import MemoryJournal, Rig
from longfuse.bots.random import RandomBot
from longfuse.cli.hosting import Games
from longfuse.game.entries import Recorded
from longfuse.game.game import Game
from longfuse.host.ports import Viewer
from longfuse_protocol import messages as m
from longfuse_protocol.client import (
    Client,
    ClientClosed,
    Ended,
    Refused,
    Retry,
    ShuffleDoubted,
    open_client,
)
from longfuse_protocol.passing import Passing
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import digest
from support.listening import URL

PLAYERS = ("Ada", "Bob")
VIEWERS: Mapping[str, Viewer] = {"Ada": 0, "Bob": 1, "Eve": "spectator"}
TERMS = m.Terms(
    clock=m.ClockTerms(kind="bank", bank_s=600, increment_s=1), ready_s=30, bluff_ms=500
)
TAKE_BACKS = 2
PLAYS_SHARE = 0.75
"""How often something else is chosen where nothing can be."""
PASSES = Passing(mode="pass", interrupts=("attacked",))
Act = m.Decide | m.TakeBack | m.Concede | m.MakeOffer | m.Settings | m.Ready


class Kept(Games):
    """The usual games, which can be looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[Game] = []

    def create(self, ruleset, decks, options, key, tasks):
        game = super().create(ruleset, decks, options, key, tasks)
        self.made.append(game)
        return game


class Hashed(MemoryJournal):
    """A journal that keeps the game's state after every entry."""

    def __init__(self) -> None:
        super().__init__()
        self.states: list[str] = []

    async def append(self, game, record, playing) -> None:
        await super().append(game, record, playing)
        self.states.append(playing.state_hash())


class Course:
    """What each player does at each prompt: made at the first game, followed in all others."""

    def __init__(self, ruleset: str, seed: int, decisions: int, end: str) -> None:
        """end: "concede" or "draw", after so many decisions."""
        self.ruleset = ruleset
        self.acts: dict[tuple[str, int], tuple[Prompt, list[Act]]] = {}
        self._chance = random.Random(f"{ruleset} {seed}")
        self._bot = RandomBot(f"{ruleset} {seed} course")
        self._decisions = decisions
        self._end = end
        self._is_made = False
        self._taken_back = 0
        self._has_passed = False

    def made(self) -> None:
        """Hear that the first game is over."""
        self._is_made = True

    def at(self, name: str, prompt: Prompt, game: Game) -> list[Act]:
        """Return what a player does when it is asked this."""
        key = name, prompt.id
        if not self._is_made:
            assert key not in self.acts, key
            self.acts[key] = prompt, self._choose(name, prompt, game)
        asked, acts = self.acts[key]
        assert asked == prompt, key
        return acts

    def _choose(self, name: str, prompt: Prompt, game: Game) -> list[Act]:
        command = f"{name}-{prompt.id}"
        if len(self.acts) >= self._decisions:
            if self._end == "draw":
                return [m.MakeOffer(command=command, kind="draw")]
            return [m.Concede(command=command)]
        if game.has_open_play and self._taken_back < TAKE_BACKS:
            self._taken_back += 1
            return [m.TakeBack(command=command)]
        acts: list[Act] = []
        if len(self.acts) >= self._decisions // 2 and not self._has_passed:
            self._has_passed = True
            acts.append(m.Settings(command=f"{command}-passes", passing=PASSES))
        asked = prompt
        if prompt.shape == "one" and self._chance.random() < PLAYS_SHARE:
            asked = _without_default(prompt)
        answer = self._bot.choose(asked)
        return [*acts, m.Decide(command=command, prompt=prompt.id, answer=answer)]


def _without_default(prompt: Prompt) -> Prompt:
    """Return the prompt without its default, if there is anything else."""
    others = [n for n, item in enumerate(prompt.items) if item.legal and n != prompt.default]
    if not others:
        return prompt
    items = tuple(
        replace(item, legal=item.legal and n in others) for n, item in enumerate(prompt.items)
    )
    return replace(prompt, items=items)


class Told(NamedTuple):
    """One game, as its server and its people have it."""

    entries: list[tuple[Recorded, str, str]]
    """Each with its command's id, and the rule that made it."""
    states: list[str]
    """The hash of the whole state after each entry, and at the end."""
    ends: dict[str, tuple[int, str, bool]]
    """By viewer: the last frame's number, the digest of the view, and whether it is not right."""
    heard: dict[str, list[object]]
    """By viewer: all that its client was told."""
    views: dict[str, str]
    """By viewer, the digest of what it should see."""
    nonces: tuple[str, ...]
    """Of the shuffle."""


async def play(course: Course, games: Kept) -> Told:
    """Play the game of this course, and return how it went."""
    games.made.clear()
    with same_chance(1):
        async with open_house(games, Hashed(), resume_s=60) as rig:
            evening = _Evening(course, rig, games)
            with trio.fail_after(600):
                await evening.spend()
            return evening.told()


class _Evening:
    """The people of one such game."""

    def __init__(self, course: Course, rig: Rig, games: Kept) -> None:
        self._course = course
        self._rig = rig
        self._games = games
        self._table = ""
        self._is_watched = trio.Event()
        self._is_open = trio.Event()
        self._heard: dict[str, list[object]] = {name: [] for name in VIEWERS}
        self._ends: dict[str, tuple[int, str, bool]] = {}
        self._ready: set[str] = set()
        self._acted: dict[str, set[int]] = {name: set() for name in PLAYERS}
        """The prompts that each has done something about."""

    async def spend(self) -> None:
        """Let all come, and play to the end."""
        async with trio.open_nursery() as nursery:
            for name in VIEWERS:
                nursery.start_soon(self._come, name)

    def told(self) -> Told:
        """Return how it went."""
        journal = self._rig.journal
        assert isinstance(journal, Hashed)
        [game] = self._games.made
        assert list(journal.closed) == [journal.headers[0].game]
        entries = [(one.entry, one.command, one.rule) for _, one in journal.records]
        return Told(
            entries=entries,
            states=[*journal.states, game.state_hash()],
            ends=self._ends,
            heard=self._heard,
            views={name: digest(game.view(viewer)) for name, viewer in VIEWERS.items()},
            nonces=journal.headers[0].transcript.nonces,
        )

    # ------------------------------------------------------------ coming

    async def _dial(self) -> trio.abc.Stream:
        await trio.lowlevel.checkpoint()
        return self._rig.listener.dial()

    async def _come(self, name: str) -> None:
        client = open_client(
            URL,
            name=name,
            dial=self._dial,
            retry=Retry(base_s=0.01, tries=5, first=True),
            chance=lambda: 0.5,
            entropy=lambda size: hashlib.sha256(name.encode()).digest()[:size],
        )
        async with client as someone:
            await self._find_place(name, someone)
            async for event in someone:
                self._heard[name].append(event)
                assert not isinstance(event, Ended | ShuffleDoubted), event
                if isinstance(event, m.Over):
                    break
                if name != "Eve":
                    await self._react(name, someone, event)
            mirror = someone.mirror
            self._ends[name] = mirror.n, mirror.digest, mirror.is_lost

    async def _find_place(self, name: str, client: Client) -> None:
        if name == "Ada":
            place = await _enter(
                client, lambda: client.create(self._course.ruleset, 2, terms=TERMS)
            )
            self._table = place.info.table
            self._is_open.set()
        elif name == "Eve":
            await self._is_open.wait()
            await _enter(client, lambda: client.spectate(self._table))
            self._is_watched.set()
        else:
            await self._is_watched.wait()
            await _enter(client, lambda: client.join(self._table))

    # ------------------------------------------------------------ playing

    async def _react(self, name: str, client: Client, event: object) -> None:
        match event:
            case m.ReadyCheck() if name not in self._ready:
                self._ready.add(name)
                with contextlib.suppress(Refused):  # it was heard, and the game has begun
                    await _command(client, m.Ready(command=f"{name}-ready"))
            case m.Asked(prompt=prompt):
                await self._act(name, client, prompt)
            case m.Offers(offers=offers):
                for offer in offers:
                    if offer.by != PLAYERS.index(name):
                        await _insist(client, lambda: client.respond("draw", accept=True))

    async def _act(self, name: str, client: Client, prompt: Prompt) -> None:
        if prompt.id in self._acted[name]:
            return  # asked again after a drop, before the answer was under way
        self._acted[name].add(prompt.id)
        for act in self._course.at(name, prompt, self._games.made[-1]):
            if isinstance(act, m.MakeOffer):
                await _insist(client, lambda: client.offer("draw"))
            else:
                await _command(client, act)


async def _enter(client: Client, how: Callable[[], Awaitable[m.Place]]) -> m.Place:
    """Take a place; an answer that is lost leaves it open whether one has come of it."""
    while True:
        with contextlib.suppress(ClientClosed):
            return await how() if client.place is None else client.place
        await trio.sleep(0.1)


async def _command(client: Client, act: Act) -> None:
    """Give a command. One that finds the connection just broken is given again, under its id."""
    while True:
        try:
            await client.command(act)
        except ClientClosed:
            await trio.sleep(0.1)
        else:
            return


async def _insist(client: Client, how: Callable[[], Awaitable[m.Answered]]) -> None:
    """Offer or respond until it is answered: neither is sent again by itself."""
    while True:
        try:
            await how()
        except ClientClosed:
            await trio.sleep(0.1)
        except Refused:
            return  # it was heard before, and the game is over
        else:
            return
