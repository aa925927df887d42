"""Lost connections: what the player who comes back, and those who stayed, must see."""

import pytest
import trio

from complaints.scene import PATIENT, Network, agree, hear_out, settle, take
from host.lines import Line, Somebody, come, create, decide, seated, token, token_settings
from host.rig import gone, open_rig, playing, refused
from longfuse_protocol import messages as m
from longfuse_protocol.client import Dropped, Ended, Resumed, Retry
from support.listening import until

CLOCK = m.ClockTerms(kind="bank", bank_s=60, increment_s=0)


@pytest.mark.complaint("servers 1")
async def test_a_stranger_with_a_wrong_secret_changes_nothing():
    """However often somebody tries, the owner comes back; or is lost in time, and the table too."""

    async def try_wrong_secrets(rig, ada):
        while True:
            thief = Line(rig)
            told = await thief.open(m.Hello(name="Ada", resume=m.Resume(secret="x" * 32)))
            assert told.code == "unknown_session"
            await thief.cut()
            await trio.sleep(0.4)

    async with open_rig(resume_s=5) as rig, trio.open_nursery() as nursery:
        ada, bob = await seated(rig, "Ada", "Bob")
        await ada.cut()
        nursery.start_soon(try_wrong_secrets, rig, ada)
        await trio.sleep(4)
        assert (await ada.come_back()).place.seat == 0
        await ada.cut()
        lost_at = trio.current_time()
        over = await bob.until(m.Over)
        assert (over.winner, over.reason) == (1, "removed")
        assert trio.current_time() == pytest.approx(lost_at + 5, abs=0.5)
        await bob.cut()
        nursery.cancel_scope.cancel()
        await gone(rig, tables=0)


@pytest.mark.complaint("servers 2")
async def test_the_end_of_the_old_connection_does_not_touch_the_new_one():
    """The old one swallows the farewell and breaks much later; the seat stays with the new one."""
    async with open_rig(resume_s=5) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        old = ada.line
        rig.listener.deafen(old._raw.stream)
        assert (await ada.come_back()).place.seat == 0
        await trio.sleep(2)
        await old.cut()
        await trio.sleep(30)

        assert await bob.rest() == []
        await ada.rest()
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        assert (await ada.until(m.Answered)).ok


@pytest.mark.complaint("servers 4")
async def test_a_client_gives_up_in_the_end_and_says_so():
    """A phone wakes up to no network: so many tries, with news of each, then one last event."""
    async with open_rig() as rig:
        network = Network(rig)
        async with network.client("Ada", Retry()) as ada:
            await ada.create("toy", 2)
            await hear_out(ada)
            lost_at = trio.current_time()
            await network.cut(stays_away=True)
            told = [event async for event in ada]

        assert [type(event) for event in told[:-1]] == [Dropped] * (network.dials - 1)
        assert isinstance(told[-1], Ended)
        assert 3 <= network.dials <= 1 + Retry().tries
        assert trio.current_time() <= lost_at + Retry().within_s


@pytest.mark.complaint("servers 5")
async def test_a_lost_frame_is_noticed_and_made_good():
    """Of a game's frames one never arrives: the board is right again before anything is told."""
    async with open_rig() as rig:
        network = Network(rig)
        async with network.client("Ada") as ada, rig.client("Bob") as bob:
            await bob.join((await ada.create("toy", 2)).info.table)
            await until(ada, m.Asked)
            await take(ada)
            lost = []

            def lose(frame):
                if not lost and b'"type":"events"' in frame:
                    lost.append(frame)
                    return None
                return frame

            await until(bob, m.Asked)
            await hear_out(ada)
            network.spoil = lose
            await take(bob)
            told = await hear_out(ada)

            assert lost
            assert m.Events not in map(type, told)
            assert [one.n for one in told if isinstance(one, m.Snapshot)] == [ada.mirror.n]
            agree(ada, bob)
            assert ada.view == rig.factory.games[0].view(0)


@pytest.mark.complaint("servers 7")
async def test_the_opponent_moves_during_a_short_drop():
    """Who comes back knows the move, that the own clock runs, and sees the same game."""
    async with open_rig(resume_s=30) as rig:
        network = Network(rig)
        async with network.client("Ada") as ada, rig.client("Bob") as bob:
            place = await ada.create("toy", 2, terms=m.Terms(clock=CLOCK))
            await bob.join(place.info.table)
            await until(ada, m.Asked)
            await take(ada)
            await until(bob, m.Asked)
            await network.cut(stays_away=True)
            await take(bob)
            asked_at = trio.current_time()
            network.is_up = True
            await until(ada, m.Asked)

            agree(ada, bob)
            assert ada.mirror.digest != bob.mirror.digest  # each has a secret of its own
            assert ada.deadline(0) == pytest.approx(asked_at + 60, abs=1)
            assert bob.deadline(1) is None


