"""What is told of a run: figures by name, and lines for people. Pure arithmetic on an outcome.

Figures come raw and as ratios to the calibration loop, which was run before and after: machines
differ and drift, and a ratio compares better than a second does. What each means is in the README
beside this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from longfuse.load.meter import TIMINGS, combined
from longfuse.load.plan import SEATS
from longfuse.load.run import Outcome, Progress
from longfuse.load.table import SERVER_GONE
from longfuse_protocol.errors import CloseCode

PERCENTILES: Mapping[str, float] = {"p50": 50.0, "p99": 99.0, "p99_9": 99.9}
VIOLATIONS_SHOWN_MAX = 20
FAULTS = frozenset({"suspended", "nobody asked", SERVER_GONE, f"closed {int(CloseCode.FAULT)}"})
"""Errors that no server may make, however much is asked of it."""


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """One timing: how many were taken, and milliseconds."""

    count: int
    p50_ms: float
    p99_ms: float
    p99_9_ms: float
    max_ms: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All that is told. Its JSON is what programs get; the README tells what each field means."""

    is_clean: bool
    """Whether anything was played, nothing was seen that may not be, and nothing broke."""
    server: str
    tables: int
    clients: int
    workers: int
    seconds: float
    decisions: int
    decisions_by_ruleset: dict[str, int]
    decisions_per_s: float
    decisions_per_calibration: float
    """Decisions in the time of one calibration loop."""
    rate: float | None
    overdue: int
    games: int
    games_over: int
    games_compared: int
    frames: int
    latency: dict[str, Latency]
    latency_calibrations: dict[str, float]
    """The medians and 99th percentiles, in calibration loops."""
    drops: int
    resumed: int
    bytes_received: int
    bytes_sent: int
    bytes_received_per_decision: float | None
    errors: dict[str, int]
    error_reasons: dict[str, str]
    """What was said last of each error, where anything was."""
    server_cpu_s: float | None
    server_waited_s: float | None
    """How long it could have run and had no core."""
    server_cpu_ms_per_1000_decisions: float | None
    server_cpu_calibrations_per_1000_decisions: float | None
    harness_cpu_s: float
    calibration_ms: tuple[float, float]
    """Before and after."""
    violations: int
    violations_told: list[dict[str, Any]]
    failures: tuple[str, ...]


def report(outcome: Outcome, before_s: float, after_s: float) -> Report:
    """Work the figures out; the calibration loop took so many CPU seconds before and after."""
    run, tally = outcome.run, outcome.tally
    loop_s = (before_s + after_s) / 2
    decisions = sum(tally.decisions.values())
    per_s = decisions / outcome.seconds if outcome.seconds else 0.0
    usage = outcome.usage
    cpu_s = None if usage is None else usage.cpu_s
    cpu_ms = _per(cpu_s, decisions, 1_000_000)
    failures = tuple(_failures(outcome))
    latency: dict[str, Latency] = {name: latency_of(tally.histograms[name]) for name in TIMINGS}
    return Report(
        is_clean=not failures and not tally.violations,
        server=outcome.server,
        tables=run.tables,
        clients=run.tables * (SEATS + run.spectators),
        workers=outcome.workers,
        seconds=round(outcome.seconds, 3),
        decisions=decisions,
        decisions_by_ruleset=tally.decisions,
        decisions_per_s=round(per_s, 1),
        decisions_per_calibration=round(per_s * loop_s, 3),
        rate=run.rate,
        overdue=tally.overdue,
        games=tally.games,
        games_over=tally.games_over,
        games_compared=tally.games_compared,
        frames=tally.frames,
        latency=latency,
        latency_calibrations={
            f"{name}_{point}": round(getattr(one, f"{point}_ms") / 1_000 / loop_s, 3)
            for name, one in latency.items()
            for point in ("p50", "p99")
        },
        drops=tally.drops,
        resumed=tally.resumed,
        bytes_received=tally.bytes_received,
        bytes_sent=tally.bytes_sent,
        bytes_received_per_decision=_per(tally.bytes_received, decisions),
        errors=tally.errors,
        error_reasons=tally.reasons,
        server_cpu_s=_rounded(cpu_s),
        server_waited_s=_rounded(None if usage is None else usage.waited_s),
        server_cpu_ms_per_1000_decisions=cpu_ms,
        server_cpu_calibrations_per_1000_decisions=_per(cpu_ms, loop_s, 1 / 1_000),
        harness_cpu_s=round(tally.cpu_s, 3),
        calibration_ms=(round(before_s * 1_000, 3), round(after_s * 1_000, 3)),
        violations=tally.violations,
        violations_told=[msgspec.to_builtins(one) for one in tally.told],
        failures=failures,
    )


def _failures(outcome: Outcome) -> Iterator[str]:
    """What makes a run worthless whatever its figures are, in sentences."""
    yield from outcome.failures
    for fault in sorted(FAULTS & outcome.tally.errors.keys()):
        yield f"what no server may do: {fault}"
    if not any(outcome.tally.decisions.values()):
        yield "nothing was played"


