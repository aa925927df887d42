"""A toy table whose people keep all that they were shown, and replays to compare it with."""

import contextlib

import pytest
import trio
import trio.testing

from longfuse_protocol import messages as m
from longfuse_protocol.client import Refused

NAMES = ("Ada", "Bob")


async def replayed(client, game, viewer="spectator", **told):
    """Return all frames of a replay."""
    frames = []
    async for part in client.replay(game, viewer, **told):
        assert (part.game, part.viewer) == (game, viewer)
        frames.extend(part.frames)
    return frames


async def no_replay(client, game, viewer="spectator", **told):
    """Return how a replay is refused."""
    with pytest.raises(Refused) as caught:
        await replayed(client, game, viewer, **told)
    return caught.value.answer


class At:
    """A toy table with Ada and Bob, and what each of its people was shown."""

    def __init__(self, rig, nursery):
        self.rig = rig
        self.people = {}
        self.frames = {}
        self.place = None
        self._nursery = nursery

    def game(self, number=1):
        return f"{self.place.info.table}-{number}"

    async def come(self, stack, name):
        client = await stack.enter_async_context(self.rig.client(name))
        self.people[name] = client
        self.frames[name] = []
        self._nursery.start_soon(self._listen, name)
        return client

    async def _listen(self, name):
        async for event in self.people[name]:
            if isinstance(event, m.Events):
                self.frames[name].append(event)

    async def play(self):
        """Answer every prompt with its default until nobody is asked."""
        await trio.testing.wait_all_tasks_blocked()
        while asked := [one for one in self.people.values() if one.prompt]:
            await asked[0].decide(asked[0].prompt, asked[0].prompt.default)
            await trio.testing.wait_all_tasks_blocked()


@contextlib.asynccontextmanager
async def opened(rig, *, terms=None, options=None, watchers=("Eve",)):
    """Seat Ada and Bob at a table that these people watch; give the table."""
    async with trio.open_nursery() as nursery:
        async with contextlib.AsyncExitStack() as stack:
            table = At(rig, nursery)
            ada, bob = [await table.come(stack, name) for name in NAMES]
            table.place = await ada.create("toy", 2, terms=terms, options=options or {"heap": 9})
            there, invitation = table.place.info.table, table.place.invitation
            for name in watchers:
                await (await table.come(stack, name)).spectate(there, invitation=invitation)
            await bob.join(there, invitation=invitation)
            await trio.testing.wait_all_tasks_blocked()
            yield table
        nursery.cancel_scope.cancel()
