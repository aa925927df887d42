"""What one process counts and times, and how the counts of several become one.

Owns the histograms: microseconds, three digits, up to ten minutes. A `Meter` belongs to one worker;
a `Tally` is what it comes to, as it goes through a pipe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from hdrh.histogram import HdrHistogram

from longfuse.load.checks import Violation

Timing = Literal["answer", "other_seat", "opening", "resume", "late"]
TIMINGS: tuple[Timing, ...] = ("answer", "other_seat", "opening", "resume", "late")
"""answer: from the intended moment of a decision to its answer. other_seat: from there to the frame
at the other seat. opening: from the wish for a table to its first question. resume: from a drop to
the welcome back. late: how long the harness itself took to send what was due and asked for.
"""

LOWEST_US = 1
HIGHEST_US = 600_000_000
DIGITS = 3
VIOLATIONS_TOLD_MAX = 100
ERRORS_MAX = 100
"""Different errors; a server that makes up more has them counted together."""
OTHERS = "others"
REASON_CHARS = 200


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of one process, or of all."""

    decisions: dict[str, int]
    """By ruleset."""
    games: int = 0
    games_over: int = 0
    games_compared: int = 0
    frames: int = 0
    drops: int = 0
    resumed: int = 0
    overdue: int = 0
    bytes_received: int = 0
    bytes_sent: int = 0
    errors: dict[str, int] = msgspec.field(default_factory=dict)
    reasons: dict[str, str] = msgspec.field(default_factory=dict)
    """By error, what was said of it last."""
    violations: int = 0
    told: tuple[Violation, ...] = ()
    """The first of them."""
    cpu_s: float = 0.0
    """Of the harness."""
    histograms: dict[str, str] = msgspec.field(default_factory=dict)
    """By timing, in HdrHistogram's own encoding."""


class Meter:
    """Counts as a worker goes along; times only while it is on, from the run's beginning."""

    def __init__(self) -> None:
        self.is_on = False
        self.decisions: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.games = 0
        self.games_over = 0
        self.games_compared = 0
        self.frames = 0
        self.drops = 0
        self.resumed = 0
        self.overdue = 0
        self.bytes_received = 0
        self.bytes_sent = 0
        self.violations = 0
        self._reasons: dict[str, str] = {}
        self._told: list[Violation] = []
        self._histograms = {timing: new_histogram() for timing in TIMINGS}

    def time(self, timing: Timing, seconds: float) -> None:
        """Something took so long."""
        if self.is_on:
            record(self._histograms[timing], seconds)

    def failed(self, error: str, reason: str = "") -> None:
        """Something went wrong that is no violation. reason: in words, as far as it is known."""
        if error not in self.errors and len(self.errors) >= ERRORS_MAX:
            error = OTHERS
        self.errors[error] += 1
        if reason:
            self._reasons[error] = reason[:REASON_CHARS]

    def found(self, violations: Iterable[Violation]) -> None:
        """Something may not be."""
        for violation in violations:
            self.violations += 1
            if len(self._told) < VIOLATIONS_TOLD_MAX:
                self._told.append(violation)

    def tally(self, cpu_s: float) -> Tally:
        """What it comes to."""
        return Tally(
            decisions=dict(self.decisions),
            games=self.games,
            games_over=self.games_over,
            games_compared=self.games_compared,
            frames=self.frames,
            drops=self.drops,
            resumed=self.resumed,
            overdue=self.overdue,
            bytes_received=self.bytes_received,
            bytes_sent=self.bytes_sent,
            errors=dict(self.errors),
            reasons=dict(self._reasons),
            violations=self.violations,
            told=tuple(self._told),
            cpu_s=cpu_s,
            histograms={name: encoded(one) for name, one in self._histograms.items()},
        )


_ADDED = (
    *("games", "games_over", "games_compared", "frames", "drops", "resumed", "overdue"),
    *("bytes_received", "bytes_sent", "violations", "cpu_s"),
)


def merge(tallies: Iterable[Tally]) -> Tally:
    """All counts as one."""
    all_of = list(tallies)
    return Tally(
        decisions=_sum(tally.decisions for tally in all_of),
        errors=_sum(tally.errors for tally in all_of),
        reasons={error: told for tally in all_of for error, told in tally.reasons.items()},
        told=tuple(one for tally in all_of for one in tally.told)[:VIOLATIONS_TOLD_MAX],
        histograms={
            name: encoded(combined(tally.histograms[name] for tally in all_of)) for name in TIMINGS
        },
        **{name: sum(getattr(tally, name) for tally in all_of) for name in _ADDED},
    )


def _sum(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(total)


# ---------------------------------------------------------------- histograms


def new_histogram() -> HdrHistogram:
    """An empty one."""
    return HdrHistogram(LOWEST_US, HIGHEST_US, DIGITS)


def record(histogram: HdrHistogram, seconds: float) -> None:
    """Count a time. What lies outside the range counts as its end: nothing is lost."""
    histogram.record_value(min(max(round(seconds * 1e6), LOWEST_US), HIGHEST_US))


def encoded(histogram: HdrHistogram) -> str:
    """As text."""
    text: bytes = histogram.encode()
    return text.decode("ascii")


def combined(texts: Iterable[str]) -> HdrHistogram:
    """One histogram with all that these texts hold."""
    histogram = new_histogram()
    for text in texts:
        histogram.decode_and_add(text)
    return histogram
