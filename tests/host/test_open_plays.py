"""What a seat does in an open play, and how it passes, is its own: nobody else is told of it."""

import pytest
import trio

from host.lines import decide, seated
from host.rig import open_rig
from longfuse.host import playing
from longfuse_protocol import messages as m

BANK = m.ClockTerms(kind="bank", bank_s=100, increment_s=5)
DECISION = m.ClockTerms(kind="decision", decision_s=60)
PLAYS = {"plays": True}


def prompt_of(rig):
    return rig.factory.games[-1].open_prompt


async def act(somebody, others, *messages):
    """Let somebody say something at once, and return what each hears of it."""
    await somebody.say(*messages)
    return [await one.rest() for one in (somebody, *others)]


def clocks(messages):
    return [one for one in messages if isinstance(one, m.Clock)]


@pytest.mark.parametrize("clock", [BANK, DECISION])
async def test_an_open_play_is_silent(clock):
    """To begin a play, think, and take it back sends the other seat nothing at all."""
    async with open_rig() as rig:
        terms = m.Terms(clock=clock)
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms, options=PLAYS)
        own, others = await act(ada, [bob], decide(prompt_of(rig), "d1"))
        assert len(clocks(own)) == 1
        assert others == []
        await trio.sleep(10)
        own, others = await act(ada, [bob], m.TakeBack(command="t1"))

        assert len(clocks(own)) == 1
        assert others == []


@pytest.mark.parametrize("clock", [BANK, DECISION])
async def test_who_asks_for_the_clock_is_told_it_as_if_no_play_were_open(clock):
    """The deadline that was told holds on: an increment would tell that something was chosen."""
    async with open_rig() as rig:
        terms = m.Terms(clock=clock)
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms, options=PLAYS)
        await bob.say(m.Resync())
        before = clocks(await bob.rest())[-1].seats[0].left_ms
        await trio.sleep(10)
        await act(ada, [bob], decide(prompt_of(rig), "d1"))
        await trio.sleep(10)
        await bob.say(m.Resync())
        during = clocks(await bob.rest())[-1].seats[0].left_ms
        await ada.say(m.Resync())
        own = clocks(await ada.rest())[-1].seats[0].left_ms

        assert before - during == pytest.approx(20_000, abs=500)
        assert own - during > 4_000


async def test_a_pause_in_an_open_play_tells_others_nothing_of_it():
    """Each is told the clocks as it may know them."""
    async with open_rig() as rig:
        terms = m.Terms(clock=BANK)
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms, options=PLAYS)
        await trio.sleep(10)
        await act(ada, [bob], decide(prompt_of(rig), "d1"))
        await act(bob, [ada], m.MakeOffer(command="p", kind="pause"))
        to_ada, to_bob = await act(ada, [bob], m.Respond(command="p", kind="pause", accept=True))

        assert clocks(to_ada)[-1].seats[0].left_ms == pytest.approx(95_000, abs=100)
        assert clocks(to_bob)[-1].seats[0].left_ms == pytest.approx(90_000, abs=100)


async def test_an_open_play_ends_no_offer():
    """What the other seat offers stands until a play does."""
    async with open_rig() as rig:
        terms = m.Terms(take_back="by agreement")
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms, options=PLAYS)
        for command in ("d1", "d2"):
            await act(ada, [bob], decide(prompt_of(rig), command))
        await act(ada, [bob], m.MakeOffer(command="o", kind="take back"))
        _, begun = await act(bob, [ada], decide(prompt_of(rig), "d1"))
        _, undone = await act(bob, [ada], m.TakeBack(command="t1"))
        await act(bob, [ada], decide(prompt_of(rig), "d2"))
        _, stands = await act(bob, [ada], decide(prompt_of(rig), "d3"))

        assert begun == undone == []
        overtaken = m.OfferEnded(kind="take back", how="overtaken")
        assert m.Offers(offers=(), ended=(overtaken,)) in stands


@pytest.mark.parametrize("by_hand", [True, False])
async def test_how_far_it_goes_back_does_not_tell_what_was_passed(by_hand):
    """A decision that a seat's settings made is taken back like one of its own, and then asked."""
    passing = m.Passing(mode="ask") if by_hand else m.Passing(mode="pass", interrupts=())
    async with open_rig() as rig:
        terms = m.Terms(take_back="by agreement")
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms)
        await act(ada, [bob], m.Settings(command="s", passing=passing))
        if by_hand:
            await act(ada, [bob], decide(prompt_of(rig), "d1"))
        await act(bob, [ada], decide(prompt_of(rig), "d1"))
        assert rig.factory.games[-1].left == 19
        await act(ada, [bob], m.MakeOffer(command="o", kind="take back"))
        _, to_ada = await act(bob, [ada], m.Respond(command="o", kind="take back", accept=True))

        assert rig.factory.games[-1].left == 21
        assert [one.prompt.seat for one in to_ada if isinstance(one, m.Asked)] == [0]
        assert m.Passed not in [type(one) for one in to_ada]


async def test_the_check_of_silence_can_fail():
    """A play that stands is told."""
    async with open_rig() as rig:
        terms = m.Terms(clock=BANK)
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms, options=PLAYS)
        await act(ada, [bob], decide(prompt_of(rig), "d1"))
        _, others = await act(ada, [bob], decide(prompt_of(rig), "d2"))

        assert len(clocks(others)) == 1


async def test_plays_are_not_taken_back_for_ever(monkeypatch):
    """Each stays in the journal: after so many, a seat must let its play stand; it always can."""
    monkeypatch.setattr(playing, "TAKEN_BACK_MAX", 2)
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", options=PLAYS)
        answers = []
        for number in range(3):
            await act(ada, [bob], decide(prompt_of(rig), f"d{number}"))
            own, _ = await act(ada, [bob], m.TakeBack(command=f"t{number}"))
            answers += [one for one in own if isinstance(one, m.Answered)]
        again, _ = await act(ada, [bob], m.TakeBack(command="t1"))
        finished, _ = await act(ada, [bob], decide(prompt_of(rig), "last"))

        assert [(one.ok, one.code) for one in answers] == [
            (True, ""),
            (True, ""),
            (False, "too_many"),
        ]
        assert "finish this one" in answers[-1].reason
        assert [one.ok for one in (*again, *finished) if isinstance(one, m.Answered)] == [True] * 2
