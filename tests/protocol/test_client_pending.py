"""What becomes of commands whose answer a drop has swallowed: nothing is sent blindly."""

import msgspec
import pytest
import trio.testing

from longfuse_protocol import messages as m
from longfuse_protocol.client import ANSWER_S, ClientClosed, Dropped, Refused, Resumed
from longfuse_protocol.client_line import Parting
from longfuse_protocol.client_pending import PENDING_MAX
from longfuse_protocol.prompts import Prompt
from protocol.scripted import INFO, PLACE, PROMPT, Script, door, frame, welcome
from support.listening import until

NEXT = Prompt(id=8, seat=0, shape="number", kind="k", text="?", most=3, default=0)
OTHER_GAME = m.Place(info=msgspec.structs.replace(INFO, game="t.2"), seat=0, stream="t/0")


async def asking(self: Script):
    """Seat the client, ask it, and break off when it has commanded something."""
    await self.seat()
    await self.tell(m.Asked(n=0, prompt=PROMPT))
    self.heard = await self.hear()
    await self.break_off()


def broken_at(heard):
    """Return a script that breaks off at the first command, and keeps it."""

    async def script(self):
        await asking(self)
        heard.append(self.heard)

    return script


COMMANDS = {
    "decide": lambda ada: ada.decide(PROMPT, 1),
    "take_back": lambda ada: ada.take_back(),
    "concede": lambda ada: ada.concede(),
    "ready": lambda ada: ada.ready(),
    "choose_deck": lambda ada: ada.choose_deck("d"),
    "settings": lambda ada: ada.settings(m.Passing()),
    "mute": lambda ada: ada.mute("Eve"),
    "leave": lambda ada: ada.command(m.Leave(command=ada.new_id())),
}
ONE_GAME = {"decide", "take_back", "concede"}
NOT_TWICE = {
    "say": lambda ada: ada.say("hello"),
    "report": lambda ada: ada.report(1),
    "offer": lambda ada: ada.offer("draw"),
    "respond": lambda ada: ada.respond("draw", accept=True),
    "unpause": lambda ada: ada.unpause(),
    "resync": lambda ada: ada.resync(),
    "browse": lambda ada: ada.browse(),
    "ping": lambda ada: ada.ping(),
}


@pytest.mark.parametrize("name", COMMANDS)
async def test_sent_once_more_with_the_same_id(name):
    """What the server knows again is sent once more, and its answer is the command's answer."""
    heard = []

    async def after(self):
        await self.resume()
        await self.tell(m.Asked(n=0, prompt=PROMPT))
        await self.settle()
        heard.append(await self.hear())
        await self.tell(m.Answered(command=heard[-1].command, ok=True, reason="first answer"))
        with trio.move_on_after(100):
            heard.append(await self.hear())
        await trio.sleep_forever()

    async with door(broken_at(heard), after) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, m.Asked)
        answer = await COMMANDS[name](ada)
        await trio.sleep(200)

    assert answer.reason == "first answer"
    assert heard[0] == heard[1]
    assert len(heard) == 2


@pytest.mark.parametrize("name", NOT_TWICE)
async def test_what_may_not_come_twice_fails(name):
    """What could come twice is not sent again: whoever waits is told at once, and not later."""
    heard = []

    async def after(self):
        await self.resume()
        with trio.move_on_after(100):
            heard.append(await self.hear())
        await trio.sleep_forever()

    async with door(broken_at(heard), after) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, m.Asked)
        with pytest.raises(ClientClosed, match="lost before the answer came"):
            await NOT_TWICE[name](ada)
        assert trio.current_time() == 0
        await trio.sleep(200)

    assert len(heard) == 1


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("place", ["another game", "another place", "none"])
async def test_what_has_been_overtaken_is_refused_here(name, place):
    """Where the game, or the place, is another by then, nothing is sent, and that is told."""
    heard = []
    places = {
        "another game": OTHER_GAME,
        "another place": m.Place(info=INFO, seat=0, stream="u/0"),
        "none": None,
    }

    async def after(self):
        await self.resume(places[place])
        while True:
            heard.append(await self.hear())
            if isinstance(heard[-1], m.Ping):
                await self.tell(m.Pong(nonce=heard[-1].nonce, at_ms=0))
            else:
                await self.tell(m.Answered(command=heard[-1].command, ok=True))

    async with door(broken_at(heard), after) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, m.Asked)
        if name == "leave" and place == "none":
            assert (await COMMANDS[name](ada)).ok
        elif place == "another game" and name not in ONE_GAME:
            assert (await COMMANDS[name](ada)).ok
            assert len(heard) == 3
            return
        else:
            with pytest.raises(Refused) as caught:
                await COMMANDS[name](ada)

            assert caught.value.is_local
            assert caught.value.answer.code == "stale_prompt"
        await trio.testing.wait_all_tasks_blocked()

    assert [type(one) for one in heard[1:]] in ([], [m.Ping])


