"""Clocks at a table: whose time counts, what running out does, and what costs nobody time."""

import pytest
import trio

from host.lines import come, decide, seated
from host.rig import gone, open_rig
from longfuse.game.entries import Result
from longfuse.host.places import Places
from longfuse_protocol import messages as m

BANK = m.ClockTerms(kind="bank", bank_s=20, increment_s=3)
EACH = m.ClockTerms(kind="decision", decision_s=10)
DEFAULT = m.ClockTerms(kind="decision", decision_s=10, out="default")


def prompt_of(rig):
    return rig.factory.games[-1].open_prompt


def clocks(messages):
    return [message for message in messages if isinstance(message, m.Clock)]


def left_s(clock):
    """How much each seat has, in whole seconds."""
    return [round(seat.left_ms / 1_000) for seat in clock.seats]


async def table(rig, clock, **more):
    """Seat Ada and Bob at a table with this clock; Ada is asked."""
    options = more.pop("options", None)
    return await seated(rig, "Ada", "Bob", terms=m.Terms(clock=clock, **more), options=options)


async def rest_of(*people):
    return [await somebody.rest() for somebody in people]


async def act(somebody, others, *messages):
    """Let somebody say something at once, and everybody hear what comes of it."""
    await somebody.say(*messages)
    return await rest_of(somebody, *others)


@pytest.mark.complaint("servers 41")
async def test_time_counts_while_a_seat_is_asked():
    """Only the seat that is asked spends time, however long the other one is silent."""
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await table(rig, BANK)
        await trio.sleep(8)
        told, _ = await act(ada, [bob], decide(prompt_of(rig), "d1"))
        await trio.sleep(5)
        later, _ = await act(bob, [ada], decide(prompt_of(rig), "d2"))

        assert left_s(clocks(told)[-1]) == [15, 20]
        assert left_s(clocks(later)[-1]) == [15, 18]


@pytest.mark.slow
async def test_without_a_clock_nothing_runs_out():
    """Where nobody's time is counted, a seat may think for a day, and is told of no clock."""
    async with open_rig() as rig, rig.client("Ada") as ada, rig.client("Bob") as bob:
        place = await ada.create("toy", 2)
        await bob.join(place.info.table)
        await trio.sleep(20_000)

        assert ada.clock is None
        assert (await ada.decide(ada.prompt, 0)).ok


async def test_running_out_loses():
    """At its deadline, and not before, the seat that is asked loses the game."""
    async with open_rig() as rig:
        ada, bob = await table(rig, EACH)
        [clock] = clocks(ada.line.heard)[-1:]
        began_at = trio.current_time()
        await trio.sleep(9.5)
        assert m.Over not in map(type, (await rest_of(bob))[0])
        over = await bob.until(m.Over)

        assert clock.seats[0].deadline_ms - clock.at_ms == 10_000
        assert clock.seats[1].deadline_ms is None
        assert trio.current_time() - began_at == pytest.approx(10, abs=0.05)
        assert (over.winner, over.reason) == (1, "clock out")
        assert rig.journal.records[-1][1].entry.kind == "clock out"


async def test_running_out_takes_the_default():
    """Where the terms say so, the prompt's default is taken, and the journal says by what."""
    async with open_rig() as rig:
        ada, bob = await table(rig, DEFAULT)
        prompt = prompt_of(rig)
        await trio.sleep(10.1)
        told, to_bob = await rest_of(ada, bob)
        [(_, record)] = rig.journal.records

        assert (record.entry.answer, record.rule) == (prompt.default, "clock: the default")
        assert record.command == ""
        assert [type(one) for one in told] == [m.Events, m.Clock]
        assert [type(one) for one in to_bob] == [m.Events, m.Asked, m.Clock]
        late = (await act(ada, [bob], decide(prompt, "late")))[0][0]
        assert late.code == "not_asked"


