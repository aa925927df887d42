"""Taking back by agreement: the game is what it was, the clocks too, and everybody is shown so."""

import contextlib
import random

import msgspec
import pytest
import trio
import trio.testing

from host.rig import open_rig, refused
from host.shown import opened, replayed
from host.toy import ToyFactory
from longfuse.game.entries import Decision, Rewind
from longfuse.host import playing
from longfuse_protocol import messages as m
from longfuse_protocol.client import Refused
from longfuse_protocol.errors import Code
from longfuse_protocol.passing import Passing
from longfuse_protocol.views import View, apply, digest

TERMS = m.Terms(take_back="by agreement")


async def decide(client, answer=None):
    prompt = client.prompt
    await client.decide(prompt, prompt.default if answer is None else answer)
    await trio.testing.wait_all_tasks_blocked()


async def ask_always(*clients):
    """Let nothing be passed for these."""
    for client in clients:
        await client.settings(Passing(mode="ask"))


async def take_back(maker, other):
    """Offer it, accept it, and wait until all are told."""
    await maker.offer("take back")
    await other.respond("take back", accept=True)
    await trio.testing.wait_all_tasks_blocked()


def seen(frames):
    """Return the view after these frames."""
    view = View()
    for frame in frames:
        apply(view, frame.changes)
    return view


def entered(rig):
    """Return what the journal has: decisions as their seats, and what was gone back to."""
    entries = [record.entry for _, record in rig.journal.records]
    return [one.seat if isinstance(one, Decision) else (one.seat, one.to) for one in entries]


# ---------------------------------------------------------------- what is undone


async def test_the_last_decision_is_undone():
    """Everybody sees the game as it was, and why; the seat is asked the same under a new number."""
    async with open_rig() as rig, opened(rig, terms=TERMS) as table:
        ada, bob, _ = table.people.values()
        first, before = ada.prompt, {name: frames[-1] for name, frames in table.frames.items()}
        await decide(ada, 2)
        await take_back(ada, bob)

        for name, frames in table.frames.items():
            assert [event["event"] for event in frames[-1].events] == ["rewound"]
            assert "Ada" in frames[-1].events[0]["text"]
            assert (frames[-1].digest, frames[-1].n) == (before[name].digest, before[name].n + 2)
            assert digest(seen(frames)) == frames[-1].digest
        assert bob.prompt is None
        assert ada.prompt.id > first.id
        assert msgspec.structs.replace(ada.prompt, id=first.id) == first
        assert entered(rig) == [0, (0, 0)]


async def test_what_others_have_decided_since_goes_too():
    """It goes back to before the seat's own last decision, and no further."""
    async with open_rig() as rig, opened(rig, terms=TERMS, options={"heap": 30}) as table:
        ada, bob, _ = table.people.values()
        await ask_always(ada, bob)
        for client in (ada, bob, ada, bob):
            await decide(client)
        await take_back(bob, ada)
        assert bob.prompt
        await take_back(ada, bob)
        assert ada.prompt
        await take_back(ada, bob)

        assert entered(rig) == [0, 1, 0, 1, (1, 3), (0, 2), (0, 0)]
        assert ada.prompt
        await table.play()
        assert await replayed(ada, table.game(), 0) == table.frames["Ada"]


async def test_a_play_of_several_choices_goes_back_to_its_beginning():
    """A play is one decision, open or not; one that was taken back while it was open is none."""
    options = {"heap": 30, "plays": True}
    async with open_rig() as rig, opened(rig, terms=TERMS, options=options) as table:
        ada, bob, _ = table.people.values()
        for client in (ada, ada, bob, bob):
            await decide(client)
        await take_back(ada, bob)
        assert ada.prompt.kind == "take"
        assert entered(rig) == [0, 0, 1, 1, (0, 0)]

        await decide(ada)
        await decide(ada)
        await decide(bob)
        await bob.take_back()
        await trio.testing.wait_all_tasks_blocked()
        assert (await refused(bob.offer("take back"))).code == Code.NOT_NOW


async def test_nobody_goes_back_for_ever(monkeypatch):
    """After so many times an offer is refused; the other seat may still make one."""
    monkeypatch.setattr(playing, "TAKEN_BACK_MAX", 2)
    async with open_rig() as rig, opened(rig, terms=TERMS) as table:
        ada, bob, _ = table.people.values()
        await ask_always(ada, bob)
        for _ in range(2):
            await decide(ada)
            await take_back(ada, bob)
        await decide(ada)
        answer = await refused(ada.offer("take back"))
        await decide(bob)
        await take_back(bob, ada)

        assert (answer.code, "play on" in answer.reason) == (Code.TOO_MANY, True)
        assert [one for one in entered(rig) if isinstance(one, tuple)] == [(0, 0), (0, 0), (1, 5)]


