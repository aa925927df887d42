"""The budget by which a lost connection is tried again."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longfuse_protocol.client_retry import NEVER, Outage, Retry

CHANCE = st.floats(0, 1, exclude_max=True)


@given(tries=st.integers(0, 10_000), chance=CHANCE)
def test_waits_are_spread_from_nothing_to_a_limit_that_doubles(tries, chance):
    """A wait is that part of the limit that chance says, and never more than the longest."""
    retry = Retry(base_s=0.5, most_s=20)
    limit = min(20, 0.5 * 2 ** min(tries, 100))

    assert retry.wait_s(tries, lambda: chance) == pytest.approx(chance * limit)


def test_tries_are_bounded():
    """After so many tries there is none any more."""
    outage = Outage(Retry(tries=3), lambda: 0.0)
    outage.lost(10.0, lasted_s=0)

    assert [outage.next_wait_s(10.0, 0) for _ in range(5)] == [0, 0, 0, None, None]
    assert Outage(NEVER, lambda: 0.0).next_wait_s(0, 0) is None


def test_time_is_bounded():
    """A try that could begin only after the time is over is not made."""
    outage = Outage(Retry(within_s=60), lambda: 0.0)
    outage.lost(10.0, lasted_s=0)

    assert outage.next_wait_s(10.0, least_s=59) == 59
    assert outage.left_s(69.0) == 1
    assert outage.next_wait_s(69.0, least_s=1) is None


@pytest.mark.parametrize("least_s", [-5.0, -math.inf, math.nan])
def test_what_is_no_time_to_wait(least_s):
    """A server that asks for what is no time has asked for none."""
    outage = Outage(Retry(tries=3), lambda: 0.5)
    outage.lost(10.0, lasted_s=0)

    assert outage.next_wait_s(10.0, least_s) == 0.125


def test_what_the_server_asks_for_comes_on_top():
    """The wait that a server asks for is kept in full; the jitter comes after it."""
    outage = Outage(Retry(base_s=1), lambda: 0.5)
    outage.lost(0, lasted_s=0)

    assert outage.next_wait_s(0, least_s=7) == 7.5


def test_only_a_connection_that_lasts_renews_the_budget():
    """A connection that is lost again at once goes on with the budget of the one before."""
    outage = Outage(Retry(tries=2, within_s=100, steady_s=30), lambda: 0.0)
    outage.lost(0, lasted_s=50)
    assert outage.next_wait_s(0, 0) == 0

    outage.lost(40, lasted_s=29)
    assert (outage.next_wait_s(40, 0), outage.left_s(40)) == (0, 60)
    assert outage.next_wait_s(40, 0) is None

    outage.lost(80, lasted_s=30)
    assert (outage.next_wait_s(80, 0), outage.left_s(80)) == (0, 100)
