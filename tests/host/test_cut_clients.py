"""Whole games against the real host, over connections that break off anywhere in a frame."""

import trio
from hypothesis import given
from hypothesis import strategies as st

from host.rig import URL, open_rig
from longfuse_protocol import messages as m
from longfuse_protocol.client import Retry, open_client
from longfuse_protocol.views import digest
from protocol.player import Player

PATIENT = Retry(first=True, tries=100, within_s=500, base_s=0.01, most_s=0.1)
BYTES = st.lists(st.integers(150, 5_000), max_size=8)
"""After so many bytes, both ways together, each connection breaks off; those after them hold."""


class Cutting(trio.abc.Stream):
    """A stream that breaks when so many bytes have gone through it."""

    def __init__(self, stream, left):
        self._stream = stream
        self._left = left

    async def send_all(self, data):
        await self._stream.send_all(data[: max(0, self._left)])
        await self._spend(len(data))

    async def wait_send_all_might_not_block(self):
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes=None):
        data = await self._stream.receive_some(max_bytes)
        await self._spend(len(data))
        return data

    async def aclose(self):
        await self._stream.aclose()

    async def _spend(self, count):
        self._left -= count
        if self._left < 0:
            await trio.aclose_forcefully(self._stream)
            raise trio.BrokenResourceError("cut")


def dialling(rig, lengths):
    """Return what dials connections of these lengths, and then some that hold."""
    lengths = iter(lengths)

    async def dial():
        await trio.lowlevel.checkpoint()
        return Cutting(rig.listener.dial(), next(lengths, 10**9))

    return dial


class Match:
    """Two players, and the table that the first one opens."""

    def __init__(self):
        self.players = {}
        self.opened = trio.Event()
        self.table = ""

    async def play(self, rig, name, lengths):
        async with open_client(
            URL, name=name, dial=dialling(rig, lengths), retry=PATIENT, tap=self.hear
        ) as client:
            player = Player(client, lambda: self.enter(client, name))
            self.players[name] = player
            await player.play()

    def hear(self, message):
        place = getattr(message, "place", None)
        if place is not None and not self.table:
            self.table = place.info.table
            self.opened.set()

    async def enter(self, client, name):
        if name == "Ada":
            return await client.create("toy", 2)
        await self.opened.wait()
        return await client.join(self.table)


@given(ada=BYTES, bob=BYTES)
async def test_nothing_shows(ada, bob):
    """Every decision has one effect, no frame is missed or told twice, and all see one game."""
    match = Match()
    async with open_rig(resume_s=1_000) as rig:
        with trio.fail_after(600):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(match.play, rig, "Ada", ada)
                nursery.start_soon(match.play, rig, "Bob", bob)

        (game,) = rig.factory.games
        records = [record for _, record in rig.journal.records]
        for seat, name in enumerate(("Ada", "Bob")):
            player = match.players[name]
            views = [one for one in player.told if isinstance(one, m.Snapshot | m.Events)]
            numbers = [view.n for view in views]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
            assert views[-1].digest == digest(game.view(seat))
            assert len([one for one in player.told if isinstance(one, m.Over)]) == 1
            own = [one.entry.prompt for one in records if one.entry.seat == seat and not one.rule]
            assert player.decided == own
        assert game.result is not None
        assert len({record.command for record in records if record.command}) == len(
            [record for record in records if not record.rule]
        )
