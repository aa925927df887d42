"""A server whose chance is the test's, and clients that keep every byte that they are sent.

For tests of what a viewer may not know: two evenings of the same acts, on virtual time, are the
same to the byte, unless something differs that is shown.
"""

from __future__ import annotations

import contextlib
import functools
import random
import secrets
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import NamedTuple
from unittest import mock

import msgspec
import trio
import trio.testing

from host.rig import MemoryJournal, Raw, Rig, say
from longfuse.cli.hosting import Games
from longfuse.config import Config
from longfuse.game.entries import Decision
from longfuse.game.entries import TakeBack as TakenBack
from longfuse.game.game import Game
from longfuse.host.server import serve
from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS, MSGPACK
from longfuse_protocol.prompts import Answer, Prompt
from longfuse_protocol.shuffles import nonce_hash
from support.listening import MemoryListener
from support.schedule import virtual_wall

MAKE = Callable[[bytes, object], Game]

settle = trio.testing.wait_all_tasks_blocked


class Drawn:
    """Stands for the operating system's randomness, and keeps what it has given."""

    def __init__(self, seed: str) -> None:
        self._chance = random.Random(seed)
        self.given: list[str] = []

    def token_bytes(self, size: int) -> bytes:
        drawn = self._chance.randbytes(size)
        self.given.append(drawn.hex())
        return drawn

    def token_hex(self, size: int) -> str:
        return self.token_bytes(size).hex()

    def token_urlsafe(self, size: int) -> str:
        self.given.append("u" + self._chance.randbytes(size).hex())
        return self.given[-1]

    def randbits(self, bits: int) -> int:
        return self._chance.getrandbits(bits)


@contextlib.contextmanager
def same_chance(seed: int) -> Iterator[dict[str, Drawn]]:
    """Let the host draw and tell the time the same whenever this is entered; by module."""
    drawn: dict[str, Drawn] = {}
    with contextlib.ExitStack() as patched:
        for module, name, value in _drawing():
            one = drawn.setdefault(module, Drawn(f"{seed} {module}"))
            stand_in = one if value is secrets else getattr(one, name)
            patched.enter_context(mock.patch(f"{module}.{name}", stand_in))
        patched.enter_context(virtual_wall(trio.lowlevel.current_clock()))
        yield drawn


def _drawing() -> list[tuple[str, str, object]]:
    """Where the host draws at random (ids, invitations, secrets): module, name, what it names."""
    sources = (secrets, secrets.token_bytes, secrets.token_hex, secrets.token_urlsafe)
    return [
        (module_name, name, value)
        for module_name, module in sorted(sys.modules.items())
        if module_name.startswith("longfuse.host.")
        for name, value in sorted(vars(module).items())
        if any(value is source for source in sources)
    ]


class Stacked(Games):
    """Deals what the test wants, whatever the shuffle's key is; the decks on record are the usual.

    So two evenings differ in nothing but the cards that are hidden.
    """

    def __init__(self, make: MAKE) -> None:
        super().__init__()
        self.games: list[Game] = []
        self.on_game: Callable[[Game], None] = lambda game: None
        self._make = make

    def create(self, ruleset, decks, options, key, tasks):
        game = self._make(key, tasks)
        self.games.append(game)
        self.on_game(game)
        return game


class Journal(MemoryJournal):
    """Keeps what a seat has decided in effect: without what it took back in time."""

    def __init__(self) -> None:
        super().__init__()
        self.effective: dict[int, list[tuple[Answer, str]]] = {0: [], 1: []}
        """By seat, each answer with the rule that made it, "" where the player did."""
        self._open: list[tuple[Decision, str]] = []

    async def append(self, game: str, record, playing) -> None:
        await super().append(game, record, playing)
        if isinstance(record.entry, TakenBack):
            self._open.clear()
        elif isinstance(record.entry, Decision):
            self._open.append((record.entry, record.rule))
        if not playing.has_open_play:
            for entry, rule in self._open:
                self.effective[entry.seat].append((entry.answer, rule))
            self._open.clear()


@contextlib.asynccontextmanager
async def open_house(
    games: Games, journal: MemoryJournal | None = None, **settings: object
) -> AsyncIterator[Rig]:
    """Run a server with these games until the block ends."""
    listener, journal = MemoryListener(), journal or Journal()
    busy = Config(messages_per_s=10**6, messages_burst=10**6)
    config = msgspec.structs.replace(busy, **settings)
    async with trio.open_nursery() as nursery:
        running = await nursery.start(
            functools.partial(serve, config, games, journal, listeners=[listener])
        )
        yield Rig(running, listener, games, journal)
        nursery.cancel_scope.cancel()


class Heard(NamedTuple):
    """One message as it came."""

    at: float
    """Since the client was made."""
    data: bytes
    message: m.ServerMessage