async def test_the_answer_tells_what_became_of_it():
    """A decision that was carried out before the drop is told as done, though more is asked."""
    heard = []

    async def after(self):
        await self.resume()
        await self.tell(frame(1, {"a": {}}, {"a": {}}), m.Asked(n=1, prompt=NEXT))
        await self.settle()
        heard.append(await self.answer(m.Decide))
        await trio.sleep_forever()

    async with door(broken_at(heard), after) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, m.Asked)

        assert (await ada.decide(PROMPT, 1)).ok
        assert ada.prompt == NEXT
        assert (await until(ada, m.Asked)).prompt == NEXT
    assert heard[0] == heard[1]


async def test_its_prompt_is_not_told_again():
    """A prompt whose answer is under way is not asked of the program once more."""
    heard = []

    async def after(self):
        await self.resume()
        await self.tell(m.Asked(n=0, prompt=PROMPT))
        await self.settle()
        await self.answer(m.Decide)
        await self.tell(m.Pong(nonce=1, at_ms=0))
        await trio.sleep_forever()

    async with door(broken_at(heard), after) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, m.Asked)
        await ada.decide(PROMPT, 1)

        assert ada.prompt is None
        kinds = [type(await anext(ada)) for _ in range(4)]
    assert kinds == [Dropped, Resumed, m.Answered, m.Pong]


async def test_twice_dropped():
    """A drop before the second sending is answered brings a third, on the next connection."""
    heard = []

    async def again(self):
        await self.resume()
        await self.tell(m.Asked(n=0, prompt=PROMPT))
        await self.settle()
        heard.append(await self.hear())
        await self.break_off()

    async def last(self):
        await self.resume()
        await self.tell(m.Asked(n=0, prompt=PROMPT))
        await self.settle()
        heard.append(await self.answer(m.Decide))
        await trio.sleep_forever()

    async with door(broken_at(heard), again, last) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, m.Asked)
        await ada.decide(PROMPT, 1)

    assert heard[0] == heard[1] == heard[2]


# ---------------------------------------------------------------- while there is no connection


async def drop(self: Script):
    """Seat the client, ask it, and break off."""
    await self.seat()
    await self.tell(m.Asked(n=0, prompt=PROMPT))
    await self.break_off()


@pytest.mark.parametrize("still", [True, False])
async def test_a_decision_while_the_connection_is_lost(still):
    """It waits, is sent if its prompt is the one that is open then, and else is refused here."""
    heard = []

    async def after(self):
        await trio.sleep(3)
        await self.resume()
        await self.tell(m.Asked(n=0, prompt=PROMPT if still else NEXT))
        await self.settle()
        heard.append(await self.answer(m.Decide))
        await trio.sleep_forever()

    async with door(drop, after) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, Dropped)
        if still:
            assert (await ada.decide(PROMPT, 1)).ok
        else:
            with pytest.raises(Refused) as caught:
                await ada.decide(PROMPT, 1)
            await trio.testing.wait_all_tasks_blocked()

            assert caught.value.is_local
            assert caught.value.answer.prompt == NEXT
        assert trio.current_time() == 3

    assert len(heard) == still


async def test_a_decision_that_nobody_waits_for():
    """What was given up while the connection was lost is not sent when it is back."""
    heard = []

    async def after(self):
        await trio.sleep(ANSWER_S / 2)
        await self.resume()
        await self.tell(m.Asked(n=0, prompt=PROMPT))
        heard.append(await self.hear())

    async with door(drop, after) as here, here.client(chance=lambda: 0.0) as ada:
        await ada.join("t")
        await until(ada, Dropped)
        with trio.move_on_after(1):
            await ada.decide(PROMPT, 1)
        await trio.sleep(100)

    assert heard == []


@pytest.mark.parametrize("name", NOT_TWICE)
async def test_anything_else_while_the_connection_is_lost(name):
    """It fails at once, and says why."""

    async def after(self):
        await trio.sleep_forever()

    async with door(drop, after) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, Dropped)
        with pytest.raises(ClientClosed, match="being taken up again"):
            await NOT_TWICE[name](ada)


async def test_too_much_waits():
    """What waits for answers is bounded."""
    outcomes = []

    async def after(self):
        await trio.sleep_forever()

    async def concede(ada):
        try:
            await ada.concede()
        except ClientClosed as error:
            outcomes.append(str(error))

    async with door(drop, after) as here, here.client() as ada, trio.open_nursery() as nursery:
        await ada.join("t")
        await until(ada, Dropped)
        for _ in range(PENDING_MAX + 2):
            nursery.start_soon(concede, ada)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()

    assert outcomes == ["too many commands wait for their answers"] * 2


# ---------------------------------------------------------------- entering


ENTERING = {
    "create": lambda ada: ada.create("toy", 2),
    "join": lambda ada: ada.join("t"),
    "spectate": lambda ada: ada.spectate("t"),
    "pair": lambda ada: ada.pair("toy"),
}