async def test_nobody_goes_back_to_before_another_left():
    """Who has left could not be asked again, and the game would wait for ever."""
    async with open_rig() as rig:
        options = {"goes_on": True}
        async with rig.client("Ada") as ada, rig.client("Bob") as bob, rig.client("Cid") as cid:
            place = await ada.create("toy", 3, terms=TERMS, options=options)
            for client in (bob, cid):
                await client.join(place.info.table)
            await trio.testing.wait_all_tasks_blocked()
            await ask_always(ada, bob, cid)
            await decide(ada)
            await decide(bob)
            await cid.leave()
            answer = await refused(ada.offer("take back"))
            await decide(ada)
            await take_back(ada, bob)

            assert (answer.code, "has left" in answer.reason) == (Code.NOT_NOW, True)
            assert rig.journal.records[-1][1].entry == Rewind(0, 3)
            assert ada.prompt is not None


async def test_nothing_to_take_back():
    """A seat that has decided nothing can't offer it; where the terms forbid it, nobody can."""
    async with open_rig() as rig, opened(rig, terms=TERMS) as table:
        ada, bob, eve = table.people.values()
        assert (await refused(ada.offer("take back"))).code == Code.NOT_NOW
        await decide(ada)
        assert (await refused(bob.offer("take back"))).code == Code.NOT_NOW
        assert (await refused(eve.offer("take back"))).code == Code.NOT_SEATED
    async with open_rig() as rig, opened(rig) as table:
        await decide(table.people["Ada"])
        assert (await refused(table.people["Ada"].offer("take back"))).code == Code.NOT_NOW


async def test_who_passed_by_a_setting_is_asked_anew():
    """A pass that was made for a seat is its decision; taken back, the seat is asked itself."""
    async with open_rig() as rig, opened(rig, terms=TERMS, options={"heap": 30}) as table:
        ada, bob, _ = table.people.values()
        for client in (ada, bob, ada):
            await decide(client)
        assert [record.rule != "" for _, record in rig.journal.records] == [False] * 3 + [True]
        assert ada.prompt
        await take_back(bob, ada)

        assert bob.prompt.shape == "order"
        assert entered(rig) == [0, 1, 0, 1, (1, 3)]


# ---------------------------------------------------------------- who agrees, and until when


async def test_an_offer_that_comes_to_nothing():
    """Declined, withdrawn or too late, it changes nothing."""
    async with open_rig() as rig, opened(rig, terms=TERMS, options={"heap": 60}) as table:
        ada, bob, _ = table.people.values()
        await decide(ada)
        frames = len(table.frames["Eve"])

        await ada.offer("take back")
        await bob.respond("take back", accept=False)
        assert (await refused(bob.respond("take back", accept=True))).code == Code.NO_OFFER
        assert (await refused(ada.offer("take back"))).code == Code.NOT_NOW
        await trio.sleep(61)
        await ada.offer("take back")
        await ada.respond("take back", accept=False)
        await trio.sleep(61)
        await ada.offer("take back")
        await trio.sleep(31)
        assert (await refused(bob.respond("take back", accept=True))).code == Code.NO_OFFER

        assert len(table.frames["Eve"]) == frames
        assert entered(rig) == [0]


async def test_the_next_decision_clears_the_offer():
    """What is accepted after it is nothing any more: it was about the last one."""
    async with open_rig() as rig, opened(rig, terms=TERMS, options={"heap": 60}) as table:
        ada, bob, _ = table.people.values()
        await decide(ada)
        await ada.offer("take back")
        await decide(bob, 1)
        assert ada.offers == bob.offers == ()
        assert (await refused(bob.respond("take back", accept=True))).code == Code.NO_OFFER
        await ada.offer("take back")
        await trio.testing.wait_all_tasks_blocked()
        assert len(ada.offers) == 1


async def test_a_clock_that_runs_out_clears_the_offer():
    """The default that is taken is a decision like any other."""
    clock = m.ClockTerms(kind="decision", decision_s=10, out="default")
    terms = m.Terms(take_back="by agreement", clock=clock)
    async with open_rig() as rig, opened(rig, terms=terms, options={"heap": 60}) as table:
        ada, bob, _ = table.people.values()
        await decide(ada)
        await trio.sleep(5)
        await ada.offer("take back")
        await trio.sleep(6)
        assert (await refused(bob.respond("take back", accept=True))).code == Code.NO_OFFER
        assert entered(rig) == [0, 1]


async def test_nothing_is_taken_back_in_a_pause():
    """Who accepts it while the game is paused is refused, and can accept after the pause."""
    async with open_rig() as rig, opened(rig, terms=TERMS) as table:
        ada, bob, _ = table.people.values()
        await decide(ada)
        await ada.offer("take back")
        await bob.offer("pause")
        await ada.respond("pause", accept=True)
        assert (await refused(bob.respond("take back", accept=True))).code == Code.NOT_NOW
        await ada.unpause()
        await bob.respond("take back", accept=True)
        await trio.testing.wait_all_tasks_blocked()
        assert ada.prompt


# ---------------------------------------------------------------- clocks, numbers, commands


def lefts(client):
    return [seat.left_ms for seat in client.clock.seats]


