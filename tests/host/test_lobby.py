"""The lobby: finding tables, joining and leaving in any order, invitations, limits."""

import pytest
import trio
import trio.testing

from host.lines import (
    Line,
    Somebody,
    answers,
    come,
    create,
    decide,
    kinds,
    opened,
    seated,
    token,
    token_settings,
)
from host.rig import gone, open_rig
from longfuse.host.opening import Opening
from longfuse.host.places import PAIRED
from longfuse_protocol import messages as m

PAIR = m.Pair(command="pair", ruleset="toy")


# ---------------------------------------------------------------- seats


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.complaint("servers 22")
async def test_ten_times_as_many_as_seats(seats):
    """Of ten times as many as seats, who join at once, exactly as many sit.

    All are answered, and at no instant do more hold a seat.
    """
    async with open_rig() as rig:
        _, place = await opened(rig, seats=(m.SeatWish(),) * seats)
        crowd = await come(rig, *[f"P{n}" for n in range(10 * seats)])
        async with trio.open_nursery() as nursery:
            for somebody in crowd:
                nursery.start_soon(somebody.say, m.Join(command="j", table=place.info.table))
        told = [await somebody.rest() for somebody in crowd]
        taken = [one.place.seat for heard in told for one in heard if isinstance(one, m.Joined)]
        refused = [one.code for heard in told for one in answers(heard) if not one.ok]

        assert sorted(taken) == list(range(1, seats))
        assert refused == ["table_full"] * (10 * seats - len(taken))
        infos = [one.info for heard in told for one in heard if isinstance(one, m.TableChanged)]
        assert max(sum(seat.kind == "player" for seat in info.seats) for info in infos) == seats


