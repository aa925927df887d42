"""How the reference client ends: when its budget is spent, when it is told no, when it is left."""

import itertools

import pytest
import trio
import trio.testing

from longfuse_protocol import client_line
from longfuse_protocol import messages as m
from longfuse_protocol.client import (
    ANSWER_S,
    CONNECT_S,
    EVENTS_MAX,
    NEVER,
    ClientClosed,
    Dropped,
    Ended,
    NotConnected,
    Resumed,
    Retry,
    SavedSession,
)
from longfuse_protocol.errors import CLOSES, Malformed
from longfuse_protocol.session import State
from protocol.scripted import (
    back_idle,
    door,
    drop,
    idle,
    told,
    welcome,
)
from support.listening import until


@pytest.mark.parametrize("code", [code for code, close in CLOSES.items() if not close.retry])
async def test_codes_that_say_no_are_not_tried_again(code):
    """After a close that more tries cannot help, such as one by a newer connection, it ends."""

    async def script(self):
        await self.welcome()
        await self.socket.aclose(int(code), "because")

    async with door(script, idle) as here, here.client() as ada:
        heard = await told(ada)

        assert heard[1:] == [Ended(int(code), "because", retry=False)]
        assert len(here.dialled_at) == 1


@pytest.mark.parametrize("code", [1001, 1011, 1012, 1013, 1014])
async def test_codes_that_say_yes_are_tried_again(code):
    """After a restart, or a fault, the client comes back."""

    async def script(self):
        await self.welcome()
        await self.socket.aclose(code, "later")

    async with door(script, back_idle) as here, here.client() as ada:
        dropped = await until(ada, Dropped)

        assert (dropped.code, dropped.reason) == (code, "later")
        assert await anext(ada) == Resumed(1, None)


@pytest.mark.parametrize("code", [3000, 4003, 4999])
async def test_codes_that_are_not_known_are_not_tried_again(code):
    """A later server may have closed for a reason that coming back would not help."""

    async def script(self):
        await self.welcome()
        await self.socket.aclose(code, "because")

    async with door(script, idle) as here, here.client() as ada:
        assert (await told(ada))[1:] == [Ended(code, "because", retry=False)]
        assert len(here.dialled_at) == 1


async def test_the_budget_of_tries():
    """A server that is gone for good is tried so many times, with waits in bounds, then no more."""
    chances = iter([0.9, 0.9, 0.9, 0.9, 0.9])
    retry = Retry(tries=4, base_s=1, most_s=3)
    async with door(drop) as here, here.client(retry=retry, chance=lambda: next(chances)) as ada:
        heard = await told(ada)

    waits = [event.wait_s for event in heard if isinstance(event, Dropped)]
    assert waits == [pytest.approx(0.9 * limit) for limit in (1, 2, 3, 3)]
    gaps = [later - sooner for sooner, later in itertools.pairwise(here.dialled_at)]
    assert gaps == [pytest.approx(wait) for wait in waits]
    assert [type(event) for event in heard[-2:]] == [Dropped, Ended]
    assert heard[-1].reason.endswith("nobody is there; given up after 4 more tries")
    assert heard[-1].retry


