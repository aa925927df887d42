"""What a client knows after each message."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longfuse_protocol import messages as m
from longfuse_protocol.client_known import ABSENT_MAX, CHAT_MAX, Known, ServerTime
from longfuse_protocol.prompts import Prompt
from protocol.scripted import INFO, PLACE, PROMPT, frame, snapshot, welcome

ELSEWHERE = m.Place(info=INFO, seat=1, stream="u/1")
DRAW = m.Offer(kind="draw", by=1, accepted=(1,), until_ms=5)
NEXT = Prompt(id=8, seat=0, shape="number", kind="k", text="?", most=3, default=0)
LINE = m.Said(room="seats", line=1, seat=0, name="Ada", text="hello", at_ms=0)


def seated(*told):
    """Return what a client knows that has a seat and was told this."""
    known = Known()
    known.hear(welcome(), 0.0)
    known.hear(m.Joined(place=PLACE), 0.0)
    for message in told:
        known.hear(message, 0.0)
    return known


ALL = (
    m.Asked(n=0, prompt=PROMPT),
    m.Clock(at_ms=0, seats=(m.SeatClock(left_ms=1),)),
    m.Offers(offers=(DRAW,)),
    m.PassingSet(passing=m.Passing()),
    m.ReadyCheck(ready=(True, False), until_ms=9),
    m.Presence(seat=1, name="Bob", here=False),
)


def told_of(known):
    """Return what the server tells anew whenever it counts."""
    return (known.prompt, known.clock, known.offers, known.passing, known.ready, known.absent)


NOTHING = (None, None, (), None, None, {})


def test_each_is_kept():
    """What was told is there, typed."""
    known = seated(*ALL)

    assert told_of(known) == (
        PROMPT,
        ALL[1],
        (DRAW,),
        ALL[3],
        ALL[4],
        {1: ALL[5]},
    )


@pytest.mark.parametrize(
    "end",
    [m.Left(table="t"), m.Joined(place=ELSEWHERE), welcome(), welcome(PLACE), welcome(ELSEWHERE)],
)
def test_what_ends_with_a_place_or_a_connection(end):
    """A new place, the lobby and a resume let go what is told anew where it still counts."""
    known = seated(*ALL)
    known.hear(end, 0.0)

    assert told_of(known) == NOTHING


def test_the_place():
    """The place goes with being told, and keeps up with its table."""
    known = seated()
    assert (known.place, known.game, known.played) == (PLACE, ("t/0", "t.1"), "t.1")

    known.hear(m.TableChanged(info=msgspec.structs.replace(INFO, game="t.2")), 0.0)
    assert known.game == ("t/0", "t.2")
    assert (known.place.seat, known.place.stream) == (0, "t/0")

    known.hear(m.Left(table="t"), 0.0)
    assert (known.place, known.game, known.played) == (None, None, "")
    assert known.hear(m.TableChanged(info=INFO), 0.0)
    assert known.place is None


def test_presence():
    """Who is back is absent no more."""
    known = seated(*ALL, m.Presence(seat=1, name="Bob", here=True))

    assert known.absent == {}


def test_no_more_are_absent_than_a_table_seats():
    """A server that names seats without end fills nothing."""
    known = seated(*(m.Presence(seat=seat, name="x", here=False) for seat in range(ABSENT_MAX + 5)))

    assert list(known.absent) == list(range(ABSENT_MAX))


def test_a_ready_check_ends_with_its_status():
    """When the table is past its start, nobody is asked to be ready."""
    known = seated(ALL[4], m.TableChanged(info=msgspec.structs.replace(INFO, status="starting")))
    assert known.ready == ALL[4]

    known.hear(m.TableChanged(info=INFO), 0.0)
    assert known.ready is None


def test_a_ready_check_between_games_ends_with_the_next():
    """It holds while the next game is waited for; that game may ask anew."""
    between = msgspec.structs.replace(INFO, status="between games")
    known = seated(m.TableChanged(info=between), ALL[4], m.TableChanged(info=between))
    assert known.ready == ALL[4]

    following = msgspec.structs.replace(between, status="starting", game=f"{INFO.game}+")
    known.hear(m.TableChanged(info=following), 0.0)
    assert known.ready is None


def test_a_line_of_chat_that_comes_again():
    """What is told anew after a resume, or with a whole view, is neither kept nor told twice."""
    known = Known()
    first = known.hear(LINE, 0.0)

    assert (first, known.hear(LINE, 1.0)) == (True, False)
    assert list(known.chat) == [LINE]


def test_chat_is_bounded():
    """The oldest lines go first; a new place begins with none, and a resume keeps them."""
    lines = [msgspec.structs.replace(LINE, line=number) for number in range(CHAT_MAX + 5)]
    known = seated(*lines)
    assert list(known.chat) == lines[5:]

    known.hear(welcome(PLACE), 0.0)
    assert len(known.chat) == CHAT_MAX
    known.hear(m.Joined(place=ELSEWHERE), 0.0)
    assert list(known.chat) == []


@pytest.mark.parametrize(
    "closing",
    [
        frame(1, {"a": {}}, {"a": {}}),
        m.Over(n=0, winner=0, reason="x"),
        m.Passed(prompt=PROMPT.id, rule="smart"),
        m.TableChanged(info=msgspec.structs.replace(INFO, game="t.2")),
    ],
)
def test_what_closes_a_prompt(closing):
    """A prompt is open until something happens, or it is answered for the seat."""
    known = seated(m.Asked(n=0, prompt=PROMPT), closing)

    assert known.prompt is None


def test_what_leaves_a_prompt_open():
    """A prompt that was passed before is not the one that is open."""
    known = seated(m.Asked(n=0, prompt=PROMPT), m.Passed(prompt=6, rule="smart"))

    assert known.prompt == PROMPT


@pytest.mark.parametrize(
    ("ok", "prompt", "left"), [(True, None, None), (False, None, PROMPT), (False, NEXT, NEXT)]
)
def test_answers_to_decisions(ok, prompt, left):
    """A decision that is taken closes its prompt; one that is refused may show another."""
    known = seated(m.Asked(n=0, prompt=PROMPT))
    answer = m.Answered(command="a", ok=ok, prompt=prompt)
    known.answered(m.Decide(command="a", prompt=PROMPT.id, answer=0), answer)

    assert known.prompt == left


def test_a_prompt_that_is_open_still():
    """An answer to an older prompt leaves the open one."""
    known = seated(m.Asked(n=0, prompt=NEXT))
    known.answered(
        m.Decide(command="a", prompt=PROMPT.id, answer=0), m.Answered(command="a", ok=True)
    )

    assert known.prompt == NEXT


def test_what_may_be_told():
    """Nothing of a view that is not right may be told, until the whole of it comes."""
    known = seated()
    told = [
        known.hear(message, 0.0)
        for message in (
            frame(1, {"a": {}}, {"a": {}}),
            frame(3, {"b": {}}, {"b": {}}),
            m.Asked(n=3, prompt=PROMPT),
            frame(4, {"c": {}}, {"c": {}}),
            m.Over(n=4, winner=0, reason="x"),
            m.Snapshot(n=4, view={"a": {}}, digest="0" * 32),
            snapshot(4, {"a": {}}),
            m.Asked(n=4, prompt=PROMPT),
        )
    ]

    assert told == [True, False, False, False, True, False, True, True]
    assert (known.snapshots, known.unsound, known.prompt) == (2, 0, PROMPT)


def test_an_end_is_told_once():
    """The end of a game that is told again after a resume is not told on; another's is."""
    over, next_over = m.Over(n=0, winner=0, reason="x"), m.Over(n=0, winner=1, reason="x")
    known = seated()
    told = [known.hear(one, 0.0) for one in (over, welcome(PLACE), over, next_over, over)]
    known.hear(m.Joined(place=ELSEWHERE), 0.0)

    assert told == [True, True, False, True, True]
    assert known.over is None


