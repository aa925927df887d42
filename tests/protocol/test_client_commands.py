"""Every command as a method of the client: what it sends, and what it gives back."""

import msgpack
import pytest
import trio
import trio.testing

from longfuse_protocol import messages as m
from longfuse_protocol.client import ANSWER_S, ClientClosed, Ended, NotPaired, Refused
from longfuse_protocol.session import State
from protocol.scripted import CODEC, INFO, PLACE, PROMPT, door, frame
from support.listening import until

SENT = [
    (lambda ada: ada.ready(), m.Ready(command="")),
    (lambda ada: ada.choose_deck("d"), m.ChooseDeck(command="", deck="d")),
    (lambda ada: ada.decide(PROMPT, 2), m.Decide(command="", prompt=PROMPT.id, answer=2)),
    (lambda ada: ada.take_back(), m.TakeBack(command="")),
    (lambda ada: ada.concede(), m.Concede(command="")),
    (lambda ada: ada.offer("draw"), m.MakeOffer(command="", kind="draw")),
    (
        lambda ada: ada.respond("pause", accept=False),
        m.Respond(command="", kind="pause", accept=False),
    ),
    (lambda ada: ada.unpause(), m.Unpause(command="")),
    (
        lambda ada: ada.settings(m.Passing(mode="pass")),
        m.Settings(command="", passing=m.Passing(mode="pass")),
    ),
    (lambda ada: ada.say("hello"), m.Say(command="", text="hello")),
    (lambda ada: ada.mute("Bob"), m.Mute(command="", name="Bob", muted=True)),
    (lambda ada: ada.report(3, "rude"), m.Report(command="", line=3, reason="rude")),
    (
        lambda ada: ada.report(3, room="seats"),
        m.Report(command="", line=3, room="seats"),
    ),
]


def plain(message):
    """Return a message without its command id."""
    return type(message), {
        name: getattr(message, name) for name in message.__struct_fields__ if name != "command"
    }


@pytest.mark.parametrize(("do", "sent"), SENT, ids=lambda one: type(one).__name__)
async def test_commands_at_a_table(do, sent):
    """Each method sends its message, and gives the server's answer back."""
    heard = []

    async def script(self):
        await self.seat()
        heard.append(await self.hear())
        await self.tell(m.Answered(command=heard[0].command, ok=True, reason="yes"))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        await ada.join("t")
        answer = await do(ada)

    assert answer.reason == "yes"
    assert plain(heard[0]) == plain(sent)


CLOCK = m.ClockTerms(kind="bank")
TERMS = m.Terms(listed=False, clock=CLOCK)
ENTERING = [
    (
        lambda ada: ada.create("toy", 3, sit=None, deck="d", options={"a": 1}, terms=TERMS),
        m.Create(
            command="",
            ruleset="toy",
            seats=(m.SeatWish(),) * 3,
            sit=None,
            deck="d",
            options={"a": 1},
            terms=TERMS,
        ),
    ),
    (
        lambda ada: ada.join("t", 1, deck="d", invitation="i"),
        m.Join(command="", table="t", seat=1, deck="d", invitation="i"),
    ),
    (
        lambda ada: ada.spectate("t", invitation="i"),
        m.Spectate(command="", table="t", invitation="i"),
    ),
    (
        lambda ada: ada.pair("toy", deck="d", clock=CLOCK),
        m.Pair(command="", ruleset="toy", deck="d", clock=CLOCK),
    ),
]


@pytest.mark.parametrize(("do", "sent"), ENTERING, ids=lambda one: type(one).__name__)
async def test_entering(do, sent):
    """Each way to a place sends its message, and gives the place back."""
    heard = []

    async def script(self):
        await self.welcome()
        heard.append(await self.hear())
        await self.tell(m.Joined(place=PLACE), m.Answered(command=heard[0].command, ok=True))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        assert await do(ada) == PLACE == ada.place
        assert ada.table == INFO

    assert plain(heard[0]) == plain(sent)


async def paired(self, *told):
    """Welcome the client, let it wait for a player, and then tell it this."""
    await self.welcome()
    await self.answer(m.Pair)
    await trio.sleep(60)
    await self.tell(*told)


async def test_pairing_takes_its_time():
    """Whoever waits for a player gets the place when somebody comes."""

    async def script(self):
        await paired(self, m.Joined(place=PLACE))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        assert await ada.pair("toy") == PLACE
        assert trio.current_time() == 60


async def test_pairing_ended_by_the_server():
    """The server may end the waiting, and the reason is told."""

    async def script(self):
        await paired(self, m.Unpaired(reason="nobody came"))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        with pytest.raises(NotPaired, match="nobody came"):
            await ada.pair("toy")
        assert ada.state is State.LOBBY