async def test_the_budget_of_seconds():
    """A server that accepts and says nothing costs one budget of time, and no more."""

    async def silent(self):
        await trio.sleep_forever()

    retry = Retry(tries=1_000, within_s=100)
    scripts = [drop, *[silent] * 50]
    async with door(*scripts) as here, here.client(retry=retry) as ada:
        began_at = trio.current_time()
        heard = await told(ada)

        assert isinstance(heard[-1], Ended)
        assert "no welcome in time; given up" in heard[-1].reason
        assert trio.current_time() - began_at <= 100
        assert len(here.dialled_at) == 1 + -(-100 // CONNECT_S)


async def test_a_connection_that_is_lost_again_and_again():
    """Coming back does not renew the budget unless the connection lasts."""

    async def again(self):
        await self.resume(None)
        await self.break_off()

    retry = Retry(tries=3)
    async with door(drop, *[again] * 10) as here, here.client(retry=retry) as ada:
        heard = await told(ada)

    assert [type(event) for event in heard[1:]] == [*[Dropped, Resumed] * 3, Ended]


async def test_no_budget_at_all():
    """With NEVER, a lost connection is the end."""
    async with door(drop, back_idle) as here, here.client(retry=NEVER) as ada:
        assert [type(event) for event in await told(ada)] == [m.Welcome, Ended]


@pytest.mark.parametrize("first", [False, True])
async def test_the_very_first_connection(first):
    """Where no session was ever had, the client tries again only if it is told to."""

    async def busy(self):
        await self.socket.aclose(1012, "restart")

    async with door(busy, busy, idle) as here:
        if first:
            async with here.client(retry=Retry(first=True)) as ada:
                assert ada.state is State.LOBBY
        else:
            with pytest.raises(NotConnected, match="restart") as caught:
                async with here.client():
                    pass

            assert caught.value.ended.retry
        assert len(here.dialled_at) == (3 if first else 1)


async def test_a_refusal_with_a_time():
    """A server that asks to wait is tried again after that time, not before."""

    async def later(self):
        await self.hear()
        await self.tell(m.Rejected(code="too_fast", text="wait", retry_s=7.5))
        await trio.sleep_forever()

    async with door(drop, later, back_idle) as here, here.client() as ada:
        await until(ada, Resumed)

        assert here.dialled_at[2] - here.dialled_at[1] == 7.5


async def test_a_refusal_of_the_first_hello():
    """A hello that is refused raises, with the code, and with the time if there is one."""

    async def full(self):
        await self.hear()
        await self.tell(m.Rejected(code="too_fast", text="wait", retry_s=3))
        await trio.sleep_forever()

    async def taken(self):
        await self.hear()
        await self.tell(m.Rejected(code="name_taken", text="somebody else's"))
        await trio.sleep_forever()

    async with door(full, taken) as here:
        for code, retry_s in (("too_fast", 3), ("name_taken", 0)):
            with pytest.raises(NotConnected) as caught:
                async with here.client():
                    pass

            assert (caught.value.ended.rejected, caught.value.retry_s) == (code, retry_s)
            assert caught.value.ended.retry is (retry_s > 0)


async def unknown(self):
    """Refuse to go on, and welcome to a new session whoever asks for one."""
    assert (await self.hear()).resume is not None
    await self.tell(m.Rejected(code="unknown_session", text="gone"))
    hello = await self.hear()
    assert hello.resume is None
    assert hello.token == "who"
    await self.tell(welcome(session="new", secret="new"))
    await trio.sleep_forever()


async def test_a_session_that_is_gone():
    """Without being asked for, no new session takes the place of one that is gone."""
    async with door(drop, unknown, idle) as here, here.client(token="who") as ada:
        ended = await until(ada, Ended)

        assert (ended.rejected, ended.retry, len(here.dialled_at)) == ("unknown_session", False, 2)


async def test_a_session_that_is_gone_begins_anew():
    """If asked for, a new session begins on the same connection, with the same token."""
    async with door(drop, unknown) as here, here.client(token="who", anew=True) as ada:
        resumed = await until(ada, Resumed)

        assert resumed == Resumed(1, None, anew=True)
        assert (ada.welcome.session, ada.session_saved().secret) == ("new", "new")
        assert len(here.dialled_at) == 2


async def test_a_deaf_server():
    """A server that reads nothing more is given up, and the next connection serves."""

    async def stuck(self):
        await self.welcome()
        await trio.sleep_forever()

    async with door(stuck, back_idle) as here, here.client() as ada:
        here.streams[0].send_stream.send_all_hook = trio.sleep_forever
        began_at = trio.current_time()
        ada.send(m.Ping())
        dropped = await until(ada, Dropped)
        await until(ada, Resumed)

        assert dropped.reason == "the server does not read"
        assert trio.current_time() - began_at == client_line.WRITE_S


async def test_a_silent_connection_is_probed():
    """Where nothing comes for two heartbeats, not even to a probe, the connection is lost."""

    async def before(self):
        await self.welcome()
        await trio.sleep_forever()

    async with door(before, back_idle) as here, here.client() as ada:
        began_at = trio.current_time()
        swallow(here.streams[0])
        await until(ada, Resumed)

        assert trio.current_time() - began_at == 2 * client_line.HEARTBEAT_S + client_line.CLOSE_S


def swallow(stream):
    """From now on, what is sent into this stream goes nowhere, as on a cut cable."""

    async def nowhere(_data):
        await trio.lowlevel.checkpoint()

    stream.send_stream.send_all = nowhere


# ---------------------------------------------------------------- leaving


@pytest.mark.parametrize(
    "moment", ["before the welcome", "connected", "waiting to dial", "dialling"]
)
async def test_cancelling_leaves_nothing(moment):
    """Whenever its owner is cancelled, the client ends at once, and no stream stays open."""

    async def silent(self):
        await trio.sleep_forever()

    scripts = {
        "before the welcome": [silent],
        "connected": [idle],
        "waiting to dial": [drop],
        "dialling": [drop, silent],
    }[moment]
    clients = []
    async with door(*scripts) as here:
        chance = (lambda: 0.9) if moment == "waiting to dial" else (lambda: 0.0)
        retry = Retry(base_s=1_000, most_s=1_000, within_s=10_000)
        began_at = trio.current_time()
        with trio.move_on_after(5) as scope:
            async with here.client(retry=retry, chance=chance) as ada:
                clients.append(ada)
                await trio.sleep_forever()

        assert scope.cancelled_caught
        assert trio.current_time() - began_at == 5
        for stream in here.streams:
            with pytest.raises(trio.ClosedResourceError):
                await stream.send_all(b"x")
    for ada in clients:
        assert isinstance((await told(ada))[-1], Ended)


async def test_leaving_while_the_connection_is_lost():
    """The end of the block ends the waiting for the next try."""
    retry = Retry(base_s=1_000, most_s=1_000, within_s=10_000)
    async with door(drop) as here:
        async with here.client(retry=retry, chance=lambda: 0.9) as ada:
            await until(ada, Dropped)
        ended = (await told(ada))[-1]

    assert (ended.code, ended.reason) == (1000, "closed here")
    assert trio.current_time() == 0


async def test_a_wrong_name_dials_nobody():
    """What is wrong with the hello is told before anything is dialled."""
    async with door(idle) as here:
        with pytest.raises(Malformed):
            async with here.client(resume=SavedSession("x" * 200)):
                pass

        assert here.dialled_at == []


async def test_waiting_ends_with_the_client():
    """Whoever waits for an answer while the budget is spent learns that there will be none."""
    async with door(drop) as here, here.client(retry=Retry(tries=2)) as ada:
        with pytest.raises(ClientClosed):
            await ada.browse()
        with pytest.raises(ClientClosed):
            await ada.concede()

        assert trio.current_time() < ANSWER_S


async def test_more_than_can_be_sent():
    """A program that says more than can leave gives the connection up, and the next serves."""

    async def stuck(self):
        await self.welcome()
        await trio.sleep_forever()

    async with door(stuck, back_idle) as here, here.client() as ada:
        with pytest.raises(ClientClosed, match="does not read"):
            for _ in range(client_line.OUTBOX_MAX + 2):
                ada.send(m.Ping())
        await until(ada, Resumed)

        assert ada.is_connected


async def test_drops_that_nobody_hears_of():
    """A program that takes no events is ended while the connection is lost, too."""

    async def chatty(self):
        await self.welcome()
        for _ in range(EVENTS_MAX - 1):
            await self.tell(m.Pong(nonce=0, at_ms=0))
        await self.break_off()

    async with door(chatty, back_idle) as here, here.client() as ada:
        await trio.sleep(10)
        heard = await told(ada)

        assert heard[-1].reason == "events were not taken fast enough"
        assert len(here.dialled_at) == 1
