"""Spectators: what they see, when, and that nothing of them reaches the seats."""

from collections import Counter

import pytest
import trio

from host.lines import come, create, decide, kinds, seated
from host.rig import open_rig
from host.toy import Heap
from host.watched import everything, watched
from longfuse.host.feeds import Stream
from longfuse.host.spectators import Spectators
from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS, JSON
from longfuse_protocol.mirror import Mirror
from longfuse_protocol.views import digest

# ---------------------------------------------------------------- nothing to the seats


@pytest.mark.complaint("servers 35")
async def test_nothing_of_spectators_reaches_the_seats():
    """Seats get the same messages whether or not anybody watches, talks, reports or resyncs."""
    heard = {}
    for names in ((), ("Eve", "Mia", "Zoe")):
        async with open_rig() as rig:
            ada, bob, *others = await watched(rig, *names)
            for one in others:
                await one.say(
                    m.Say(command="s", text="look at that hand"),
                    m.Resync(),
                    m.Mute(command="m", name="Ada"),
                    m.Report(command="r", line=1),
                    m.Decide(command="d", prompt=1, answer=0),
                    m.MakeOffer(command="o", kind="draw"),
                    m.Ready(command="y"),
                )
                await one.rest()
            await ada.say(decide(rig.factory.games[0].open_prompt, "d1"))
            await ada.rest()
            for one in others[:2]:
                await one.cut()
            if others:
                await others[2].say(m.Leave(command="l"))
            await bob.say(m.Concede(command="c"))
            await bob.rest()
            await ada.rest()
            heard[names] = [kinds(one.line.heard) for one in (ada, bob)]
            frames = b"".join((*ada.line.frames, *bob.line.frames))
            for name in names:
                assert name.encode() not in frames
            assert b"look at that" not in frames
            infos = [
                message.info
                for message in (*ada.line.heard, *bob.line.heard)
                if isinstance(message, m.TableChanged)
            ]
            assert {info.spectators for info in infos} == {None}

    assert heard[()] == heard["Eve", "Mia", "Zoe"]


async def test_a_player_who_browses_is_not_told_of_spectators():
    """Who sits at a table sees it in the list without the number of those who watch."""
    async with open_rig() as rig:
        ada, _, eve = await watched(rig, "Eve")
        await ada.say(m.Browse())
        await eve.say(m.Browse())

        assert (await ada.until(m.Tables)).tables[0].spectators is None
        assert (await eve.until(m.Tables)).tables[0].spectators == 1


async def test_spectators_talk_among_themselves():
    """Spectators hear each other at once, and the seats as late as they see them."""
    async with open_rig() as rig:
        ada, bob, eve, mia = await watched(rig, "Eve", "Mia", delay_s=10)
        await trio.sleep(11)
        await mia.rest()
        await eve.say(m.Say(command="s", text="hm"))
        await ada.say(m.Say(command="s", text="I hold three"))
        at_once = await mia.rest()
        to_bob = [one.text for one in await bob.rest() if isinstance(one, m.Said)]
        await trio.sleep(10)

        assert [(one.room, one.text) for one in at_once] == [("spectators", "hm")]
        assert to_bob == ["I hold three"]
        assert [one.text for one in await mia.rest()] == ["I hold three"]
        await eve.rest()


@pytest.mark.parametrize(
    "command",
    [
        m.Decide(command="x", prompt=1, answer=0),
        m.TakeBack(command="x"),
        m.Concede(command="x"),
        m.MakeOffer(command="x", kind="pause"),
        m.Respond(command="x", kind="draw", accept=True),
        m.Unpause(command="x"),
        m.Settings(command="x", passing=m.Passing(mode="pass")),
        m.Ready(command="x"),
        m.ChooseDeck(command="x", deck="other"),
    ],
    ids=lambda command: type(command).__name__,
)
@pytest.mark.complaint("servers 32")
async def test_a_spectator_does_nothing(command):
    """Whatever a spectator commands is refused with a code, and changes nothing."""
    async with open_rig() as rig:
        ada, bob, eve = await watched(rig, "Eve")
        before = digest(rig.factory.games[0].view(0))
        await bob.say(m.MakeOffer(command="o", kind="draw"))
        await bob.rest()
        await ada.rest()
        await eve.rest()
        await eve.say(command)
        [answer] = await eve.rest()

        assert (answer.code, answer.prompt) == ("not_seated", None)
        assert rig.journal.records == []
        assert digest(rig.factory.games[0].view(0)) == before
        assert await ada.rest() == await bob.rest() == []


async def test_nonces_of_a_spectator():
    """A spectator's nonce is refused, and the shuffle waits for its seats."""
    async with open_rig() as rig:
        ada, bob = await come(rig, "Ada", "Bob", shuffles=True)
        [eve] = await come(rig, "Eve", shuffles=True)
        await ada.say(create())
        table = (await ada.until(m.Joined)).place.info.table
        await eve.say(m.Spectate(command="w", table=table))
        await bob.say(m.Join(command="j", table=table))
        commitment = await eve.until(m.Commitment)
        await eve.say(
            m.NonceHash(game=commitment.game, commitment=commitment.commitment, hash="1" * 64)
        )

        assert (await eve.until(m.Failed)).code == "not_seated"
        assert rig.factory.games == []