async def test_a_bank_that_has_run_out_earns_again():
    """A default that is taken earns the increment, so that its seat can still decide in time."""
    clock = m.ClockTerms(kind="bank", bank_s=20, increment_s=3, out="default")
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await table(rig, clock)
        await trio.sleep(20.1)
        told, _ = await rest_of(ada, bob)
        assert left_s(clocks(told)[-1]) == [3, 20]
        await act(bob, [ada], decide(prompt_of(rig), "d2"))
        await trio.sleep(2)
        mine = (await act(ada, [bob], decide(prompt_of(rig), "d3")))[0][0]

        assert mine.ok
        assert [one.rule for _, one in rig.journal.records][:3] == ["clock: the default", "", ""]


async def test_a_limit_per_decision_begins_afresh():
    """What is left of a decision's time is not kept for the next one."""
    async with open_rig() as rig:
        ada, bob = await table(rig, EACH)
        await trio.sleep(9)
        await act(ada, [bob], decide(prompt_of(rig), "d1"))
        await trio.sleep(9)
        await act(bob, [ada], decide(prompt_of(rig), "d2"))
        await trio.sleep(9)
        told, _ = await rest_of(ada, bob)

        assert m.Over not in map(type, told)
        assert prompt_of(rig).seat == 0


@pytest.fixture
def busy_s(monkeypatch):
    """Let every table be busy for so long with each spectator who comes."""
    watch = Places.watch

    async def slowly(self, person, request):
        await trio.sleep(5)
        await watch(self, person, request)

    monkeypatch.setattr(Places, "watch", slowly)
    return 5


@pytest.mark.usefixtures("busy_s")
@pytest.mark.parametrize(("arrives_at", "taken"), [(9, True), (11, False)])
@pytest.mark.complaint("servers 43")
async def test_what_arrived_in_time_counts(arrives_at, taken):
    """A decision that arrived before the deadline is taken, though the table was busy."""
    async with open_rig() as rig:
        ada, bob = await table(rig, EACH)
        [eve] = await come(rig, "Eve")
        began_at = trio.current_time()
        await trio.sleep(8)
        await eve.say(m.Spectate(command="w", table=ada.stream.split("/")[0]))
        await trio.sleep(began_at + arrives_at - trio.current_time())
        await ada.say(decide(prompt_of(rig), "d1"))
        await trio.sleep(5)
        answer = await ada.until(m.Answered)
        await rest_of(bob, eve)

        assert answer.ok is taken
        assert (rig.factory.games[0].result is None) is taken
        if taken:
            assert rig.journal.records[0][1].entry.answer == 0


async def test_the_servers_own_time_costs_nobody():
    """While an entry is made durable, nobody's time counts; the next seat begins when asked."""
    async with open_rig() as rig:
        ada, bob = await table(rig, EACH)
        rig.journal.append_s = 30
        await ada.say(decide(prompt_of(rig), "d1"))
        await trio.sleep(29)
        assert rig.factory.games[0].result is None
        await trio.sleep(1.1)
        told = (await rest_of(bob))[0]

        assert left_s(clocks(told)[-1]) == [10, 10]
        assert rig.factory.games[0].result is None
        await ada.rest()


async def test_a_bank_pays_for_no_slow_disk():
    """A decision costs the time until it arrived, not that until it was durable."""
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await table(rig, BANK)
        rig.journal.append_s = 12
        await trio.sleep(4)
        await ada.say(decide(prompt_of(rig), "d1"))
        await trio.sleep(13)
        told, _ = await rest_of(bob, ada)

        assert left_s(clocks(told)[-1]) == [19, 20]


async def test_a_refusal_costs_no_time_and_earns_none():
    """A decision that is refused leaves the clock as it was when it arrived."""
    async with open_rig() as rig:
        ada, bob = await table(rig, BANK)
        await trio.sleep(4)
        prompt = prompt_of(rig)
        await act(ada, [bob], m.Decide(command="x", prompt=prompt.id, answer=7))
        told, _ = await act(ada, [bob], decide(prompt, "d1"))

        assert left_s(clocks(told)[-1]) == [19, 20]


