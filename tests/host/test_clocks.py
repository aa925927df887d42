"""The seats' time: what counts, what does not, and when it has run out."""

import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longfuse.host.clocks import FORGIVEN_MAX, Clocks, Saved
from longfuse_protocol.messages import Clock, ClockTerms, SeatClock

BANK = ClockTerms(kind="bank", bank_s=100, increment_s=5)
DECISION = ClockTerms(kind="decision", decision_s=60)
NONE = ClockTerms()
KINDS = pytest.mark.parametrize("terms", [BANK, DECISION, NONE], ids=lambda terms: terms.kind)

SECONDS = st.integers(0, 40)


def wall_ms(at):
    """Tell the wall time: the epoch began 1,000 seconds before."""
    return round((at + 1_000) * 1_000)


def clocks(terms, seats=2):
    """Return the clocks of a game that begins."""
    return Clocks(terms, seats, wall_ms)


def left(it, now=0.0):
    """Return what each seat has left, in seconds."""
    return [seat.left_ms / 1_000 for seat in it.message(now).seats]


def test_a_bank_with_increment():
    """Thinking takes from the bank, a decision adds the increment; other banks stand still."""
    it = clocks(BANK)
    it.ask(0, 10)
    assert it.running_out() == 110
    it.answered(0, 30)
    it.ask(1, 31)

    assert left(it, 41) == [85, 90]
    assert it.running_out() == 131
    it.answered(1, 41)
    it.ask(0, 500)
    assert it.running_out() == 585


def test_choices_in_a_row_earn_each():
    """A seat that is asked several times for one play earns the increment for each answer."""
    it = clocks(BANK)
    for at in (0, 10, 20):
        it.ask(0, at)
        it.answered(0, at + 1)

    assert left(it) == [100 - 3 + 15, 100]


def test_passing_makes_no_time():
    """A pass gets back what it took, up to the increment, over all that its prompt has cost."""
    it = clocks(BANK)
    for took in (0, 2, 5):
        it.ask(0, 10)
        it.answered(0, 10 + took, passed=True)
        assert left(it) == [100, 100]
    it.ask(0, 20)
    it.refused(0, 22, 30)
    it.answered(0, 32, passed=True)
    assert left(it) == [100, 100]
    it.ask(0, 40)
    it.answered(0, 52, passed=True)
    assert left(it) == [93, 100]


def test_a_limit_per_decision():
    """Each decision has the whole limit; what is not used is not kept."""
    it = clocks(DECISION)
    it.ask(0, 0)
    it.answered(0, 59)
    it.ask(0, 70)

    assert it.running_out() == 130
    assert left(it, 80) == [50, 60]


def test_without_a_clock():
    """Nobody's time is counted and nothing runs out, however long it takes."""
    it = clocks(NONE)
    it.ask(0, 0)

    assert it.running_out() is None
    assert not it.has_run_out(0, 10**9)
    assert it.message(5) == Clock(at_ms=1_005_000, seats=())
    it.answered(0, 10**9)
    assert it.has_time_after(Saved((0.0, 0.0), (0.0, 0.0)), 0)


@KINDS
def test_only_who_is_asked_runs_out(terms):
    """Between an answer and the next prompt, and for the other seat, no time runs."""
    it = clocks(terms)
    assert it.running_out() is None
    it.ask(0, 0)
    assert not it.has_run_out(1, 10**6)
    it.answered(1, 10**6)
    assert it.asked == 0
    it.answered(0, 1)

    assert (it.asked, it.running_out()) == (None, None)
    assert not it.has_run_out(0, 10**6)


def test_the_arrival_counts():
    """What arrived in time is in time, however late it is handled; what arrived late is late."""
    it = clocks(DECISION)
    it.ask(0, 0)

    assert not it.has_run_out(0, 59.9)
    assert it.has_run_out(0, 60)
    assert it.has_run_out(0, it.running_out())


def test_an_answer_before_its_prompt():
    """An answer that was on its way before the prompt was asked costs and gains nothing."""
    it = clocks(BANK)
    it.ask(0, 10)
    it.answered(0, 8)

    assert left(it) == [105, 100]


def test_the_bank_is_never_less_than_empty():
    """Whoever answers too late has nothing left, and a default taken for the seat earns nothing."""
    it = clocks(BANK)
    it.ask(0, 0)
    it.answered(0, 300, moved=False)
    assert left(it) == [0, 100]
    it.ask(0, 301)

    assert it.has_run_out(0, 301)


def test_a_refusal_costs_nothing():
    """The time between a wrong answer and its refusal is the server's; the prompt goes on."""
    it = clocks(BANK)
    it.ask(0, 0)
    it.refused(0, 10, 17)
    it.refused(1, 12, 50)

    assert left(it, 17) == [90, 100]
    assert it.running_out() == 107
    it.answered(0, 20)
    it.refused(0, 30, 40)
    assert left(it) == [92, 100]


def test_a_pause():
    """While it lasts nothing counts and nothing runs out; then it goes on where it was."""
    it = clocks(BANK)
    it.ask(0, 0)
    it.pause(10)
    it.pause(20)
    assert (it.running_out(), it.asked, it.is_paused) == (None, 0, True)
    assert not it.has_run_out(0, 10**6)
    assert left(it, 500) == [90, 100]
    it.unpause(1_000)
    it.unpause(1_001)

    assert it.running_out() == 1_090


def test_answers_and_prompts_in_a_pause():
    """Who answers in a pause is charged until it began; who is asked in one, from its end."""
    it = clocks(BANK)
    it.ask(0, 0)
    it.pause(10)
    it.answered(0, 50, moved=False)
    it.ask(1, 60)
    assert (it.running_out(), left(it, 70)) == (None, [90, 100])
    it.unpause(80)

    assert it.running_out() == 180


