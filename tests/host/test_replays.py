"""Finished games shown again: the same frames as when they were live, to whom they may be shown."""

import contextlib

import pytest
import trio
import trio.testing

from host.rig import hear, open_rig, refused, say
from host.shown import NAMES, no_replay, opened, replayed
from longfuse.host import replays as replays_module
from longfuse_protocol import messages as m
from longfuse_protocol.client import Refused
from longfuse_protocol.codec import CODECS, JSON, MSGPACK
from longfuse_protocol.errors import Code

# ---------------------------------------------------------------- what is shown


@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_the_same_bytes(subprotocol):
    """Each frame that a spectator got stands in the replay, byte for byte."""
    async with open_rig() as rig, opened(rig, watchers=()) as table:
        raw = rig.raw(subprotocol)
        await raw.handshake()
        await say(raw, subprotocol, m.Hello(name="Eve"))
        await say(raw, subprotocol, m.Spectate(command="w", table=table.place.info.table))
        live = []

        async def listen():
            while (frame := await raw.receive()) is not None:
                message = CODECS[subprotocol].server_message(bytes(frame.data), 10**6)
                if isinstance(message, m.Events):
                    live.append(bytes(frame.data))
                elif isinstance(message, m.Replayed):
                    told.append((bytes(frame.data), message))

        told = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen)
            await table.play()
            await say(raw, subprotocol, m.Replay(command="r", game=table.game(), after=1))
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()

        [(data, message)] = told
        assert len(live) == len(message.frames) >= 5
        place = 0
        for frame in live:
            place = data.index(frame, place) + len(frame)


async def test_every_viewer_of_every_game_of_a_match():
    """Seats and spectators are shown what they were; the next game's numbers go on."""
    async with (
        open_rig(between_s=5) as rig,
        opened(rig, terms=m.Terms(best_of=3), options={"heap": 7}) as table,
    ):
        for _ in range(3):
            await table.play()
            await trio.sleep(6)
        await table.play()
        await trio.sleep(1)
        games = [header.game for header in rig.journal.headers]
        assert len(games) >= 2
        for name, viewer in (("Ada", 0), ("Bob", 1), ("Eve", "spectator")):
            shown = [await replayed(table.people[name], game, viewer) for game in games]
            assert [frame for frames in shown for frame in frames] == table.frames[name]
            assert shown[1][0].n == shown[0][-1].n + 1


async def test_going_on_in_the_middle():
    """What comes after a frame is shown alone; nothing, after the last."""
    async with open_rig() as rig, opened(rig) as table:
        await table.play()
        ada, live = table.people["Ada"], table.frames["Ada"]

        assert await replayed(ada, table.game(), 0, after=live[2].n) == live[3:]
        [part] = [part async for part in ada.replay(table.game(), 0, after=live[-1].n)]
        assert (part.frames, part.last) == ((), True)
        assert await replayed(ada, table.game(), 0, after=10**9) == []


@pytest.mark.parametrize("ballast", [0, 3_000, 100_000])
async def test_parts_are_bounded(monkeypatch, ballast):
    """A part has so many frames and bytes at most, and one frame at least."""
    monkeypatch.setattr(replays_module, "REPLAYED_MAX", 4)
    options = {"heap": 15, "ballast": ballast}
    async with open_rig() as rig, opened(rig, options=options) as table:
        await table.play()
        parts = [part async for part in table.people["Bob"].replay(table.game(), 1)]

        sizes = [
            (len(part.frames), sum(len(CODECS[MSGPACK].encode(frame)) for frame in part.frames))
            for part in parts
        ]
        assert all(1 <= count <= 4 for count, _ in sizes)
        assert all(size <= replays_module.REPLAYED_BYTES_MAX or count == 1 for count, size in sizes)
        assert [part.last for part in parts] == [False] * (len(parts) - 1) + [True]
        assert [frame for part in parts for frame in part.frames] == table.frames["Bob"]


