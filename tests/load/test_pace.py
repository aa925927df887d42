"""A decision is due when the schedule or the thinking says, not when it can be sent."""

from __future__ import annotations

from statistics import mean

import pytest

from longfuse.load.pace import Schedule, Thinking, pace_of
from longfuse.load.plan import TablePlan

PLAN = TablePlan(number=0, ruleset="toy", spectators=0, seed="s/0", first_s=0.5, every_s=2.0)


def test_a_schedule_goes_on_whatever_happens() -> None:
    """A question that comes late does not move what was due."""
    pace = Schedule(100.0, 2.0)

    assert [pace.intended(asked) for asked in (99.0, 109.0, 109.5)] == [100.0, 102.0, 104.0]


def test_what_was_due_without_a_game_is_left_out() -> None:
    """The schedule goes on with what is still to come, and never goes back."""
    pace = Schedule(100.0, 2.0)
    pace.skip_to(103.0)

    assert pace.intended(103.0) == 104.0
    pace.skip_to(101.0)
    assert pace.intended(103.0) == 106.0


def test_what_is_due_and_not_made_is_counted() -> None:
    """At the end of a run, a server that did not keep up shows."""
    pace = Schedule(100.0, 2.0)
    pace.intended(100.0)

    assert [pace.overdue(now) for now in (100.0, 102.0, 102.5, 107.0)] == [0, 0, 1, 3]


def test_thinking_counts_from_the_question() -> None:
    """It follows from the seed, and takes so long on average."""
    thought = [Thinking(2.0, "s").intended(10.0), Thinking(2.0, "s").intended(10.0)]
    pace = Thinking(2.0, "s")

    assert thought[0] == thought[1] > 10.0
    assert mean(pace.intended(0.0) for _ in range(4_000)) == pytest.approx(2.0, rel=0.1)
    assert pace.overdue(1_000.0) == 0


def test_without_thinking_a_decision_is_due_at_once() -> None:
    """When its question comes."""
    assert Thinking(0.0, "s").intended(10.0) == 10.0


def test_a_plan_has_a_schedule_or_thinks() -> None:
    """The schedule begins with the run."""
    scheduled = pace_of(PLAN, 50.0)

    assert scheduled.intended(0.0) == 50.5
    assert isinstance(pace_of(TablePlan(number=0, ruleset="t", spectators=0, seed=""), 0), Thinking)
