"""Terms of a table as they are typed and told."""

from __future__ import annotations

from argparse import ArgumentParser

import pytest

from longfuse.cli.output import CommandError
from longfuse.cli.terms import (
    USUAL,
    arguments,
    read_clock,
    read_terms,
    span,
    told_clock,
    told_terms,
)
from longfuse_protocol.messages import ClockTerms, Terms


def typed(*words: str) -> Terms:
    """The terms that these words say."""
    parser = ArgumentParser()
    arguments(parser)
    return read_terms(parser.parse_args(words))


def test_without_words_the_terms_are_the_usual_ones() -> None:
    """And none of them is worth a word."""
    assert typed() == Terms()
    assert told_terms(typed()) == USUAL


def test_every_term_can_be_said() -> None:
    """As it is typed, it is told."""
    terms = typed(
        *("--clock", "60,default", "--unlisted", "--watch", "invited", "--delay", "90"),
        *("--best-of", "3", "--ready", "30", "--take-back", "no", "--open-replay", "--no-chat"),
        *("--bluff", "1500"),
    )

    assert terms == Terms(
        listed=False,
        watch="invited",
        delay_s=90,
        clock=ClockTerms(kind="decision", decision_s=60, out="default"),
        take_back="no",
        open_replay=True,
        best_of=3,
        ready_s=30,
        chat=False,
        bluff_ms=1_500,
    )
    assert told_terms(terms) == (
        "1:00 a decision, running out takes the default, best of 3, by invitation, watched by "
        "invitation, spectators 1:30 behind, nothing is taken back, shown whole afterwards, "
        "no chat, passes take 1,500 ms"
    )


@pytest.mark.parametrize(
    ("words", "clock", "said"),
    [
        ("none", ClockTerms(), "no clock"),
        (
            "15+5",
            ClockTerms(kind="bank", bank_s=900, increment_s=5),
            "15:00 + 5 s a decision, running out loses",
        ),
        ("90+0", ClockTerms(kind="bank", bank_s=5400, increment_s=0), "1:30:00, running out loses"),
        (
            "30,lose",
            ClockTerms(kind="decision", decision_s=30),
            "30 s a decision, running out loses",
        ),
    ],
)
def test_a_clock_is_read_and_told(words: str, clock: ClockTerms, said: str) -> None:
    """Minutes and an increment, or seconds for each decision."""
    assert read_clock(words) == clock
    assert told_clock(clock) == said


@pytest.mark.parametrize("words", ["", "soon", "15+", "0+5", "0", "9999+1", "1+4000", "60,draw"])
def test_what_is_no_clock_is_told(words: str) -> None:
    """With what would be one."""
    with pytest.raises(CommandError, match="--clock"):
        read_clock(words)


@pytest.mark.parametrize(
    "words", [("--delay", "3601"), ("--ready", "-1"), ("--ready", "601"), ("--bluff", "5001")]
)
def test_seconds_have_their_bounds(words: tuple[str, str]) -> None:
    """Told before anything is opened."""
    with pytest.raises(CommandError, match="from 0 to"):
        typed(*words)


def test_spans_of_time() -> None:
    """Rounded down, and never below nothing."""
    assert [span(s) for s in (-3, 0.9, 59.9, 60, 3_599, 3_600)] == [
        *("0 s", "0 s", "59 s", "1:00", "59:59", "1:00:00"),
    ]
