"""Spectators: what they see, when, and that nothing of them reaches the seats."""

from collections import Counter

import pytest
import trio
from msgspec.structs import replace

from host.lines import come, create, decide, kinds, seated
from host.rig import open_rig
from host.toy import Heap
from longfuse.host import spectators
from longfuse.host.feeds import Stream
from longfuse.host.spectators import Spectators
from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS, JSON
from longfuse_protocol.mirror import Mirror
from longfuse_protocol.views import digest

CLOCK = m.ClockTerms(kind="bank", bank_s=100, increment_s=2)


async def watched(rig, *names, options=None, **terms):
    """Return two who play, and people who have watched the table since before the game."""
    ada, bob, *others = await come(rig, "Ada", "Bob", *names)
    await ada.say(create(terms=m.Terms(**terms), options=options))
    table = (await ada.until(m.Joined)).place.info.table
    for one in others:
        await one.say(m.Spectate(command="w", table=table))
        await one.rest()
    await bob.say(m.Join(command="j", table=table))
    await bob.rest()
    await ada.rest()
    return ada, bob, *others


async def everything(rig, ada, bob):
    """Let everything happen at a table that others may hear of."""
    await bob.say(m.Say(command="s", text="good luck"))
    await ada.say(decide(rig.factory.games[0].open_prompt, "d1"))
    await bob.rest()
    await ada.rest()
    await bob.cut()
    await bob.come_back()
    await bob.rest()
    await ada.rest()
    await bob.say(m.MakeOffer(command="o", kind="pause"))
    await bob.rest()
    await ada.say(m.Respond(command="r", kind="pause", accept=True))
    await ada.rest()
    await bob.say(m.Unpause(command="u"))
    await bob.rest()
    await bob.say(m.Concede(command="c"))
    await bob.rest()
    await ada.rest()


# ---------------------------------------------------------------- the delay


async def test_a_delay_holds_back_everything():
    """Until the delay is over, spectators and the lobby hear nothing of what the seats do."""
    async with open_rig() as rig:
        ada, bob, eve, mia = await watched(rig, "Eve", "Mia", delay_s=10, clock=CLOCK)
        await mia.say(m.Leave(command="l"))
        await mia.rest()
        await trio.sleep(11)
        await eve.rest()
        began_at = trio.current_time()
        await everything(rig, ada, bob)
        assert trio.current_time() < began_at + 5
        early = await eve.rest()
        await mia.say(m.Browse())
        [listed] = (await mia.until(m.Tables)).tables
        await trio.sleep(began_at + 9 - trio.current_time())
        early += await eve.rest()
        await trio.sleep(7)
        told = await eve.rest()
        await mia.say(m.Browse())
        [later] = (await mia.until(m.Tables)).tables

        assert early == []
        assert (listed.status, listed.score, later.status, later.score) == (
            "playing",
            (0, 0),
            "over",
            (1, 0),
        )
        wanted = {m.Said, m.Events, m.Clock, m.Presence, m.TableChanged, m.Over}
        assert set(kinds(told)) == wanted


async def test_a_delayed_table_is_told_in_order():
    """With a delay, spectators hear exactly what they would hear without one."""
    heard = {}
    for delay_s in (0, 10):
        async with open_rig() as rig:
            ada, bob, eve = await watched(rig, "Eve", delay_s=delay_s, clock=CLOCK)
            await everything(rig, ada, bob)
            await trio.sleep(15)
            await eve.rest()
            heard[delay_s] = eve.line.heard
            assert eve.n == rig.running._lobby._tables[eve.stream[:12]].places._feeds.public.n

    assert kinds(heard[10]) == kinds(heard[0])
    frames = {
        delay: [(one.n, one.changes, one.digest) for one in all_ if isinstance(one, m.Events)]
        for delay, all_ in heard.items()
    }
    assert frames[10] == frames[0]


async def test_who_comes_late_to_a_delayed_table():
    """A newcomer sees what the others have been shown by then, and no more."""
    async with open_rig() as rig:
        ada, bob, eve = await watched(rig, "Eve", delay_s=10)
        await trio.sleep(11)
        await ada.say(decide(rig.factory.games[0].open_prompt, "d1"))
        await ada.rest()
        await trio.sleep(5)
        await bob.say(decide(rig.factory.games[0].open_prompt, "d2"))
        await trio.sleep(6)
        [late] = await come(rig, "Late")
        await late.say(m.Spectate(command="w", table=eve.stream[:12]))
        told = await late.rest()
        whole = next(one for one in told if isinstance(one, m.Snapshot))
        await eve.rest()

        assert whole.n == eve.n == 2
        assert whole.view["heap"] == {"left": 20}
        assert whole.recap[-1]["kind"] == "took"
        await trio.sleep(5)
        assert [one.n for one in await late.rest() if isinstance(one, m.Events)] == [3]


async def test_the_clocks_of_a_delayed_table_for_who_comes_late():
    """A newcomer is told the clocks that the others were shown last; once they stand, none."""
    async with open_rig() as rig:
        ada, bob, eve = await watched(rig, "Eve", delay_s=10, clock=CLOCK)
        await trio.sleep(11)
        await ada.say(decide(rig.factory.games[0].open_prompt, "d1"))
        await ada.rest()
        shown = [one for one in await eve.rest() if isinstance(one, m.Clock)][-1]
        told = {}
        for name, wait_s in (("Mia", 0), ("Zoe", 12)):
            await trio.sleep(wait_s)
            [late] = await come(rig, name)
            await late.say(m.Spectate(command="w", table=eve.stream[:12]))
            told[name] = [one for one in await late.rest() if isinstance(one, m.Clock)]
        moved = [one for one in await eve.rest() if isinstance(one, m.Clock)][-1]
        await bob.say(m.Concede(command="c"))
        await trio.sleep(12)
        [late] = await come(rig, "Eli")
        await late.say(m.Spectate(command="w", table=eve.stream[:12]))

        assert shown != moved
        assert told == {"Mia": [shown], "Zoe": [moved]}
        assert m.Clock not in kinds(await late.rest())


