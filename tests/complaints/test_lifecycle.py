"""What is left: of those who vanish, of tables that nobody wants, and of a server that ends."""

import contextlib
import gc
import os
import signal
import subprocess
import sys
import textwrap

import pytest
import trio

from complaints.scene import (
    DEADLINE_S,
    LONG,
    on_sockets,
    open_server,
    raw_on_socket,
    reset,
    serving,
    settle,
    take,
)
from host.lines import come, create, decide, seated, token, token_settings
from host.rig import frame_bytes, gone, hear, open_rig, say, spelt
from longfuse.journal.reader import read
from longfuse_protocol import messages as m
from longfuse_protocol.client import NEVER, ClientClosed, Ended, Refused, open_client
from longfuse_protocol.codec import MSGPACK
from support.listening import until

VANISHED = 100_000 if LONG else 300
BOT = m.SeatWish(kind="bot", bot="default")


@pytest.mark.complaint("servers 62", "servers 65")
async def test_many_who_vanish_leave_nothing():
    """They open tables, are not seen again, and their time runs out: nothing of them is left."""

    async def vanish(rig, count):
        for _ in range(count):
            [one] = await come(rig, "Passer-by")
            await one.say(create())
            await one.until(m.Joined)
            await one.line.cut()

    async with open_rig(resume_s=5, sessions_burst=10**6, tables_max=10**6) as rig:
        objects = []
        for _ in range(3):
            await vanish(rig, VANISHED // 3)
            await gone(rig, tables=0)
            await trio.sleep(60)
            await come(rig, "Ada")  # whoever is forgotten goes when somebody comes
            rig.listener.servers_end.clear()
            gc.collect()
            objects.append(len(gc.get_objects()))

        assert rig.running.statistics()["sessions"] <= 3
        assert objects[2] - objects[1] < VANISHED // 3


CLIENT = textwrap.dedent(
    """
    import sys, trio
    from longfuse_protocol.client import open_client
    async def main():
        async with open_client(sys.argv[1], name="Phone") as client:
            await client.join(sys.argv[2])
            async for event in client:
                print(type(event).__name__, flush=True)
    trio.run(main)
    """
)


@pytest.mark.realtime
@pytest.mark.slow
@pytest.mark.complaint("servers 64")
async def test_a_phone_that_hangs():
    """Its process stands still, its socket stays open: the seat is free after pings and grace."""
    # Who is alive answers a ping in time, however slow the machine is.
    times = {"ping_s": 0.2, "pong_s": 3, "close_s": 0.2, "resume_s": 0.2}
    async with open_server(**times) as rig, on_sockets(rig, "Ada") as ada:
        table = (await ada.create("toy", 2)).info.table
        with trio.fail_after(DEADLINE_S), a_phone(rig.running.url, table) as phone:
            await until(ada, m.Asked)
            phone.send_signal(signal.SIGSTOP)
            absent = await until(ada, m.Presence)
            over = await until(ada, m.Over)
            await ada.leave()
            while rig.running.statistics()["tables"]:  # noqa: ASYNC110  nothing tells
                await trio.sleep(0.01)

        assert (absent.seat, absent.here) == (1, False)
        assert (over.winner, over.reason) == (0, "removed")


@contextlib.contextmanager
def a_phone(url, table):
    """Run a client as a process of its own."""
    phone = subprocess.Popen(
        [sys.executable, "-c", CLIENT, url, table],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        yield phone
    finally:
        phone.kill()
        phone.wait(DEADLINE_S)


@pytest.mark.complaint("servers 65")
@pytest.mark.parametrize("end", ["leaves", "drops"])
@pytest.mark.parametrize(
    "what", ["alone at a table", "watching bots", "waiting to be ready", "between games", "over"]
)
async def test_every_table_ends(what, end):
    """Whatever it waits for: with nobody there any more it is gone, at once or after the grace."""
    terms = {
        "waiting to be ready": m.Terms(ready_s=600),
        "between games": m.Terms(best_of=3),
    }.get(what, m.Terms())
    async with open_rig(resume_s=5, between_s=600) as rig:
        if what == "watching bots":
            people = await come(rig, "Ada")
            await people[0].say(create(seats=(BOT, BOT), sit=None))
        elif what == "alone at a table":
            people = await come(rig, "Ada")
            await people[0].say(create())
        else:
            people = await seated(rig, "Ada", "Bob", terms=terms)
            if what in ("between games", "over"):
                await people[0].say(m.Concede(command="c"))
        for one in people:
            await one.rest()
        assert rig.running.statistics()["tables"] == 1
        for one in people:
            if end == "leaves":
                await one.say(m.Leave(command="l"))
                await one.rest()
            else:
                await one.cut()
        await trio.sleep(6)

        assert rig.running.statistics()["tables"] == 0


@pytest.mark.complaint("servers 67", "servers 44")
async def test_a_drain_waits_for_the_disk():
    """A decision that is being written when the server ends is written, and answered, first."""
    async with open_rig(grace_s=30, ping_s=3_600) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        rig.journal.append_s = 3
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        await settle()
        rig.running.drain()
        told = []
        while not ada.line.is_over:
            told += await ada.rest()

        assert [one.ok for one in told if isinstance(one, m.Answered)] == [True]
        assert [record.command for _, record in rig.journal.records] == ["d", ""]
        assert len(rig.journal.closed) == 1
        assert rig.running.statistics()["tables"] <= 1
        assert await ada.line.close_code() == 1012
        assert await bob.line.close_code() == 1012


@pytest.mark.realtime
@pytest.mark.slow
@pytest.mark.complaint("servers 67", "servers 44", "servers 71", "servers 20", "servers 17")
async def test_sigterm_and_the_next_process(tmp_path):
    """Every decision that was acknowledged is in its journal, everybody is told why, the process
    ends well; to the next one the sessions are unknown, and tokens begin new ones."""
    settings = token_settings(tmp_path)
    config = tmp_path / "longfuse.toml"
    config.write_text("".join(f"{key} = '{value}'\n" for key, value in settings.items()))
    arguments = ("--config", str(config), "--data", str(tmp_path / "games"))
    done, ends, saved = {}, [], []
    with trio.fail_after(DEADLINE_S):
        with serving(*arguments) as (process, url):

            async def play(client):
                saved.append(client.session_saved())
                async for event in client:
                    if isinstance(event, m.Asked):
                        command, prompt = client.new_id(), event.prompt
                        wish = m.Decide(command=command, prompt=prompt.id, answer=prompt.default)
                        with contextlib.suppress(ClientClosed, Refused):
                            await client.command(wish)
                            done.setdefault(client.place.info.game, []).append(command)
                        if sum(map(len, done.values())) == 20:
                            process.send_signal(signal.SIGTERM)
                    if isinstance(event, Ended):
                        ends.append(event)

            async with (
                open_client(url, name="A", token=token("u1", name="Ada"), retry=NEVER) as ada,
                open_client(url, name="Bob", retry=NEVER) as bob,
                trio.open_nursery() as nursery,
            ):
                place = await ada.create("hkk", 2)
                await bob.join(place.info.table)
                for client in (ada, bob):
                    nursery.start_soon(play, client)
            assert await trio.to_thread.run_sync(process.wait, DEADLINE_S) == 0

        [game] = done
        journal = read(tmp_path / "games" / f"{game}.jsonl")
        kept = [entered.command for entered in journal.entries]
        assert set(done[game]) <= set(kept)
        assert len(kept) == len(set(kept) - {""}) + kept.count("")
        assert journal.end.result.winner is None
        assert [(end.code, end.retry) for end in ends] == [(1012, True)] * 2

        with serving(*arguments) as (process, url):
            signed = token("u1", name="Ada")
            how = {"resume": saved[0], "token": signed, "anew": True}
            async with open_client(url, name="A", **how) as ada:
                assert (ada.welcome.name, ada.place) == ("Ada", None)
                assert ada.session_saved().secret not in ("", saved[0].secret)
                assert (await ada.create("hkk", 2)).seat == 0


@pytest.mark.realtime
@pytest.mark.slow
@pytest.mark.complaint("servers 68")
async def test_a_server_ends_in_time(tmp_path):
    """With tables that are over, one who does not read, and one who never shook hands."""
    config = tmp_path / "longfuse.toml"
    config.write_text("grace_s = 3\nclose_s = 3000\nhello_s = 3000\n")
    with trio.fail_after(DEADLINE_S), serving("--config", str(config)) as (process, url):
        port = int(url.rpartition(":")[2].partition("/")[0])
        async with open_client(url, name="Ada", retry=NEVER) as ada:
            await ada.create("hkk", 2)
            await ada.leave()
            silent, halfway = await raw_on_socket(port), await raw_on_socket(port)
            async with silent.stream, halfway.stream:
                await silent.handshake()
                await say(silent, MSGPACK, m.Hello(name="Silent"))
                await halfway.stream.send_all(b"GET /ws HTTP/1.1\r\n")
                process.send_signal(signal.SIGTERM)

                assert await trio.to_thread.run_sync(process.wait, DEADLINE_S) == 0
                assert (await until(ada, Ended)).code == 1012


async def nothing(_raw, _table):
    pass


async def half_a_request(raw, _table):
    await raw.stream.send_all(b"GET /ws HTTP/1.1\r\nHost: here\r\n")


async def a_request_and_no_more(raw, _table):
    raw.protocol.send_request(raw.protocol.connect())
    await raw.stream.send_all(b"".join(raw.protocol.data_to_send()))


async def the_handshake(raw, _table):
    await raw.handshake()


async def half_a_frame(raw, _table):
    await raw.handshake()
    await raw.stream.send_all(frame_bytes(*spelt(MSGPACK, m.Hello(name="Half")))[:9])


async def a_hello_unheard(raw, _table):
    await raw.handshake()
    await say(raw, MSGPACK, m.Hello(name="Deaf"))


async def the_welcome(raw, _table):
    await a_hello_unheard(raw, _table)
    assert isinstance(await hear(raw, MSGPACK), m.Welcome)


async def a_table_of_its_own(raw, table):
    await the_welcome(raw, table)
    await say(raw, MSGPACK, create())
    assert isinstance(await hear(raw, MSGPACK), m.Joined)


async def a_wish_to_watch(raw, table):
    await the_welcome(raw, table)
    await say(raw, MSGPACK, m.Spectate(command="s", table=table))


async def watching(raw, table):
    await a_wish_to_watch(raw, table)
    assert isinstance(await hear(raw, MSGPACK), m.Joined)


async def waiting_to_be_paired(raw, table):
    await the_welcome(raw, table)
    await say(raw, MSGPACK, m.Pair(command="p", ruleset="toy"))


async def a_close_frame(raw, table):
    await the_welcome(raw, table)
    raw.protocol.send_close(1000)
    await raw.stream.send_all(b"".join(raw.protocol.data_to_send()))


STAGES = (
    nothing,
    half_a_request,
    a_request_and_no_more,
    the_handshake,
    half_a_frame,
    a_hello_unheard,
    the_welcome,
    a_table_of_its_own,
    a_wish_to_watch,
    watching,
    waiting_to_be_paired,
    a_close_frame,
)


@pytest.mark.realtime
@pytest.mark.complaint("servers 70")
async def test_a_reset_at_every_stage():
    """However far a client has come when its connection is reset, the game beside it goes on."""
    async with (
        open_server(resume_s=0.2) as rig,
        on_sockets(rig, "Ada") as ada,
        on_sockets(rig, "Bob") as bob,
    ):
        table = (await ada.create("toy", 2, options={"heap": 60})).info.table
        await bob.join(table)
        await until(ada, m.Asked)
        with trio.fail_after(DEADLINE_S):
            for stage in STAGES:
                raw = await raw_on_socket(rig.running.port)
                await stage(raw, table)
                reset(raw.stream)
                asked = ada if ada.prompt else bob
                assert (await take(asked)).ok
                while not (ada.prompt or bob.prompt):  # noqa: ASYNC110  either may be asked
                    await trio.sleep(0.01)
            await gone(rig, connections=2, tables=1)
        assert rig.factory.games[0].result is None
