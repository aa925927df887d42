"""A drain: games that are still played end for nobody, and their secrets are told."""

import pytest
import trio

from host.agreeing import act, offer
from host.lines import come, create, decide, kinds, seated
from host.rig import gone, open_rig, playing, until
from longfuse.game.entries import Decision, Interruption
from longfuse.host.kept_secrets import MemorySecrets
from longfuse_protocol import messages as m
from longfuse_protocol.client import Ended

CALLED_OFF = "aborted: the operator ended it"
PATIENT = {"grace_s": 60, "close_s": 50, "ping_s": 3_600, "pong_s": 3_600}


class Noting(MemorySecrets):
    """Secrets that note how their games have ended, or cannot."""

    def __init__(self):
        super().__init__()
        self.ends = []
        self.fails = False

    async def reveal(self, game, why):
        await super().reveal(game, why)
        if self.fails:
            raise OSError("the disk is full")
        self.ends.append(why)


def of_kind(messages, kind):
    return [message for message in messages if isinstance(message, kind)]


async def to_the_end(somebody):
    """Hear up to the close, and return what was heard from now on."""
    before = len(somebody.line.heard)
    assert await somebody.line.close_code() == 1012
    return somebody.line.heard[before:]


async def test_both_seats_are_told_the_end_and_the_secret():
    """And the notice after it; the journal has the end, and the count of shuffles says why."""
    secrets = Noting()
    async with open_rig(secrets=secrets) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        await ada.until(m.Answered)
        rig.running.drain()
        heard = [await to_the_end(one) for one in (ada, bob)]
        await gone(rig, tables=0)

        [(game, secret)] = rig.journal.closed.items()
        for told in heard:
            assert [(one.winner, one.reason) for one in of_kind(told, m.Over)] == [
                (None, "ended by operator")
            ]
            assert of_kind(told, m.Revealed) == [m.Revealed(game=game, secret=secret)]
            assert kinds(told).index(m.Revealed) < kinds(told).index(m.Notice)
            assert of_kind(told, m.TableChanged)[-1].info.winner is None
        assert secrets.ends == [CALLED_OFF]


async def test_receipts_hold_after_a_drain():
    """A client that takes part in the shuffle finds nothing wrong with it at the end."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        rig.running.drain()
        for client in (ada, bob):
            await until(client, Ended)
            [receipt] = client.receipts.values()

            assert receipt.secret == rig.journal.closed[receipt.game]
            assert receipt.check_end() == ()


async def test_a_start_under_way_is_called_off():
    """No card is dealt; the secret that the server was bound to is told to who sits there."""
    secrets = Noting()
    async with open_rig(secrets=secrets) as rig:
        ada, bob = await come(rig, "Ada", "Bob", shuffles=True)
        await ada.say(create())
        table = (await ada.until(m.Joined)).place.info.table
        await bob.say(m.Join(command="j", table=table))
        await bob.until(m.Commitment)
        rig.running.drain()
        heard = [await to_the_end(one) for one in (ada, bob)]

        assert [len(of_kind(told, m.Revealed)) for told in heard] == [1, 1]
        assert secrets.ends == [CALLED_OFF]
        assert rig.factory.games == []


async def test_a_suspended_game_is_told_its_secret():
    """Nobody will go on with it: its seats can check its shuffle, and it has no winner."""
    secrets = Noting()
    async with open_rig(secrets=secrets) as rig:
        ada, bob = await seated(rig, "Ada", "Bob", options={"fault_at": 1})
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        before = await ada.rest() + await bob.rest()
        rig.running.drain()
        heard = [await to_the_end(one) for one in (ada, bob)]

        assert m.Revealed not in kinds(before)
        for told in heard:
            assert len(of_kind(told, m.Revealed)) == 1
            assert m.Over not in kinds(told)
        assert secrets.ends == ["aborted: a fault of the server"]


async def test_a_secret_is_told_once():
    """A game that could not begin has had its secret told before: the drain adds nothing to it."""
    secrets = Noting()
    async with open_rig(secrets=secrets) as rig:
        rig.journal.fails = True
        ada, _ = await seated(rig, "Ada", "Bob")
        rig.running.drain()
        after = await to_the_end(ada)

        assert len(of_kind(ada.line.heard, m.Revealed)) == 1
        assert [one.kind for one in of_kind(after, m.Notice)] == ["drain"]
        assert secrets.ends == ["aborted: a fault of the server"]


@pytest.mark.parametrize("what", ["journal", "secrets"])
async def test_a_full_disk_keeps_the_secret_from_nobody(what):
    """What can't be kept of the end is told all the same, and the drain ends."""
    secrets = Noting()
    async with open_rig(secrets=secrets, grace_s=1_000) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        (rig.journal if what == "journal" else secrets).fails = True
        began_at = trio.current_time()
        rig.running.drain()
        heard = [await to_the_end(one) for one in (ada, bob)]

        assert [len(of_kind(told, m.Revealed)) for told in heard] == [1, 1]
        assert len(rig.journal.closed) == (0 if what == "journal" else 1)
        assert trio.current_time() < began_at + 10


async def test_a_disk_that_is_too_slow_is_not_waited_for():
    """What is not durable after the grace, nobody is told; they are of the server's end."""
    async with open_rig(**{**PATIENT, "grace_s": 5}) as rig:
        ada, _ = await seated(rig, "Ada", "Bob")
        rig.journal.append_s = 1_000
        began_at = trio.current_time()
        rig.running.drain()
        told = await to_the_end(ada)

        assert kinds(told) == [m.Notice]
        assert 5 <= trio.current_time() - began_at < 6


