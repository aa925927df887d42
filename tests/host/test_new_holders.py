"""Whoever takes a seat that another held gets nothing of what was the other's."""

import trio

from host.lines import Somebody, decide, seated
from host.rig import open_rig
from longfuse_protocol import messages as m

TERMS = m.Terms(ready_s=10, delay_s=0)


async def act(somebody, others, *messages):
    """Let somebody say something at once, and return what each hears of it."""
    await somebody.say(*messages)
    return [await one.rest() for one in (somebody, *others)]


async def change_holder(rig, ada, bob):
    """Play a game, agree on another, and let Bob's seat go to Cid; return Cid and what he hears."""
    for one in (ada, bob):
        await act(one, [], m.Ready(command="r1"))
    await act(bob, [ada], m.Concede(command="c1"))
    await act(ada, [bob], m.MakeOffer(command="o1", kind="rematch"))
    await act(bob, [ada], m.Respond(command="o1", kind="rematch", accept=True))
    await act(ada, [bob], m.Ready(command="r2"))
    await trio.sleep(11)
    await bob.rest()
    cid = Somebody(rig, "Cid")
    await cid.come()
    (heard,) = await act(cid, [], m.Join(command="j", table=ada.stream.split("/")[0]))
    return cid, heard


async def test_a_new_holder_sees_nothing_of_the_last_one_s_game():
    """Neither the view that the other had, nor what it was told, nor its number of frames."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=TERMS)
        _, heard = await change_holder(rig, ada, bob)
        place = next(one.place for one in heard if isinstance(one, m.Joined))
        snapshot = next(one for one in heard if isinstance(one, m.Snapshot))

        assert place.seat == 1
        assert place.stream != bob.stream
        assert (snapshot.n, snapshot.view, snapshot.recap) == (0, {}, ())


async def test_a_new_holder_does_not_get_the_stream_of_the_last_one_by_its_name():
    """Who resumes with another's stream gets the own one."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=TERMS)
        cid, _ = await change_holder(rig, ada, bob)
        await cid.cut()
        await cid.come_back(stream=bob.stream, n=0)
        heard = await cid.rest()

        assert [one.view for one in heard if isinstance(one, m.Snapshot)] == [{}]


async def test_a_new_holder_may_use_any_command_id():
    """The same command of the last holder is not taken for the new one's, done already."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=TERMS)
        cid, _ = await change_holder(rig, ada, bob)
        for one in (ada, cid):
            await act(one, [], m.Ready(command="r3"))
        await act(ada, [cid], decide(rig.factory.games[-1].open_prompt, "d1"))
        heard, _ = await act(cid, [ada], m.Concede(command="c1"))

        assert m.Answered(command="c1", ok=True) in heard
        assert rig.factory.games[-1].result.reason == "concede"
