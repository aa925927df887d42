"""Spectators of a delayed table: what is held back, for how long, and what must fit."""

import pytest
import trio
from msgspec.structs import replace

from host.lines import come, decide, kinds
from host.rig import open_rig
from host.watched import everything, watched
from longfuse.host import spectators
from longfuse.host.feeds import Stream
from longfuse.host.spectators import Spectators
from longfuse_protocol import messages as m
from longfuse_protocol.mirror import Mirror
from longfuse_protocol.views import digest

CLOCK = m.ClockTerms(kind="bank", bank_s=100, increment_s=2)


def frame(n):
    """Return a frame that brings something into view."""
    return m.Events(n=n, events=(), changes={str(n): {}}, digest="", shared="")


async def test_a_delay_holds_back_everything():
    """Until the delay is over, spectators and the lobby hear nothing of what the seats do."""
    async with open_rig() as rig:
        ada, bob, eve, mia = await watched(rig, "Eve", "Mia", delay_s=10, clock=CLOCK)
        await mia.say(m.Leave(command="l"))
        await mia.rest()
        await trio.sleep(11)
        await eve.rest()
        began_at = trio.current_time()
        await everything(rig, ada, bob)
        assert trio.current_time() < began_at + 5
        early = await eve.rest()
        await mia.say(m.Browse())
        [listed] = (await mia.until(m.Tables)).tables
        await trio.sleep(began_at + 9 - trio.current_time())
        early += await eve.rest()
        await trio.sleep(7)
        told = await eve.rest()
        await mia.say(m.Browse())
        [later] = (await mia.until(m.Tables)).tables

        assert early == []
        assert (listed.status, listed.score, later.status, later.score) == (
            "playing",
            (0, 0),
            "over",
            (1, 0),
        )
        wanted = {m.Said, m.Events, m.Clock, m.Presence, m.TableChanged, m.Over}
        assert set(kinds(told)) == wanted


async def test_a_rematch_of_a_delayed_table():
    """That another game begins is told after the end of the last, and not before its time."""
    async with open_rig() as rig:
        ada, bob, eve = await watched(rig, "Eve", delay_s=10)
        await trio.sleep(11)
        await eve.rest()
        await bob.say(m.Concede(command="c"))
        await bob.rest()
        await ada.say(m.MakeOffer(command="o", kind="rematch"))
        await ada.rest()
        await bob.say(m.Respond(command="r", kind="rematch", accept=True))
        await bob.rest()
        assert len(rig.factory.games) == 2
        await trio.sleep(9)
        early = await eve.rest()
        await trio.sleep(2)
        told = kinds(await eve.rest())

        assert early == []
        assert told.index(m.Over) < max(n for n, kind in enumerate(told) if kind is m.Events)


async def test_a_delayed_table_is_told_in_order():
    """With a delay, spectators hear exactly what they would hear without one."""
    heard = {}
    for delay_s in (0, 10):
        async with open_rig() as rig:
            ada, bob, eve = await watched(rig, "Eve", delay_s=delay_s, clock=CLOCK)
            await everything(rig, ada, bob)
            await trio.sleep(15)
            await eve.rest()
            heard[delay_s] = eve.line.heard
            assert eve.n == rig.running._lobby._tables[eve.stream[:12]].places._feeds.public.n

    assert kinds(heard[10]) == kinds(heard[0])
    frames = {
        delay: [(one.n, one.changes, one.digest) for one in all_ if isinstance(one, m.Events)]
        for delay, all_ in heard.items()
    }
    assert frames[10] == frames[0]


async def test_who_comes_late_to_a_delayed_table():
    """A newcomer sees what the others have been shown by then, and no more."""
    async with open_rig() as rig:
        ada, bob, eve = await watched(rig, "Eve", delay_s=10)
        await trio.sleep(11)
        await ada.say(decide(rig.factory.games[0].open_prompt, "d1"))
        await ada.rest()
        await trio.sleep(5)
        await bob.say(decide(rig.factory.games[0].open_prompt, "d2"))
        await trio.sleep(6)
        [late] = await come(rig, "Late")
        await late.say(m.Spectate(command="w", table=eve.stream[:12]))
        told = await late.rest()
        whole = next(one for one in told if isinstance(one, m.Snapshot))
        await eve.rest()

        assert whole.n == eve.n == 2
        assert whole.view["heap"] == {"left": 20}
        assert whole.recap[-1]["kind"] == "took"
        await trio.sleep(5)
        assert [one.n for one in await late.rest() if isinstance(one, m.Events)] == [3]


async def test_the_clocks_of_a_delayed_table_for_who_comes_late():
    """A newcomer is told the clocks that the others were shown last; once they stand, none."""
    async with open_rig() as rig:
        ada, bob, eve = await watched(rig, "Eve", delay_s=10, clock=CLOCK)
        await trio.sleep(11)
        await ada.say(decide(rig.factory.games[0].open_prompt, "d1"))
        await ada.rest()
        shown = [one for one in await eve.rest() if isinstance(one, m.Clock)][-1]
        told = {}
        for name, wait_s in (("Mia", 0), ("Zoe", 12)):
            await trio.sleep(wait_s)
            [late] = await come(rig, name)
            await late.say(m.Spectate(command="w", table=eve.stream[:12]))
            told[name] = [one for one in await late.rest() if isinstance(one, m.Clock)]
        moved = [one for one in await eve.rest() if isinstance(one, m.Clock)][-1]
        await bob.say(m.Concede(command="c"))
        await trio.sleep(12)
        [late] = await come(rig, "Eli")
        await late.say(m.Spectate(command="w", table=eve.stream[:12]))

        assert shown != moved
        assert told == {"Mia": [shown], "Zoe": [moved]}
        assert m.Clock not in kinds(await late.rest())


