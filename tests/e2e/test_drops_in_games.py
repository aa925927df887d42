"""Drops at every step of real games: whatever message is the last, all ends as it would have.

A first game of each ruleset fixes what is decided when: mulligans, plays, reactions, plays that are
taken back, passes by settings, and a draw or a conceding. Then the same game is played once for
each message that a seat hears, cut before it and after it, and for each that it sends.

All steps take some minutes, and are tried with LONGFUSE_LONG=1. Else each sort of cut is tried at
`SAMPLE` steps, spread evenly over the game: the file takes about half a minute.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from complaints.scene import LONG
from e2e.scripted import PLAYERS, TAKE_BACKS, VIEWERS, Course, Kept, Told, play
from longfuse.game.entries import Decision, Interruption
from longfuse.game.entries import TakeBack as TakenBack
from longfuse.host.feeds import RECAP_MAX
from longfuse_protocol import messages as m
from longfuse_protocol.client import Dropped
from support.cutting import KINDS, Cut, Cutter, check_commands, check_frames

pytestmark = pytest.mark.slow

SAMPLE = 18
RULESETS = ("riftbound", "hkk")
TRIES = 40
"""So many games are looked through for one that has everything. Which one has cannot be said here:
the version of the rules goes into the shuffles, so each change of them deals other cards."""
DECISIONS = {"riftbound": 26, "hkk": 40}
ENDS = {"riftbound": "draw", "hkk": "concede"}
REACTIONS = {"riftbound": "focus", "hkk": "priority"}
"""What is asked of who may do something in another's turn."""


class Fixed(NamedTuple):
    """A ruleset's game, and how it goes without a drop."""

    course: Course
    games: Kept
    without: Told


_FIXED: dict[str, Fixed] = {}


async def fixed(ruleset: str) -> Fixed:
    """Return a ruleset's game, the first that has everything; it is made once."""
    if ruleset not in _FIXED:
        _FIXED[ruleset] = await _first_with_everything(ruleset)
    return _FIXED[ruleset]


async def _first_with_everything(ruleset: str) -> Fixed:
    missing = []
    for seed in range(1, TRIES + 1):
        games = Kept()
        course = Course(ruleset, seed, DECISIONS[ruleset], ENDS[ruleset])
        await play(course, games)
        course.made()
        made = Fixed(course, games, await play(course, games))
        missing.append(lacks(ruleset, made))
        if not missing[-1]:
            return made
    raise AssertionError(f"no game of {ruleset} has everything; they lack {missing}")


def lacks(ruleset: str, made: Fixed) -> str:
    """Return what is missing in a game that is to have everything; "" if nothing is."""
    course, _, without = made
    prompts = [prompt for prompt, _ in course.acts.values()]
    kinds = [prompt.kind for prompt in prompts]
    rules = {rule for entry, _, rule in without.entries if isinstance(entry, Decision)}
    reactions = [
        prompt
        for prompt, acts in course.acts.values()
        for act in acts
        if prompt.kind == REACTIONS[ruleset]
        and isinstance(act, m.Decide)
        and act.answer != len(prompt.items) - 1
    ]
    has = {
        "prompts of both seats": {prompt.seat for prompt in prompts} == {0, 1},
        "both mulligans": ruleset == "hkk" or kinds.count("mulligan") == 2,
        "a reaction": bool(reactions),
        "a target": "target" in kinds,
        "the passes": {"", "smart: nothing but passing", "mode: pass"} <= rules,
        "ten frames": len(frames(without, "Eve")) > 10,
    }
    return next((what for what, is_there in has.items() if not is_there), "")


def frames(told: Told, name: str) -> list[m.Events]:
    """Return what a viewer was shown."""
    return [one for one in told.heard[name] if isinstance(one, m.Events)]


def check_same(told: Told, without: Told) -> None:
    """All is there as it is without a drop: entries, states, views, and every event once."""
    assert told.nonces == without.nonces
    assert told.entries == without.entries
    assert told.states == without.states
    assert told.ends == without.ends
    assert {name: end[1] for name, end in told.ends.items()} == told.views
    for name in VIEWERS:
        check_frames(name, told.heard[name])
        check_events(name, told.heard[name], frames(without, name))


