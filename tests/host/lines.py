"""Single connections that do no step unasked, for tests of what a server says on each of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import trio
from joserfc import jwt
from websockets.frames import Opcode

from host.rig import Rig, say
from longfuse.host.token_keys import new_key
from longfuse.host.wall import now_s
from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS, JSON

AUDIENCE = "cards.example"
KEY = new_key("the tests' key", "HS256")
SILENCE_S = 0.01
"""So long nothing comes where nothing is under way: streams in memory take no time."""


class Line:
    """One connection: everything heard on it is kept, as messages and as bytes."""

    def __init__(self, rig: Rig) -> None:
        self.heard: list[m.ServerMessage] = []
        self.frames: list[bytes] = []
        self.is_over = False
        self._raw = rig.raw(JSON)

    async def open(self, hello: m.Hello) -> m.ServerMessage | None:
        """Shake hands, say hello, and return the answer."""
        await self._raw.handshake()
        return await self.hello(hello)

    async def hello(self, hello: m.Hello) -> m.ServerMessage | None:
        """Say hello, and return the answer."""
        await self.say(hello)
        return await self.next()

    async def say(self, *messages: m.ClientMessage) -> None:
        for message in messages:
            await say(self._raw, JSON, message)

    async def next(self) -> m.ServerMessage | None:
        """Hear the next message; None at the end of the connection."""
        frame = await self._raw.receive()
        if frame is None or frame.opcode is Opcode.CLOSE:
            self.is_over = True
            return None
        message = CODECS[JSON].server_message(bytes(frame.data), 10**6)
        self.heard.append(message)
        self.frames.append(bytes(frame.data))
        return message

    async def until(self, kind: type) -> m.ServerMessage:
        """Hear up to the next message of a kind."""
        while not isinstance(message := await self.next(), kind):
            assert message is not None, f"the connection ended before {kind.__name__}"
        return message

    async def rest(self) -> list[m.ServerMessage]:
        """Hear all that has come, and return it."""
        before = len(self.heard)
        while not self.is_over:
            with trio.move_on_after(SILENCE_S) as silence:
                await self.next()
            if silence.cancelled_caught:
                break
        return self.heard[before:]

    async def close_code(self) -> int | None:
        """Hear to the end, and return the close code."""
        while not self.is_over:
            await self.next()
        close = self._raw.protocol.close_rcvd
        return close.code if close is not None else None

    async def cut(self) -> None:
        """Break the connection, without a farewell."""
        self.is_over = True
        await trio.aclose_forcefully(self._raw.stream)
        await trio.testing.wait_all_tasks_blocked()


class Somebody:
    """One session, with the connection that it has now."""

    def __init__(self, rig: Rig, name: str, *, token: str = "", shuffles: bool = False) -> None:
        self.name = name
        self.secret = ""
        self.stream = ""
        self.n = 0
        """What it would claim to know, if it came back now."""
        self._rig = rig
        self._token = token
        self._shuffles = shuffles
        self.line = Line(rig)

    async def come(self) -> m.Welcome:
        """Begin a session."""
        welcome = await self.line.open(self.hello())
        assert isinstance(welcome, m.Welcome), welcome
        self.secret = welcome.secret
        return welcome

    async def come_back(self, **claims: object) -> m.Welcome:
        """Go on with the session over a new connection, with what it knows or claims."""
        resume = {"secret": self.secret, "stream": self.stream, "n": self.n, **claims}
        self.line = Line(self._rig)
        welcome = await self.line.open(self.hello(m.Resume(**resume)))
        assert isinstance(welcome, m.Welcome), welcome
        return welcome

    def hello(self, resume: m.Resume | None = None) -> m.Hello:
        return m.Hello(name=self.name, resume=resume, token=self._token, shuffles=self._shuffles)

    async def say(self, *messages: m.ClientMessage) -> None:
        await self.line.say(*messages)

    async def until(self, kind: type) -> m.ServerMessage:
        message = await self.line.until(kind)
        self._note()
        return message

    async def rest(self) -> list[m.ServerMessage]:
        heard = await self.line.rest()
        self._note()
        return heard

    async def cut(self) -> None:
        """Lose the connection, having heard all that came."""
        await self.rest()
        await self.line.cut()

    def _note(self) -> None:
        for message in self.line.heard:
            if isinstance(message, m.Joined):
                self.stream, self.n = message.place.stream, 0
            elif isinstance(message, m.Events | m.Snapshot):
                self.n = message.n


async def come(rig: Rig, *names: str, **how: object) -> list[Somebody]:
    """Let people begin sessions."""
    people = [Somebody(rig, name, **how) for name in names]
    for somebody in people:
        await somebody.come()
    return people


async def seated(
    rig: Rig,
    *names: str,
    terms: m.Terms | None = None,
    options: m.Options | None = None,
    shuffles: bool = False,
) -> list[Somebody]:
    """Let people come and take all seats of a new table; what they heard is heard."""
    people = await come(rig, *names, shuffles=shuffles)
    await people[0].say(create(seats=len(names), terms=terms, options=options))
    place = (await people[0].until(m.Joined)).place
    for somebody in people[1:]:
        join = m.Join(command="join", table=place.info.table, invitation=place.invitation)
        await somebody.say(join)
        await somebody.until(m.Joined)
    for somebody in people:
        await somebody.rest()
    return people


async def opened(rig: Rig, name: str = "Ada", **how: object) -> tuple[Somebody, m.Place]:
    """Let somebody open a table; return who, and the place."""
    [somebody] = await come(rig, name)
    await somebody.say(create(**how))
    place = (await somebody.until(m.Joined)).place
    await somebody.rest()
    return somebody, place


def kinds(messages: Iterable[m.Message]) -> list[type]:
    """Return what sorts of messages these are."""
    return [type(message) for message in messages]


def answers(messages: Iterable[m.Message]) -> list[m.Answered]:
    """Return the answers among these messages."""
    return [message for message in messages if isinstance(message, m.Answered)]


def create(
    *,
    seats: int | tuple[m.SeatWish, ...] = 2,
    terms: m.Terms | None = None,
    options: m.Options | None = None,
    command: str = "create",
    sit: int | None = 0,
) -> m.Create:
    """Return the wish for a table of the toy."""
    return m.Create(
        command=command,
        ruleset="toy",
        seats=(m.SeatWish(),) * seats if isinstance(seats, int) else seats,
        options=options or {},
        terms=terms or m.Terms(),
        sit=sit,
    )


def decide(prompt: object, command: str, answer: object = None) -> m.Decide:
    """Return a decision of a prompt; without an answer, its default."""
    return m.Decide(
        command=command, prompt=prompt.id, answer=prompt.default if answer is None else answer
    )


def token(user: str, *, name: str = "", lasts_s: float = 600) -> str:
    """Sign a token for a user, which ends so many seconds from now."""
    claims = {"sub": user, "aud": AUDIENCE, "exp": int(now_s() + lasts_s)}
    if name:
        claims["name"] = name
    return jwt.encode({"alg": "HS256", "kid": KEY.kid}, claims, KEY)


def token_settings(folder: Path) -> dict[str, object]:
    """Return the settings of a server that takes the tests' tokens."""
    path = folder / "keys.json"
    path.write_text(json.dumps({"keys": [KEY.as_dict(private=True)]}))
    path.chmod(0o600)
    return {"token_keys": str(path), "token_audience": AUDIENCE}
