"""Coming to tables: many at once, back to back, and one person twice."""

import itertools

import pytest
import trio

from complaints.scene import (
    DEADLINE_S,
    LONG,
    PATIENT,
    Network,
    hear_out,
    on_sockets,
    open_server,
    serving,
    settle,
)
from host.lines import Line, come, create, seated
from host.rig import open_rig, play_out, playing
from host.toy import first_choice
from longfuse.bots.wire import Opening, play_over_wire
from longfuse_protocol import messages as m
from longfuse_protocol.client import Ended, Refused, open_client

CLIENTS = 1_500 if LONG else 40
BURST = 500 if LONG else 120
MOVES = 1_000 if LONG else 200


@pytest.mark.complaint("servers 22")
async def test_never_more_than_there_are_seats():
    """Forty ask at the same moment for four seats, and the disk is slow: four get one each.

    A spectator sees at no moment that a seat changes its holder.
    """
    async with open_rig(messages_burst=10_000) as rig:
        rig.journal.append_s = 0.5
        [maker, *people] = await come(rig, "Maker", *(f"P{n}" for n in range(40)))
        await maker.say(create(seats=4, sit=None))
        table = (await maker.until(m.Joined)).place.info.table

        async def join(somebody):
            await somebody.say(m.Join(command="j", table=table))

        async with trio.open_nursery() as nursery:
            for somebody in people:
                nursery.start_soon(join, somebody)
        answers = {}
        for somebody in people:
            told = await somebody.rest()
            answers[somebody.name] = next(one for one in told if isinstance(one, m.Answered))
        infos = [one.info for one in await maker.rest() if isinstance(one, m.TableChanged)]
        holders = [[seat.name for seat in info.seats] for info in infos]

        assert sorted(answers[name].ok for name in answers) == [False] * 36 + [True] * 4
        assert {one.code for one in answers.values() if not one.ok} == {"table_full"}
        assert {name for name, one in answers.items() if one.ok} == set(holders[-1])
        for before, after in itertools.pairwise(holders):
            assert all(was in ("", now) for was, now in zip(before, after, strict=True))


@pytest.mark.realtime
@pytest.mark.slow
@pytest.mark.complaint("servers 22")
async def test_never_more_than_there_are_seats_over_sockets():
    """The same with real sockets: however many come, as many sit as there are seats."""
    sat, refused, everybody = [], [], trio.Event()

    async def join(rig, number, table):
        async with on_sockets(rig, f"P{number}") as client:
            try:
                sat.append((await client.join(table)).seat)
            except Refused as refusal:
                refused.append(refusal.answer.code)
            if len(sat) + len(refused) == CLIENTS:
                everybody.set()
            await everybody.wait()

    async with open_server(sessions_burst=5_000) as rig, on_sockets(rig, "Maker") as maker:
        table = (await maker.create("toy", 4, sit=None)).info.table
        with trio.fail_after(DEADLINE_S):
            async with trio.open_nursery() as nursery:
                for number in range(CLIENTS):
                    nursery.start_soon(join, rig, number, table)

    assert sorted(sat) == [0, 1, 2, 3]
    assert refused == ["table_full"] * (CLIENTS - 4)


@pytest.mark.complaint("servers 23")
async def test_leaving_and_joining_back_to_back():
    """From one table to the other and back, again and again: each time there is a seat."""
    limits = {"messages_per_s": 100_000, "messages_burst": 100_000}
    async with (
        open_rig(**limits) as rig,
        rig.client("Ada") as ada,
        rig.client("Bob") as bob,
        rig.client("Cid") as cid,
    ):
        tables = [(await one.create("toy", 2)).info.table for one in (bob, cid)]
        for number in range(MOVES):
            place = await ada.join(tables[number % 2], 1)
            assert place.info.table == tables[number % 2]
            await ada.leave()
            if number % 50 == 0:
                for one in (ada, bob, cid):
                    await hear_out(one)