# ---------------------------------------------------------------- nobody loses by it


async def drained_slowly(rig):
    """Begin a drain that waits for the disk, and return while it does."""
    rig.journal.append_s = 3
    rig.running.drain()
    await trio.testing.wait_all_tasks_blocked()


@pytest.mark.parametrize("wish", [m.Leave(command="x"), m.Concede(command="x")])
async def test_who_goes_in_a_drain_loses_nothing(wish):
    """What arrives once the drain has begun comes after the end of the game."""
    async with open_rig(**PATIENT) as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(best_of=3))
        await drained_slowly(rig)
        await bob.say(wish)
        heard = [await to_the_end(one) for one in (ada, bob)]

        assert [record.entry for _, record in rig.journal.records] == [
            Interruption("ended by operator")
        ]
        for told in heard:
            assert [one.winner for one in of_kind(told, m.Over)] == [None]
            assert of_kind(told, m.TableChanged)[-1].info.winner is None
        [answer] = [one for one in of_kind(heard[1], m.Answered) if one.command == "x"]
        assert answer.ok or answer.code == "draining"


async def test_what_was_asked_before_a_drain_counts():
    """A leave that the server had before its drain is a leave, and loses the game."""
    async with open_rig(**PATIENT) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        rig.journal.append_s = 3
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        await bob.say(m.Leave(command="l"))
        await trio.testing.wait_all_tasks_blocked()
        rig.running.drain()
        told = await to_the_end(ada)

        kept = [record.entry for _, record in rig.journal.records]
        assert [type(entry) for entry in kept] == [Decision, Interruption]
        assert kept[1] == Interruption("removed", 1)
        assert [one.winner for one in of_kind(told, m.Over)] == [0]


@pytest.mark.parametrize("leaves", [False, True])
@pytest.mark.parametrize("stage", ["playing", "between games"])
async def test_a_match_that_is_ahead_is_won_by_nobody(stage, leaves):
    """Who has won more games so far has not won the match, nor who stays to the end."""
    async with open_rig(**PATIENT) as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(best_of=3))
        await act(bob, [ada], m.Concede(command="c"))
        if stage == "playing":
            for one in (ada, bob):
                await one.say(m.Ready(command="r"))
            await ada.rest()
            await bob.rest()
        await drained_slowly(rig)
        if leaves:
            await bob.say(m.Leave(command="l"))
        told = await to_the_end(ada)

        last = of_kind(told, m.TableChanged)[-1].info
        assert (last.status, last.score, last.winner) == ("over", (1, 0), None)


async def test_a_match_that_is_won_stays_won():
    """A drain takes nothing from who has won before it."""
    async with open_rig(**PATIENT) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await act(bob, [ada], m.Concede(command="c"))
        [table] = rig.running._lobby._tables.values()
        rig.running.drain()
        after = await to_the_end(ada)

        assert table._match.score.winner == 0
        assert m.Over not in kinds(after)


async def test_nothing_begins_in_a_drain():
    """A rematch that is accepted while the server waits for another table is refused."""
    async with open_rig(**PATIENT) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await act(bob, [ada], m.Concede(command="c"))
        await offer(ada, bob, "rematch")
        await seated(rig, "Cid", "Dan")
        await drained_slowly(rig)
        await bob.say(m.Respond(command="r", kind="rematch", accept=True))
        told = await to_the_end(bob)

        assert [one.code for one in of_kind(told, m.Answered)] == ["draining"]
        assert len(rig.journal.headers) == 2


# ---------------------------------------------------------------- durable before it is shown


async def test_an_end_is_durable_before_anybody_hears_of_it():
    """Neither its own ping nor another's gets a seat what the disk has yet to take."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        close = rig.journal.close

        async def slowly(*end):
            await trio.sleep(5)
            await close(*end)

        rig.journal.close = slowly
        await bob.say(m.Concede(command="c"))
        await trio.testing.wait_all_tasks_blocked()
        for one in (ada, bob):
            await one.say(m.Ping(nonce=1))
        early = [await one.rest() for one in (ada, bob)]
        assert rig.journal.closed == {}
        await trio.sleep(6)
        late = [await one.rest() for one in (ada, bob)]

        assert [kinds(told) for told in early] == [[m.Pong]] * 2
        for told in late:
            assert {m.Over, m.Revealed} <= set(kinds(told))


async def test_who_has_left_is_told_at_once_and_no_more():
    """What the table has yet to write down concerns those who stay; the leaver is free to go on."""

    class Slow(Noting):
        async def reveal(self, game, why):
            await trio.sleep(5)
            await super().reveal(game, why)

    async with open_rig(secrets=Slow()) as rig:
        ada, bob = await come(rig, "Ada", "Bob", shuffles=True)
        await ada.say(create())
        table = (await ada.until(m.Joined)).place.info.table
        await bob.say(m.Join(command="j", table=table))
        await bob.until(m.Commitment)
        await bob.say(m.Leave(command="l"))
        told = await bob.rest()
        await bob.cut()
        back = await bob.come_back()
        await trio.sleep(6)
        later = await bob.rest()

        assert kinds(told)[-2:] == [m.Answered, m.Left]
        assert back.place is None
        assert later == []
        assert not bob.line.is_over
        assert m.Revealed in kinds(await ada.rest())
