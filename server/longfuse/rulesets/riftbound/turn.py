"""The turn: phases and steps of a duel from set-up to its end (314-317).

Owns their order. What happens in a chain, showdown or cleanup is elsewhere. A mark is yielded
before each phase or step is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from longfuse.game.entries import Result
from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound import (
    actions,
    asking,
    cleanup,
    ending,
    offers,
    scoring,
    setup,
    showdown,
)
from longfuse.rulesets.riftbound.setup import Setup
from longfuse.timing.messages import reached
from longfuse.timing.references import Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

TURNS_MAX = 400
"""A duel that lasts longer is a draw: decks of fillers could go on for ever."""

RUNES_A_TURN = 2

CLAUSES = {
    "turn": "314",
    "awaken": "315.1",
    "beginning": "315.2.a",
    "scoring": "315.2.b",
    "channel": "315.3",
    "draw": "315.4",
    "main": "316",
    "ending": "317.1",
    "showdown": "345",
    "combat": "459",
}
"""The rule of each mark that a turn reaches."""


def play(duel: Duel) -> Steps[Result]:
    """The whole game."""
    try:
        first = yield from setup.set_up(duel)
        queued = first
        if duel.setup.resume is not None:
            yield from duel.setup.resume(duel)
            queued = duel.opponent(duel.turn_player())
        for _ in range(TURNS_MAX):
            extra = _extra_turn(duel)
            yield from take_turn(duel, queued if extra is None else extra)
            if extra is None:
                queued = duel.opponent(queued)
    except ending.Won as won:
        return won.result
    return Result(None, f"no winner after {TURNS_MAX} turns")


def _extra_turn(duel: Duel) -> Seat | None:
    """737: who has an additional turn next; the turn order goes on after it as if it were not."""
    queued = duel.game.store.get(("turns queued",)) or ()
    if not queued:
        return None
    duel.game.store.put(("turns queued",), queued[1:] or None)
    return int(queued[0])


def take_turn(duel: Duel, seat: Seat, start: str = "awaken") -> Steps[None]:
    """One turn of `seat`, from a phase or step on."""
    names = [name for name, _ in PHASES]
    if start == "awaken":
        yield from duel.game.begin_turn(seat)
        for other in duel.seats():
            duel.game.change_seat(other, scored=(), finalized=0)
        duel.game.change_seat(seat, turns=duel.player(seat).turns + 1)
    for name, phase in PHASES[names.index(start) :]:
        if duel.game.store.get(("turn ends",)) and name not in ("ending", "expiration"):
            continue
        yield from phase(duel, seat)
    duel.game.store.put(("turn ends",), None)


# ---------------------------------------------------------------- start of turn


def awaken(duel: Duel, seat: Seat) -> Steps[None]:
    """315.1: ready everything of the turn player's."""
    duel.game.cause = yield from duel.game.reach(
        "awaken", phase="awaken", step="", opens=("phase",)
    )
    values = duel.game.store.values
    tired = [
        ref
        for ref in duel.game.board.zone("board")
        if getattr(values[ref], "exhausted", False) and asking.controller(duel, ref) == seat
    ]
    if tired:
        yield from actions.status(duel, "ready", tired, seat)
    yield from showdown.settle(duel)
    yield from duel.game.over("phase")


def beginning(duel: Duel, seat: Seat) -> Steps[None]:
    """315.2.a: what happens at the start of the Beginning Phase."""
    opens = ("phase", "step")
    yield from duel.game.reach("beginning", phase="beginning", step="beginning", opens=opens)
    yield from showdown.settle(duel)
    yield from duel.game.over("step")


def score(duel: Duel, seat: Seat) -> Steps[None]:
    """315.2.b: hold."""
    duel.game.cause = yield from duel.game.reach(
        "scoring", phase="beginning", step="scoring", opens=("step",)
    )
    yield from scoring.hold_all(duel, seat)
    yield from showdown.settle(duel)
    yield from duel.game.over("step")
    duel.game.end_occurrence("phase")


def channel(duel: Duel, seat: Seat) -> Steps[None]:
    """315.3, 485.7: two runes; the second player one more in their first Channel Phase."""
    duel.game.cause = yield from duel.game.reach(
        "channel", phase="channel", step="", opens=("phase",)
    )
    extra = 1 if duel.player(seat).turns == 1 and seat == duel.setup.second else 0
    yield from actions.channel(duel, seat, RUNES_A_TURN + extra)
    yield from showdown.settle(duel)
    yield from duel.game.over("phase")


def draw(duel: Duel, seat: Seat) -> Steps[None]:
    """315.4: draw 1."""
    duel.game.cause = yield from duel.game.reach("draw", phase="draw", step="", opens=("phase",))
    yield from actions.draw(duel, seat, 1)
    yield from showdown.settle(duel)
    yield from duel.game.over("phase")


# ---------------------------------------------------------------- main, ending


def main(duel: Duel, seat: Seat) -> Steps[None]:
    """316: rune pools empty, then free actions until the player ends the turn."""
    cleanup.empty_pools(duel)
    yield from main_from_here(duel, seat)


def main_from_here(duel: Duel, seat: Seat) -> Steps[None]:
    """The Main Phase after its pools were emptied."""
    yield from duel.game.reach("main", phase="main", step="", opens=("phase",))
    yield from main_actions(duel, seat)


def main_actions(duel: Duel, seat: Seat) -> Steps[None]:
    """Free actions until the player ends the turn, or something else does."""
    while True:
        yield from showdown.settle(duel)
        if duel.game.store.get(("turn ends",)):
            break
        if not (yield from offers.act(duel, seat, "main")):
            break
    yield from duel.game.over("phase")


def end_step(duel: Duel, seat: Seat) -> Steps[None]:
    """317.1: what happens at the end of the turn."""
    yield from duel.game.reach("ending", phase="ending", step="", opens=("phase", "step"))
    yield from showdown.settle(duel)
    yield from duel.game.over("step")


def expiration(duel: Duel, seat: Seat) -> Steps[None]:
    """317.2: heal, end "this turn", empty the pools; again if anything went through the chain."""
    while True:
        duel.game.store.put(
            ("now",),
            msgspec.structs.replace(duel.game.now, step="expiration"),
        )
        duel.game.happened(reached("expiration"), player=seat, clause="317.2")
        yield from cleanup.once(duel, special="expiration")
        duel.cleaned_at = -1
        if not (yield from showdown.settle(duel)):
            break
    yield duel.game.now.mark
    duel.game.end_occurrence("phase")


PHASES = (
    ("awaken", awaken),
    ("beginning", beginning),
    ("scoring", score),
    ("channel", channel),
    ("draw", draw),
    ("main", main),
    ("ending", end_step),
    ("expiration", expiration),
)

__all__ = ["PHASES", "Setup", "play", "take_turn"]
