"""The turn: its phases from set-up to the end of the game.

Owns their order and what the rules do in each. A mark is yielded before each phase is left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from longfuse.game.entries import Result
from longfuse.game.questions import Steps
from longfuse.rulesets.hkk import acting, combat, ending, offers, reactions, setup
from longfuse.rulesets.hkk.preparation import preparation
from longfuse.timing.references import Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

TURNS_MAX = 400
"""A game that lasts longer is a draw."""

NAMES = {
    "preparation": "előkészítő fázis",
    "draw": "húzási fázis",
    "first main": "első fő fázis",
    "exchange": "csere",
    "after exchange": "csere utáni azonnali",
    "combat": "harci fázis",
    "second main": "második fő fázis",
    "healing": "gyógyulás",
    "end of turn": "kör vége",
}
"""The phases in their order, each with its Hungarian name."""


def play(duel: Duel) -> Steps[Result]:
    """The whole game."""
    try:
        seat = yield from setup.set_up(duel)
        if duel.setup.resume is not None:
            yield from duel.setup.resume(duel)
            seat = duel.opponent(duel.turn_player())
        for _ in range(TURNS_MAX):
            yield from take_turn(duel, seat)
            seat = duel.opponent(seat)
    except ending.Won as won:
        return won.result
    return Result(None, f"no winner after {TURNS_MAX} turns")


def take_turn(duel: Duel, seat: Seat, start: str = "preparation") -> Steps[None]:
    """One turn of `seat`, from a phase on."""
    if start == "preparation":
        yield from duel.game.begin_turn(seat)
        duel.game.change_seat(seat, turns=duel.player(seat).turns + 1)
    names = list(NAMES)
    for name in names[names.index(start) :]:
        yield from PHASES[name](duel, seat)


def _draw(duel: Duel, seat: Seat) -> Steps[None]:
    duel.game.cause = yield from duel.game.reach("draw", phase="draw", step="", opens=("phase",))
    yield from acting.draw(duel, seat, 1)
    yield from _leave(duel)


def _main(name: str) -> Callable[[Duel, Seat], Steps[None]]:
    def phase(duel: Duel, seat: Seat) -> Steps[None]:
        yield from duel.game.reach(name, phase=name, step="", opens=("phase",))
        yield from reactions.process(duel)
        yield from actions(duel, seat, "main")
        yield from duel.game.over("phase")

    return phase


def actions(duel: Duel, seat: Seat, kind: str) -> Steps[None]:
    """The active player has the first right to act; the phase ends when both have passed."""
    while True:
        acted = yield from offers.act(duel, seat, kind)
        if not acted:
            acted = yield from offers.act(duel, duel.opponent(seat), "instants")
        if not acted:
            return
        yield from reactions.process(duel)


def _exchange(duel: Duel, seat: Seat) -> Steps[None]:
    yield from duel.game.reach("exchange", phase="exchange", step="", opens=("phase",))
    yield from reactions.process(duel)
    while (yield from offers.act(duel, seat, "exchange")):
        yield from reactions.process(duel)
    yield from duel.game.over("phase")


def _after_exchange(duel: Duel, seat: Seat) -> Steps[None]:
    name = "after exchange"
    yield from duel.game.reach(name, phase=name, step="", opens=("phase",))
    yield from reactions.process(duel)
    yield from actions(duel, seat, "instants")
    yield from duel.game.over("phase")


def _combat(duel: Duel, seat: Seat) -> Steps[None]:
    opens = ("phase", "combat")
    yield from duel.game.reach("combat", phase="combat", step="", opens=opens)
    yield from reactions.process(duel)
    if (yield from offers.act(duel, seat, "combat")):
        yield from reactions.process(duel)
        yield from actions(duel, seat, "instants")
        yield from combat.strike(duel)
        yield from reactions.process(duel)
    duel.game.end_occurrence("combat")
    yield from duel.game.over("phase")


def _healing(duel: Duel, seat: Seat) -> Steps[None]:
    name = "healing"
    duel.game.cause = yield from duel.game.reach(name, phase=name, step="", opens=("phase",))
    hurt = [ref for ref in duel.game.board.zone("board") if duel.is_state(ref, "damaged")]
    yield from acting.about(duel, "heal", hurt)
    yield from _leave(duel)


def _end(duel: Duel, seat: Seat) -> Steps[None]:
    """What lasts for this turn ends before what waits for its end comes about."""
    name = "end of turn"
    yield from duel.game.reach(name, phase=name, step="", opens=("phase",))
    yield from _leave(duel)


def _leave(duel: Duel) -> Steps[None]:
    yield from reactions.process(duel)
    yield from duel.game.over("phase")


PHASES: dict[str, Callable[[Duel, Seat], Steps[None]]] = {
    "preparation": preparation,
    "draw": _draw,
    "first main": _main("first main"),
    "exchange": _exchange,
    "after exchange": _after_exchange,
    "combat": _combat,
    "second main": _main("second main"),
    "healing": _healing,
    "end of turn": _end,
}
