"""What a table must do at a time."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longfuse.host.alarms import Alarms

KEYS = st.sampled_from("abcde")
TIMES = st.integers(0, 9)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("set"), KEYS, TIMES),
        st.tuples(st.just("cancel"), KEYS, st.just(0)),
        st.tuples(st.just("due"), st.just(""), TIMES),
    ),
    max_size=60,
)


def due(alarms, now):
    """Take all that is due."""
    taken = []
    while (key := alarms.due(now)) is not None:
        taken.append(key)
    return taken


def test_earliest_first():
    """Alarms come by their time, and those of one time in the order of their setting."""
    alarms = Alarms()
    for key, at in (("late", 3), ("second", 2), ("early", 1), ("third", 2)):
        alarms.set(key, at)

    assert alarms.next_at() == 1
    assert due(alarms, 0.5) == []
    assert due(alarms, 2) == ["early", "second", "third"]
    assert (alarms.next_at(), alarms.at("late"), len(alarms)) == (3, 3, 1)
    assert due(alarms, math.inf) == ["late"]
    assert (alarms.next_at(), len(alarms)) == (math.inf, 0)


def test_a_key_has_one_alarm():
    """Setting a key again moves its alarm; cancelling takes it away; both may come to nothing."""
    alarms = Alarms()
    alarms.set("clock", 1)
    alarms.set("clock", 5)
    assert (due(alarms, 4), alarms.at("clock")) == ([], 5)
    alarms.cancel("clock")
    alarms.cancel("clock")

    assert (due(alarms, 9), alarms.at("clock"), alarms.next_at()) == ([], None, math.inf)


def test_no_time_is_no_alarm():
    """An alarm at what is not a number is a defect, told where it is made."""
    alarms = Alarms()
    with pytest.raises(AssertionError):
        alarms.set("clock", math.nan)


@given(STEPS)
def test_like_a_list(steps):
    """Whatever is set, moved, cancelled and taken: as if all were looked through each time."""
    alarms, model = Alarms(), {}
    for order, (what, key, at) in enumerate(steps):
        if what == "set":
            alarms.set(key, at)
            model[key] = (at, order)
        elif what == "cancel":
            alarms.cancel(key)
            model.pop(key, None)
        else:
            first = min(model, key=model.__getitem__, default=None)
            expected = first if first is not None and model[first][0] <= at else None
            assert alarms.due(at) == expected
            model.pop(expected, None)
        assert alarms.next_at() == min((at for at, _ in model.values()), default=math.inf)
        assert len(alarms) == len(model)


@pytest.mark.parametrize("keys", [1, 50])
def test_what_is_cancelled_leaves_nothing(keys):
    """Alarms set and cancelled, or moved, a hundred thousand times do not add up."""
    alarms, most = Alarms(), 0
    alarms.set("the last", 10**6)
    for turn in range(100_000):
        alarms.set(turn % keys, turn)
        if turn % 3:
            alarms.cancel(turn % keys)
        most = max(most, len(alarms._heap))

    assert most <= 2 * (keys + 1) + Alarms._TRACES_MIN + 1
    assert len(alarms) <= keys + 1
