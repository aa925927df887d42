"""The reference client, cancelled at every step of a game with a drop: nothing stays behind."""

import trio

from longfuse_protocol import messages as m
from longfuse_protocol.client import Ended, Resumed, open_client
from protocol.scripted import PROMPT, door, frame
from support.cancelling import cancel_everywhere
from support.listening import URL, until


class Watched(trio.abc.Stream):
    """A stream that knows whether it was closed."""

    def __init__(self, stream):
        self.is_closed = False
        self._stream = stream

    async def send_all(self, data):
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self):
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes=None):
        return await self._stream.receive_some(max_bytes)

    async def aclose(self):
        self.is_closed = True
        await self._stream.aclose()


async def before(self):
    """Seat the client, ask it, and break off when it decides."""
    await self.seat()
    await self.tell(frame(1, {"a": {}}, {"a": {}}), m.Asked(n=1, prompt=PROMPT))
    await self.hear()
    await self.break_off()


async def after(self):
    """Welcome it back, take its decision, and let it leave."""
    await self.resume()
    await self.tell(m.Asked(n=1, prompt=PROMPT))
    await self.settle()
    await self.answer(m.Decide)
    await self.tell(frame(2, {"a": None}, {}))
    await self.answer(m.Leave)
    await self.tell(m.Left(table="t"))
    await self.socket.wait_closed()


def test_cancelled_at_every_step():
    """Whenever it is cancelled, every stream is closed, and whoever has the client sees its end."""
    streams, clients, games, opened = [], [], [], []

    async def scenario():
        async with door(before, after) as here:

            async def dial():
                streams.append(Watched(await here.dial()))
                return streams[-1]

            async with open_client(URL, name="Ada", dial=dial, chance=lambda: 0.0) as ada:
                clients.append(ada)
                await ada.join("t")
                asked = await until(ada, m.Asked)
                assert (await ada.decide(asked.prompt, 1)).ok
                await until(ada, Resumed)
                await ada.leave()
            games.append(ada)

    def check(step):
        assert all(stream.is_closed for stream in streams), step
        assert all(isinstance(client.ended, Ended) for client in clients), step
        opened.append(len(streams))
        streams.clear()
        clients.clear()

    steps = cancel_everywhere(scenario, check)

    assert steps > 100
    assert (min(opened), max(opened), len(games) > 0) == (0, 2, True)
