"""A server as the protocol says, with one game, that breaks connections off at chosen frames.

It keeps to the contract of the resume: exactly the gap, and the first answer for a command id that
it has seen. So whatever a client makes of it after a break is the client's own doing.
"""

import contextlib

import msgspec
from websockets.exceptions import ConnectionClosed

from longfuse_protocol import messages as m
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import RunningDigest, View, apply
from protocol.scripted import CODEC, INFO, PLACE, door, welcome

PROMPTS = 4
"""How many decisions the game has."""
KINDS = ("lost", "unheard", "unsaid", "said")
"""Where a frame is cut. From a client: it never arrives; or it is taken and its answer is lost.
From the server: it is not sent; or it is the last that is."""


class Cut(Exception):
    """The connection is to be broken off here."""


class Honest:
    """The server's whole state: it outlives its connections."""

    def __init__(self, cuts=()):
        self.cuts = dict(cuts)
        """By the number of the frame, both ways counted together, how it is cut."""
        self.passed = 0
        self.sessions = 0
        self.seated = ""
        """The secret of the session that has the seat."""
        self.frames = []
        self.view = View()
        self.running = RunningDigest()
        self.prompt = None
        self.over = None
        self.done = {}
        self.effects = []
        """The prompts that were decided."""
        self.heard = []

    # ------------------------------------------------------------ one connection

    async def serve(self, script):
        """Serve one connection until it ends, or is cut."""
        secret = ""
        try:
            while True:
                message = await script.hear()
                self._pass("lost")
                self.heard.append(message)
                if isinstance(message, m.Hello):
                    secret, replies = self._hello(message)
                else:
                    replies = self._handle(secret, message)
                self._pass("unheard", step=0)
                for reply in replies:
                    self._pass("unsaid")
                    await script.socket.send(CODEC.encode(reply))
                    self._pass("said", step=0)
        except Cut:
            await script.break_off()
        except ConnectionClosed:
            pass  # the client is done

    def _pass(self, kind, step=1):
        self.passed += step
        if self.cuts.get(self.passed) == kind:
            del self.cuts[self.passed]
            raise Cut

    # ------------------------------------------------------------ the session

    def _hello(self, hello):
        if hello.resume is None:
            self.sessions += 1
            secret = f"secret {self.sessions}"
            return secret, [welcome(secret=secret)]
        secret = hello.resume.secret
        if secret != self.seated:
            return secret, [welcome(secret="")]
        place = m.Place(info=self._info(), seat=0, stream=PLACE.stream)
        known = hello.resume.n if hello.resume.stream == PLACE.stream else None
        missed = self.frames[known:] if known is not None else [self._snapshot()]
        return secret, [welcome(place, secret=""), *missed, *self._asked()]

    def _handle(self, secret, message):
        match message:
            case m.Ping(nonce=nonce):
                return [m.Pong(nonce=nonce, at_ms=0)]
            case m.Join(command=command):
                self.seated = secret
                self._begin()
                place = m.Place(info=self._info(), seat=0, stream=PLACE.stream)
                answer = m.Answered(command=command, ok=True)
                return [m.Joined(place=place), answer, *self.frames, *self._asked()]
            case m.Leave(command=command):
                self.seated = ""
                return [m.Answered(command=command, ok=True), m.Left(table="t")]
            case m.Decide():
                return self._decide(message)
            case m.Settings(command=command, passing=passing):
                return [m.Answered(command=command, ok=True), m.PassingSet(passing=passing)]
            case m.Resync():
                return [self._snapshot(), *self._asked()]
        raise AssertionError(f"no script for {message}")

    # ------------------------------------------------------------ the game

    def _begin(self):
        assert not self.frames, "nobody joins twice"
        self._show({"mark": {"turn": 0}})
        self._ask(1)

    def _decide(self, decide):
        if decide.command in self.done:
            assert self.done[decide.command] == decide
            return [m.Answered(command=decide.command, ok=True)]
        if self.prompt is None or decide.prompt != self.prompt.id:
            return [m.Answered(command=decide.command, ok=False, code="stale_prompt")]
        self.done[decide.command] = decide
        self.effects.append(decide.prompt)
        before = len(self.frames)
        self._show({"mark": {"turn": decide.prompt}, f"o{decide.prompt}": {}})
        if decide.prompt % 2:
            self._show({f"o{decide.prompt}": None, "other": {"acts": decide.prompt}})
        self._ask(decide.prompt + 1)
        end = [self.over] if self.over is not None else []
        answer = m.Answered(command=decide.command, ok=True)
        return [answer, *self.frames[before:], *self._asked(), *end]

    def _show(self, changes):
        apply(self.view, changes)
        self.running.apply(changes)
        frame = m.Events(
            n=len(self.frames) + 1,
            events=[{"text": "…"}],
            changes=changes,
            digest=self.running.hex(),
            shared="",
        )
        self.frames.append(frame)

    def _ask(self, number):
        if number > PROMPTS:
            self.prompt = None
            self.over = m.Over(n=len(self.frames), winner=0, reason="done")
        else:
            self.prompt = Prompt(
                id=number, seat=0, shape="number", kind="k", text="?", most=9, default=number
            )

    def _asked(self):
        if self.over is not None:
            return [self.over]
        return [m.Asked(n=len(self.frames), prompt=self.prompt)]

    def _snapshot(self):
        return m.Snapshot(
            n=len(self.frames), view=dict(self.view.entities), digest=self.running.hex()
        )

    def _info(self):
        status = "playing" if self.over is None else "over"
        return msgspec.structs.replace(INFO, status=status)


@contextlib.asynccontextmanager
async def open_honest(cuts=(), connections=50):
    """Run such a server; yield it and where to dial."""
    honest = Honest(cuts)
    async with door(*[honest.serve] * connections) as here:
        yield honest, here
