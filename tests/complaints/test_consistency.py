"""The same thing twice, things undone out of turn, and copies of the board that drift apart."""

import pytest

from complaints.scene import Network, agree, hear_out, settle, take
from host.lines import Line, decide, seated
from host.rig import open_rig, playing, until
from longfuse_protocol import messages as m
from longfuse_protocol.views import digest


@pytest.mark.complaint("servers 71", "ui U36")
async def test_a_move_that_is_sent_again():
    """Over the same connection, over a new one, and after others have moved: it is made once, and
    has the same answer each time. Under its id, anything else is an error."""
    async with open_rig(resume_s=30) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        game = rig.factory.games[0]
        move = decide(game.open_prompt, "once", 1)
        other = decide(game.open_prompt, "once", 2)
        await ada.say(move, move)
        answers = [one for one in await ada.rest() if isinstance(one, m.Answered)]
        await ada.cut()
        await bob.say(decide(game.open_prompt, "b"))
        await ada.come_back()
        await ada.say(move, other)
        answers += [one for one in await ada.rest() if isinstance(one, m.Answered)]

        assert answers[:3] == [answers[0]] * 3
        assert answers[0].ok
        assert (answers[3].ok, answers[3].code) == (False, "command_reused")
        assert game._taken == [2, 1]
        assert [record.command for _, record in rig.journal.records] == ["once", "b"]


@pytest.mark.complaint("servers 71")
async def test_the_last_move_is_sent_again():
    """Its answer was lost, and the game is over by it: it is answered as it was the first time."""
    async with open_rig(resume_s=30) as rig:
        ada, bob = await seated(rig, "Ada", "Bob", options={"heap": 3})
        move = decide(rig.factory.games[0].open_prompt, "last", 2)
        await ada.say(move)
        await ada.line.cut()
        assert (await bob.until(m.Over)).winner == 0
        await ada.come_back()
        await ada.say(move)
        told = await ada.rest()

        assert [one for one in told if isinstance(one, m.Answered)] == [
            m.Answered(command="last", ok=True)
        ]
        assert [one.winner for one in told if isinstance(one, m.Over)] == [0]
        assert len(rig.journal.records) == 1


@pytest.mark.complaint("servers 71")
async def test_a_move_that_is_sent_to_another_process():
    """After a restart the session is unknown: the move is refused, not made in another game."""
    async with open_rig() as rig:
        ada, _ = await seated(rig, "Ada", "Bob")
        move = decide(rig.factory.games[0].open_prompt, "once")
        await ada.say(move)
        assert (await ada.until(m.Answered)).ok
    async with open_rig() as rig:
        resumed = await Line(rig).open(ada.hello(m.Resume(secret=ada.secret)))
        ada, _ = await seated(rig, "Ada", "Bob")

        assert resumed.code == "unknown_session"
        assert rig.journal.records == []


@pytest.mark.complaint("servers 73")
async def test_undoing_while_the_other_is_asked():
    """Neither who has moved nor who is asked can undo what is done; nor anybody another's play."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", options={"plays": True})
        game = rig.factory.games[0]
        await ada.say(decide(game.open_prompt, "p"))
        await settle()
        assert game.has_open_play
        await bob.say(m.TakeBack(command="another's"))
        await settle()
        assert game.has_open_play
        await ada.say(decide(game.open_prompt, "sure"))
        await settle()
        before = str(game.view(0).entities)
        await ada.say(m.TakeBack(command="too late"))
        await bob.say(m.TakeBack(command="nothing"))
        await settle()
        answers = {
            one.command: one.code
            for somebody in (ada, bob)
            for one in await somebody.rest()
            if isinstance(one, m.Answered) and not one.ok
        }

        assert answers.keys() == {"another's", "too late", "nothing"}
        assert all(answers.values())
        assert str(game.view(0).entities) == before


@pytest.mark.complaint("servers 73")
async def test_going_back_needs_the_others():
    """A decision that the other has seen is taken back only if the other agrees."""
    async with open_rig() as rig:
        terms = m.Terms(take_back="by agreement")
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms)
        game = rig.factory.games[0]
        await ada.say(decide(game.open_prompt, "p", 2))
        await ada.say(m.MakeOffer(command="o", kind="take back"))
        await ada.say(m.Respond(command="r", kind="take back", accept=True))
        await settle()
        await bob.say(m.Respond(command="n", kind="take back", accept=False))
        [*_, frame] = [one for one in await bob.rest() if isinstance(one, m.Events)]

        assert game._taken == [3, 0]
        assert frame.digest == digest(game.view(1))


@pytest.mark.complaint("servers 74")
async def test_every_copy_is_the_same_after_every_move():
    """Each frame has the digest of its viewer's view, and the one that all share is one."""
    async with open_rig() as rig, playing(rig) as (ada, bob), rig.client("Eve") as eve:
        await eve.spectate(ada.place.info.table)
        shared, game = {}, rig.factory.games[0]
        for _ in range(30):
            for client, viewer in ((ada, 0), (bob, 1), (eve, "spectator")):
                frames = [one for one in await hear_out(client) if isinstance(one, m.Events)]
                for frame in frames:
                    shared.setdefault(frame.n, set()).add(frame.shared)
                assert client.mirror.digest == digest(game.view(viewer))
            if game.result is not None:
                break
            await take(ada if ada.prompt else bob)

        assert game.result is not None
        assert len(shared) > 5
        assert {len(digests) for digests in shared.values()} == {1}


@pytest.mark.complaint("servers 74")
async def test_a_copy_that_drifts_is_set_right():
    """A change arrives with another number in it: the client does not show it, and asks anew."""
    async with open_rig() as rig:
        network = Network(rig)
        async with network.client("Ada") as ada, rig.client("Bob") as bob:
            await bob.join((await ada.create("toy", 2)).info.table)
            await until(ada, m.Asked)
            spoilt = []

            def spoil(frame):
                if not spoilt and b'"left":20' in frame:
                    spoilt.append(frame)
                    return frame.replace(b'"left":20', b'"left":10')
                return frame

            network.spoil = spoil
            await take(ada)
            told = await hear_out(ada)

            assert spoilt
            assert m.Snapshot in map(type, told)
            assert m.Events not in map(type, told)
            assert ada.view.entities["heap"] == {"left": 20}
            agree(ada, bob)