@KINDS
def test_nothing_after_the_end(terms):
    """Once stopped nothing counts, runs out or begins again, whatever still comes in."""
    it = clocks(terms)
    it.ask(0, 0)
    it.stop(10)
    stood = it.message(10).seats
    it.ask(1, 11)
    it.answered(0, 12)
    it.pause(13)
    it.unpause(14)
    it.stop(15)

    assert (it.asked, it.running_out()) == (None, None)
    assert it.message(99).seats == stood
    assert all(seat.deadline_ms is None for seat in stood)


def test_the_message_shows_a_deadline():
    """Only the seat that is asked has a deadline, in wall time; what is left agrees with it."""
    it = clocks(BANK)
    it.ask(1, 10)

    assert it.message(12.5) == Clock(
        at_ms=1_012_500,
        seats=(SeatClock(left_ms=100_000), SeatClock(left_ms=97_500, deadline_ms=1_110_000)),
    )
    assert it.message(500).seats[1] == SeatClock(left_ms=0, deadline_ms=1_110_000)


def test_a_wall_clock_that_runs_on_changes_no_span():
    """What is left goes by one clock alone: nobody has a millisecond more for a slow look."""
    looks = itertools.count(1_000_000, 37)
    it = Clocks(BANK, 2, lambda at: next(looks) + round(at * 1_000))
    it.ask(1, 10)

    shown = it.message(12.5)
    assert shown.seats[1].left_ms == 97_500
    assert shown.seats[1].deadline_ms == shown.at_ms + 97_500


@pytest.mark.parametrize("answer_s", [1, 40])
def test_taking_back_earns_nothing(answer_s):
    """Who takes an own play back has the clock of that state, less all time spent since."""
    it = clocks(BANK)
    it.ask(0, 0)
    before = it.saved()
    it.answered(0, answer_s)
    it.ask(0, 50)
    assert it.has_time_after(before, 0)
    it.answered(0, 60, moved=False)
    it.restore(before, taken_back_by=0)
    it.ask(0, 61)

    assert left(it, 61) == [100 - answer_s - 10, 100]


def test_taking_back_by_agreement():
    """If all agree, everybody has exactly the clock of that state."""
    it = clocks(BANK)
    it.ask(0, 0)
    before = it.saved()
    it.answered(0, 30)
    it.ask(1, 30)
    it.answered(1, 70, moved=False)
    it.restore(before)
    it.ask(0, 100)

    assert left(it, 100) == [100, 100]
    assert it.saved() == before


def test_no_time_to_take_back():
    """Who has spent more since than there was then cannot go back there and still have time."""
    it = clocks(DECISION)
    it.ask(0, 0)
    before = it.saved()
    it.answered(0, 50)
    it.ask(0, 50)
    it.answered(0, 60, moved=False)

    assert not it.has_time_after(before, 0)
    it.restore(before, taken_back_by=0)
    it.ask(0, 70)
    assert it.has_run_out(0, 70)


def test_saved_clocks_survive_a_restart():
    """What is saved can be written down and read, and new clocks go on from it."""
    it = clocks(BANK)
    it.ask(0, 0)
    it.stop(25)
    kept = msgspec.json.decode(msgspec.json.encode(it.saved()), type=Saved)
    again = clocks(BANK)
    again.restore(kept)
    again.ask(0, 10_000)

    assert again.running_out() == 10_075


def test_a_flood_of_refusals_stops_no_clock():
    """Only so many refusals of one prompt cost nothing; at the next prompt they do again."""
    it = clocks(BANK)
    it.ask(0, 0)
    for now in range(1, 80):
        it.refused(0, now - 1, now)

    assert left(it, 80) == [100 - (80 - FORGIVEN_MAX), 100]
    it.answered(0, 80, moved=False)
    it.ask(0, 80)
    it.refused(0, 80, 90)
    assert left(it, 90) == [100 - (80 - FORGIVEN_MAX), 100]


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.lists(SECONDS, max_size=6))))
def test_what_is_charged_is_what_was_asked(turns):
    """Over any run of prompts, refusals, pauses and waits, a seat pays for its asked time only.

    Each prompt is a row of waits: in turn asked, refused and handled, asked, paused, asked, ….
    """
    terms = ClockTerms(kind="bank", bank_s=86_400, increment_s=3)
    it, now, expected = clocks(terms, 3), 0, [86_400] * 3
    for seat, moved, waits in turns:
        now += 7
        it.ask(seat, now)
        for number, wait in enumerate(waits):
            if number % 2 == 0:
                expected[seat] -= wait
            elif number % 4 == 1:
                it.refused(seat, now, now + wait)
            else:
                it.pause(now)
                it.unpause(now + wait)
            now += wait
        it.answered(seat, now, moved=moved)
        expected[seat] += 3 * moved
        assert left(it, now) == expected


@given(st.lists(st.tuples(st.integers(1, 4), SECONDS), min_size=1, max_size=30), st.booleans())
def test_taking_back_makes_no_time(tries, is_bank):
    """However often a seat plays and takes back, it thinks no longer than the first state allows.

    Each try is a play of so many choices, the last of which is to take it back.
    """
    it, now, thought = clocks(BANK if is_bank else DECISION), 0, 0
    it.ask(0, now)
    before = it.saved()
    whole = it.running_out()
    for choices, wait in tries:
        for choice in range(choices):
            if choice:
                it.ask(0, now)
            now += wait
            if it.has_run_out(0, now):
                return
            thought += wait
            it.answered(0, now, moved=choice < choices - 1)
        if not it.has_time_after(before, 0):
            return
        it.restore(before, taken_back_by=0)
        assert thought < whole
        it.ask(0, now)
        assert it.running_out() - now == whole - thought
