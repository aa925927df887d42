"""The arithmetic of a report, and what people read."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

import longfuse.load
from load.test_meter import VIOLATION, metered
from longfuse.load.meter import merge
from longfuse.load.plan import Run
from longfuse.load.processes import Usage
from longfuse.load.report import Report, lines, progress_line, report
from longfuse.load.run import Outcome, Progress

RUN = Run(tables=4, spectators=1, seconds=10.0, rulesets=("toy",), rate=20.0)
OUTCOME = Outcome(
    run=RUN,
    server="its own",
    seconds=8.0,
    tally=merge([metered(*[0.010] * 50), metered(*[0.020] * 50)]),
    workers=2,
    usage=Usage(cpu_s=0.25, waited_s=0.125),
)


def told(**fields: object) -> Report:
    """The report of a run that came out so."""
    return report(msgspec.structs.replace(OUTCOME, **fields), 0.018, 0.022)


def test_figures_come_from_what_was_measured() -> None:
    """Per second measured, per decision, and in calibration loops."""
    figures = told()

    assert (figures.tables, figures.clients, figures.decisions) == (4, 12, 100)
    assert figures.decisions_per_s == 12.5
    assert figures.decisions_per_calibration == pytest.approx(12.5 * 0.020)
    assert figures.server_cpu_ms_per_1000_decisions == 2_500.0
    assert figures.server_cpu_calibrations_per_1000_decisions == pytest.approx(2.5 / 0.020)
    assert figures.server_waited_s == 0.125
    assert figures.calibration_ms == (18.0, 22.0)
    assert figures.latency["answer"].p50_ms == pytest.approx(10, rel=0.001)
    assert figures.latency["answer"].p99_9_ms == pytest.approx(20, rel=0.001)
    assert figures.latency_calibrations["answer_p99"] == pytest.approx(1.0, rel=0.001)
    assert figures.is_clean


def test_what_is_unknown_stays_unknown() -> None:
    """Nothing decided, nothing known of the server: no figure is made up."""
    figures = told(tally=merge([]), usage=None)

    assert figures.server_cpu_ms_per_1000_decisions is None
    assert figures.bytes_received_per_decision is None
    assert not figures.is_clean
    assert any("unknown" in line for line in lines(figures))


def test_a_run_that_was_stopped_at_once_is_told() -> None:
    """Without a division by nothing."""
    figures = told(seconds=0.0, tally=merge([]))

    assert figures.decisions_per_s == 0.0
    assert list(lines(figures))


def test_a_violation_is_told_with_its_place() -> None:
    """Table, client and frame; and the run is not clean."""
    figures = told(tally=merge([metered(0.01, violations=1)]))

    assert not figures.is_clean
    assert f"  gap: table t, seat 0, frame 1: {VIOLATION.text}" in list(lines(figures))


def test_a_dead_worker_is_told() -> None:
    """And the run is not clean, though the others went on."""
    figures = told(failures=("worker 1 has not reported: it said nothing",))

    assert not figures.is_clean
    assert "worker 1 has not reported" in list(lines(figures))[-1]


def test_errors_are_told_by_code() -> None:
    """With how many there were; a server may refuse what is too much."""
    assert "  busy: 2, the last: too many at once" in list(lines(told()))
    assert told().is_clean


@pytest.mark.parametrize("fault", ["suspended", "nobody asked", "closed 1011", "server gone"])
def test_a_fault_of_the_server_is_no_refusal(fault: str) -> None:
    """However little else went wrong, the run is not clean."""
    tally = msgspec.structs.replace(OUTCOME.tally, errors={fault: 1})
    figures = told(tally=tally)

    assert not figures.is_clean
    assert fault in list(lines(figures))[-1]


def test_programs_get_it_all() -> None:
    """The report is one JSON object; what each field means stands on the harness's page."""
    figures = msgspec.json.decode(msgspec.json.encode(told()))
    page = Path(longfuse.load.__file__).with_name("README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", page, flags=re.MULTILINE))

    assert {field for row in named for field in re.findall(r"\w+", row)} == set(figures)
    assert figures["latency"]["answer"]["count"] == 100
    assert figures["errors"] == {"busy": 2}


def test_progress_tells_the_last_second_s_pace() -> None:
    """And before the run begins, how many tables are open."""
    last = Progress(seconds=1.0, decisions=100)
    now = Progress(seconds=3.0, decisions=400, violations=1)

    assert "150/s" in progress_line(now, last)
    assert "1 violations" in progress_line(now, last)
    assert progress_line(Progress(seconds=0.0, opened=3), None) == "opening tables: 3 are open"
    ending = Progress(seconds=9.0, is_over=True)
    assert progress_line(ending, now) == "waiting for the last answers"
