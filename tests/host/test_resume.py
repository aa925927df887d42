"""Coming back: what a session is told that goes on with another connection, and what it costs."""

import pytest
import trio
from msgspec.structs import replace

from host.lines import Line, Somebody, come, create, decide, kinds, seated
from host.rig import open_rig
from longfuse.host import feeds
from longfuse_protocol import messages as m
from longfuse_protocol.mirror import Mirror
from longfuse_protocol.receipts import Receipt

WRONG = "not the secret of anybody"


async def played(rig, entries=3, **more):
    """Return two people in the middle of a game that Ada has lost sight of after frame 1."""
    ada, bob = await seated(rig, "Ada", "Bob", **more)
    await ada.cut()
    game = rig.factory.games[0]
    await ada.come_back()
    await ada.rest()
    for number in range(entries):
        asked = ada if game.asked == 0 else bob
        await asked.say(decide(game.open_prompt, f"d{number}"))
        await bob.rest()
        await ada.line.rest()
    await ada.line.cut()
    await bob.rest()
    return ada, bob


async def test_exactly_the_gap():
    """Who comes back is told each frame that was missed, once and in order, and no whole view."""
    async with open_rig() as rig:
        ada, _ = await played(rig)
        knew = Mirror()
        for message in ada.line.heard:
            if isinstance(message, m.Snapshot):
                knew.take_whole(message)
            elif isinstance(message, m.Events) and message.n == 1:
                knew.follow(message)
        welcome = await ada.come_back(n=1)
        told = await ada.rest()
        frames = [message for message in told if isinstance(message, m.Events)]

        assert welcome.place.seat == 0
        assert [frame.n for frame in frames] == [2, 3, 4, 5]
        assert m.Snapshot not in kinds(told)
        assert told[: len(frames)] == frames


async def test_nothing_was_missed():
    """Who has missed nothing is told no frame; only what is asked, and what stands beside it."""
    async with open_rig() as rig:
        ada, _ = await played(rig)
        await ada.come_back(n=5)
        told = kinds(await ada.rest())

        assert not {m.Events, m.Snapshot} & set(told)
        assert told == [m.Offers, m.PassingSet, m.Asked, m.Presence]


@pytest.mark.parametrize(
    "claims",
    [{"n": 6}, {"n": 2**53 - 1}, {"stream": "elsewhere/0"}, {"stream": ""}, {"n": 1}],
    ids=["not there yet", "huge", "another stream", "no stream", "too old"],
)
@pytest.mark.complaint("servers 5", "servers 19")
async def test_a_snapshot_where_a_gap_does_not_help(claims, monkeypatch):
    """Who claims what cannot be filled gets the whole view, before any other frame."""
    monkeypatch.setattr(feeds, "FRAMES_KEPT_MAX", 3)
    async with open_rig() as rig:
        ada, bob = await played(rig)
        await ada.come_back(**{"n": 5, **claims})
        told = await ada.rest()
        await ada.say(decide(rig.factory.games[0].open_prompt, "next"))
        after = [one for one in await ada.rest() if isinstance(one, m.Events)]
        mirror = Mirror()
        mirror.take_whole(told[0])
        for frame in after:
            mirror.follow(frame)

        assert kinds(told)[0] is m.Snapshot
        assert m.Events not in kinds(told)
        assert told[0].recap
        assert after
        assert not mirror.is_lost
        assert mirror.view == rig.factory.games[0].view(0)
        await bob.rest()


@pytest.mark.complaint("servers 20")
async def test_another_seats_stream():
    """Who names the stream of another seat gets the whole view of its own."""
    async with open_rig() as rig:
        ada, bob = await played(rig)
        await ada.come_back(stream=bob.stream, n=1)
        [whole, *_] = await ada.rest()

        assert whole.view == rig.factory.games[0].view(0).entities
        assert rig.factory.games[0]._secrets[1].encode() not in b"".join(ada.line.frames)


@pytest.mark.complaint("servers 13")
async def test_whose_decision_it_is():
    """After coming back, each seat is told whether it is asked, and all see the same."""
    async with open_rig() as rig:
        ada, bob = await played(rig, entries=1)
        await bob.cut()
        for somebody, asked in ((ada, False), (bob, True)):
            await somebody.come_back()
            told = await somebody.rest()
            assert (m.Asked in kinds(told)) is asked
        assert rig.factory.games[0].asked == 1