@pytest.mark.complaint("servers 8", "ui U36")
@pytest.mark.parametrize("breaks", ["before", "after"])
async def test_a_move_sent_as_the_connection_breaks(breaks):
    """Whether it arrived or its answer was lost: it is made once, and the board is right."""
    async with open_rig() as rig:
        network = Network(rig)
        async with network.client("Ada") as ada, rig.client("Bob") as bob:
            await bob.join((await ada.create("toy", 2)).info.table)
            await until(ada, m.Asked)
            network.breaks = breaks
            async with trio.open_nursery() as nursery:
                nursery.start_soon(take, ada)
                await settle()
                network.is_up = True
            await until(bob, m.Asked)
            await hear_out(ada)

            assert [record.entry.seat for _, record in rig.journal.records] == [0]
            agree(ada, bob)


@pytest.mark.complaint("servers 10", "ui U36")
async def test_a_move_made_while_offline_that_comes_too_late():
    """It waits, and is refused with a reason: meanwhile the clock has moved for its player."""
    limit = m.ClockTerms(kind="decision", decision_s=10, out="default")
    async with open_rig(resume_s=60) as rig:
        network = Network(rig)
        async with network.client("Ada", PATIENT) as ada, rig.client("Bob") as bob:
            place = await ada.create("toy", 2, terms=m.Terms(clock=limit))
            await bob.join(place.info.table)
            prompt = (await until(ada, m.Asked)).prompt
            await network.cut(stays_away=True)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_back_later, network)
                told = await refused(ada.decide(prompt, 2))
            await hear_out(bob)

            assert told.code == "stale_prompt"
            assert told.reason
            assert rig.factory.games[0]._taken[0] == 1  # not the three that were wanted
            agree(ada, bob)


async def _back_later(network):
    await trio.sleep(15)
    network.is_up = True