async def test_coming_back_to_a_delayed_table():
    """A spectator who was away is told the gap as far as it has been shown."""
    async with open_rig(resume_s=60) as rig:
        ada, _, eve = await watched(rig, "Eve", delay_s=10)
        await trio.sleep(11)
        await eve.cut()
        await ada.say(decide(rig.factory.games[0].open_prompt, "d1"))
        await eve.come_back()
        assert m.Events not in kinds(await eve.rest())
        await eve.line.cut()
        await trio.sleep(11)
        await eve.come_back()

        assert [one.n for one in await eve.rest() if isinstance(one, m.Events)] == [2]


@pytest.mark.parametrize(("bound", "most"), [("WAITING_MAX", 6), ("WAITING_BYTES_MAX", 2_000)])
async def test_a_long_delay_is_bounded(bound, most, monkeypatch):
    """Where too much waits, spectators get a whole view in its place, and it is the right one."""
    monkeypatch.setattr(spectators, bound, most)
    async with open_rig() as rig:
        ada, bob, eve = await watched(rig, "Eve", options={"ballast": 500}, delay_s=10)
        game = rig.factory.games[0]
        for turn in range(12):
            asked = (ada, bob)[game.asked]
            if game.open_prompt.shape != "order":
                await asked.say(decide(game.open_prompt, f"d{turn}"))
            await ada.rest()
            await bob.rest()
        table = rig.running._lobby._tables[eve.stream[:12]]
        waiting = table._spectators._waiting
        assert (len(waiting) if most == 6 else sum(len(one.data) for one in waiting)) <= most
        await trio.sleep(12)
        told = await eve.rest()
        mirror = Mirror()
        for one in eve.line.heard:
            if isinstance(one, m.Snapshot):
                mirror.take_whole(one)
            elif isinstance(one, m.Events):
                mirror.follow(one)

        assert m.Snapshot in kinds(told)
        assert not mirror.is_lost
        assert (mirror.view, mirror.digest) == (
            game.view("spectator"),
            digest(game.view("spectator")),
        )


async def test_no_frame_is_left_out_for_what_is_no_frame(monkeypatch):  # noqa: ASYNC124  trio's clock is read
    """Who comes and goes as often as they like spoils nobody's view: frames wait all the same."""
    monkeypatch.setattr(spectators, "WAITING_MAX", 4)
    info = m.TableInfo(table="t", ruleset="toy", status="playing", seats=(m.SeatInfo(kind="open"),))
    waiting = Spectators(Stream("t/spectator"), info, delay_s=10)
    gone = m.Presence(seat=0, name="Ada", here=False)
    for message in [gone, frame(1), *[gone] * 9, frame(2), *[gone] * 9]:
        waiting.tell(message)
    shown = waiting.due(trio.current_time() + 10)
    assert (waiting.shown.n, waiting.shown.view.entities) == (2, {"1": {}, "2": {}})
    assert len(shown) <= 4


async def test_what_waits_is_counted_as_it_comes_and_goes(monkeypatch):  # noqa: ASYNC124  trio's clock is read
    """The bytes come to nothing once all is shown, and no room is lost to what was folded."""
    monkeypatch.setattr(spectators, "WAITING_BYTES_MAX", 400)
    info = m.TableInfo(table="t", ruleset="toy", status="playing", seats=(m.SeatInfo(kind="open"),))
    waiting = Spectators(Stream("t/spectator"), info, delay_s=10)
    said = m.Said(room="seats", line=1, seat=0, name="Ada", text="x" * 90, at_ms=0)
    over = m.TableChanged(info=replace(info, status="over"))
    for message in [frame(1), over, *[said] * 9, *map(frame, range(2, 9))]:
        waiting.tell(message)
        assert waiting._waiting_bytes == sum(len(one.data) for one in waiting._waiting) <= 400
    waiting.due(trio.current_time() + 10)

    assert (waiting._waiting_bytes, waiting.shown.n) == (0, 8)
    assert waiting.shown.view.entities == {str(n): {} for n in range(1, 9)}
    assert waiting.info.status == "over"  # talk goes first


async def test_talk_that_waits_is_bounded(monkeypatch):
    """Where too much talk waits for the delay, the oldest lines are left out."""
    monkeypatch.setattr(spectators, "WAITING_MAX", 3)
    async with open_rig() as rig:
        ada, _, eve = await watched(rig, "Eve", delay_s=10)
        await trio.sleep(12)
        await eve.rest()
        for number in range(5):
            await ada.say(m.Say(command=f"s{number}", text=f"line {number}"))
        await ada.rest()
        await trio.sleep(12)
        told = [one.text for one in await eve.rest() if isinstance(one, m.Said)]

        assert told == ["line 2", "line 3", "line 4"]


async def test_the_lobby_tells_who_is_here():
    """The list tells whether a seat's player is connected, in time."""
    async with open_rig() as rig:
        _, bob, eve = await watched(rig, "Eve")
        await bob.cut()
        await eve.say(m.Leave(command="l"), m.Browse())
        [info] = (await eve.until(m.Tables)).tables

        assert [seat.here for seat in info.seats] == [True, False]
