"""The reference client when its connection is lost, and it comes back."""

import trio
import trio.testing

from longfuse_protocol import messages as m
from longfuse_protocol.client import (
    ANSWER_S,
    Dropped,
    Resumed,
    SavedSession,
)
from longfuse_protocol.session import State
from protocol.scripted import (
    INFO,
    PLACE,
    PROMPT,
    SECRET,
    door,
    frame,
    snapshot,
    told,
)
from support.listening import until

ELSEWHERE = m.Place(info=INFO, seat=1, stream="t/1")


async def test_exactly_the_gap():
    """After a drop the client says what it has seen, and goes on with what it missed."""
    knew = []

    async def before(self):
        await self.seat()
        await self.tell(frame(1, {"a": {}}, {"a": {}}), frame(2, {"b": {}}, {"a": {}, "b": {}}))
        await self.break_off()

    async def after(self):
        knew.append(await self.resume())
        await self.tell(frame(3, {"a": None}, {"b": {}}), m.Asked(n=3, prompt=PROMPT))
        await trio.sleep_forever()

    async with door(before, after) as here, here.client() as ada:
        await ada.join("t")
        dropped = await until(ada, Dropped)
        resumed = await anext(ada)
        missed = await anext(ada)
        await until(ada, m.Asked)

        assert (knew[0].stream, knew[0].n) == ("t/0", 2)
        assert (dropped.code, dropped.tries) == (1006, 0)
        assert resumed == Resumed(1, PLACE)
        assert missed.n == 3
        assert (ada.mirror.n, ada.view.entities, ada.prompt) == (3, {"b": {}}, PROMPT)


async def test_a_snapshot_where_the_gap_is_too_old():
    """A whole view after the resume takes the place of what was known."""

    async def before(self):
        await self.seat()
        await self.tell(frame(1, {"a": {}}, {"a": {}}))
        await self.break_off()

    async def after(self):
        await self.resume()
        await self.tell(snapshot(400, {"z": {}}), frame(401, {"y": {}}, {"y": {}, "z": {}}))
        await trio.sleep_forever()

    async with door(before, after) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, Resumed)

        assert [type(await anext(ada)) for _ in range(2)] == [m.Snapshot, m.Events]
        assert (ada.mirror.n, sorted(ada.view.entities)) == (401, ["y", "z"])


async def test_no_increment_before_the_whole_view():
    """Frames that do not follow what is known are not told; the whole view is, once it comes."""

    async def before(self):
        await self.seat()
        await self.break_off()

    async def after(self):
        await self.resume(ELSEWHERE)
        await self.tell(frame(5, {"b": {}}, {"a": {}, "b": {}}), m.Asked(n=5, prompt=PROMPT))
        assert isinstance(await self.hear(), m.Resync)
        await self.tell(frame(6, {"c": {}}, {"a": {}, "b": {}, "c": {}}))
        await self.tell(snapshot(6, {"a": {}, "b": {}, "c": {}}), m.Asked(n=6, prompt=PROMPT))
        await trio.sleep_forever()

    async with door(before, after) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, Resumed)
        heard = [await anext(ada) for _ in range(2)]

        assert [(type(event), event.n) for event in heard] == [(m.Snapshot, 6), (m.Asked, 6)]
        assert (ada.mirror.n, ada.mirror.is_lost, ada.place) == (6, False, ELSEWHERE)


async def test_a_view_that_was_lost_is_asked_for_whole():
    """Who comes back with a view that is not right claims to know nothing."""
    knew = []

    async def before(self):
        await self.seat()
        await self.tell(frame(2, {"a": {}}, {"a": {}}))
        assert isinstance(await self.hear(), m.Resync)
        await self.break_off()

    async def after(self):
        knew.append(await self.resume())
        await self.tell(snapshot(9, {"a": {}}))
        await trio.sleep_forever()

    async with door(before, after) as here, here.client() as ada:
        await ada.join("t")
        snap = await until(ada, m.Snapshot)

        assert (knew[0].stream, knew[0].n, snap.n) == ("", 0, 9)
        assert not ada.mirror.is_lost


async def test_a_frame_that_was_never_sent_is_missed():
    """A prompt that belongs to a later frame than the last shows that one is missing."""

    async def script(self):
        await self.seat()
        await self.tell(m.Asked(n=1, prompt=PROMPT))
        assert isinstance(await self.hear(), m.Resync)
        await self.tell(snapshot(1, {"a": {}}), m.Asked(n=1, prompt=PROMPT))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, m.Snapshot)

        assert (await anext(ada)).n == 1
        assert ada.prompt == PROMPT


