"""Clocks and idle players: whose time counts, and what ends with what."""

import pytest
import trio

from complaints.scene import Network, agree, hear_out, settle, take
from host.lines import decide, seated
from host.rig import open_rig, playing, until
from longfuse_protocol import messages as m

BANK = m.ClockTerms(kind="bank", bank_s=60, increment_s=10)
LIMIT = m.ClockTerms(kind="decision", decision_s=30)


@pytest.mark.complaint("servers 40")
async def test_coming_back_ends_the_waiting_for_it():
    """Who is back in time is not thrown out later; a second drop has the whole time again."""
    async with open_rig(resume_s=5, ping_s=3_600) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        for _ in range(3):
            await ada.cut()
            await trio.sleep(4)
            await ada.come_back()
            await ada.rest()
        await trio.sleep(3_000)
        assert m.Over not in map(type, await bob.rest())
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        assert (await ada.until(m.Answered)).ok
        await ada.cut()
        lost_at = trio.current_time()
        await bob.until(m.Over)
        assert trio.current_time() == pytest.approx(lost_at + 5, abs=0.5)


@pytest.mark.complaint("servers 40")
async def test_the_own_clock_is_the_same_after_a_reconnect():
    """Its deadline stands where it stood, shown as a deadline; a move in time is a move in time."""
    async with open_rig(resume_s=60) as rig:
        network = Network(rig)
        async with network.client("Ada") as ada, rig.client("Bob") as bob:
            place = await ada.create("toy", 2, terms=m.Terms(clock=LIMIT))
            await bob.join(place.info.table)
            await until(ada, m.Asked)
            await settle()
            before = ada.deadline(0)
            await trio.sleep(20)
            await network.cut()
            await until(ada, m.Asked)
            assert ada.deadline(0) == pytest.approx(before, abs=0.1)
            await trio.sleep(9)
            assert (await take(ada)).ok
            await hear_out(bob)
            agree(ada, bob)


@pytest.mark.complaint("servers 41")
async def test_nobody_loses_by_waiting_for_the_other():
    """The one who is asked thinks too long, and loses: not the other, who sat there as long."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(clock=LIMIT))
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        began_at = trio.current_time()
        over = await ada.until(m.Over)

        assert (over.winner, trio.current_time() - began_at) == (0, pytest.approx(30, abs=0.5))
        assert (await bob.until(m.Over)).winner == 0


@pytest.mark.complaint("servers 41")
async def test_without_a_clock_nobody_is_idle():
    """Two who are connected and say nothing for hours are still at their game."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        await trio.sleep(2 * 3_600)
        assert (await take(ada)).ok
        await hear_out(bob)
        agree(ada, bob)


@pytest.mark.complaint("servers 43")
@pytest.mark.parametrize("sent", [1, 3])
async def test_a_move_that_came_in_time_is_in_time(sent):
    """The disk takes long, and the client repeats itself: one move, and nobody lost on time."""
    async with open_rig(ping_s=3_600) as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(clock=LIMIT))
        rig.journal.append_s = 20
        move = decide(rig.factory.games[0].open_prompt, "in time", 2)
        await trio.sleep(29.5)
        for _ in range(sent):
            await ada.say(move)
        await trio.sleep(45)
        answers = [one for one in await ada.rest() if isinstance(one, m.Answered)]
        told = await bob.rest()

        assert [one.ok for one in answers] == [True] * sent
        assert rig.factory.games[0]._taken == [3, 0]
        assert m.Asked in map(type, told)
        assert m.Over not in map(type, told)


@pytest.mark.complaint("servers 43")
async def test_a_move_that_came_too_late_is_told_so():
    """It is answered, though the game is over by then."""
    async with open_rig() as rig:
        ada, _ = await seated(rig, "Ada", "Bob", terms=m.Terms(clock=LIMIT))
        prompt = rig.factory.games[0].open_prompt
        rig.journal.append_s = 5
        await trio.sleep(31)
        await ada.say(decide(prompt, "late"))
        told = []
        while not any(isinstance(one, m.Answered) for one in told):
            told += await ada.rest()
        [answer] = [one for one in told if isinstance(one, m.Answered)]

        assert (answer.ok, answer.code) == (False, "over")
        assert rig.factory.games[0]._taken == [0, 0]


@pytest.mark.complaint("servers 44")
async def test_nobody_loses_on_time_to_a_server_that_ends():
    """While it ends, a journal is slow, and clocks would run out: none does, and what is kept of
    the time is what the players used."""
    limit = m.ClockTerms(kind="decision", decision_s=2)
    async with open_rig(grace_s=60, ping_s=3_600) as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(clock=limit))
        await trio.sleep(1)
        rig.journal.append_s = 30
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        await settle()
        rig.running.drain()
        await trio.sleep(59)
        told = [*await ada.rest(), *await bob.rest()]

        assert m.Over not in map(type, told)
        [(_, record)] = rig.journal.records
        assert record.entry.seat == 0
        assert record.spent_ms == pytest.approx(1_000, abs=100)


@pytest.mark.complaint("servers 46")
async def test_a_take_back_earns_no_time():
    """A move brings ten seconds; who takes it back has what it had, less the time it thought."""
    async with open_rig() as rig:
        terms, options = m.Terms(clock=BANK), {"plays": True}
        ada, _bob = await seated(rig, "Ada", "Bob", terms=terms, options=options)
        game = rig.factory.games[0]
        for number in range(3):
            await trio.sleep(2)
            await ada.say(decide(game.open_prompt, f"d{number}"))
            await trio.sleep(3)
            await ada.say(m.TakeBack(command=f"t{number}"))
        [*_, clock] = [one for one in await ada.rest() if isinstance(one, m.Clock)]

        assert game._taken == [0, 0]
        assert clock.seats[0].left_ms == pytest.approx(60_000 - 15_000, abs=100)


@pytest.mark.complaint("servers 46")
async def test_agreed_take_backs_bring_the_clock_of_then():
    """Both agree to go back: each has the time that it had then."""
    async with open_rig() as rig:
        terms = m.Terms(clock=BANK, take_back="by agreement")
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms)
        await ada.rest()
        await trio.sleep(20)
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        await trio.sleep(5)
        await ada.say(m.MakeOffer(command="o", kind="take back"))
        await bob.say(m.Respond(command="r", kind="take back", accept=True))
        [*_, clock] = [one for one in await ada.rest() if isinstance(one, m.Clock)]

        assert [seat.left_ms for seat in clock.seats] == pytest.approx([60_000, 60_000], abs=200)
