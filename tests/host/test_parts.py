"""The small parts of the host, each by itself."""

import math

import msgspec
import pytest
import trio

from host.toy import Heap, Pawn
from longfuse.host.feeds import FRAMES_KEPT_MAX, Feeds, Stream, as_shown
from longfuse.host.inbox import Away, Inbox
from longfuse.host.peers import Outgoing
from longfuse.host.seats import Seats
from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS, JSON, MSGPACK
from longfuse_protocol.errors import Code
from longfuse_protocol.prompts import Item, Prompt
from longfuse_protocol.views import apply, digest


class Somebody:
    """A peer that only has a name."""

    codec = None

    def __init__(self, name):
        self.name = name

    def send(self, outgoing):
        """Hear nothing."""

    def flush(self):
        """Hold nothing back."""


async def test_the_inbox_keeps_order():
    """Requests of several peers come out as they went in."""
    inbox, ada, bob = Inbox(8), Somebody("Ada"), Somebody("Bob")
    for peer, command in ((ada, "1"), (bob, "2"), (ada, "3")):
        assert inbox.offer(peer, m.Concede(command=command))

    taken = [await inbox.take_before(math.inf) for _ in range(3)]

    assert [(one.peer.name, one.request.command) for one in taken] == [
        ("Ada", "1"),
        ("Bob", "2"),
        ("Ada", "3"),
    ]


async def test_the_inbox_is_bounded_by_sender():
    """A peer may have so many waiting; others, and its goodbye, have room all the same."""
    inbox, ada, bob = Inbox(2), Somebody("Ada"), Somebody("Bob")

    assert [inbox.offer(ada, m.Resync()) for _ in range(3)] == [True, True, False]
    assert inbox.offer(bob, m.Resync())
    inbox.say(ada, Away())
    assert len(inbox) == 4
    await inbox.take_before(math.inf)
    assert inbox.offer(ada, m.Resync())
    taken = [(await inbox.take_before(math.inf)).request for _ in range(4)]
    assert [type(request) for request in taken] == [m.Resync, m.Resync, Away, m.Resync]


async def test_the_inbox_waits():
    """Taking waits for something to arrive, and cancelling it loses nothing."""
    inbox, ada = Inbox(1), Somebody("Ada")
    with trio.move_on_after(5) as scope:
        await inbox.take_before(math.inf)

    assert scope.cancelled_caught
    inbox.offer(ada, m.Resync())
    arrived = await inbox.take_before(math.inf)
    assert (arrived.peer, arrived.request, arrived.at) == (ada, m.Resync(), 5)


async def test_the_inbox_waits_until_a_time():
    """What came by the deadline is taken, however late that is; what came after it is not yet."""
    inbox, ada = Inbox(2), Somebody("Ada")
    began_at = trio.current_time()
    assert await inbox.take_before(began_at + 3) is None
    assert trio.current_time() == began_at + 3
    inbox.offer(ada, m.Resync())
    await trio.sleep(2)

    assert await inbox.take_before(began_at + 2) is None
    assert (await inbox.take_before(began_at + 3)).at == began_at + 3


async def test_what_was_not_read_while_the_server_was_held_up_came_in_time():
    """Whatever is awake first then, whoever waits or whoever reads: what was read counts."""
    ada = Somebody("Ada")

    async def read(inbox, at, say_s):
        await trio.sleep_until(at)
        inbox.offer(ada, m.Resync())
        await trio.sleep(say_s)
        inbox.offer(ada, m.Ping())

    for _ in range(20):
        inbox, deadline = Inbox(2), trio.current_time() + 3
        async with trio.open_nursery() as nursery:
            nursery.start_soon(read, inbox, deadline, 1)
            arrived = await inbox.take_before(deadline)
            assert (arrived.request, arrived.at) == (m.Resync(), deadline)
        assert await inbox.take_before(deadline) is None


async def test_what_came_while_its_table_was_busy_counts_by_its_time():
    """A table that looks only after the deadline takes nothing that came after it."""
    inbox, ada = Inbox(2), Somebody("Ada")
    deadline = trio.current_time() + 3
    await trio.sleep(5)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_offer, inbox, ada)
        assert await inbox.take_before(deadline) is None
    assert (await inbox.take_before(math.inf)).at == deadline + 2


async def _offer(inbox, peer):  # noqa: ASYNC124  a task of its own
    inbox.offer(peer, m.Resync())