async def test_time_runs_out_after_a_refusal_that_had_to_wait(busy_s):
    """Waiting at a busy table is no time of the seat's; what it had left then runs out."""
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await table(rig, EACH)
        [eve] = await come(rig, "Eve")
        asked_at = trio.current_time()
        await eve.say(m.Spectate(command="w", table=ada.stream.split("/")[0]))
        await trio.sleep(3)
        await ada.say(decide(prompt_of(rig), "d1", 99))
        answer = await ada.until(m.Answered)
        over_at = (await bob.until(m.Over), trio.current_time())[1]
        await rest_of(ada, eve)

        assert not answer.ok
        assert over_at - asked_at == pytest.approx(EACH.decision_s + busy_s - 3, abs=0.1)


async def test_a_bank_runs_out_over_many_decisions():
    """A bank is for the whole game: what each decision took adds up, less what it earned."""
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await table(rig, m.ClockTerms(kind="bank", bank_s=20, increment_s=0))
        for turn in range(2):
            await trio.sleep(9)
            await act(ada, [bob], decide(prompt_of(rig), f"a{turn}"))
            if prompt_of(rig).seat == 1:
                await act(bob, [ada], decide(prompt_of(rig), f"b{turn}"))
        began_at = trio.current_time()
        over = await bob.until(m.Over)

        assert over.reason == "clock out"
        assert trio.current_time() - began_at == pytest.approx(2, abs=0.1)


async def test_a_pass_is_the_same_for_the_clock_whoever_makes_it():
    """Others could else see who was asked. None makes time: a game has passes without number."""
    heard = {}
    for mode in ("ask", "smart"):
        async with open_rig(ping_s=3_000) as rig:
            ada, bob = await table(rig, BANK)
            settings = m.Settings(command="s", passing=m.Passing(mode=mode))
            await act(bob, [ada], settings)
            while len(rig.journal.records) < 4:
                prompt = prompt_of(rig)
                who = (ada, bob)[prompt.seat]
                await act(who, [ada, bob], decide(prompt, f"d{prompt.id}"))
            heard[mode] = [left_s(clock) for clock in clocks(ada.line.heard)]

    assert heard["ask"] == heard["smart"]
    assert heard["ask"][-1] == [23, 23]  # each had a choice, too, and that earns


async def test_passing_gets_back_what_it_took():
    """A seat that passes after some thought has its time again, up to the increment."""
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await table(rig, BANK)
        assert prompt_of(rig).shape == "one"
        await trio.sleep(2)
        told, _ = await act(ada, [bob], decide(prompt_of(rig), "d1"))

        assert left_s(clocks(told)[-1]) == [20, 20]


async def test_a_bluff_costs_nobody_the_game():
    """A pass that is made already is not kept back beyond the time that its seat has left."""
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await table(rig, BANK, bluff_ms=5_000)
        asked_at = trio.current_time()
        await trio.sleep(BANK.bank_s - 2)
        await ada.say(m.Settings(command="s", passing=m.Passing(mode="pass")))
        passed = await ada.until(m.Passed)
        passed_at = trio.current_time()
        told, _ = await rest_of(bob, ada)

        assert passed.rule == "mode: pass"
        assert passed_at - asked_at == pytest.approx(BANK.bank_s, abs=0.1)
        assert left_s(clocks(told)[-1]) == [BANK.increment_s, BANK.bank_s]
        assert m.Asked in map(type, told)


