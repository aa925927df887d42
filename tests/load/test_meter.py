"""Counts of several processes become one, histograms included."""

from __future__ import annotations

import pytest

from longfuse.load.checks import Violation
from longfuse.load.meter import (
    ERRORS_MAX,
    HIGHEST_US,
    LOWEST_US,
    OTHERS,
    REASON_CHARS,
    VIOLATIONS_TOLD_MAX,
    Meter,
    Tally,
    combined,
    merge,
)

VIOLATION = Violation(kind="gap", table="t", client="seat 0", n=1, text="frame 3 follows")


def metered(*seconds: float, violations: int = 0) -> Tally:
    """What a worker reports that took these times."""
    meter = Meter()
    meter.is_on = True
    for one in seconds:
        meter.time("answer", one)
    meter.decisions["toy"] += len(seconds)
    meter.failed("busy", "too many at once")
    meter.games += 2
    meter.found([VIOLATION] * violations)
    return meter.tally(0.5)


def test_tallies_add_up() -> None:
    """Every count, and the percentiles are those of all times together."""
    slow = [1.0] * 10
    total = merge([metered(*[0.001] * 90), metered(*slow, violations=1)])
    answers = combined([total.histograms["answer"]])

    assert total.decisions == {"toy": 100}
    assert (total.errors, total.games, total.cpu_s) == ({"busy": 2}, 4, 1.0)
    assert (total.violations, total.told) == (1, (VIOLATION,))
    assert answers.get_total_count() == 100
    assert answers.get_value_at_percentile(50) == pytest.approx(1_000, rel=0.001)
    assert answers.get_value_at_percentile(99) == pytest.approx(1_000_000, rel=0.001)


def test_errors_are_counted_by_their_names_and_bounded() -> None:
    """What was said of each last is kept; a server that makes names up fills nothing."""
    meter = Meter()
    for number in range(ERRORS_MAX + 10):
        meter.failed(f"error {number}", "x" * 1_000)
    meter.failed("error 0", "again")
    tally = meter.tally(0.0)

    assert (tally.errors["error 0"], tally.errors[OTHERS]) == (2, 10)
    assert len(tally.errors) == ERRORS_MAX + 1
    assert tally.reasons["error 0"] == "again"
    assert len(tally.reasons["error 1"]) == REASON_CHARS


def test_no_tallies_are_a_tally_of_nothing() -> None:
    """If every worker died, there is a report still."""
    assert merge([]).decisions == {}
    assert combined([merge([]).histograms["answer"]]).get_total_count() == 0


def test_times_out_of_range_count_as_its_ends() -> None:
    """Nothing is lost, least of all the longest."""
    counts = combined([metered(0.0, 1e9).histograms["answer"]])

    assert counts.get_total_count() == 2
    assert counts.get_value_at_percentile(1) == LOWEST_US
    assert counts.get_value_at_percentile(100) >= HIGHEST_US


def test_nothing_is_timed_before_the_run_begins() -> None:
    """A table that is opened before is not the server's daily work."""
    meter = Meter()
    meter.time("opening", 1.0)

    assert combined([meter.tally(0.0).histograms["opening"]]).get_total_count() == 0


def test_only_so_many_violations_are_told() -> None:
    """All are counted."""
    total = merge([metered(violations=80), metered(violations=80)])

    assert (total.violations, len(total.told)) == (160, VIOLATIONS_TOLD_MAX)