def latency_of(histogram: str) -> Latency:
    """The figures of one histogram."""
    counts = combined([histogram])
    points = {
        f"{name}_ms": counts.get_value_at_percentile(point) / 1_000
        for name, point in PERCENTILES.items()
    }
    return Latency(
        count=counts.get_total_count(),
        max_ms=counts.get_value_at_percentile(100.0) / 1_000,
        **points,
    )


def _per(amount: float | None, count: float, unit: float = 1.0) -> float | None:
    """So much for each; None where nothing is known or nothing was done."""
    return None if amount is None or not count else round(amount / count * unit, 3)


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 3)


# ---------------------------------------------------------------- for people


TIMING_NAMES = {
    "answer": "decision to answer",
    "other_seat": "decision to other seat",
    "opening": "opening a table",
    "resume": "coming back",
    "late": "harness late",
}


def lines(told: Report) -> Iterator[str]:
    """The report as it is printed."""
    by_ruleset = ", ".join(f"{name} {count:,}" for name, count in told.decisions_by_ruleset.items())
    yield (
        f"{told.tables:,} tables, {told.clients:,} clients in {told.workers} processes, "
        f"{told.seconds:,.1f} s"
    )
    yield f"server           {told.server}"
    yield f"decisions        {told.decisions:,} ({by_ruleset or 'none'})"
    yield (
        f"decisions/s      {told.decisions_per_s:,.1f}"
        f" ({told.decisions_per_calibration:,.3f} per calibration)"
    )
    if told.rate is not None:
        yield f"asked for        {told.rate:,.1f}/s; {told.overdue:,} were due and not made"
    yield (
        f"games            {told.games:,} begun, {told.games_over:,} over, "
        f"{told.games_compared:,} compared"
    )
    yield ""
    yield from _latencies(told)
    yield ""
    yield from _costs(told)
    yield f"errors           {sum(told.errors.values()):,}"
    for error, count in sorted(told.errors.items()):
        reason = told.error_reasons.get(error, "")
        yield f"  {error}: {count:,}{f', the last: {reason}' if reason else ''}"
    yield from _wrongs(told)


def _latencies(told: Report) -> Iterator[str]:
    yield f"{'milliseconds':<24}{'count':>10}{'p50':>10}{'p99':>10}{'p99.9':>10}{'max':>10}"
    for name, one in told.latency.items():
        if one.count:
            figures = (one.p50_ms, one.p99_ms, one.p99_9_ms, one.max_ms)
            shown = "".join(f"{figure:>10,.2f}" for figure in figures)
            yield f"{TIMING_NAMES[name]:<24}{one.count:>10,}{shown}"


def _costs(told: Report) -> Iterator[str]:
    if told.server_cpu_s is None:
        yield "server CPU       unknown (--pid tells whose it is)"
    else:
        share = told.server_cpu_s / told.seconds if told.seconds else 0.0
        waited = told.server_waited_s
        short = "" if waited is None else f"; {waited:,.2f} s waiting for one"
        yield f"server CPU       {told.server_cpu_s:,.2f} s, {share:.0%} of one core{short}"
    if told.server_cpu_ms_per_1000_decisions is not None:
        yield (
            f"per 1,000        {told.server_cpu_ms_per_1000_decisions:,.0f} ms of server CPU"
            f" ({told.server_cpu_calibrations_per_1000_decisions:,.1f} calibrations)"
        )
    yield f"harness CPU      {told.harness_cpu_s:,.2f} s"
    each = told.bytes_received_per_decision
    yield (
        f"bytes            {told.bytes_received:,} received, {told.bytes_sent:,} sent"
        f"{f'; {each:,.0f} received per decision' if each is not None else ''}"
    )
    if told.drops:
        yield f"drops            {told.drops:,}; {told.resumed:,} came back"
    before, after = told.calibration_ms
    yield f"calibration      {before:,.2f} ms before, {after:,.2f} ms after"


def _wrongs(told: Report) -> Iterator[str]:
    yield f"violations       {told.violations:,}"
    for one in told.violations_told[:VIOLATIONS_SHOWN_MAX]:
        yield "  {kind}: table {table}, {client}, frame {n}: {text}".format(**one)
    if told.violations > VIOLATIONS_SHOWN_MAX:
        yield "  …"
    for failure in told.failures:
        yield f"FAILED           {failure}"


def progress_line(progress: Progress, last: Progress | None) -> str:
    """How far a run is, in one line; `last` is what was told a second before."""
    if not progress.seconds:
        return f"opening tables: {progress.opened:,} are open"
    if progress.is_over:
        return "waiting for the last answers"
    made = progress.decisions - (last.decisions if last is not None else 0)
    since = progress.seconds - (last.seconds if last is not None else 0.0)
    per_s = made / since if since > 0 else 0.0
    return (
        f"{progress.seconds:,.0f} s: {progress.decisions:,} decisions, {per_s:,.0f}/s, "
        f"{progress.games_over:,} games over, {progress.errors:,} errors, "
        f"{progress.violations:,} violations"
    )