@pytest.mark.complaint("servers 11")
async def test_every_refusal_is_answered():
    """Stale, out of turn, unfit, for another game: a code, a reason, and what is asked now."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        first = ada.prompt
        await take(ada)
        await until(bob, m.Asked)
        stale = await refused(ada.decide(first, 0))
        out_of_turn = await refused(ada.decide(bob.prompt, 1))
        unfit = await refused(bob.decide(bob.prompt, 99))
        late = await refused(ada.ready())

        assert [one.code for one in (stale, out_of_turn, unfit, late)] == [
            "not_asked",
            "not_asked",
            "does_not_fit",
            "not_now",
        ]
        assert all(one.reason and one.asked == 1 for one in (stale, out_of_turn, unfit, late))
        assert unfit.prompt == bob.prompt
        agree(ada, bob)


@pytest.mark.complaint("servers 11", "servers 20")
async def test_after_a_restart_nothing_is_silent():
    """To a new process an old session is unknown, and says so; commands without one are errors."""
    async with open_rig() as rig:
        before = await seated(rig, "Ada", "Bob")
    async with open_rig() as rig:
        secrets = set()
        for somebody in before:
            line = Line(rig)
            resume = m.Resume(secret=somebody.secret, stream=somebody.stream, n=somebody.n)
            told = await line.open(somebody.hello(resume))
            assert (told.code, told.retry_s) == ("unknown_session", None)
            await line.say(m.Decide(command="old", prompt=1, answer=0))
            answer = await line.until(m.Failed)
            assert (answer.code, answer.command) == ("out_of_order", "old")
            secrets.add((await line.hello(m.Hello(name="Ada"))).secret)

        assert len(secrets) == 2
        assert not secrets & {somebody.secret for somebody in before}


@pytest.mark.complaint("servers 13", "ui U25")
async def test_somebody_is_always_asked_after_a_drop():
    """After each move both lose the connection: coming back, exactly one of them is asked."""
    async with open_rig(resume_s=30) as rig:
        ada, bob = await seated(rig, "Ada", "Bob", options={"heap": 9})
        game = rig.factory.games[0]
        number = 0
        while game.result is None:
            asked = []
            for somebody in (ada, bob):
                await somebody.cut()
            for somebody in (ada, bob):
                await somebody.come_back()
                asked += [one.prompt for one in await somebody.rest() if isinstance(one, m.Asked)]
            assert [prompt.seat for prompt in asked] == [game.asked]
            number += 1
            await (ada, bob)[game.asked].say(decide(asked[0], f"d{number}"))
            await settle()

        assert number > 3


@pytest.mark.complaint("servers 14")
async def test_the_reconnect_notice_names_who_reconnected():
    """To the opponent, to a spectator and to who comes back, it is the same seat and name."""
    async with open_rig(resume_s=30) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        [eve] = await come(rig, "Eve")
        await eve.say(m.Spectate(command="s", table=bob.stream.split("/")[0]))
        await eve.rest()
        await bob.cut()
        went = [await one.until(m.Presence) for one in (ada, eve)]
        await bob.come_back()
        back = [await one.until(m.Presence) for one in (ada, eve, bob)]

        assert {(one.seat, one.name, one.here) for one in went} == {(1, "Bob", False)}
        assert {(one.seat, one.name, one.here) for one in back} == {(1, "Bob", True)}


@pytest.mark.complaint("servers 16")
async def test_who_is_there_already_and_joins_gets_the_state(tmp_path):
    """A program crashed and kept nothing: its user joins again, as often as need be, and is shown
    its seat and the whole view."""
    async with open_rig(**token_settings(tmp_path), resume_s=60) as rig:
        ada = Somebody(rig, "Ada", token=token("u1", name="Ada"))
        [bob] = await come(rig, "Bob")
        await ada.come()
        await ada.say(create())
        table = (await ada.until(m.Joined)).place.info.table
        await bob.say(m.Join(command="j", table=table))
        await ada.cut()
        for _ in range(3):
            again = Somebody(rig, "Ada", token=token("u1", name="Ada"))
            await again.come()
            await again.say(m.Join(command="j", table=table))
            told = await again.rest()
            [view] = [one for one in told if isinstance(one, m.Snapshot)]
            assert told[0].place.seat == 0
            assert view.view == rig.factory.games[0].view(0).entities
            assert [one.prompt.id for one in told if isinstance(one, m.Asked)] == [1]


@pytest.mark.complaint("servers 17")
async def test_a_valid_token_without_its_session(tmp_path):
    """The session is forgotten, or the server is another one: the token begins a new session."""
    settings = token_settings(tmp_path)
    async with open_rig(**settings, resume_s=5) as rig:
        network = Network(rig)
        signed = token("u1", name="Ada")
        async with network.client("Ada", PATIENT, token=signed, anew=True) as ada:
            first = ada.session_saved().secret
            await network.cut(stays_away=True)
            await trio.sleep(10)
            network.is_up = True
            assert (await until(ada, Resumed)).anew
            assert ada.session_saved().secret != first
            assert (ada.welcome.name, ada.welcome.user) == ("Ada", "u1")
            saved = ada.session_saved()
    async with (
        open_rig(**settings) as rig,
        Network(rig).client("A", token=signed, resume=saved, anew=True) as ada,
    ):
        assert (ada.welcome.name, ada.welcome.user) == ("Ada", "u1")


@pytest.mark.complaint("servers 19")
@pytest.mark.parametrize("way", ["resume", "resume without a stream", "spectate", "resync"])
async def test_the_whole_view_comes_first(way):
    """However one comes into a game that is moving, no change comes before what it changes."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", options={"heap": 60})
        game, who = rig.factory.games[0], Somebody(rig, "Eve")
        for number in range(4):
            await (ada, bob)[game.asked].say(decide(game.open_prompt, f"d{number}"))
            await settle()
        if way == "spectate":
            await who.come()
            await who.say(m.Spectate(command="s", table=ada.stream.split("/")[0]))
        elif way == "resync":
            who = ada
            await who.rest()
            who.line.heard.clear()
            await who.say(m.Resync())
        else:
            who = ada
            claims = {"stream": "", "n": 0} if way != "resume" else {"n": 1}
            await who.cut()
            await who.come_back(**claims)
        for number in range(4, 8):
            if game.asked == 0 and who is ada:
                await ada.rest()
            await (ada, bob)[game.asked].say(decide(game.open_prompt, f"d{number}"))
            await settle()
        await who.rest()
        frames = [one for one in who.line.heard if isinstance(one, m.Snapshot | m.Events)]
        numbers = [frame.n for frame in frames]

        assert isinstance(frames[0], m.Events if way == "resume" else m.Snapshot)
        assert numbers == list(range(numbers[0], game._entries + 2))
        assert way != "resume" or numbers[0] == 2


@pytest.mark.complaint("servers 20")
async def test_two_windows_of_one_browser_come_back():
    """Both go under one name, and come back at once: each to the seat of its own secret."""
    async with open_rig(resume_s=30) as rig:
        ada, twin = await seated(rig, "Ada", "Ada")
        for one in (ada, twin):
            await one.cut()
        ada.stream, twin.stream = twin.stream, ada.stream  # what a window claims to know is no key
        seats = [(await one.come_back()).place.seat for one in (ada, twin)]
        views = [(await one.rest())[0] for one in (ada, twin)]

        assert seats == [0, 1]
        for seat, view in enumerate(views):
            assert view.view == rig.factory.games[0].view(seat).entities
