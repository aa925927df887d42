"""Servers that follow a script, one for each connection, for testing clients."""

import contextlib
import functools

import trio
from websockets.trio.server import serve

from longfuse_protocol import messages as m
from longfuse_protocol.client import open_client
from longfuse_protocol.codec import CODECS
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import View, digest
from support.listening import URL, MemoryListener

CODEC = CODECS["longfuse.1.msgpack"]
INFO = m.TableInfo(table="t", ruleset="toy", status="playing", seats=(), game="t.1")
PLACE = m.Place(info=INFO, seat=0, stream="t/0")
PROMPT = Prompt(id=7, seat=0, shape="number", kind="k", text="?", most=3, default=0)
SECRET = "kept"


def welcome(place=None, **fields):
    """Build a welcome, to the lobby or back to a place."""
    given = {
        "session": "s",
        "secret": SECRET,
        "name": "Ada",
        "server": "x",
        "message_bytes_max": m.MESSAGE_BYTES_MAX,
        "at_ms": 0,
        "resume_s": 60,
        "place": place,
    }
    return m.Welcome(**(given | fields))


def frame(n, changes, after):
    """Build a game frame that leads to a view."""
    return m.Events(n=n, events=[], changes=changes, digest=digest(View(after)), shared="")


def snapshot(n, entities):
    """Build a whole view."""
    return m.Snapshot(n=n, view=entities, digest=digest(View(entities)))


class Script:
    """The server's end of one connection: what to say and what was heard."""

    def __init__(self, socket):
        self.socket = socket

    async def tell(self, *messages):
        for message in messages:
            await self.socket.send(CODEC.encode(message))

    async def hear(self):
        return CODEC.client_message(await self.socket.recv(), 100_000)

    async def welcome(self):
        hello = await self.hear()
        assert isinstance(hello, m.Hello)
        assert hello.resume is None
        await self.tell(welcome())

    async def seat(self):
        """Welcome the client and give it a seat."""
        await self.welcome()
        join = await self.hear()
        await self.tell(m.Joined(place=PLACE))
        await self.tell(m.Answered(command=join.command, ok=True))

    async def resume(self, place=PLACE):
        """Welcome the client back; return what it knows already."""
        hello = await self.hear()
        assert hello.resume.secret == SECRET
        await self.tell(welcome(place, secret=""))
        return hello.resume

    async def answer(self, kind):
        """Hear a command of a kind, take it, and return it."""
        command = await self.hear()
        assert isinstance(command, kind)
        await self.tell(m.Answered(command=command.command, ok=True))
        return command

    async def settle(self):
        """Answer the ping by which a client learns that it has heard all that it missed."""
        ping = await self.hear()
        assert isinstance(ping, m.Ping)
        await self.tell(m.Pong(nonce=ping.nonce, at_ms=0))

    async def break_off(self):
        """End the connection without a word."""
        await trio.aclose_forcefully(self.socket.stream)


async def idle(self):
    """Welcome the client, and then say nothing."""
    await self.welcome()
    await trio.sleep_forever()


async def back_idle(self):
    """Welcome the client back, and then say nothing."""
    await self.resume(None)
    await trio.sleep_forever()


async def drop(self):
    """Welcome the client, and break off."""
    await self.welcome()
    await self.break_off()


async def told(client):
    """Return all that a client tells, to the end."""
    return [event async for event in client]


class Door:
    """Where a client dials in: each time it meets the next script, and in the end nobody."""

    def __init__(self, listener, scripts):
        self._listener = listener
        self._scripts = list(scripts)
        self.dialled_at = []
        self.streams = []

    async def dial(self):
        await trio.lowlevel.checkpoint()
        self.dialled_at.append(trio.current_time())
        if not self._scripts:
            raise OSError("nobody is there")
        stream = self._listener.dial()
        self.streams.append(stream)
        return stream

    def next_script(self):
        return self._scripts.pop(0)

    def client(self, **settings):
        """Return a client that dials in here; it waits for nothing before it tries again."""
        settings.setdefault("chance", lambda: 0.0)
        return open_client(URL, name="Ada", dial=self.dial, **settings)


@contextlib.asynccontextmanager
async def door(*scripts):
    """Run a server that follows the scripts, one for each connection; yield where to dial."""
    listener = MemoryListener()
    here = Door(listener, scripts)

    async def handler(socket):
        await here.next_script()(Script(socket))

    async with trio.open_nursery() as nursery:
        await nursery.start(
            functools.partial(
                serve,
                handler,
                listeners=[listener],
                subprotocols=list(CODECS),
                compression=None,
                close_timeout=1,
            )
        )
        yield here
        nursery.cancel_scope.cancel()


@contextlib.asynccontextmanager
async def server(script):
    """Run a server that follows the script with its one client; yield a stream to it."""
    async with door(script) as here:
        yield await here.dial()