async def test_a_replay_is_told_to_nobody_else():
    """While somebody goes through a game, the others hear nothing of it."""
    async with open_rig() as rig, opened(rig) as table:
        await table.play()
        before = {name: len(frames) for name, frames in table.frames.items()}
        assert await replayed(table.people["Ada"], table.game())
        await trio.testing.wait_all_tasks_blocked()

        assert {name: len(frames) for name, frames in table.frames.items()} == before


async def test_a_game_that_is_watched_twice_is_played_anew_once():
    """What was asked for last is kept, and only another view is made again."""
    async with open_rig() as rig, opened(rig) as table:
        await table.play()
        made = len(rig.factory.games)
        for name in ("Ada", "Bob", "Eve"):
            assert await replayed(table.people[name], table.game()) == table.frames["Eve"]
        assert len(rig.factory.games) == made + 1
        await replayed(table.people["Ada"], table.game(), 0)
        assert len(rig.factory.games) == made + 2


# ---------------------------------------------------------------- who may see it


async def test_only_games_that_are_over():
    """A running game, an unknown one and one that was suspended are told of alike."""
    async with open_rig() as rig, opened(rig, options={"heap": 21, "fault_at": 3}) as table:
        ada = table.people["Ada"]
        told = [
            await no_replay(ada, table.game(), 0),
            await no_replay(ada, table.game()),
            await no_replay(ada, table.game(2)),
            await no_replay(ada, "nothing-1"),
        ]
        with contextlib.suppress(Refused):
            await table.play()
        assert ada.table.status == "suspended"
        told.append(await no_replay(ada, table.game(), 0))

        assert {one.code for one in told} == {Code.UNKNOWN_GAME}


async def test_another_seat_s_view():
    """Nobody is shown what another held: neither who played, nor who watched."""
    async with open_rig() as rig, opened(rig) as table:
        await table.play()
        for name, viewer in (("Ada", 1), ("Bob", 0), ("Eve", 0), ("Eve", 1)):
            answer = await no_replay(table.people[name], table.game(), viewer)
            assert answer.code == Code.NOT_OPEN
        answer = await no_replay(table.people["Ada"], table.game(), 2)
        assert answer.code == Code.NOT_OPEN


async def test_a_table_opened_with_open_replays():
    """All who may watch see every seat's view; there is no other seat."""
    terms = m.Terms(open_replay=True)
    async with open_rig() as rig, opened(rig, terms=terms) as table, rig.client("Zoe") as zoe:
        await table.play()
        for viewer, name in enumerate(NAMES):
            assert await replayed(zoe, table.game(), viewer) == table.frames[name]
        assert (await no_replay(zoe, table.game(), 2)).code == Code.NOT_OPEN


async def test_a_replay_that_all_agree_to_open():
    """After the end, and only if every seat agrees; it holds for that game."""
    async with open_rig() as rig, opened(rig) as table:
        ada, bob, eve = table.people.values()
        assert (await refused(ada.offer("open replay"))).code == Code.NOT_NOW
        await table.play()
        await ada.offer("open replay")
        assert (await no_replay(eve, table.game(), 0)).code == Code.NOT_OPEN
        await bob.respond("open replay", accept=True)
        assert rig.journal.opened_games == [table.game()]

        assert await replayed(eve, table.game(), 0) == table.frames["Ada"]
        assert await replayed(ada, table.game(), 1) == table.frames["Bob"]
        await ada.offer("rematch")
        await bob.respond("rematch", accept=True)
        await table.play()
        assert await replayed(eve, table.game(), 1)
        assert (await no_replay(eve, table.game(2), 1)).code == Code.NOT_OPEN


async def test_nobody_opens_a_replay_for_who_has_left():
    """Once a seat has gone, the others can't agree in its name."""
    async with open_rig() as rig, opened(rig) as table:
        ada, bob, eve = table.people.values()
        await table.play()
        await bob.leave()

        assert (await refused(ada.offer("open replay"))).code == Code.NOT_NOW
        assert (await no_replay(ada, table.game(), 1)).code == Code.NOT_OPEN
        assert (await no_replay(eve, table.game(), 1)).code == Code.NOT_OPEN