@pytest.mark.parametrize(
    ("name", "answered"),
    [*((name, True) for name in ENTERING), *((name, False) for name in ENTERING if name != "pair")],
)
async def test_the_welcome_tells_whether_one_has_entered(name, answered):
    """A place that came of what was under way is the answer to it; without one it fails."""

    async def before(self):
        await self.welcome()
        await self.hear()
        await self.break_off()

    async def after(self):
        await self.resume(PLACE if answered else None)
        await trio.sleep_forever()

    async with door(before, after) as here, here.client() as ada:
        if answered:
            assert await ENTERING[name](ada) == PLACE
        else:
            with pytest.raises(ClientClosed, match="no place at a table came of it"):
                await ENTERING[name](ada)
        assert trio.current_time() == 0


@pytest.mark.parametrize("name", ["catalogue", "replay"])
async def test_questions_are_asked_again(name):
    """What only asks is asked once more, wherever the session is then."""
    heard = []

    async def before(self):
        await self.welcome()
        heard.append(await self.hear())
        await self.break_off()

    async def after(self):
        await self.resume(None)
        await self.settle()
        heard.append(await self.hear())
        command = heard[-1].command
        await self.tell(
            m.Cards(command=command, ruleset="toy", catalogue={})
            if name == "catalogue"
            else m.Replayed(command=command, game="t.1", viewer=0, frames=(), last=True)
        )
        await trio.sleep_forever()

    async with door(before, after) as here, here.client() as ada:
        if name == "catalogue":
            assert (await ada.catalogue("toy")).ruleset == "toy"
        else:
            assert [part.last async for part in ada.replay("t.1")] == [True]
    assert heard[0] == heard[1]


@pytest.mark.parametrize("name", ["decide", "leave"])
async def test_a_session_that_begins_anew_answers_nothing(name):
    """In a new session nothing is sent again; what was under way is refused, or done with."""

    async def after(self):
        await self.hear()
        await self.tell(m.Rejected(code="unknown_session", text="gone"))
        await self.hear()
        await self.tell(welcome(secret="new"))
        if name == "decide":
            await self.settle()
        await self.hear()

    heard = []
    async with door(broken_at(heard), after) as here, here.client(anew=True) as ada:
        await ada.join("t")
        await until(ada, m.Asked)
        if name == "decide":
            with pytest.raises(Refused) as caught:
                await ada.decide(PROMPT, 1)

            assert caught.value.is_local
        else:
            await ada.leave()


async def test_what_is_said_while_the_rest_is_sorted_out():
    """Before what was under way is sent again, what may not come twice is sent, and once."""
    heard = []

    async def after(self):
        await self.resume()
        await self.tell(m.Asked(n=0, prompt=PROMPT))
        ping = await self.hear()
        heard.append(await self.hear())
        await self.tell(m.Pong(nonce=ping.nonce, at_ms=0))
        heard.append(await self.answer(m.Decide))
        await self.tell(m.Answered(command=heard[1].command, ok=True))
        with trio.move_on_after(100):
            heard.append(await self.hear())
        await trio.sleep_forever()

    async def decide(ada):
        assert (await ada.decide(PROMPT, 1)).ok

    async with door(broken_at(heard), after) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, m.Asked)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(decide, ada)
            await until(ada, Resumed)
            assert (await ada.say("back")).ok
        await trio.sleep(200)

    assert [type(one) for one in heard] == [m.Decide, m.Say, m.Decide]


async def test_nothing_follows_a_leave():
    """What was commanded after a leave is not sent once the leave is."""
    heard = []
    outcomes = []

    async def before(self):
        await self.seat()
        await self.hear()
        await self.break_off()

    async def after(self):
        await trio.sleep(1)
        await self.resume()
        await self.settle()
        heard.append(await self.answer(m.Leave))
        await self.tell(m.Left(table="t"))
        await trio.sleep_forever()

    async def leave(ada):
        await ada.leave()
        outcomes.append("left")

    async def concede(ada):
        with pytest.raises(ClientClosed, match="leaving"):
            await ada.concede()
        outcomes.append("not conceded")

    async with door(before, after) as here, here.client() as ada:
        await ada.join("t")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(leave, ada)
            await until(ada, Dropped)
            nursery.start_soon(concede, ada)

    assert sorted(outcomes) == ["left", "not conceded"]
    assert [type(one) for one in heard] == [m.Leave]


async def test_a_decision_given_as_the_line_breaks_goes_out_on_the_next():
    """What is commanded between the cut and its being noticed is neither lost nor refused."""
    heard = []

    async def before(self):
        await self.seat()
        await self.tell(m.Asked(n=0, prompt=PROMPT))
        await trio.sleep_forever()

    async def after(self):
        await self.resume()
        await self.tell(m.Asked(n=0, prompt=PROMPT))
        await self.settle()
        heard.append(await self.hear())
        await self.tell(m.Answered(command=heard[-1].command, ok=True))
        await trio.sleep_forever()

    async with door(before, after) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, m.Asked)
        ada._line.cut(Parting(1006, "cut", retry=True))
        answer = await ada.decide(PROMPT, 1)

        assert answer.ok
        assert [(type(one), one.answer) for one in heard] == [(m.Decide, 1)]