def test_a_message_for_many_is_spelt_once():
    """Each spelling of a message is made once, however many get it."""
    made = []

    class Counting:
        def __init__(self, codec):
            self.subprotocol, self.text, self._codec = codec.subprotocol, codec.text, codec

        def encode(self, message):
            made.append(self.subprotocol)
            return self._codec.encode(message)

    pong = m.Pong(nonce=1, at_ms=5)
    outgoing = Outgoing(pong)
    for _ in range(10):
        for name in (MSGPACK, JSON):
            codec = CODECS[name]
            assert outgoing.spelt(Counting(codec)) == codec.encode(pong)

    assert made == [MSGPACK, JSON]


def test_prompts_are_shown_without_their_meaning():
    """What a game derives from a prompt and its items never reaches the wire."""

    class Question(Prompt, frozen=True, kw_only=True):
        meaning: str = ""

    question = Question(
        id=1,
        seat=0,
        shape="one",
        kind="k",
        text="?",
        items=(Pawn(label="a", meaning="hidden", about=("o1",)), Item("b")),
        default=0,
        meaning="hidden",
    )
    shown = as_shown(question)

    assert type(shown) is Prompt
    assert {type(item) for item in shown.items} == {Item}
    assert b"hidden" in msgspec.json.encode(question)
    assert b"hidden" not in msgspec.json.encode(shown)
    assert shown.items == (Item("a", about=("o1",)), Item("b"))


def test_feeds_follow_the_game():
    """Each stream's digest is that of its viewer's view, and numbers count within the stream."""
    game = Heap(2, {}, bytes(32))
    feeds = Feeds("t", 2)
    first = feeds.begin(game)
    second = feeds.take(game)

    assert [frame.n for frame in first] == [1, 1, 1]
    assert second == [None, None, None]
    for feed, frame in zip(feeds.all, first, strict=True):
        assert frame.digest == digest(game.view(feed.viewer)) == feed.stream.snapshot().digest
        assert feed.stream.snapshot().view == game.view(feed.viewer).entities
    assert [feed.stream.name for feed in feeds.all] == ["t/0", "t/1", "t/spectator"]
    assert [feeds.of(0), feeds.of(1), feeds.public] == [feed.stream for feed in feeds.all]


def test_the_first_frame_brings_the_whole_view():
    """A game that has shown changes before, to nobody, still begins with all there is."""
    game = Heap(2, {}, bytes(32))
    game.frames(0)
    first = Feeds("t", 2).begin(game)

    assert first[0].changes == game.view(0).entities


def test_a_stream_goes_on_with_the_next_game():
    """The next game's first frame takes away all that was in view, and numbers go on."""
    first, second = Heap(3, {}, bytes(32)), Heap(2, {}, bytes(32))
    feeds = Feeds("t", 3)
    feeds.begin(first)
    frame = feeds.all[0].begin(second)

    assert frame.changes["seat:2"] is None
    apply(feeds.of(0).view, frame.changes)
    assert feeds.of(0).view == second.view(0)


def test_what_a_stream_keeps():
    """Who knows a frame that is kept gets what follows; anybody else, nothing short of a view."""
    stream = Stream("t/0")
    for n in range(1, FRAMES_KEPT_MAX + 6):
        stream.show(m.Events(n=n, events=[], changes={}, digest="", shared=""))
    last = FRAMES_KEPT_MAX + 5

    assert stream.after("t/0", last) == []
    assert [frame.n for frame in stream.after("t/0", last - 2)] == [last - 1, last]
    assert [frame.n for frame in stream.after("t/0", 5)] == list(range(6, last + 1))
    assert stream.after("t/0", 4) is None
    assert stream.after("t/0", last + 1) is None
    assert stream.after("t/1", last) is None


def test_the_recap():
    """A snapshot tells the last events, oldest first, and no more than so many."""
    stream = Stream("t/0")
    for n in range(1, 31):
        stream.show(m.Events(n=n, events=[{"at": n}], changes={}, digest="", shared=""))

    assert [event["at"] for event in stream.snapshot().recap] == list(range(11, 31))


@pytest.mark.parametrize(
    ("wanted", "given"),
    [(None, 1), (0, Code.SEAT_TAKEN), (1, 1), (2, 2), (3, Code.TABLE_FULL)],
)
def test_free_seats(wanted, given):
    """A seat is given if it is there and free; without a wish, the first free one."""
    seats = Seats((m.SeatWish(),) * 3, ("",) * 3)
    seats.sit(0, Somebody("Ada"))

    assert seats.free(wanted) == given


def test_a_seat_that_is_gone():
    """A seat left for good keeps the name of who sat there; one left before is open again."""
    seats = Seats((m.SeatWish(),) * 2, ("",) * 2)
    for seat, name in enumerate(("Ada", "Bob")):
        seats.sit(seat, Somebody(name))
    seats.stand(0, for_good=True)
    seats.stand(1, for_good=False)

    assert seats.info() == (m.SeatInfo(kind="gone", name="Ada"), m.SeatInfo(kind="open"))