async def test_coming_back_to_a_delayed_table():
    """A spectator who was away is told the gap as far as it has been shown."""
    async with open_rig(resume_s=60) as rig:
        ada, _, eve = await watched(rig, "Eve", delay_s=10)
        await trio.sleep(11)
        await eve.cut()
        await ada.say(decide(rig.factory.games[0].open_prompt, "d1"))
        await eve.come_back()
        assert m.Events not in kinds(await eve.rest())
        await eve.line.cut()
        await trio.sleep(11)
        await eve.come_back()

        assert [one.n for one in await eve.rest() if isinstance(one, m.Events)] == [2]


@pytest.mark.parametrize(("bound", "most"), [("WAITING_MAX", 6), ("WAITING_BYTES_MAX", 2_000)])
async def test_a_long_delay_is_bounded(bound, most, monkeypatch):
    """Where too much waits, spectators get a whole view in its place, and it is the right one."""
    monkeypatch.setattr(spectators, bound, most)
    async with open_rig() as rig:
        ada, bob, eve = await watched(rig, "Eve", options={"ballast": 500}, delay_s=10)
        game = rig.factory.games[0]
        for turn in range(12):
            asked = (ada, bob)[game.asked]
            if game.open_prompt.shape != "order":
                await asked.say(decide(game.open_prompt, f"d{turn}"))
            await ada.rest()
            await bob.rest()
        table = rig.running._lobby._tables[eve.stream[:12]]
        waiting = table._spectators._waiting
        assert (len(waiting) if most == 6 else sum(len(one.data) for one in waiting)) <= most
        await trio.sleep(12)
        told = await eve.rest()
        mirror = Mirror()
        for one in eve.line.heard:
            if isinstance(one, m.Snapshot):
                mirror.take_whole(one)
            elif isinstance(one, m.Events):
                mirror.follow(one)

        assert m.Snapshot in kinds(told)
        assert not mirror.is_lost
        assert (mirror.view, mirror.digest) == (
            game.view("spectator"),
            digest(game.view("spectator")),
        )


def frame(n):
    """Return a frame that brings something into view."""
    return m.Events(n=n, events=(), changes={str(n): {}}, digest="", shared="")


async def test_no_frame_is_left_out_for_what_is_no_frame(monkeypatch):  # noqa: ASYNC124  trio's clock is read
    """Who comes and goes as often as they like spoils nobody's view: frames wait all the same."""
    monkeypatch.setattr(spectators, "WAITING_MAX", 4)
    info = m.TableInfo(table="t", ruleset="toy", status="playing", seats=(m.SeatInfo(kind="open"),))
    waiting = Spectators(Stream("t/spectator"), info, delay_s=10)
    gone = m.Presence(seat=0, name="Ada", here=False)
    for message in [gone, frame(1), *[gone] * 9, frame(2), *[gone] * 9]:
        waiting.tell(message)
    shown = waiting.due(trio.current_time() + 10)
    assert (waiting.shown.n, waiting.shown.view.entities) == (2, {"1": {}, "2": {}})
    assert len(shown) <= 4


async def test_what_waits_is_counted_as_it_comes_and_goes(monkeypatch):  # noqa: ASYNC124  trio's clock is read
    """The bytes come to nothing once all is shown, and no room is lost to what was folded."""
    monkeypatch.setattr(spectators, "WAITING_BYTES_MAX", 400)
    info = m.TableInfo(table="t", ruleset="toy", status="playing", seats=(m.SeatInfo(kind="open"),))
    waiting = Spectators(Stream("t/spectator"), info, delay_s=10)
    said = m.Said(room="seats", line=1, seat=0, name="Ada", text="x" * 90, at_ms=0)
    over = m.TableChanged(info=replace(info, status="over"))
    for message in [frame(1), over, *[said] * 9, *map(frame, range(2, 9))]:
        waiting.tell(message)
        assert waiting._waiting_bytes == sum(len(one.data) for one in waiting._waiting) <= 400
    waiting.due(trio.current_time() + 10)

    assert (waiting._waiting_bytes, waiting.shown.n) == (0, 8)
    assert waiting.shown.view.entities == {str(n): {} for n in range(1, 9)}
    assert waiting.info.status == "over"  # talk goes first


async def test_talk_that_waits_is_bounded(monkeypatch):
    """Where too much talk waits for the delay, the oldest lines are left out."""
    monkeypatch.setattr(spectators, "WAITING_MAX", 3)
    async with open_rig() as rig:
        ada, _, eve = await watched(rig, "Eve", delay_s=10)
        await trio.sleep(12)
        await eve.rest()
        for number in range(5):
            await ada.say(m.Say(command=f"s{number}", text=f"line {number}"))
        await ada.rest()
        await trio.sleep(12)
        told = [one.text for one in await eve.rest() if isinstance(one, m.Said)]

        assert told == ["line 2", "line 3", "line 4"]


async def test_the_lobby_tells_who_is_here():
    """The list tells whether a seat's player is connected, in time."""
    async with open_rig() as rig:
        _, bob, eve = await watched(rig, "Eve")
        await bob.cut()
        await eve.say(m.Leave(command="l"), m.Browse())
        [info] = (await eve.until(m.Tables)).tables

        assert [seat.here for seat in info.seats] == [True, False]


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