def check_events(name: str, heard: Sequence[object], all_frames: Sequence[m.Events]) -> None:
    """No event comes twice or is missed. A whole view comes to who has seen nothing yet only."""
    n = 0
    events: list[object] = []
    for one in heard:
        if isinstance(one, m.Snapshot):
            assert n == 0, (name, one.n)
            stood_for = [event for frame in all_frames[: one.n] for event in frame.events]
            assert list(one.recap) == stood_for[-RECAP_MAX:], (name, one.n)
            assert not one.n or one.digest == all_frames[one.n - 1].digest, (name, one.n)
            n, events = one.n, stood_for
        elif isinstance(one, m.Events):
            n += 1
            assert one == all_frames[n - 1], (name, n)
            events.extend(one.events)
    assert events == [event for frame in all_frames for event in frame.events], name


def check_answers(course: Course, cutter: Cutter, cut: Cut) -> None:
    """Each command is answered once; one at most is sent again, by who lost the connection."""
    check_commands(cutter)
    commands = [
        (name, act.command)
        for (name, _), (_, acts) in course.acts.items()
        for act in acts
        if not isinstance(act, m.MakeOffer)  # made anew until it is heard
    ]
    again = [key for key in commands if cutter.commands[key] != 1]
    assert [cutter.commands[key] for key in again] in ([], [2]), again
    assert {name for name, _ in again} <= {cut.name}
    assert {key: cutter.answers[key] for key in commands} == dict.fromkeys(commands, 1)


def sampled(first: int, last: int) -> list[int]:
    """Return the steps that are tried."""
    if LONG or last - first < SAMPLE:
        return list(range(first, last + 1))
    return [first + place * (last - first) // (SAMPLE - 1) for place in range(SAMPLE)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.complaint(
    "servers 5", "servers 7", "servers 8", "servers 10", "servers 13", "servers 71"
)
async def test_a_drop_at_every_step(
    ruleset: str, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat that drops at any step plays the same game, and everybody sees all of it once."""
    course, games, without = await fixed(ruleset)
    cutter = Cutter(monkeypatch)
    await play(course, games)
    # Who never hears the first welcome has no session to go on with, and comes as somebody else.
    first = 2 if kind == "before" else 1
    for at in sampled(first, cutter.counts[name, kind]):
        cut = Cut(name, kind, at)
        cutter.begin(cut)
        told = await play(course, games)
        try:
            assert cutter.counts[name, kind] >= at
            check_same(told, without)
            check_answers(course, cutter, cut)
        except AssertionError as error:
            error.add_note(f"{ruleset}: {cut}")
            raise


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_the_games_have_everything(ruleset: str) -> None:
    """What is said above to be in these games is in them."""
    made = await fixed(ruleset)
    course, games, without = made
    prompts = [prompt for prompt, _ in course.acts.values()]
    entries = [entry for entry, _, _ in without.entries]

    assert lacks(ruleset, made) == ""
    assert sum(isinstance(entry, TakenBack) for entry in entries) == TAKE_BACKS
    assert (
        entries[-1]
        == {
            "draw": Interruption("agreed draw"),
            "concede": Interruption("concede", prompts[-1].seat),
        }[ENDS[ruleset]]
    )
    assert all(without.nonces)
    assert without.ends == (await play(course, games)).ends


async def test_the_cuts_are_real(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is to lose the connection does, and nobody else."""
    course, games, _ = await fixed("hkk")
    cutter = Cutter(monkeypatch)
    cutter.begin(Cut("Ada", "after", 40))
    told = await play(course, games)

    drops = {
        name: sum(isinstance(one, Dropped) for one in heard) for name, heard in told.heard.items()
    }
    assert drops == {"Ada": 1, "Bob": 0, "Eve": 0}


async def test_the_check_of_events_can_fail() -> None:
    """An event that is missed, or comes twice, is seen."""
    _, _, without = await fixed("hkk")
    shown = frames(without, "Eve")
    last = max(n for n, frame in enumerate(shown) if frame.events)
    for wrong in (shown[1:], shown[:last], [*shown[:5], *shown[4:]], [*shown[:5], *shown[6:]]):
        with pytest.raises(AssertionError):
            check_events("Eve", wrong, shown)