@pytest.mark.parametrize("secret", [WRONG, "", "x" * 128])
@pytest.mark.complaint("servers 1")
async def test_a_wrong_secret(secret):
    """It is refused, and changes nothing: the owner comes back, or loses the seat in time."""
    async with open_rig(resume_s=5) as rig:
        ada, bob = await played(rig)
        began_at = trio.current_time()
        await trio.sleep(3)
        thief = Line(rig)
        hello = m.Hello(name="Ada", resume=m.Resume(secret=secret, stream=ada.stream, n=1))
        told = [await thief.open(hello), await thief.hello(hello)]
        assert await bob.rest() == []
        over = await bob.until(m.Over)

        assert [type(one) for one in told] == [m.Rejected] * 2
        assert {(one.code, one.retry_s) for one in told} == {("unknown_session", None)}
        assert trio.current_time() < began_at + 5.1
        assert (over.winner, over.reason) == (1, "removed")
        assert isinstance(await thief.hello(m.Hello(name="Eve")), m.Welcome)


async def test_a_wrong_secret_while_the_owner_is_here():
    """The owner notices nothing of somebody who tries, and who tries too often is closed."""
    async with open_rig() as rig:
        [ada] = await come(rig, "Ada")
        thief = Line(rig)
        hello = m.Hello(name="Ada", resume=m.Resume(secret=WRONG))
        await thief.open(hello)
        await thief.hello(hello)
        await thief.hello(hello)
        await ada.say(m.Ping(nonce=3))

        assert await thief.close_code() == 1008
        assert (await ada.until(m.Pong)).nonce == 3


@pytest.mark.complaint("servers 2")
async def test_the_newest_connection_has_the_session():
    """Coming back while the old connection stands closes that one, and its end harms nobody.

    The old one is told with a code at which clients do not try again.
    """
    async with open_rig(resume_s=5) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        old = ada.line
        welcome = await ada.come_back()
        assert await old.close_code() == 4001
        await old.cut()
        await trio.sleep(10)

        assert welcome.place.seat == 0
        assert await bob.rest() == []
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        assert (await ada.until(m.Answered)).ok


async def test_a_message_on_the_old_connection():
    """What comes on a connection that was replaced is not carried out."""
    async with open_rig() as rig:
        ada, _ = await seated(rig, "Ada", "Bob")
        old = ada.line
        await ada.come_back()
        await old.say(decide(rig.factory.games[0].open_prompt, "d"))
        await ada.rest()

        assert await old.close_code() == 4001
        assert rig.journal.records == []


async def test_two_come_back_at_once():
    """Of several that come back with one secret, one has the session and the others are closed."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await ada.cut()
        await bob.rest()
        lines = [Line(rig) for _ in range(5)]
        resume = m.Resume(secret=ada.secret, stream=ada.stream, n=ada.n)
        async with trio.open_nursery() as nursery:
            for line in lines:
                nursery.start_soon(line.open, ada.hello(resume))
        for line in lines:
            await line.rest()
        left = [line for line in lines if not line.is_over]

        assert len(left) == 1
        assert {await line.close_code() for line in lines if line is not left[0]} == {4001}
        assert [one.here for one in await bob.rest() if isinstance(one, m.Presence)] == [True]
        await left[0].say(decide(rig.factory.games[0].open_prompt, "d"))
        assert (await left[0].until(m.Answered)).ok


@pytest.mark.complaint("servers 28")
async def test_close_and_come_back_at_once():
    """A hundred drops, each with a resume in the same moment, are well ordered."""
    async with open_rig(resume_s=5) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        for _ in range(100):
            old = ada.line
            async with trio.open_nursery() as nursery:
                nursery.start_soon(trio.aclose_forcefully, old._raw.stream)
                nursery.start_soon(ada.come_back)
        await ada.rest()
        await trio.sleep(10)

        assert m.Over not in kinds(await bob.rest())
        await ada.say(m.Ping(nonce=1))
        assert (await ada.until(m.Pong)).nonce == 1


@pytest.mark.complaint("servers 14")
async def test_presence_names_the_seat():
    """Who stays is told which seat went, until when it is kept, and that it is back."""
    async with open_rig(resume_s=30) as rig:
        ada, bob, eve = await seated(rig, "Ada", "Bob", "Cid")
        await bob.cut()
        gone = {name: (await one.rest())[-1] for name, one in (("Ada", ada), ("Cid", eve))}
        await bob.come_back()
        back = {name: (await one.rest())[-1] for name, one in (("Ada", ada), ("Cid", eve))}

        assert gone["Ada"] == gone["Cid"]
        assert (gone["Ada"].seat, gone["Ada"].name, gone["Ada"].here) == (1, "Bob", False)
        assert gone["Ada"].until_ms is not None
        assert back["Ada"] == m.Presence(seat=1, name="Bob", here=True) == back["Cid"]
        assert [one for one in await bob.rest() if isinstance(one, m.Presence)] == [
            m.Presence(seat=1, name="Bob", here=True)
        ]


async def test_who_comes_is_told_who_is_away():
    """Whoever comes, or comes back, is told which seats' players are away, and until when."""
    async with open_rig(resume_s=30) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await bob.cut()
        [told] = [one for one in await ada.rest() if isinstance(one, m.Presence)]
        await trio.sleep(2)
        await ada.cut()
        [eve] = await come(rig, "Eve")
        await eve.say(m.Spectate(command="w", table=ada.stream.split("/")[0]))
        to_eve = [one for one in await eve.rest() if isinstance(one, m.Presence)]
        await ada.come_back()
        again = [one for one in await ada.rest() if isinstance(one, m.Presence)]

        assert [(one.seat, one.here) for one in to_eve] == [(0, False), (1, False)]
        assert [(one.seat, one.here) for one in again] == [(1, False), (0, True)]
        assert again[0].until_ms == told.until_ms


