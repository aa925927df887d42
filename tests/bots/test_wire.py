"""The bot that plays over the wire, at the real host: matches, shuffles, and lost connections."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from cli.playing import Dialer
from host.rig import URL, open_rig
from longfuse.bots.wire import Opening, play_over_wire
from longfuse_protocol import messages as m
from longfuse_protocol import receipts
from longfuse_protocol.client import NEVER, Dropped, Refused


def default(prompt, _view):
    """Answer as little as fits."""
    return prompt.default


class Bots:
    """Two bots at one table, and how it went for each."""

    def __init__(self, rig):
        self.dialers = [Dialer(rig.listener), Dialer(rig.listener)]
        self.played = [None, None]
        self.heard = [[], []]
        self.table = trio.Event()

    async def run(self, opening, *, choose=default, **settings):
        """Let them play to the end."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._one, 0, opening, choose, settings)
            await self.table.wait()
            at = next(event for event in self.heard[0] if isinstance(event, m.Joined)).place
            settings = {**settings, "invitation": at.invitation}
            nursery.start_soon(self._one, 1, at.info.table, choose, settings)

    async def _one(self, number, at, choose, settings):
        def note(event):
            self.heard[number].append(event)
            if isinstance(event, m.Joined):
                self.table.set()

        self.played[number] = await play_over_wire(
            URL,
            choose,
            name=("Ada", "Bob")[number],
            at=at,
            on_event=note,
            dial=self.dialers[number],
            **settings,
        )


@asynccontextmanager
async def bots(**settings):
    """Two bots and a server."""
    async with open_rig(**settings) as rig:
        yield Bots(rig), rig


@pytest.mark.parametrize("best_of", [1, 3])
async def test_all_games_of_a_match(best_of):
    """Both play until it is decided, say once each time that they are ready, and agree on all."""
    terms = m.Terms(best_of=best_of, ready_s=20, listed=False, watch="closed")
    async with bots() as (pair, rig):
        await pair.run(Opening(ruleset="toy", terms=terms), deck="fire")

        assert len(rig.journal.headers) == (1 if best_of == 1 else 2)
        assert {header.decks for header in rig.journal.headers} == {("fire", "fire")}
    ada, bob = pair.played
    assert ada.overs == bob.overs
    assert len(ada.overs) == (1 if best_of == 1 else 2)
    assert ada.ended is bob.ended is None
    assert (ada.seat, bob.seat) == (0, 1)


async def test_their_shuffles_can_be_checked(tmp_path):
    """Each keeps a receipt of each game, complete with the server's secret."""
    async with bots() as (pair, _):
        await pair.run(Opening(ruleset="toy"), receipts=tmp_path)

    kept = [receipts.read(path.read_bytes()) for path in sorted(tmp_path.iterdir())]
    assert [receipt.seat for receipt in kept] == [0, 1]
    assert all(receipt.nonce and not receipt.check_end() for receipt in kept)


@pytest.mark.parametrize("at", [1, 2, 5])
async def test_a_lost_connection(at):
    """It is taken up again, and the game goes on as if nothing had been."""
    async with bots() as (pair, rig):
        asked = 0

        def choose(prompt, _view):
            nonlocal asked
            asked += 1
            if asked == at:
                cutting.start_soon(pair.dialers[prompt.seat].cut)
            return prompt.default

        async with trio.open_nursery() as cutting:
            await pair.run(Opening(ruleset="toy"), choose=choose)

        passed = sum(1 for _, record in rig.journal.records if record.rule)
        commands = [record.command for _, record in rig.journal.records if not record.rule]
    ada, bob = pair.played
    assert any(isinstance(event, Dropped) for heard in pair.heard for event in heard)
    assert ada.overs == bob.overs
    assert len(set(commands)) == len(commands)
    assert ada.decisions + bob.decisions <= len(commands)
    assert passed


async def test_a_connection_that_is_lost_for_good():
    """The bot tells how it ended; the other one wins."""
    async with bots() as (pair, _):
        asked = 0

        def choose(prompt, _view):
            nonlocal asked
            asked += 1
            if asked == 3:
                assert prompt.seat == 0
                pair.dialers[0].is_barred = True
                cutting.start_soon(pair.dialers[0].cut)
            return prompt.default

        async with trio.open_nursery() as cutting:
            await pair.run(Opening(ruleset="toy"), choose=choose, retry=NEVER)
    ada, bob = pair.played

    assert ada.over is None
    assert ada.ended is not None
    assert (bob.over.winner, bob.over.reason) == (1, "removed")


async def test_what_is_said_and_offered_is_no_concern_of_a_bot():
    """It plays on, whatever a person at the table does."""
    async with open_rig() as rig, rig.client("Ada") as ada, trio.open_nursery() as nursery:
        place = await ada.create("toy", 2)
        played = []

        async def bot():
            table = place.info.table
            played.append(
                await play_over_wire(
                    URL, default, name="Bob", at=table, dial=Dialer(rig.listener), seat=1
                )
            )

        nursery.start_soon(bot)
        await trio.testing.wait_all_tasks_blocked()
        await ada.say("hello")
        for kind in ("draw", "pause"):
            await ada.offer(kind)
        await ada.decide(ada.prompt, ada.prompt.default)
        await trio.testing.wait_all_tasks_blocked()
        assert ada.prompt is not None
        await ada.concede()

    assert played[0].over.winner == 1


async def test_a_seat_that_it_may_not_have():
    """Is refused, and raised."""
    async with open_rig() as rig, rig.client("Ada") as ada:
        place = await ada.create("toy", 2, terms=m.Terms(listed=False))
        with pytest.raises(Refused, match="not_invited"):
            await play_over_wire(
                URL, default, name="Bob", at=place.info.table, dial=Dialer(rig.listener)
            )
