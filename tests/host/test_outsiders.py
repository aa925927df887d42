"""What those outside learn of a table: what spectators have been shown, or nothing at all."""

import pytest
import trio

from host.lines import come, create, decide, seated
from host.rig import gone, open_rig
from longfuse.host import lobby
from longfuse_protocol import messages as m

DELAY_S = 8


async def listed(somebody):
    """Return the tables in the list, as somebody from outside gets it."""
    await somebody.say(m.Browse())
    return (await somebody.until(m.Tables)).tables


async def test_a_table_that_all_have_left_is_listed_until_its_end_is_told():
    """Its game goes on in the list for as long as the delay; then it ends, and is gone."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(delay_s=DELAY_S))
        (out,) = await come(rig, "Out")
        await trio.sleep(DELAY_S + 1)
        await ada.say(m.Concede(command="c"), m.Leave(command="l"))
        await bob.say(m.Leave(command="l"))
        await trio.sleep(DELAY_S - 1)
        assert [one.status for one in await listed(out)] == ["playing"]
        await trio.sleep(2)

        assert await listed(out) == ()
        await gone(rig, connections=3, tables=0)


@pytest.mark.parametrize("limit", ["tables_max", "tables_per_person_max"])
async def test_tables_that_all_have_left_take_nobody_s_room(limit):
    """Without room, the oldest that only waits for its delay goes before its time."""
    async with open_rig(**{limit: 3}) as rig:
        (ada,) = await come(rig, "Ada")
        for number in range(5):
            bot = (m.SeatWish(), m.SeatWish(kind="bot", bot="default"))
            table = create(seats=bot, terms=m.Terms(delay_s=3_600), command=f"c{number}")
            await ada.say(table)
            assert (await ada.until(m.Answered)).ok
            await ada.say(m.Leave(command=f"l{number}"))
            await ada.rest()
            assert rig.running.statistics()["tables"] == min(number + 1, 3)


async def test_tables_that_all_have_left_push_no_other_out_of_the_list(monkeypatch):
    """Where the list is too short for all, those come last that only wait for their delay."""
    monkeypatch.setattr(lobby, "LISTED_MAX", 2)
    async with open_rig() as rig:
        ada, eve = await come(rig, "Ada", "Eve")
        await ada.say(create())
        await ada.rest()
        for number in range(3):
            bot = (m.SeatWish(), m.SeatWish(kind="bot", bot="default"))
            table = create(seats=bot, terms=m.Terms(delay_s=3_600), command=f"c{number}")
            await eve.say(table, m.Leave(command=f"l{number}"))
            await eve.rest()

        assert ada.stream[:12] in [one.table for one in await listed(eve)]


async def test_tables_that_are_played_keep_their_room():
    """No table is closed at which somebody is, be there ever so little room."""
    async with open_rig(tables_max=1) as rig:
        ada, _ = await seated(rig, "Ada", "Bob", terms=m.Terms(delay_s=3_600))
        (out,) = await come(rig, "Out")
        await out.say(create(command="c"))

        assert (await out.until(m.Answered)).code == "server_full"
        await ada.say(m.Ping(nonce=1), m.Resync())
        assert m.Snapshot in [type(one) for one in await ada.rest()]


async def test_a_table_without_delay_is_gone_at_once():
    """Nothing is left to tell."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        (out,) = await come(rig, "Out")
        for somebody in (ada, bob):
            await somebody.say(m.Leave(command="l"))
            await somebody.until(m.Left)

        assert await listed(out) == ()


@pytest.mark.parametrize("command", [m.Spectate, m.Join])
async def test_a_fault_is_told_late(command):
    """Neither the list, nor coming, nor asking again tells sooner that the game has stopped."""
    async with open_rig() as rig:
        terms = m.Terms(delay_s=DELAY_S)
        ada, _bob = await seated(rig, "Ada", "Bob", terms=terms, options={"fault_at": 1})
        eve, out = await come(rig, "Eve", "Out")
        table = ada.stream.split("/")[0]
        await eve.say(m.Spectate(command="s", table=table))
        await trio.sleep(DELAY_S + 1)
        await eve.rest()
        await ada.say(decide(rig.factory.games[-1].open_prompt, "d1"))
        await ada.until(m.Notice)

        assert [one.status for one in await listed(out)] == ["playing"]
        await eve.say(m.Resync(), m.Concede(command="c"))
        kinds = [(type(one), getattr(one, "code", "")) for one in await eve.rest()]
        assert kinds == [(m.Snapshot, ""), (m.Answered, "not_seated")]
        await out.say(command(command="o", table=table))
        answered = await out.until(m.Answered)
        assert answered.ok is (command is m.Spectate)
        assert answered.code in ("", "table_full")
        await trio.sleep(DELAY_S + 1)
        assert [one.kind for one in await eve.rest() if isinstance(one, m.Notice)] == ["suspended"]


@pytest.mark.parametrize("command", [m.Spectate, m.Join])
@pytest.mark.parametrize("stage", ["waiting", "playing", "suspended"])
async def test_who_is_not_invited_does_not_learn_how_a_table_stands(command, stage):
    """With its id alone, the answer is the same at every stage, and the list has nothing."""
    async with open_rig() as rig:
        terms = m.Terms(listed=False, watch="invited")
        ada, bob, out = await come(rig, "Ada", "Bob", "Out")
        await ada.say(create(terms=terms, options={"fault_at": 1}))
        place = (await ada.until(m.Joined)).place
        if stage != "waiting":
            join = m.Join(command="j", table=place.info.table, invitation=place.invitation)
            await bob.say(join)
            await ada.until(m.Asked)
        if stage == "suspended":
            await ada.say(decide(rig.factory.games[-1].open_prompt, "d1"))
            await ada.until(m.Notice)
        await out.say(command(command="o", table=place.info.table))

        assert (await out.until(m.Answered)).code == "not_invited"
        assert await listed(out) == ()