# ---------------------------------------------------------------- what they see


@pytest.mark.complaint("servers 31")
async def test_spectators_see_no_secret():
    """No frame to a spectator holds a seat's secret, its own events or a prompt."""
    async with open_rig() as rig:
        ada, bob, eve = await watched(rig, "Eve")
        await everything(rig, ada, bob)
        [late] = await come(rig, "Late")
        await late.say(m.Spectate(command="w", table=eve.stream[:12]), m.Resync())
        await late.rest()
        await eve.cut()
        await eve.come_back(n=0)
        await eve.rest()
        heard = [*eve.line.heard, *late.line.heard]
        frames = b"".join((*eve.line.frames, *late.line.frames))

        for secret in rig.factory.games[0]._secrets:
            assert secret.encode() not in frames
        assert b"whisper" not in frames
        assert b"meaning" not in frames
        private = (m.Asked, m.Passed, m.PassingSet, m.Offers, m.ReadyCheck, m.Revealed)
        assert not any(isinstance(message, private) for message in heard)


async def test_who_comes_late_is_told_what_happened_last():
    """A late spectator gets the whole view with a recap of the public events, and goes on."""
    async with open_rig() as rig:
        ada, bob, eve = await watched(rig, "Eve")
        game = rig.factory.games[0]
        await ada.say(decide(game.open_prompt, "d1"))
        await ada.rest()
        await bob.say(decide(game.open_prompt, "d2"))
        await bob.rest()
        [late] = await come(rig, "Late")
        await late.say(m.Spectate(command="w", table=eve.stream[:12]))
        whole = await late.until(m.Snapshot)

        assert [event["kind"] for event in whole.recap] == ["began", "took", "took"]
        assert (whole.view, whole.digest) == (
            game.view("spectator").entities,
            digest(game.view("spectator")),
        )


@pytest.mark.parametrize("count", [1, 20])
async def test_each_message_is_spelt_once(count, monkeypatch):
    """However many watch, a step is spelt once for all of them."""
    spelt = []
    encode = type(CODECS[JSON]).encode

    def counting(self, message):
        spelt.append(type(message))
        return encode(self, message)

    async with open_rig() as rig:
        ada, bob, *others = await watched(rig, *(f"E{n}" for n in range(count)))
        for somebody in (ada, bob, *others):
            await somebody.rest()
        command = decide(rig.factory.games[0].open_prompt, "d1")
        monkeypatch.setattr(type(CODECS[JSON]), "encode", counting)
        await ada.say(command)
        told = [await one.rest() for one in (ada, bob, *others)]
        monkeypatch.undo()

        assert Counter(spelt) == {m.Decide: 1, m.Answered: 1, m.Events: 3, m.Asked: 1}
        assert [kinds(one) for one in told[2:]] == [[m.Events]] * count


@pytest.mark.complaint("servers 37")
async def test_spectators_stay_between_the_games_of_a_match():
    """One stream spans the games of a match; seats keep their order, spectators their places."""
    async with open_rig() as rig:
        ada, bob, eve = await watched(rig, "Eve", best_of=3)
        for number in (1, 2):
            await bob.say(m.Concede(command=f"c{number}"))
            for somebody in (ada, bob):
                await somebody.rest()
                await somebody.say(m.Ready(command=f"r{number}"))
                await somebody.rest()
        await eve.rest()
        heard = eve.line.heard
        frames = [one.n for one in heard if isinstance(one, m.Events)]
        infos = [one.info for one in heard if isinstance(one, m.TableChanged)]
        mirror = Mirror()
        for one in heard:
            if isinstance(one, m.Events):
                mirror.follow(one)

        assert frames == list(range(1, len(frames) + 1))
        assert m.Left not in kinds(heard)
        assert {tuple(seat.name for seat in info.seats) for info in infos[2:]} == {("Ada", "Bob")}
        assert [info.score for info in infos][-1] == (2, 0)
        assert not mirror.is_lost
        assert mirror.view == rig.factory.games[1].view("spectator")


def test_prompts_are_for_seats_alone():
    """What holds back messages for spectators takes no prompt at all."""
    prompt = Heap(2, {}, bytes(32)).open_prompt
    shown = Spectators(Stream("t/spectator"), None, 0)

    with pytest.raises(AssertionError, match="for its seat alone"):
        shown.tell(m.Asked(n=1, prompt=prompt))


async def test_watching_seats_that_sit_already():
    """Two who play notice nothing of somebody who comes to watch, and goes."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        [eve] = await come(rig, "Eve")
        await eve.say(m.Spectate(command="w", table=ada.stream[:12]))
        await eve.rest()
        await eve.say(m.Leave(command="l"))

        assert kinds(await eve.rest()) == [m.Answered, m.Left]
        assert await ada.rest() == await bob.rest() == []
