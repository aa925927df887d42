"""The terms of a table as people type and read them.

Owns the spelling of clocks, and the options of commands that open tables. What terms mean is the
server's.
"""

from __future__ import annotations

import argparse
import re
from typing import Literal

from longfuse.cli.output import CommandError
from longfuse_protocol.messages import ClockTerms, ShownClockTerms, ShownTerms, Terms

CLOCK = re.compile(r"(?:(?P<bank>\d{1,4})\+(?P<increment>\d{1,4})|(?P<decision>\d{1,5}))")
CLOCK_FORMS = (
    "none, 15+5 (15 minutes for the game and 5 s more with each decision), or 60 (seconds for "
    "each decision); with ,default, as in 60,default, running out takes the question's default "
    "instead of losing"
)
MINUTE_S = 60
DAY_S = 86_400
OPENING = (
    *("unlisted", "watch", "delay", "best_of", "ready", "take_back", "open_replay", "no_chat"),
    "bluff",
)
"""Arguments that only who opens a table may give."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what a table can be opened under."""
    group = parser.add_argument_group("the terms of a table that you open")
    group.add_argument("--clock", metavar="C", help=CLOCK_FORMS)
    group.add_argument(
        "--unlisted", action="store_true", help="only who has the invitation sits down"
    )
    group.add_argument(
        "--watch", choices=("open", "invited", "closed"), help="who may watch (open)"
    )
    group.add_argument("--delay", type=int, metavar="S", help="seconds spectators are behind (0)")
    group.add_argument(
        "--best-of", type=int, choices=(1, 3), help="games that are played at most (1)"
    )
    group.add_argument(
        "--ready", type=int, metavar="S", help="ask all whether they are ready, for so long"
    )
    group.add_argument(
        "--take-back",
        choices=("no", "open play", "by agreement"),
        help="what may be taken back (open play)",
    )
    group.add_argument(
        "--open-replay", action="store_true", help="show the whole game once it is over"
    )
    group.add_argument("--no-chat", action="store_true", help="nobody talks at the table")
    group.add_argument(
        "--bluff", type=int, metavar="MS", help="how long each pass that the server makes takes (0)"
    )


def read_terms(given: argparse.Namespace) -> Terms:
    """The terms that the arguments say. Raises CommandError for numbers out of bounds."""
    usual = Terms()
    delay_s = usual.delay_s if given.delay is None else given.delay
    ready_s = usual.ready_s if given.ready is None else given.ready
    bluff_ms = usual.bluff_ms if given.bluff is None else given.bluff
    _check("--delay", delay_s, 3_600, "seconds")
    _check("--ready", ready_s, 600, "seconds")
    _check("--bluff", bluff_ms, 5_000, "milliseconds")
    return Terms(
        listed=not given.unlisted,
        watch=given.watch or usual.watch,
        delay_s=delay_s,
        clock=read_clock(given.clock),
        take_back=given.take_back or usual.take_back,
        open_replay=given.open_replay,
        best_of=given.best_of or usual.best_of,
        ready_s=ready_s,
        chat=not given.no_chat,
        bluff_ms=bluff_ms,
    )


def _check(word: str, value: int, most: int, unit: str) -> None:
    if not 0 <= value <= most:
        raise CommandError(f"{word} {value}: from 0 to {most:,} {unit}")


def read_clock(text: str | None) -> ClockTerms:
    """A clock as it is typed; None is no clock. Raises CommandError for anything else."""
    if text is None or text == "none":
        return ClockTerms()
    spelt, _, out = text.partition(",")
    match = CLOCK.fullmatch(spelt)
    if match is None or out not in ("", "default", "lose"):
        raise CommandError(f"--clock {text!r}: one of {CLOCK_FORMS}")
    loses: Literal["default", "lose"] = "default" if out == "default" else "lose"
    if match["bank"] is None:
        decision_s = int(match["decision"])
        if not 1 <= decision_s <= DAY_S:
            raise CommandError(f"--clock {text!r}: from 1 to {DAY_S} seconds for each decision")
        return ClockTerms(kind="decision", decision_s=decision_s, out=loses)
    bank_s, increment_s = int(match["bank"]) * MINUTE_S, int(match["increment"])
    if not 1 <= bank_s <= DAY_S or increment_s > 3_600:
        raise CommandError(f"--clock {text!r}: from 1 to 1440 minutes, and at most 3600 s more")
    return ClockTerms(kind="bank", bank_s=bank_s, increment_s=increment_s, out=loses)


def told_clock(clock: ShownClockTerms) -> str:
    """A clock in words."""
    if clock.kind == "none":
        return "no clock"
    out = {"lose": "loses", "default": "takes the default"}.get(clock.out, clock.out)
    if clock.kind == "decision":
        return f"{span(clock.decision_s)} a decision, running out {out}"
    if clock.kind != "bank":
        return f"clock {clock.kind}, running out {out}"  # a later server knows others
    more = f" + {clock.increment_s} s a decision" if clock.increment_s else ""
    return f"{span(clock.bank_s)}{more}, running out {out}"


def told_terms(terms: ShownTerms) -> str:
    """All terms that are worth a word, in one line."""
    said = [told_clock(terms.clock)]
    if terms.best_of > 1:
        said.append(f"best of {terms.best_of}")
    if not terms.listed:
        said.append("by invitation")
    if terms.watch == "closed":
        said.append("nobody watches")
    else:
        watched = {"open": "open to watch", "invited": "watched by invitation"}
        said.append(watched.get(terms.watch, f"watched: {terms.watch}"))
        if terms.delay_s:
            said.append(f"spectators {span(terms.delay_s)} behind")
    if terms.take_back == "no":
        said.append("nothing is taken back")
    elif terms.take_back == "by agreement":
        said.append("taken back by agreement")
    elif terms.take_back != "open play":
        said.append(f"taken back: {terms.take_back}")
    if terms.open_replay:
        said.append("shown whole afterwards")
    if not terms.chat:
        said.append("no chat")
    if terms.bluff_ms:
        said.append(f"passes take {terms.bluff_ms:,} ms")
    return ", ".join(said)


def span(seconds: float) -> str:
    """So much time in minutes and seconds, rounded down: 1:05, or 42 s below a minute."""
    whole = max(0, int(seconds))
    if whole < MINUTE_S:
        return f"{whole} s"
    minutes, left = divmod(whole, MINUTE_S)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


USUAL = told_terms(Terms())
"""The words for terms that need none."""