@pytest.mark.realtime
@pytest.mark.slow
@pytest.mark.complaint("servers 25")
async def test_a_burst_of_connections():
    """A server gets them all in one moment: each is welcomed, and a game goes on to its end."""
    with serving() as (_process, url):
        welcomed = []
        tables, everybody = trio.Event(), trio.Event()
        found = {}

        def tell(event):
            if isinstance(event, m.Joined):
                found["table"] = event.place.info.table
                tables.set()

        async def play(name, at, on_event=None):
            played = await play_over_wire(
                url, lambda prompt, _view: first_choice(prompt), name=name, at=at, on_event=on_event
            )
            assert played.over is not None

        async def connect(number):
            async with open_client(url, name=f"P{number}") as client:
                welcomed.append(client.welcome.session)
                if len(welcomed) == BURST:
                    everybody.set()
                await everybody.wait()

        with trio.fail_after(DEADLINE_S):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(play, "Ada", Opening(ruleset="hkk"), tell)
                await tables.wait()
                nursery.start_soon(play, "Bob", found["table"])
                for number in range(BURST):
                    nursery.start_soon(connect, number)

        assert len(set(welcomed)) == BURST


@pytest.mark.complaint("servers 26")
async def test_two_windows_with_one_session():
    """The newer one has it. The older is told so for good, and does not fight for the seat."""
    async with open_rig(resume_s=5) as rig:
        first, second = Network(rig), Network(rig)
        async with first.client("Ada") as old, rig.client("Bob") as bob:
            await bob.join((await old.create("toy", 2)).info.table)
            await hear_out(old)
            async with second.client("Ada", resume=old.session_saved()) as new:
                told = [event async for event in old]
                await trio.sleep(60)
                await hear_out(new)

                assert told[-1] == Ended(4001, told[-1].reason, retry=False)
                assert (first.dials, second.dials) == (1, 1)
                assert new.place.seat == 0
                assert (await new.decide(new.prompt, 0)).ok
                assert not any(isinstance(one, m.Presence | m.Over) for one in await hear_out(bob))


@pytest.mark.complaint("servers 26")
async def test_a_seat_that_was_lost_is_not_asked_for_again():
    """Who comes back when all is over is told so once, and the client leaves it at that."""
    async with open_rig(resume_s=5) as rig:
        network = Network(rig)
        async with network.client("Ada", PATIENT) as ada, rig.client("Bob") as bob:
            await bob.join((await ada.create("toy", 2)).info.table)
            await hear_out(ada)
            await network.cut(stays_away=True)
            await trio.sleep(20)
            network.dials, network.is_up = 0, True
            told = [event async for event in ada]
            await trio.sleep(600)

        assert (told[-1].rejected, told[-1].retry) == ("unknown_session", False)
        assert network.dials == 1


@pytest.mark.complaint("servers 28")
async def test_closing_without_waiting_and_coming_back():
    """A page is closed and opened again in the same moment, fifty times: the seat stays its own."""
    async with open_rig(resume_s=5) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        for _ in range(50):
            old, new = ada.line, Line(rig)
            resume = m.Resume(secret=ada.secret, stream=ada.stream, n=ada.n)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(trio.aclose_forcefully, old._raw.stream)
                nursery.start_soon(new.open, ada.hello(resume))
            ada.line = new
        await settle()
        await trio.sleep(20)

        assert m.Over not in map(type, await bob.rest())
        assert (await ada.come_back()).place.seat == 0


@pytest.mark.complaint("servers 28")
async def test_a_move_and_a_close_in_one_moment():
    """What was sent before the close is done; the game goes on from there to its end."""
    async with open_rig(resume_s=30) as rig, playing(rig) as (ada, bob):
        ada.send(m.Decide(command="last", prompt=ada.prompt.id, answer=0))
        saved = ada.session_saved()
        await ada.close()
        async with open_client(
            "ws://memory/ws", name="Ada", resume=saved, dial=_dial(rig)
        ) as again:
            await hear_out(again)
            await hear_out(bob)
            assert rig.factory.games[0]._entries == 1
            assert await play_out(again, bob)


def _dial(rig):
    async def dial():
        await trio.lowlevel.checkpoint()
        return rig.listener.dial()

    return dial
