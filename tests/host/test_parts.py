"""The small parts of the host, each by itself."""

import msgspec
import pytest
import trio

from host.toy import Heap, Pawn
from longfuse.host.feeds import Feeds, as_shown
from longfuse.host.inbox import Gone, Inbox
from longfuse.host.peers import Outgoing
from longfuse.host.seats import Seats
from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS, JSON, MSGPACK
from longfuse_protocol.errors import Code
from longfuse_protocol.prompts import Item, Prompt
from longfuse_protocol.views import digest


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

    taken = [await inbox.take() for _ in range(3)]

    assert [(peer.name, request.command) for peer, request in taken] == [
        ("Ada", "1"),
        ("Bob", "2"),
        ("Ada", "3"),
    ]


async def test_the_inbox_is_bounded_by_sender():
    """A peer may have so many waiting; others, and its goodbye, have room all the same."""
    inbox, ada, bob = Inbox(2), Somebody("Ada"), Somebody("Bob")

    assert [inbox.offer(ada, m.Resync()) for _ in range(3)] == [True, True, False]
    assert inbox.offer(bob, m.Resync())
    inbox.end(ada, Gone())
    assert len(inbox) == 4
    await inbox.take()
    assert inbox.offer(ada, m.Resync())
    assert [(await inbox.take())[1] for _ in range(3)][-1].__class__ is Gone


async def test_the_inbox_waits():
    """Taking waits for something to arrive, and cancelling it loses nothing."""
    inbox, ada = Inbox(1), Somebody("Ada")
    with trio.move_on_after(5) as scope:
        await inbox.take()

    assert scope.cancelled_caught
    inbox.offer(ada, m.Resync())
    assert await inbox.take() == (ada, m.Resync())


def test_a_message_for_many_is_spelt_once():
    """Each spelling of a message is made once, however many get it."""
    made = []

    class Counting:
        def __init__(self, codec):
            self.subprotocol, self.text, self._codec = codec.subprotocol, codec.text, codec

        def encode(self, message):
            made.append(self.subprotocol)
            return self._codec.encode(message)

    outgoing = Outgoing(m.Pong(nonce=1))
    for _ in range(10):
        for name in (MSGPACK, JSON):
            codec = CODECS[name]
            assert outgoing.spelt(Counting(codec)) == codec.encode(m.Pong(nonce=1))

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
    game = Heap(2, {}, seed=5)
    feeds = Feeds("t", 2)
    first = feeds.begin(game)
    second = feeds.take(game)

    assert [frame.n for frame in first] == [1, 1, 1]
    assert second == [None, None, None]
    for feed, frame in zip(feeds.all, first, strict=True):
        assert frame.digest == digest(game.view(feed.viewer)) == feed.snapshot(game).digest
    assert [feed.stream for feed in feeds.all] == ["t/0", "t/1", "t/spectator"]
    assert feeds.of(None) is feeds.all[2]


def test_the_first_frame_brings_the_whole_view():
    """A game that has shown changes before, to nobody, still begins with all there is."""
    game = Heap(2, {}, seed=5)
    game.frames(0)
    first = Feeds("t", 2).begin(game)

    assert first[0].changes == game.view(0).entities


@pytest.mark.parametrize(
    ("wanted", "given"),
    [(None, 1), (0, Code.SEAT_TAKEN), (1, 1), (2, 2), (3, Code.TABLE_FULL)],
)
def test_free_seats(wanted, given):
    """A seat is given if it is there and free; without a wish, the first free one."""
    seats = Seats((m.SeatWish(),) * 3)
    seats.sit(0, Somebody("Ada"))

    assert seats.free(wanted) == given


def test_a_seat_that_is_gone():
    """A seat left for good keeps the name of who sat there; one left before is open again."""
    seats = Seats((m.SeatWish(),) * 2)
    for seat, name in enumerate(("Ada", "Bob")):
        seats.sit(seat, Somebody(name))
    seats.stand(0, for_good=True)
    seats.stand(1, for_good=False)

    assert seats.info() == (m.SeatInfo(kind="gone", name="Ada"), m.SeatInfo(kind="open"))