class Tap:
    """A client that speaks bytes and keeps what it hears."""

    def __init__(
        self,
        rig: Rig,
        nursery: trio.Nursery,
        name: str,
        subprotocol: str = MSGPACK,
        *,
        shuffles: bool = False,
    ) -> None:
        self.name = name
        self.subprotocol = subprotocol
        self.heard: list[Heard] = []
        self.listen: Callable[[Tap, Heard], None] = lambda tap, heard: None
        self.prompt: Prompt | None = None
        self.place: m.Place | None = None
        self.secret = ""
        self.n = 0
        self.over: m.Over | None = None
        self.nonce = nonce_of(name)
        self._rig = rig
        self._began = trio.current_time()
        self._nursery = nursery
        self._shuffles = shuffles
        self._commands = 0
        self._raw: Raw | None = None
        self._scope = trio.CancelScope()

    # ------------------------------------------------------------ lines

    async def come(self, resume: m.Resume | None = None) -> None:
        """Connect and say hello; with `resume`, go on with a session."""
        self._raw = self._rig.raw(self.subprotocol)
        assert await self._raw.handshake() == 101
        self._scope = trio.CancelScope()
        self._nursery.start_soon(self._read, self._raw, self._scope)
        await self.send(m.Hello(name=self.name, resume=resume, shuffles=self._shuffles))

    async def drop(self) -> None:
        """Lose the connection."""
        assert self._raw is not None
        self._scope.cancel()
        await self._raw.stream.aclose()
        self._raw = None
        self.prompt = None
        await settle()

    async def come_back(self, *, n: int | None = None, stream: str | None = None) -> None:
        """Go on with the session, after the last frame or the one that is claimed."""
        known = self.place.stream if self.place is not None else ""
        resume = m.Resume(
            secret=self.secret,
            stream=known if stream is None else stream,
            n=self.n if n is None else n,
        )
        await self.come(resume)

    async def send(self, message: m.ClientMessage) -> None:
        """Send a message, and wait until everything that follows at once has happened."""
        assert self._raw is not None
        await say(self._raw, self.subprotocol, message)
        await settle()

    async def command(self, kind: type, /, **fields: object) -> m.Answered | m.Failed:
        """Send a command under a new id; return its answer."""
        self._commands += 1
        command = f"{self.name}-{self._commands}"
        before = len(self.heard)
        await self.send(kind(command=command, **fields))
        for heard in self.heard[before:]:
            if isinstance(heard.message, m.Answered | m.Failed):
                if heard.message.command == command:
                    return heard.message
        latest = [heard.message for heard in self.heard[-3:]]
        raise AssertionError(f"{self.name} got no answer to {kind.__name__}: {latest}")

    async def decide(self, answer: Answer) -> m.Answered | m.Failed:
        """Answer the open prompt."""
        asked, self.prompt = self.prompt, None
        assert asked is not None
        answered = await self.command(m.Decide, prompt=asked.id, answer=answer)
        if not is_done(answered):
            self.prompt = self.prompt or asked
        return answered

    async def replay(self, game: str, viewer: int | str) -> m.ServerMessage:
        """Ask for a game to be shown again, all of it; return the last answer."""
        after = 0
        while True:
            before = len(self.heard)
            self._commands += 1
            command = f"{self.name}-{self._commands}"
            await self.send(m.Replay(command=command, game=game, viewer=viewer, after=after))
            kinds = (m.Replayed, m.Failed)
            (told,) = [one.message for one in self.heard[before:] if isinstance(one.message, kinds)]
            if isinstance(told, m.Failed) or told.last:
                return told
            after = told.frames[-1].n

    async def take_back(self) -> m.Answered | m.Failed:
        """Take the own open play back."""
        asked, self.prompt = self.prompt, None
        answered = await self.command(m.TakeBack)
        if not is_done(answered):
            self.prompt = self.prompt or asked
        return answered

    # ------------------------------------------------------------ hearing

    async def _read(self, raw: Raw, scope: trio.CancelScope) -> None:
        codec = CODECS[self.subprotocol]
        with scope:
            while (frame := await raw.receive()) is not None:
                data = bytes(frame.data)
                if frame.opcode.name == "CLOSE":
                    return
                message = codec.server_message(data, 10**7)
                heard = Heard(trio.current_time() - self._began, data, message)
                self.heard.append(heard)
                self.listen(self, heard)
                await self._follow(message, raw)

    async def _follow(self, message: m.ServerMessage, raw: Raw) -> None:
        match message:
            case m.Welcome():
                self.secret = message.secret or self.secret
                self.place = message.place
            case m.Joined():
                self.place = message.place
            case m.Events():
                self.n = message.n
                self._look_at_asked(message.changes)
            case m.Snapshot():
                self.n = message.n
                self._look_at_asked(message.view)
            case m.Asked():
                self.prompt, self.over = message.prompt, None
            case m.Passed():
                self.prompt = None
            case m.Over():
                self.prompt, self.over = None, message
            case _:
                await self._shuffle(message, raw)

    def _look_at_asked(self, entities: Mapping[str, object]) -> None:
        """Another seat is asked: the own prompt is gone, and another may come."""
        asked = entities.get("asked")
        seat = self.place.seat if self.place is not None else None
        if isinstance(asked, dict) and asked["seat"] != seat:
            self.prompt = None

    async def _shuffle(self, message: m.ServerMessage, raw: Raw) -> None:
        """Take part in a shuffle."""
        if not self._shuffles or self.place is None or self.place.seat is None:
            return
        if isinstance(message, m.Commitment):
            seat, game = self.place.seat, message.game
            hashed = nonce_hash(game, seat, message.commitment, self.nonce)
            await say(
                raw,
                self.subprotocol,
                m.NonceHash(game=game, commitment=message.commitment, hash=hashed),
            )
        elif isinstance(message, m.NonceHashes):
            await say(raw, self.subprotocol, m.Nonce(game=message.game, nonce=self.nonce))


def is_done(answered: m.Answered | m.Failed) -> bool:
    """Whether a command has been done."""
    return isinstance(answered, m.Answered) and answered.ok


def nonce_of(name: str) -> str:
    """A client's nonce: always the same, as a client must never have it."""
    return random.Random(name).randbytes(32).hex()
