"""Faults of games, journals and bots: one table stops, and shows nothing that is not kept."""

import pytest
import trio
import trio.testing

from host.lines import answers, come, decide, seated
from host.rig import gone, open_rig, play_out, playing, refused, until
from longfuse.host.kept_secrets import MemorySecrets
from longfuse_protocol import messages as m

BOT = m.SeatWish(kind="bot", bot="default")
OPEN = m.SeatWish()


async def test_durable_before_shown():
    """Nobody hears of an entry, and nobody's snapshot holds it, before the journal has it."""
    async with open_rig() as rig, playing(rig) as (ada, bob), rig.client("Eve") as eve:
        rig.journal.append_s = 10
        began_at = trio.current_time()
        ada.send(m.Decide(command="x", prompt=1, answer=0))
        await trio.sleep(1)
        eve.send(m.Spectate(command="y", table=ada.place.info.table))
        for client, kind in ((ada, m.Answered), (bob, m.Events), (eve, m.Joined)):
            await until(client, kind)
            assert trio.current_time() - began_at == 10
            assert len(rig.journal.records) == 1


@pytest.mark.parametrize("kind", ["draw", "take back"])
async def test_what_is_agreed_is_durable_before_it_is_answered(kind):
    """Who accepts is answered when the journal has it; where that fails, the answer says so."""
    for fails in (False, True):
        async with open_rig() as rig:
            terms = m.Terms(take_back="by agreement")
            ada, bob = await seated(rig, "Ada", "Bob", terms=terms)
            await ada.say(decide(rig.factory.games[0].open_prompt, "d1"))
            await ada.say(m.MakeOffer(command="o", kind=kind))
            await bob.rest()
            began_at, rig.journal.append_s, rig.journal.fails = trio.current_time(), 10, fails
            await bob.say(m.Respond(command="r", kind=kind, accept=True))
            answer = await bob.until(m.Answered)

            assert trio.current_time() - began_at == pytest.approx(10)
            assert (answer.ok, answer.code) == ((False, "suspended") if fails else (True, ""))
            assert len(rig.journal.records) == (1 if fails else 2)
            await ada.rest()