async def test_the_place_is_lost_in_time():
    """Who comes back too late is in the lobby, while the session is known; then it is not."""
    async with open_rig(resume_s=5) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await ada.cut()
        assert (await bob.until(m.Over)).reason == "removed"
        await trio.sleep(4)
        welcome = await ada.come_back()
        assert welcome.place is None
        await ada.say(create())
        await ada.until(m.Joined)
        await ada.say(m.Leave(command="leave"))
        await ada.until(m.Left)
        await ada.cut()
        await trio.sleep(6)
        late = await Line(rig).open(ada.hello(m.Resume(secret=ada.secret)))

        assert late.code == "unknown_session"


@pytest.mark.complaint("servers 16")
async def test_joining_again_is_answered():
    """Who sits and asks to join is told that it sits, and gets its view for asking."""
    async with open_rig() as rig:
        ada, _ = await seated(rig, "Ada", "Bob")
        table = ada.stream.split("/")[0]
        await ada.say(m.Join(command="again", table=table), m.Resync())
        told = await ada.rest()

        assert (told[0].code, told[0].command) == ("out_of_order", "again")
        assert told[1].view == rig.factory.games[0].view(0).entities


# ---------------------------------------------------------------- at every stage


async def in_the_lobby(_rig, ada, _bob):
    await ada.rest()


async def pairing(_rig, ada, _bob):
    await ada.say(m.Pair(command="pair", ruleset="toy"))


async def alone_at_a_table(_rig, ada, _bob):
    await ada.say(create())


async def at_a_table(ada, bob, **terms):
    await ada.say(create(terms=m.Terms(**terms)))
    place = (await ada.until(m.Joined)).place
    await bob.say(m.Join(command="join", table=place.info.table))
    await bob.rest()


async def asked_whether_ready(_rig, ada, bob):
    await at_a_table(ada, bob, ready_s=60)
    await bob.say(m.Ready(command="ready"))


async def asked_for_a_nonce(_rig, ada, bob):
    bob._shuffles = True
    bob.line = Line(_rig)
    await bob.come()
    await at_a_table(ada, bob)


async def playing(_rig, ada, bob):
    await at_a_table(ada, bob)


async def waiting_for_the_other(rig, ada, bob):
    await at_a_table(ada, bob)
    await ada.say(decide(rig.factory.games[0].open_prompt, "d"))


async def paused(_rig, ada, bob):
    await at_a_table(ada, bob)
    await bob.say(m.MakeOffer(command="offer", kind="pause"))
    await bob.rest()
    await ada.say(m.Respond(command="respond", kind="pause", accept=True))


async def offered_a_draw(_rig, ada, bob):
    await at_a_table(ada, bob)
    await bob.say(m.MakeOffer(command="offer", kind="draw"))
    await bob.rest()


async def between_games(_rig, ada, bob):
    await at_a_table(ada, bob, best_of=3)
    await bob.say(m.Concede(command="concede"))
    await bob.rest()


async def after_the_end(_rig, ada, bob):
    await at_a_table(ada, bob)
    await bob.say(m.Concede(command="concede"))
    await bob.rest()