async def test_views_that_never_match():
    """A server whose whole views do not match their own digests is given up."""

    async def script(self):
        await self.seat()
        await self.tell(frame(2, {}, {}))
        for _ in range(3):
            assert isinstance(await self.hear(), m.Resync)
            await self.tell(m.Snapshot(n=2, view={"a": {}}, digest="0" * 32))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        await ada.join("t")
        heard = await told(ada)

    assert m.Snapshot not in [type(event) for event in heard]
    assert "do not match" in heard[-1].reason
    assert not heard[-1].retry


async def test_a_whole_view_that_never_comes():
    """It is waited for as long as for an answer; the next connection may bring it."""

    async def before(self):
        await self.seat()
        await self.tell(frame(2, {}, {}))
        await self.hear()
        await trio.sleep_forever()

    async def after(self):
        assert (await self.resume()).stream == ""
        await self.tell(snapshot(2, {"a": {}}))
        await trio.sleep_forever()

    async with door(before, after) as here, here.client() as ada:
        await ada.join("t")
        began_at = trio.current_time()
        dropped = await until(ada, Dropped)
        assert trio.current_time() - began_at == ANSWER_S
        assert dropped.reason == "the server does not send the whole view"
        await until(ada, m.Snapshot)
        await trio.sleep(2 * ANSWER_S)

        assert ada.is_connected
        assert ada.view.entities == {"a": {}}


async def test_a_whole_view_that_nobody_needs_any_more():
    """Whoever has lost the place waits for its view no more, and stays connected."""

    async def script(self):
        await self.seat()
        await self.tell(frame(2, {}, {}))
        await self.hear()
        await self.tell(m.Left(table="t"))
        await trio.sleep_forever()

    async with door(script) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, m.Left)
        await trio.sleep(2 * ANSWER_S)

        assert ada.is_connected


async def test_the_prompt_is_closed_while_the_connection_is_lost():
    """Between drop and resume nothing is asked, and the place is kept."""

    async def before(self):
        await self.seat()
        await self.tell(m.Asked(n=0, prompt=PROMPT))
        await self.break_off()

    async def after(self):
        await trio.sleep(1)
        await self.resume()
        await self.tell(m.Asked(n=0, prompt=PROMPT))
        await trio.sleep_forever()

    async with door(before, after) as here, here.client() as ada:
        await ada.join("t")
        await until(ada, Dropped)
        seen = (ada.is_connected, ada.state, ada.prompt, ada.place)
        await until(ada, m.Asked)

        assert seen == (False, State.NEW, None, PLACE)
        assert (ada.is_connected, ada.state, ada.prompt) == (True, State.SEATED, PROMPT)


async def test_a_place_that_was_lost():
    """Who comes back to the lobby is told so, and can go on from there."""

    async def before(self):
        await self.seat()
        await self.tell(m.Offers(offers=(m.Offer(kind="draw", by=1, accepted=(1,), until_ms=1),)))
        await self.break_off()

    async def after(self):
        await self.resume(None)
        await trio.sleep_forever()

    async with door(before, after) as here, here.client() as ada:
        await ada.join("t")
        resumed = await until(ada, Resumed)

        assert resumed.place is None
        assert (ada.place, ada.table, ada.offers, ada.state) == (None, None, (), State.LOBBY)


async def test_another_process_goes_on():
    """With what was saved, a new client takes the session over, and asks for the whole view."""
    knew = []

    async def before(self):
        await self.seat()
        await self.tell(frame(1, {"a": {}}, {"a": {}}))
        await trio.sleep_forever()

    async def after(self):
        knew.append(await self.resume())
        await self.tell(snapshot(3, {"b": {}}), m.Asked(n=3, prompt=PROMPT))
        await trio.sleep_forever()

    async with door(before, after) as here:
        async with here.client() as ada:
            await ada.join("t")
            await until(ada, m.Events)
            saved = ada.session_saved()
        async with here.client(resume=saved) as eve:
            assert eve.place == PLACE
            await until(eve, m.Asked)

            assert eve.view.entities == {"b": {}}
            assert eve.session_saved() == SavedSession(SECRET, "t/0", 3)
            assert eve.new_id() != ada.new_id()

    assert saved == SavedSession(SECRET, "t/0", 1)
    assert (knew[0].stream, knew[0].n) == ("", 0)