async def test_a_delayed_table():
    """Before spectators have seen the end, nothing but one's own seat is shown: not that it is
    over, nor that there is a next game.
    """
    terms = m.Terms(delay_s=60, open_replay=True)
    async with open_rig() as rig, opened(rig, terms=terms) as table, rig.client("Zoe") as zoe:
        await table.play()
        ada = table.people["Ada"]
        assert await replayed(ada, table.game(), 0) == table.frames["Ada"]
        for viewer in (1, "spectator"):
            assert (await no_replay(ada, table.game(), viewer)).code == Code.NOT_OPEN
        for stranger in (zoe, table.people["Eve"]):
            for viewer in (0, "spectator"):
                answer = await no_replay(stranger, table.game(), viewer)
                nothing = await no_replay(stranger, "nothing", viewer)
                assert answer.code == nothing.code == Code.UNKNOWN_GAME
                assert answer.reason == nothing.reason.replace("nothing", table.game())
        await trio.sleep(61)

        assert await replayed(zoe, table.game()) == table.frames["Eve"]
        assert await replayed(ada, table.game(), 1) == table.frames["Bob"]


async def test_a_closed_table():
    """Only who played may see it again."""
    terms = m.Terms(watch="closed", open_replay=True)
    async with (
        open_rig() as rig,
        opened(rig, terms=terms, watchers=()) as table,
        rig.client("Zoe") as zoe,
    ):
        await table.play()
        invitation = table.place.invitation
        for viewer in (0, 1, "spectator"):
            answer = await no_replay(zoe, table.game(), viewer, invitation=invitation)
            assert answer.code == Code.NOT_OPEN
        assert await replayed(table.people["Ada"], table.game())
        assert await replayed(table.people["Ada"], table.game(), 1) == table.frames["Bob"]


async def test_a_table_by_invitation():
    """Who played, who is at the table, and who names the invitation may see it again."""
    terms = m.Terms(watch="invited")
    async with open_rig() as rig, opened(rig, terms=terms) as table, rig.client("Zoe") as zoe:
        await table.play()
        eve, game, invitation = table.people["Eve"], table.game(), table.place.invitation
        assert (await no_replay(zoe, game)).code == Code.NOT_OPEN
        assert (await no_replay(zoe, game, invitation="wrong")).code == Code.NOT_OPEN
        assert await replayed(zoe, game, invitation=invitation) == table.frames["Eve"]
        assert await replayed(eve, game) == table.frames["Eve"]
        await eve.leave()
        assert (await no_replay(eve, game)).code == Code.NOT_OPEN
        assert await replayed(table.people["Bob"], game)
        assert (await no_replay(zoe, game, 0, invitation=invitation)).code == Code.NOT_OPEN


async def test_asking_for_a_place_is_none():
    """Who is about to be turned away from a table has no place there yet."""
    terms = m.Terms(watch="invited")
    async with open_rig() as rig, opened(rig, terms=terms) as table:
        await table.play()
        raw = rig.raw()
        await raw.handshake()
        await say(raw, MSGPACK, m.Hello(name="Zoe"))
        await say(raw, MSGPACK, m.Spectate(command="w", table=table.place.info.table))
        await say(raw, MSGPACK, m.Replay(command="r", game=table.game()))
        told = [await hear(raw, MSGPACK) for _ in range(3)]

        assert [one.code for one in told if isinstance(one, m.Failed)] == [Code.NOT_OPEN]


async def test_who_has_left_sees_the_own_seat_again():
    """A seat's view belongs to the person that held it, at the table or not."""
    async with open_rig() as rig, opened(rig) as table:
        ada, bob, _ = table.people.values()
        await bob.leave()
        await trio.testing.wait_all_tasks_blocked()
        await ada.leave()

        assert await replayed(bob, table.game(), 1) == table.frames["Bob"]
        assert await replayed(ada, table.game(), 0) == table.frames["Ada"]