def test_what_is_claimed_on_coming_back():
    """A view that is right is named with its number; any other is not claimed."""
    known = seated(frame(1, {"a": {}}, {"a": {}}))
    assert known.seen() == ("t/0", 1)

    known.hear(frame(3, {}, {}), 0.0)
    assert known.seen() == ("", 0)

    known.hear(welcome(PLACE), 0.0)
    assert (known.seen(), known.mirror.view.entities) == (("t/0", 0), {})

    known.hear(m.Left(table="t"), 0.0)
    assert known.seen() == ("", 0)


@given(
    ahead_s=st.integers(-(10**6), 10**6),
    delays=st.lists(st.integers(0, 5_000), min_size=1, max_size=10),
)
def test_the_server_s_clock(ahead_s, delays):
    """The difference of the clocks is that of the message that was under way shortest."""
    time = ServerTime()
    for number, delay_ms in enumerate(delays):
        left_s = 100.0 + number
        time.hear(round((left_s + ahead_s) * 1_000), left_s + delay_ms / 1_000)

    assert time.local((500 + ahead_s) * 1_000) == pytest.approx(500 + min(delays) / 1_000)


@pytest.mark.parametrize("at_ms", [10**400, -(10**400)])
def test_a_time_that_nobody_can_mean(at_ms):
    """A server's clock may show anything: it ends no client."""
    time = ServerTime()
    time.hear(at_ms, 5.0)

    assert math.isfinite(time.local(at_ms))