@pytest.mark.complaint("servers 46")
async def test_taking_back_brings_the_clock_back():
    """Who takes its play back gets the clock of before, less what it has spent since."""
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await table(rig, BANK, options={"plays": True})
        await trio.sleep(2)
        opened, _ = await act(ada, [bob], decide(prompt_of(rig), "d1", 1))
        await trio.sleep(4)
        back, to_bob = await act(ada, [bob], m.TakeBack(command="t"))
        first, again = left_s(clocks(opened)[-1]), left_s(clocks(back)[-1])

        assert first == [21, 20]
        assert again == [14, 20]
        assert prompt_of(rig).kind == "take"
        assert m.Events not in map(type, to_bob)
        await trio.sleep(13)
        assert rig.factory.games[0].result is None
        await bob.rest()
        assert (await bob.until(m.Over)).reason == "clock out"


async def test_taking_back_by_turns_makes_no_time():
    """However often a play is opened and taken back, all the time that it took is spent."""
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await table(rig, BANK, options={"plays": True})
        for turn in range(5):
            await trio.sleep(1.5)
            await act(ada, [bob], decide(prompt_of(rig), f"d{turn}"))
            await trio.sleep(1.5)
            told, _ = await act(ada, [bob], m.TakeBack(command=f"t{turn}"))

        assert left_s(clocks(told)[-1])[0] in (4, 5)


async def test_a_table_where_nothing_is_taken_back():
    """Where the terms say so, not even an open play is taken back."""
    async with open_rig() as rig:
        ada, bob = await table(rig, BANK, options={"plays": True}, take_back="no")
        await act(ada, [bob], decide(prompt_of(rig), "d1"))
        told, _ = await act(ada, [bob], m.TakeBack(command="t"))

        assert told[0].code == "not_now"
        assert prompt_of(rig).kind == "sure"


async def test_a_pause_costs_nobody():
    """While the game is paused no time counts; after it, it goes on from where it stood."""
    async with open_rig(pause_s=3_000, ping_s=3_000) as rig:
        ada, bob = await table(rig, EACH)
        await trio.sleep(6)
        await act(ada, [bob], m.MakeOffer(command="o", kind="pause"))
        told, _ = await act(bob, [ada], m.Respond(command="r", kind="pause", accept=True))
        await trio.sleep(1_000)
        stands = clocks(told)[-1]
        _, resumed = await act(ada, [bob], m.Unpause(command="u"))
        began_at = trio.current_time()
        over = await bob.until(m.Over)

        assert {seat.deadline_ms for seat in stands.seats} == {None}
        assert left_s(stands) == [4, 10]
        assert left_s(clocks(resumed)[-1]) == [4, 10]
        assert over.reason == "clock out"
        assert trio.current_time() - began_at == pytest.approx(4, abs=0.1)


@pytest.mark.complaint("servers 44")
async def test_a_drain_costs_nobody():
    """From the drain on no clock runs out and no seat is lost: the game ends for nobody.

    The seat that is asked, and one that was away before, both had less time than the grace.
    """
    async with open_rig(grace_s=60, resume_s=5, close_s=30) as rig:
        ada, bob = await table(rig, EACH)
        lingering = rig.raw()
        await lingering.handshake()
        await bob.cut()
        await trio.sleep(2)
        rig.running.drain()
        await trio.sleep(25)
        await ada.rest()

        assert rig.factory.games[0].result == Result(None, "ended by operator")
        assert len(rig.journal.records) == 1


async def test_a_drain_passes_for_nobody():
    """What is about to be passed at a drain is not entered any more."""
    async with open_rig(grace_s=60, close_s=30) as rig:
        ada, bob = await table(rig, BANK, bluff_ms=5_000)
        lingering = rig.raw()
        await lingering.handshake()
        for turn in range(3):
            who = (ada, bob)[prompt_of(rig).seat]
            await act(who, [ada, bob], decide(prompt_of(rig), f"d{turn}"))
        assert prompt_of(rig).shape == "order"
        rig.running.drain()
        await trio.sleep(20)

        assert [record.rule for _, record in rig.journal.records] == [""] * 4