STAGES = {
    in_the_lobby: (None, []),
    pairing: (None, []),
    alone_at_a_table: ("waiting", [m.Offers, m.PassingSet]),
    asked_whether_ready: ("starting", [m.ReadyCheck, m.Offers, m.PassingSet]),
    asked_for_a_nonce: ("starting", [m.Commitment, m.Offers, m.PassingSet]),
    playing: ("playing", [m.Offers, m.PassingSet, m.Asked]),
    waiting_for_the_other: ("playing", [m.Offers, m.PassingSet]),
    paused: ("paused", [m.Offers, m.PassingSet, m.Asked]),
    offered_a_draw: ("playing", [m.Offers, m.PassingSet, m.Asked]),
    between_games: (
        "between games",
        [m.ReadyCheck, m.Revealed, m.Offers, m.PassingSet, m.Over],
    ),
    after_the_end: ("over", [m.Revealed, m.Offers, m.PassingSet, m.Over]),
}


@pytest.mark.parametrize("stands", [False, True], ids=["cut", "the old one stands"])
@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.__name__)
async def test_coming_back_at_every_stage(stage, stands):
    """Who comes back is told where it is and what is going on, and all goes on from there."""
    status, beside = STAGES[stage]
    async with open_rig(resume_s=30) as rig:
        ada, bob = await come(rig, "Ada", "Bob")
        await stage(rig, ada, bob)
        await (ada.rest() if stands else ada.cut())
        old = ada.line
        welcome = await ada.come_back()
        told = await ada.rest()

        assert (welcome.place.info.status if welcome.place else None) == status
        assert kinds(told) == [*beside, *([] if stands or status is None else [m.Presence])]
        if stands:
            assert await old.close_code() == 4001
        await ada.say(m.Ping(nonce=8))
        assert (await ada.until(m.Pong)).nonce == 8


async def test_who_came_back_is_paired_with_nobody():
    """Who waited for another player does so no more after coming back, and may ask again."""
    async with open_rig() as rig:
        ada, bob = await come(rig, "Ada", "Bob")
        await pairing(rig, ada, bob)
        await ada.rest()
        await ada.come_back()
        await bob.say(m.Pair(command="pair", ruleset="toy"))
        assert kinds(await ada.rest()) == []
        await ada.say(m.Pair(command="again", ruleset="toy"))

        assert m.Joined in kinds(await ada.rest())
        assert m.Joined in kinds(await bob.rest())


async def test_coming_back_while_entering():
    """A drop right after asking for a place is followed by a welcome to that place."""
    async with open_rig() as rig:
        [ada] = await come(rig, "Ada")
        await ada.say(create())
        await ada.line.cut()
        welcome = await ada.come_back()

        assert (welcome.place.seat, welcome.place.info.seats[0].name) == (0, "Ada")
        assert kinds(await ada.rest())[0] in (m.Offers, m.Snapshot)


async def test_coming_back_after_a_place_was_refused():
    """A drop right after asking for a place that is refused leads back to the lobby."""
    async with open_rig() as rig:
        ada, bob = await come(rig, "Ada", "Bob")
        await ada.say(create())
        table = (await ada.until(m.Joined)).place.info.table
        await bob.say(m.Join(command="join", table=table, seat=0))
        await bob.line.cut()
        welcome = await bob.come_back()

        assert welcome.place is None
        await bob.say(m.Join(command="again", table=table))
        assert (await bob.until(m.Joined)).place.seat == 1


async def test_a_nonce_step_over_two_connections():
    """Who drops between its hash and its nonce goes on with the shuffle, and the game begins."""
    async with open_rig() as rig, rig.client("Bob") as bob:
        ada = Somebody(rig, "Ada", shuffles=True)
        await ada.come()
        await ada.say(create())
        await bob.join((await ada.until(m.Joined)).place.info.table)
        commitment = await ada.until(m.Commitment)
        receipt = Receipt.begin(0, commitment, "11" * 32)
        await ada.say(receipt.hash_message())
        await ada.cut()
        await ada.come_back()
        again, hashes = (await ada.rest())[:2]
        receipt.take(hashes)
        await ada.say(receipt.nonce_message())
        await ada.until(m.Asked)

        assert replace(again, until_ms=0) == replace(commitment, until_ms=0)
        assert isinstance(hashes, m.NonceHashes)
        assert receipt.check_start() == ()


async def test_a_slow_disk_turns_nobody_away():
    """Who comes back while the table waits for its journal waits, too, and is not told to go."""
    async with open_rig(hello_s=5, resume_s=600) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        rig.journal.append_s = 60
        await ada.say(decide(rig.factory.games[0].open_prompt, "slow"))
        await bob.line.cut()
        welcome = await bob.come_back()

        assert (welcome.place.seat, trio.current_time() > 50) == (1, True)