async def test_pairing_ended_by_the_client():
    """Waiting for nobody any more ends the waiting in another task."""

    async def script(self):
        await self.welcome()
        await self.answer(m.Pair)
        await self.answer(m.Unpair)
        await self.tell(m.Unpaired())
        await trio.sleep_forever()

    outcomes = []

    async def pair(ada):
        try:
            await ada.pair("toy")
        except NotPaired as error:
            outcomes.append(str(error))

    async with door(script) as here, here.client() as ada, trio.open_nursery() as nursery:
        nursery.start_soon(pair, ada)
        await trio.testing.wait_all_tasks_blocked()
        await ada.unpair()

    assert outcomes == ["the waiting has ended"]


@pytest.mark.parametrize("how", ["late", "cancelled"])
async def test_pairing_that_is_given_up(how):
    """When nobody waits for it any more, the server is told so."""
    heard = []

    async def script(self):
        await self.welcome()
        await self.answer(m.Pair)
        heard.append(await self.hear())
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        if how == "late":
            with pytest.raises(trio.TooSlowError):
                await ada.pair("toy", within_s=50)
        else:
            with trio.move_on_after(50):
                await ada.pair("toy")
        await trio.testing.wait_all_tasks_blocked()

        assert trio.current_time() == 50
    assert [type(one) for one in heard] == [m.Unpair]


async def test_pairing_across_a_drop():
    """A session that comes back to the lobby asks again, under another id, until it is late."""
    asked = []

    async def before(self):
        await self.welcome()
        asked.append(await self.answer(m.Pair))
        await self.break_off()

    async def halfway(self):
        await self.resume(None)
        asked.append(await self.hear())
        await self.break_off()

    async def after(self):
        await self.resume(None)
        asked.append(await self.answer(m.Pair))
        await self.tell(m.Joined(place=PLACE))
        await trio.sleep_forever()

    async with door(before, halfway, after) as here, here.client() as ada:
        assert await ada.pair("toy", deck="d", clock=CLOCK) == PLACE

    assert len({one.command for one in asked}) == 3
    assert {(one.ruleset, one.deck, one.clock) for one in asked} == {("toy", "d", CLOCK)}


@pytest.mark.parametrize("gone", ["before the answer", "while it waits"])
async def test_pairing_with_a_server_that_is_gone(gone):
    """It ends with the session, or in time; and whoever is found at last is the answer."""

    async def script(self):
        await self.welcome()
        await (self.answer(m.Pair) if gone == "while it waits" else self.hear())
        await self.break_off()

    async with door(script) as here, here.client() as ada:
        with pytest.raises(ClientClosed):
            await ada.pair("toy")
        assert ada.ended is not None
    async with door(script, idle_for_long) as here, here.client() as ada:
        with pytest.raises(trio.TooSlowError):
            await ada.pair("toy", within_s=5)
        assert ada.ended is None


async def idle_for_long(self):
    """Take a connection, and never welcome anybody."""
    await trio.sleep_forever()


async def test_who_is_paired_in_the_moment_of_a_drop_has_the_place():
    """The welcome tells of it, and nobody is asked again."""

    async def before(self):
        await self.welcome()
        await self.answer(m.Pair)
        await self.break_off()

    async def after(self):
        await self.resume(PLACE)
        await trio.sleep_forever()

    async with door(before, after) as here, here.client() as ada:
        assert await ada.pair("toy") == PLACE


async def test_leaving():
    """Who leaves has no place when the method returns."""

    async def script(self):
        await self.seat()
        await self.answer(m.Leave)
        await trio.sleep(3)
        await self.tell(m.Left(table="t"))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        await ada.join("t")
        await ada.leave()

        assert trio.current_time() == 3
        assert (ada.place, ada.state) == (None, State.LOBBY)


async def test_a_place_that_is_lost_unasked():
    """A server may take the place away; a command that crosses it is answered."""

    async def script(self):
        await self.seat()
        command = await self.hear()
        await self.tell(m.Left(table="t", reason="not ready in time"))
        await self.tell(m.Failed(code="out_of_order", text="no place", command=command.command))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        await ada.join("t")
        with pytest.raises(Refused, match="no place"):
            await ada.ready()
        left = await until(ada, m.Left)

        assert (left.reason, ada.place, ada.state) == ("not ready in time", None, State.LOBBY)


async def test_a_place_that_is_lost_as_soon_as_it_is_had():
    """Who is put out again at once was there, and learns of it."""

    async def script(self):
        await self.welcome()
        join = await self.hear()
        answer = m.Answered(command=join.command, ok=True)
        await self.tell(m.Joined(place=PLACE), answer, m.Left(table="t", reason="closed"))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        assert await ada.join("t") == PLACE
        await until(ada, m.Left)
        assert ada.place is None


