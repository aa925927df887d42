"""A server that follows a script, for testing clients."""

import contextlib
import functools

import trio
from websockets.trio.server import serve

from host.rig import MemoryListener
from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS
from longfuse_protocol.prompts import Prompt

CODEC = CODECS["longfuse.1.msgpack"]
INFO = m.TableInfo(table="t", ruleset="toy", status="playing", seats=())
PROMPT = Prompt(id=7, seat=0, shape="number", kind="k", text="?", most=3, default=0)


PLACE = m.Place(info=INFO, seat=0, stream="t/0")


def welcome(place=None):
    """Build a welcome, to the lobby or back to a place."""
    return m.Welcome(
        session="s",
        secret="kept",
        name="Ada",
        server="x",
        message_bytes_max=m.MESSAGE_BYTES_MAX,
        at_ms=0,
        resume_s=60,
        place=place,
    )


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
        assert isinstance(await self.hear(), m.Hello)
        await self.tell(welcome())

    async def seat(self):
        """Welcome the client and give it a seat."""
        await self.welcome()
        join = await self.hear()
        await self.tell(m.Joined(place=PLACE))
        await self.tell(m.Answered(command=join.command, ok=True))


@contextlib.asynccontextmanager
async def server(script):
    """Run a server that follows the script with its one client; yield a stream to it."""
    listener = MemoryListener()

    async def handler(socket):
        await script(Script(socket))

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
        yield listener.dial()
        nursery.cancel_scope.cancel()