async def test_the_clocks_are_those_of_that_state():
    """Nobody gains or loses time by it, and what was decided since earns nothing."""
    clock = m.ClockTerms(kind="bank", bank_s=100, increment_s=5)
    terms = m.Terms(take_back="by agreement", clock=clock)
    async with open_rig() as rig, opened(rig, terms=terms, options={"heap": 60}) as table:
        ada, bob, _ = table.people.values()
        await trio.sleep(10)
        await decide(ada)
        await trio.sleep(20)
        await decide(bob)
        assert lefts(ada) == [95_000, 85_000]
        await trio.sleep(7)
        await take_back(bob, ada)
        assert lefts(ada) == lefts(bob) == [95_000, 100_000]
        await trio.sleep(3)
        await take_back(ada, bob)
        assert lefts(ada) == lefts(bob) == [100_000, 100_000]
        await trio.sleep(10)
        await decide(ada)
        assert lefts(bob) == [95_000, 100_000]


async def test_a_command_that_was_undone_stays_done():
    """Sent again it gets its first answer, and does nothing; its prompt is closed for good."""
    async with open_rig() as rig, opened(rig, terms=TERMS) as table:
        ada, bob, _ = table.people.values()
        prompt = ada.prompt
        decided = m.Decide(command="once", prompt=prompt.id, answer=prompt.default)
        assert (await ada.command(decided)).ok
        await trio.testing.wait_all_tasks_blocked()
        await take_back(ada, bob)

        assert (await ada.command(decided)).ok
        again = m.Decide(command="twice", prompt=prompt.id, answer=prompt.default)
        assert (await refused(ada.command(again))).code == Code.STALE_PROMPT
        assert entered(rig) == [0, (0, 0)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("plays", [False, True])
async def test_going_back_at_random(seed, plays):
    """At any moment, as often as they like: no number comes twice, what each has seen is the game
    as it stands, and the replay shows the same.
    """
    chance = random.Random(seed)
    options = {"heap": 60, "plays": plays}
    async with open_rig() as rig, opened(rig, terms=TERMS, options=options) as table:
        ada, bob, _ = table.people.values()
        numbers = {ada: set(), bob: set()}
        for _ in range(40):
            asked = ada if ada.prompt else bob
            assert asked.prompt.id not in numbers[asked]
            numbers[asked].add(asked.prompt.id)
            await decide(asked)
            if chance.random() < 0.3:
                maker, other = chance.choice([(ada, bob), (bob, ada)])
                with contextlib.suppress(Refused):
                    await take_back(maker, other)
            game = rig.factory.games[-1]
            for name, viewer in (("Ada", 0), ("Bob", 1), ("Eve", "spectator")):
                frames = table.frames[name]
                assert [frame.n for frame in frames] == list(range(1, len(frames) + 1))
                shut_out = game.has_open_play and viewer != game.asked
                assert shut_out or digest(seen(frames)) == digest(game.view(viewer))
        await table.play()
        for name, viewer in (("Ada", 0), ("Bob", 1), ("Eve", "spectator")):
            frames = await replayed(table.people[name], table.game(), viewer)
            assert frames == table.frames[name]
        assert any(isinstance(record.entry, Rewind) for _, record in rig.journal.records)


async def test_delayed_spectators_see_it_late():
    """What is taken back comes to them in its time and its order, as everything."""
    terms = m.Terms(take_back="by agreement", delay_s=30)
    async with open_rig() as rig, opened(rig, terms=terms) as table:
        ada, bob, _ = table.people.values()
        await decide(ada)
        await trio.sleep(10)
        await take_back(ada, bob)
        await trio.sleep(21)
        assert [frame.n for frame in table.frames["Eve"]] == [1, 2]
        await trio.sleep(10)
        frames = table.frames["Eve"]
        assert [frame.n for frame in frames] == [1, 2, 3]
        assert frames[2].digest == frames[0].digest


# ---------------------------------------------------------------- faults


class Forgetful(ToyFactory):
    """Makes another game of it the second time."""

    def __init__(self, **changed):
        super().__init__()
        self.changed = changed

    def create(self, ruleset, decks, options, key, tasks=None):
        changed = self.changed if self.games else {}
        return super().create(ruleset, decks, {**options, **changed}, key, tasks)


@pytest.mark.parametrize("changed", [{"heap": 8}, {"heap": 1}, {"fault_at": 1}])
async def test_a_game_that_comes_out_otherwise_is_suspended(monkeypatch, changed):
    """Nobody is shown another game than there was, and the journal has nothing of it."""
    monkeypatch.setattr("host.rig.ToyFactory", lambda: Forgetful(**changed))
    async with open_rig() as rig, opened(rig, terms=TERMS) as table:
        ada, bob, _ = table.people.values()
        await ask_always(ada, bob)
        for client in (ada, bob, ada):
            await decide(client)
        frames = {name: len(frames) for name, frames in table.frames.items()}
        await ada.offer("take back")
        answer = await refused(bob.respond("take back", accept=True))
        await trio.testing.wait_all_tasks_blocked()

        assert answer.code == Code.SUSPENDED
        assert {name: len(frames) for name, frames in table.frames.items()} == frames
        assert ada.table.status == bob.table.status == "suspended"
        assert entered(rig) == [0, 1, 0]
        assert rig.journal.abandoned == [table.game()]