async def test_a_journal_that_fails():
    """If the journal fails, the entry is not shown and the table is suspended."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        rig.journal.fails = True
        answer = await refused(ada.decide(ada.prompt, 0))
        await until(bob, m.Notice)

        assert answer.code == "suspended"
        assert bob.mirror.n == 1


async def test_a_game_that_cannot_be_kept_does_not_begin():
    """Nobody sees a card of it; its secret is told, and its number ends with the reason."""
    ends = []

    class Noting(MemorySecrets):
        async def reveal(self, game, why):
            await super().reveal(game, why)
            ends.append((game, why))

    async with open_rig(secrets=Noting()) as rig:
        rig.journal.fails = True
        ada, bob = await seated(rig, "Ada", "Bob")
        heard = ada.line.heard, bob.line.heard
        await ada.cut()
        await ada.come_back()
        told = await ada.rest()

    for messages in heard:
        kinds = [type(one) for one in messages]
        assert m.Events not in kinds
        assert kinds.index(m.Revealed) < kinds.index(m.Notice)
    assert m.Revealed in map(type, told)
    assert ends == [(f"{ada.stream.split('/')[0]}-1", "aborted: a fault of the server")]


async def test_a_fault_in_a_game():
    """A game that breaks is suspended and everybody at it told, without what went wrong."""
    async with open_rig() as rig, playing(rig, fault_at=2) as (ada, bob), rig.client() as eve:
        await eve.spectate(ada.place.info.table)
        await ada.decide(ada.prompt, 0)
        answer = await refused(bob.decide((await until(bob, m.Asked)).prompt, 1))
        notices = [await until(client, m.Notice) for client in (ada, bob, eve)]

        assert answer.code == "suspended"
        assert {notice.kind for notice in notices} == {"suspended"}
        assert "secret" not in answer.reason + notices[0].text
        assert (await refused(ada.concede())).code == "suspended"
        # The entry that broke it is kept, so that the fault can be played again.
        assert len(rig.journal.records) == 2


async def test_other_tables_do_not_notice():
    """While one game breaks, another is played to its end."""
    async with open_rig() as rig, playing(rig, fault_at=1) as (ada, _), playing(rig) as others:
        assert (await refused(ada.decide(ada.prompt, 0))).code == "suspended"
        first, second = await play_out(*others)

        assert first == second
        assert first.reason == "took the last"


async def test_who_leaves_a_suspended_table():
    """Everybody can leave a suspended table, nobody new comes in, and then it is gone."""
    async with open_rig() as rig, playing(rig, fault_at=1) as (ada, bob):
        table = ada.place.info.table
        await refused(ada.decide(ada.prompt, 0))
        ada.send(m.Resync())
        failed = await until(ada, m.Failed)
        await ada.leave()
        again = await refused(ada.join(table))
        watching = await refused(ada.spectate(table))
        await bob.leave()
        await gone(rig, connections=2, tables=0)

        assert (failed.code, again.code, watching.code) == ("suspended",) * 3
        assert (await refused(ada.spectate(table))).code == "unknown_table"


async def test_a_table_that_fails_itself(monkeypatch):
    """All who are there, who come and who come back are told, and are free to go elsewhere.

    Other tables go on, and a drain waits for none that has failed.
    """
    async with open_rig(ping_s=3_000, grace_s=1_000) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        others = await seated(rig, "Cid", "Dan")
        eve, fay = await come(rig, "Eve", "Fay")
        table, other = rig.running._lobby._tables.values()
        await eve.say(m.Spectate(command="w", table=table.id))
        await eve.rest()
        await bob.cut()
        monkeypatch.setattr(table, "_set_watch", broken)
        rig.journal.append_s = 5
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        await fay.say(m.Join(command="j", table=table.id))
        back = await bob.come_back()
        told = [await somebody.rest() for somebody in (ada, eve, fay, bob)]
        for somebody in (ada, eve, fay, bob):
            await somebody.say(m.Spectate(command="elsewhere", table=other.id))
            assert (await somebody.until(m.Joined)).place.info.table == other.id
        await others[0].say(decide(rig.factory.games[1].open_prompt, "d"))
        await trio.testing.wait_all_tasks_blocked()  # it has arrived, and waits for the disk
        began_at = trio.current_time()
        rig.running.drain()
        await others[1].until(m.Events)

        assert back.place is None
        assert [[one.reason for one in heard if type(one) is m.Left] for heard in told] == [
            ["the table has failed"],
            ["the table has failed"],
            [],
            [],
        ]
        assert [(answer.code, answer.command) for answer in answers(told[2])] == [
            ("unknown_table", "j")
        ]
        assert await ada.line.close_code() == 1012
        assert trio.current_time() - began_at < 20


async def test_a_table_that_fails_in_a_drain(monkeypatch):
    """The drain ends all the same, long before its grace is over."""
    async with open_rig(ping_s=3_000, grace_s=1_000) as rig:
        ada, _ = await seated(rig, "Ada", "Bob")
        [table] = rig.running._lobby._tables.values()
        rig.journal.append_s = 5
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        await trio.testing.wait_all_tasks_blocked()
        monkeypatch.setattr(table, "_set_watch", broken)
        began_at = trio.current_time()
        rig.running.drain()

        assert await ada.line.close_code() == 1012
        assert trio.current_time() - began_at < 20


def broken():
    raise RuntimeError("a defect")


@pytest.mark.parametrize("how", ["leaves", "is away for too long"])
async def test_who_goes_as_the_disk_fails_is_gone(how):
    """The place is free all the same, so that the table ends with the last who is there."""
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        rig.journal.fails = True
        if how == "leaves":
            await bob.say(m.Leave(command="l"))
            assert [type(one) for one in await bob.rest()][:2] == [m.Answered, m.Left]
        await bob.cut()
        notice = await ada.until(m.Notice)
        info = (await ada.until(m.TableChanged)).info
        await ada.say(m.Leave(command="l"))
        await gone(rig, connections=1, tables=0)

        assert notice.kind == "suspended"
        assert (info.status, info.seats[1].kind) == ("suspended", "gone")


async def test_coming_back_to_a_suspended_table():
    """Who comes back sees what was shown last; nothing more is asked of a game that broke."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", options={"fault_at": 1})
        await ada.say(decide(rig.factory.games[0].open_prompt, "d1"))
        assert m.Notice in map(type, await ada.rest())
        await bob.cut()
        welcome = await bob.come_back(n=0)
        told = await bob.rest()
        await bob.say(m.Concede(command="c"))
        answer = await bob.until(m.Answered)

        assert (welcome.place.info.status, answer.code) == ("suspended", "suspended")
        assert [one.n for one in told if isinstance(one, m.Events)] == [1]
        assert not any(isinstance(one, m.Asked | m.Notice) for one in told)
        assert len(rig.journal.abandoned) == 1


async def test_something_that_cannot_be_spelt():
    """If one viewer's frame cannot be spelt, nobody sees half of the step."""
    async with open_rig() as rig, playing(rig, unspellable_at=1) as (ada, bob):
        await refused(ada.decide(ada.prompt, 0))
        await until(ada, m.Notice)
        await until(bob, m.Notice)

        assert (ada.mirror.n, bob.mirror.n) == (1, 1)


async def test_what_cannot_be_spelt_is_shown_late_to_nobody():
    """Spectators of a delayed table are shown no step that the seats were not shown."""
    async with open_rig(ping_s=3_000) as rig:
        options = {"unspellable_at": 1}
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(delay_s=10), options=options)
        [eve] = await come(rig, "Eve")
        await eve.say(m.Spectate(command="w", table=ada.stream.split("/")[0]))
        await ada.say(decide(rig.factory.games[0].open_prompt, "d1"))
        await trio.sleep(20)
        told = await eve.rest()

        assert [one.n for one in told if isinstance(one, m.Events)] == [1]
        for heard in (told, await ada.rest(), await bob.rest()):
            assert [one.kind for one in heard if isinstance(one, m.Notice)] == ["suspended"]


@pytest.mark.parametrize("manner", ["wrong", "broken"])
async def test_a_bot_that_fails(manner):
    """A bot whose answer does not fit, or that breaks, suspends its table and no other."""
    async with open_rig() as rig, playing(rig) as others, rig.client("Eve") as eve:
        await eve.create("toy", (OPEN, m.SeatWish(kind="bot", bot=manner)))
        await eve.decide((await until(eve, m.Asked)).prompt, 0)

        assert (await until(eve, m.Notice)).kind == "suspended"
        assert (await refused(eve.concede())).code == "suspended"
        await play_out(*others)
        await eve.leave()
        await gone(rig, connections=3, tables=1)