@pytest.mark.slow
@pytest.mark.complaint("servers 23")
async def test_leaving_and_joining_back_to_back():
    """A thousand times one leaves a table and joins another, or the same, at once."""
    async with open_rig(tables_max=5) as rig:
        _, first = await opened(rig, "Ada", seats=3)
        _, second = await opened(rig, "Bob", seats=3)
        [cid] = await come(rig, "Cid")
        tables = (first.info.table, second.info.table)
        await cid.say(m.Join(command="j", table=tables[0]))
        await cid.until(m.Answered)
        for turn in range(1_000):
            await cid.say(m.Leave(command=f"l{turn}"))
            await cid.line.until(m.Left)
            await cid.say(m.Join(command=f"j{turn}", table=tables[turn // 2 % 2]))
            assert (await cid.line.until(m.Answered)).ok
            await trio.sleep(0.02)

        assert rig.running.statistics()["tables"] == 2


@pytest.mark.slow
@pytest.mark.complaint("servers 25")
async def test_a_burst_of_connects():
    """Five hundred who come at once are all let in, or told when to come again."""
    async with open_rig(sessions_burst=400, sessions_per_s=100) as rig:
        lines = [Line(rig) for _ in range(50)]
        told = []

        async def come_in(line, name):
            told.append(await line.open(m.Hello(name=name)))

        for round_ in range(10):
            async with trio.open_nursery() as nursery:
                for number, line in enumerate(lines):
                    nursery.start_soon(come_in, line, f"P{round_}-{number}")
            lines = [Line(rig) for _ in range(50)]
        late = [one for one in told if isinstance(one, m.Rejected)]

        assert len(told) == 500
        assert len(late) == 100
        assert {(one.code, one.retry_s) for one in late} == {("too_fast", 1.0)}


async def test_who_comes_back_does_not_wait_in_line():
    """However many new sessions are turned away, one that is resumed is not."""
    async with open_rig(sessions_burst=1, sessions_per_s=1) as rig:
        [ada] = await come(rig, "Ada")
        await ada.cut()

        assert (await Line(rig).open(m.Hello(name="Bob"))).code == "too_fast"
        assert (await ada.come_back()).name == "Ada"


@pytest.mark.complaint("servers 65")
async def test_a_table_that_nobody_stays_at():
    """A table whose only person is away for too long is gone."""
    async with open_rig(resume_s=5) as rig:
        ada, _ = await opened(rig)
        await ada.cut()
        await trio.sleep(4)
        assert rig.running.statistics()["tables"] == 1
        await trio.sleep(1.1)

        assert rig.running.statistics()["tables"] == 0


async def test_a_table_that_fails(monkeypatch):
    """Whoever is at a table that fails, or about to come to it, is told, and goes on elsewhere."""
    async with open_rig() as rig:
        ada, bob, cid = await come(rig, "Ada", "Bob", "Cid")
        await cid.say(PAIR)
        connection = next(
            one for one in rig.running._gateway.connections if one.person.name == "Bob"
        )
        connection._session.step(m.Join(command="j", table="any"))
        await ada.say(create())
        table = (await ada.until(m.Joined)).place.info.table
        await ada.rest()
        lobby, failing = rig.running._lobby, rig.running._lobby._tables[table]

        def broken():
            raise RuntimeError("a defect")

        monkeypatch.setattr(failing, "_set_watch", broken)
        failing.request(person_of(rig, "Ada"), m.Resync())
        lobby._go(person_of(rig, "Bob"), failing, m.Join(command="j", table=table))
        lobby._go(person_of(rig, "Cid"), failing, m.Join(command=PAIRED, table=table))
        await trio.testing.wait_all_tasks_blocked()

        assert kinds(await ada.rest())[-1] is m.Left
        assert [one.code for one in await bob.rest()] == ["unknown_table"]
        assert rig.running.statistics()["tables"] == 0
        assert person_of(rig, "Bob").table is None
        assert [type(one) for one in await cid.rest()] == [m.Answered, m.Unpaired]
        for somebody in (ada, cid):
            await somebody.say(create(command="again"))
            assert m.Joined in kinds(await somebody.rest())


def person_of(rig, name):
    return next(one.person for one in rig.running._gateway.connections if one.person.name == name)


async def test_coming_back_to_a_table_that_fails(monkeypatch):
    """Who comes back at the moment in which the table fails is welcome in the lobby."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        [table] = rig.running._lobby._tables.values()
        rig.journal.append_s = 5
        await bob.cut()
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        await trio.testing.wait_all_tasks_blocked()

        def broken(_self):
            monkeypatch.undo()
            raise RuntimeError("a defect")

        monkeypatch.setattr(type(table), "_set_watch", broken)
        welcome = await bob.come_back()
        assert await bob.rest() == []
        await bob.say(create())

        assert welcome.place is None
        assert m.Joined in kinds(await bob.rest())
        assert kinds(await ada.rest())[-1] is m.Left


# ---------------------------------------------------------------- who may come


async def test_a_table_that_is_not_listed():
    """It is in nobody's list but its people's, and only who is invited may sit down."""
    async with open_rig() as rig:
        ada, place = await opened(rig, seats=2, terms=m.Terms(listed=False))
        bob, eve = await come(rig, "Bob", "Eve")
        await eve.say(m.Join(command="j", table=place.info.table), m.Browse())
        refused, listed = await eve.rest()
        if isinstance(refused, m.Tables):
            refused, listed = listed, refused
        await eve.say(m.Join(command="k", table=place.info.table, invitation="guessed"))
        guessed = await eve.until(m.Answered)
        await ada.say(m.Browse())
        own = await ada.until(m.Tables)
        await bob.say(m.Join(command="j", table=place.info.table, invitation=place.invitation))

        assert (refused.code, guessed.code) == ("not_invited", "not_invited")
        assert listed.tables == ()
        assert [info.table for info in own.tables] == [place.info.table]
        assert (await bob.until(m.Joined)).place.seat == 1


async def test_only_seats_get_the_invitation():
    """Spectators are not told with which words others come in."""
    async with open_rig() as rig:
        _, place = await opened(rig)
        [eve] = await come(rig, "Eve")
        await eve.say(m.Spectate(command="w", table=place.info.table))
        await eve.rest()

        assert place.invitation
        assert place.invitation.encode() not in b"".join(eve.line.frames)


def test_an_invitation_can_be_typed():
    """None begins with a dash, as an option of a command does, or holds one."""
    drawn = {Opening("t", "toy", {}, m.Terms()).invitation for _ in range(200)}

    assert len(drawn) == 200
    assert all(one.isalnum() for one in drawn)


@pytest.mark.parametrize(
    ("watch", "without", "invited"),
    [("open", "", ""), ("invited", "not_invited", ""), ("closed", "not_invited", "not_invited")],
)
@pytest.mark.complaint("servers 38")
async def test_who_may_watch(watch, without, invited):
    """Anybody may watch an open table, who is invited one for invited, and nobody a closed."""
    async with open_rig() as rig:
        _, place = await opened(rig, terms=m.Terms(watch=watch))
        codes = []
        for invitation in ("", place.invitation):
            [eve] = await come(rig, "Eve")
            wish = m.Spectate(command="w", table=place.info.table, invitation=invitation)
            await eve.say(wish)
            codes.append(answers(await eve.rest())[0].code)

        assert codes == [without, invited]


async def test_the_maker_of_a_closed_table_sits():
    """Who opens a table that may not be watched cannot watch it either; its seats play."""
    async with open_rig() as rig:
        [ada] = await come(rig, "Ada")
        await ada.say(create(sit=None, terms=m.Terms(watch="closed")))

        assert (await ada.until(m.Answered)).code == "not_invited"
        await gone(rig, connections=1, tables=0)
        ada, bob = await seated(rig, "Ann", "Bob", terms=m.Terms(watch="closed"))
        assert m.Asked in kinds(ada.line.heard)
        await bob.rest()


# ---------------------------------------------------------------- limits


async def test_tables_of_one_person():
    """Nobody may have more tables than tables_per_person_max; the count sinks as they end."""
    async with open_rig(tables_per_person_max=2) as rig:
        ada, bob = await come(rig, "Ada", "Bob")
        tables = []
        for number in range(2):
            await ada.say(create(seats=3, command=f"c{number}"))
            place = (await ada.until(m.Joined)).place
            tables.append(place.info.table)
            helper = Somebody(rig, f"H{number}")
            await helper.come()
            await helper.say(m.Join(command="j", table=place.info.table))
            await helper.rest()
            await ada.say(m.Leave(command=f"l{number}"))
            await ada.until(m.Left)
        await ada.say(create(command="third"))
        third = await ada.until(m.Answered)
        await bob.say(create())
        other = await bob.until(m.Answered)
        await helper.say(m.Leave(command="l"))
        await helper.until(m.Left)
        await gone(rig, connections=9, tables=2)
        await ada.say(create(command="now"))

        assert (third.code, other.code) == ("too_many", "")
        assert (await ada.until(m.Joined)).place.seat == 0


async def test_tables_of_bots_alone():
    """Whoever comes anew opens no more tables at which bots play on by themselves; others do."""
    bots = (m.SeatWish(kind="bot", bot="default"),) * 2
    async with open_rig(bot_tables_max=2, ping_s=3_600) as rig:
        rig.journal.append_s = 1  # their games last
        for number in range(2):
            [ada] = await come(rig, f"Ada{number}")
            await ada.say(create(seats=bots, sit=None), m.Leave(command="l"))
            await ada.until(m.Left)
        [eve] = await come(rig, "Eve")
        await eve.say(create(seats=bots, sit=None, command="more"))
        more = await eve.until(m.Answered)
        await eve.say(create(seats=(m.SeatWish(), bots[0]), command="sits"))
        place = (await eve.until(m.Joined)).place
        await eve.say(m.Leave(command="l"))
        await gone(rig, connections=3, tables=0)
        await eve.say(create(seats=bots, sit=None, command="later"))

        assert (more.ok, more.code, place.seat) == (False, "server_full", 0)
        assert (
            more.reason == "bots alone sit at 2 tables, as many as they may; take a seat, or wait"
        )
        assert (await eve.until(m.Joined)).place.seat is None


async def test_a_users_tables_are_counted_over_sessions(tmp_path):
    """A user gains no tables by coming several times."""
    async with open_rig(**token_settings(tmp_path), tables_per_person_max=1) as rig:
        signed = token("u1")
        first, second = [Somebody(rig, "Ada", token=signed) for _ in range(2)]
        for somebody in (first, second):
            await somebody.come()
            await somebody.say(create())
            await somebody.until(m.Answered)

        assert first.line.heard[-1].ok
        assert second.line.heard[-1].code == "too_many"


async def test_a_deck_that_the_ruleset_does_not_take():
    """A wrong deck is refused with its reason, and leaves neither a seat nor a table."""
    async with open_rig() as rig:
        ada, bob = await come(rig, "Ada", "Bob")
        await ada.say(
            m.Create(command="c", ruleset="toy", seats=(m.SeatWish(),) * 2, deck="bad one")
        )
        mine = (await ada.until(m.Answered)).code
        await gone(rig, connections=2, tables=0)
        await ada.say(create(seats=(m.SeatWish(), m.SeatWish(deck="bad"))))
        theirs = (await ada.until(m.Answered)).code
        await ada.say(create(command="good"))
        place = (await ada.until(m.Joined)).place
        await bob.say(m.Join(command="j", table=place.info.table, deck="bad two"))
        joining = (await bob.until(m.Answered)).code
        await bob.say(m.Join(command="k", table=place.info.table, deck="fine"))
        await bob.until(m.Answered)
        await bob.rest()

        assert (mine, theirs, joining) == ("bad_deck",) * 3
        assert rig.journal.headers[0].decks == ("plain", "fine")