async def test_what_is_shown():
    """What the server has told of a table is there to be read, typed."""
    offer = m.Offer(kind="draw", by=1, accepted=(1,), until_ms=5)
    line = m.Said(room="seats", line=1, seat=1, name="Bob", text="hello", at_ms=0)
    ready = m.ReadyCheck(ready=(True, False), until_ms=9)
    away = m.Presence(seat=1, name="Bob", here=False)
    passing = m.PassingSet(passing=m.ShownPassing(mode="pass"))

    async def script(self):
        await self.seat()
        await self.tell(m.Offers(offers=(offer,)), line, ready, away, passing)
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, m.PassingSet)

        assert (ada.offers, list(ada.chat), ada.ready_check) == ((offer,), [line], ready)
        assert (ada.absent, ada.passing) == ({1: away}, passing)


async def test_browsing():
    """What is being played is the answer, and told as an event too."""
    tables = m.Tables(tables=(INFO,), rulesets=(), bots=("random",))

    async def script(self):
        await self.welcome()
        assert isinstance(await self.hear(), m.Browse)
        await self.tell(tables)
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        assert await ada.browse() == tables
        assert await until(ada, m.Tables) == tables


async def test_pinging():
    """A ping takes as long as the server lets it."""

    async def script(self):
        await self.welcome()
        ping = await self.hear()
        await trio.sleep(0.25)
        await self.tell(m.Pong(nonce=ping.nonce, at_ms=0))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        assert await ada.ping() == 0.25


async def test_asking_for_the_whole_view():
    """The method returns when the view is there."""

    async def script(self):
        await self.seat()
        assert isinstance(await self.hear(), m.Resync)
        await self.tell(m.Snapshot(n=5, view={}, digest="0" * 32))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        await ada.join("t")
        await ada.resync()

        assert ada.mirror.n == 5


async def test_a_replay_in_parts():
    """Each part is asked for after the last frame of the one before, when it is wanted."""
    heard = []

    async def script(self):
        await self.welcome()
        for last in (False, True):
            heard.append(await self.hear())
            n = heard[-1].after + 1
            frames = (frame(n, {}, {}), frame(n + 1, {}, {}))
            command = heard[-1].command
            await self.tell(
                m.Replayed(command=command, game="t.1", viewer=1, frames=frames, last=last)
            )
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        numbers = [one.n async for part in ada.replay("t.1", 1, after=2) for one in part.frames]

    assert numbers == [3, 4, 5, 6]
    assert [(one.game, one.viewer, one.after) for one in heard] == [("t.1", 1, 2), ("t.1", 1, 4)]


@pytest.mark.parametrize("frames", [(), (frame(1, {}, {}),)])
async def test_a_replay_that_does_not_go_on(frames):
    """A server whose parts lead nowhere is not asked for ever."""

    async def script(self):
        await self.welcome()
        while True:
            ask = await self.hear()
            await self.tell(
                m.Replayed(command=ask.command, game="t.1", viewer=0, frames=frames, last=False)
            )

    async with door(script) as here, here.client() as ada:
        parts = [part async for part in ada.replay("t.1")]

    assert len(parts) == len(frames) + 1


async def test_a_question_that_is_refused():
    """An error in place of what was asked for is a refusal."""

    async def script(self):
        await self.welcome()
        command = await self.hear()
        await self.tell(m.Failed(code="unknown_ruleset", text="none", command=command.command))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        with pytest.raises(Refused, match="unknown_ruleset"):
            await ada.catalogue("toy")


async def test_an_answer_of_another_kind():
    """What does not answer the question is no answer to it."""

    async def script(self):
        await self.seat()
        command = await self.hear()
        await self.tell(m.Cards(command=command.command, ruleset="toy", catalogue={}))
        command = await self.hear()
        await self.tell(m.Answered(command=command.command, ok=True))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        await ada.join("t")
        with pytest.raises(trio.TooSlowError):
            await ada.concede()
        with pytest.raises(trio.TooSlowError):
            await ada.catalogue("toy")
        assert trio.current_time() == 2 * ANSWER_S


async def test_deadlines():
    """A seat's deadline is told on the client's own clock; a clock that stands has none."""

    async def script(self):
        await self.seat()
        await trio.sleep(10)
        seats = (
            m.SeatClock(left_ms=5_000, deadline_ms=1_000_005_000),
            m.SeatClock(left_ms=9_000),
        )
        await self.tell(m.Clock(at_ms=1_000_000_000, seats=seats))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        await ada.join("t")
        assert (ada.deadline(0), ada.clock) == (None, None)
        await until(ada, m.Clock)

        assert ada.clock.seats[0].left_ms == 5_000

        assert [ada.deadline(seat) for seat in range(3)] == [15, None, None]


async def test_a_view_that_is_no_view():
    """A view with keys that no JSON has is not understood, and ends the client in good order."""
    bad = m.Events(n=1, events=[], changes={}, digest="", shared="")
    data = msgpack.unpackb(CODEC.encode(bad))
    data["changes"] = {"a": {"inner": {b"bytes": 1}}}

    async def script(self):
        await self.seat()
        await self.socket.send(msgpack.packb(data))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        await ada.join("t")
        ended = await until(ada, Ended)

    assert ended.reason.startswith("not understood")