@pytest.mark.complaint("servers 40")
async def test_time_counts_while_the_seat_is_away():
    """Who is asked and loses the connection spends its time; coming back shows what is left."""
    async with open_rig(resume_s=60) as rig:
        ada, bob = await table(rig, BANK)
        await ada.cut()
        await trio.sleep(5)
        await ada.come_back()
        told = await ada.rest()

        assert clocks(told)[-1].seats[0].left_ms == pytest.approx(15_000, abs=200)
        assert clocks(told)[-1].seats[0].deadline_ms is not None
        await trio.sleep(14)
        await act(ada, [bob], decide(prompt_of(rig), "d1"))
        await trio.sleep(50)
        assert rig.factory.games[0].result.reason == "clock out"
        assert rig.factory.games[0].result.winner == 0


@pytest.mark.complaint("servers 40")
async def test_coming_back_ends_the_time_of_absence():
    """Once back, the time to come back counts no more, and begins anew at the next drop."""
    async with open_rig(resume_s=10) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        for _ in range(5):
            await ada.cut()
            await trio.sleep(8)
            await ada.come_back()
        await trio.sleep(10)

        assert m.Over not in map(type, (await rest_of(bob))[0])


@pytest.mark.parametrize("how", ["conceded", "drawn", "played out"])
async def test_nothing_fires_after_the_end(how):
    """After the end of a game no clock is told, and none runs out."""
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await table(rig, EACH, options={"heap": 1})
        if how == "conceded":
            await act(ada, [bob], m.Concede(command="c"))
        elif how == "drawn":
            await act(ada, [bob], m.MakeOffer(command="o", kind="draw"))
            await act(bob, [ada], m.Respond(command="r", kind="draw", accept=True))
        else:
            await act(ada, [bob], decide(prompt_of(rig), "d1"))
        entries = len(rig.journal.records)
        last = clocks(ada.line.heard)[-1]
        await trio.sleep(100)

        assert await rest_of(ada, bob) == [[], []]
        assert len(rig.journal.records) == entries
        assert {seat.deadline_ms for seat in last.seats} == {None}
        await ada.say(m.Leave(command="l"))
        await bob.say(m.Leave(command="l"))
        await rest_of(ada, bob)
        await gone(rig, connections=2, tables=0)


async def test_who_leaves_a_game_of_three():
    """Where a game goes on without who leaves it, the next seat is asked and its time counts."""
    options = {"goes_on": True}
    async with open_rig(ping_s=3_000) as rig:
        terms = m.Terms(clock=EACH)
        people = await seated(rig, "Ada", "Bob", "Cid", terms=terms, options=options)
        await people[0].say(m.Leave(command="l"))
        told = (await rest_of(*people))[1]
        await people[2].say(m.Concede(command="c"))
        ended = (await rest_of(*people))[1]

        assert [type(one) for one in told if isinstance(one, m.Asked | m.Over)] == [m.Asked]
        assert next(one for one in ended if isinstance(one, m.Over)).winner == 1
        assert m.Notice not in map(type, [*told, *ended])


async def test_who_concedes_while_another_is_asked():
    """Where a game goes on, the seat that is asked is asked still, and its clock stands right."""
    options = {"goes_on": True}
    async with open_rig(ping_s=3_000) as rig:
        terms = m.Terms(clock=EACH)
        people = await seated(rig, "Ada", "Bob", "Cid", terms=terms, options=options)
        await trio.sleep(4)
        await people[2].say(m.Concede(command="c"))
        told = (await rest_of(*people))[0]

        assert next(one for one in told if isinstance(one, m.Asked)).prompt.seat == 0
        assert m.Notice not in map(type, told)
        assert clocks(told)[-1].seats[0].left_ms == pytest.approx(6_000, abs=200)
        await act(people[0], people[1:], decide(prompt_of(rig), "d"))
        assert prompt_of(rig).seat == 1
