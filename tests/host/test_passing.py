"""Passing for a seat: modes, stops, "pass until", interrupts, yields."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pytest

from longfuse.game.entries import Refused
from longfuse.host.passing import Ask, Pass, Passer
from longfuse.rulesets import passing_facts as facts
from longfuse.rulesets.passing import Chance, Events, Interruption, Where
from longfuse_protocol.from_server import PassingSet
from longfuse_protocol.passing import Interrupt, Passing, Stop, Until
from longfuse_protocol.prompts import Item, Prompt
from longfuse_protocol.views import View

ATTACK = Interruption("attacked", "you are attacked", "attack")
AIMED = Interruption("targeted", "you are targeted", "aim", source="Bolt")
PLAYED = Interruption("played", "Oak is played", "event:7", fresh=True)
FUSE = Interruption("fuse", "Tome goes off", "fuse:w1")
WAITS = Interruption("anything", "Oak waits", "waits:1")


class Days:
    """A ruleset of three phases, whose interruptions a test sets."""

    def __init__(self) -> None:
        self.phases = {"dawn": "dawn", "noon": "noon phase", "dusk": "dusk"}
        self.there: Sequence[Interruption] = ()

    def where(self, view: View) -> Where:
        """As views of every ruleset say it."""
        return facts.where(view)

    def chance(self, prompt: Prompt, view: View) -> Chance | None:
        """Prompts of the kinds "chance" and "own" can be passed by their last item."""
        if prompt.kind not in ("chance", "own"):
            return None
        last = len(prompt.items) - 1
        return Chance(last, facts.has_options(prompt, last), own=prompt.kind == "own")

    def interruptions(self, view: View, events: Events, seat: int) -> Sequence[Interruption]:
        """Those that are there."""
        return self.there


class Seat:
    """Seat 0 of a game of three phases, with its passer."""

    def __init__(self, **settings: Any) -> None:
        self.rules = Days()
        self.passer = Passer(self.rules, 0)
        self.numbers = itertools.count(1)
        self.at(1, 0, "dawn")
        if settings:
            self.set(**settings)

    def at(self, turn: int, player: int, phase: str) -> View:
        """Let the game stand there."""
        mark: dict[str, object] = {"turn": turn, "player": player, "phase": phase, "step": ""}
        self.view = View({"mark": mark, "seat:0": {}, "seat:1": {}})
        return self.view

    def set(self, **settings: Any) -> str:
        """Take settings."""
        return self.passer.set(Passing(**settings), self.view)

    def ask(
        self, kind: str = "chance", *, options: bool = True, source: str = "", turns: Any = ()
    ) -> Ask | Pass:
        """Consider a new prompt. turns: whose have begun since the last."""
        items = (Item("Act", legal=options, reason="" if options else "cost"), Item("Pass"))
        prompt = Prompt(
            id=next(self.numbers),
            seat=0,
            shape="one",
            kind=kind,
            text="?",
            items=items,
            source=source,
            default=1,
        )
        events = [{"event": "mark:turn", "player": player} for player in turns]
        return self.passer.consider(prompt, self.view, events)

    def is_asked(self, kind: str = "chance", **more: Any) -> bool:
        """Whether a new prompt is asked."""
        return isinstance(self.ask(kind, **more), Ask)


# ---------------------------------------------------------------- modes


def test_smart_passes_only_where_passing_is_all_that_can_be_done() -> None:
    """It is the default, and answers the prompt that it was asked about."""
    seat = Seat()

    assert seat.is_asked(options=True)
    verdict = seat.ask(options=False)
    assert verdict == Pass(prompt=2, answer=1, rule="smart: nothing but passing")


@pytest.mark.parametrize("options", [True, False])
def test_ask_is_always_asked(options: bool) -> None:
    """Also where nothing but passing can be done."""
    assert Seat(mode="ask").is_asked(options=options)


@pytest.mark.parametrize("options", [True, False])
def test_pass_passes_every_chance_to_respond(options: bool) -> None:
    """Whatever else could be done."""
    verdict = Seat(mode="pass").ask(options=options)

    assert verdict == Pass(prompt=1, answer=1, rule="mode: pass")


@pytest.mark.parametrize("mode", ["ask", "smart", "pass"])
@pytest.mark.parametrize("options", [True, False])
def test_what_the_seat_begins_itself_is_asked_in_every_mode(mode: str, options: bool) -> None:
    """Ending one's own turn is no pass."""
    assert Seat(mode=mode).is_asked("own", options=options)


def test_what_is_no_chance_is_always_asked() -> None:
    """A target, a payment, an order: no setting answers it."""
    seat = Seat(mode="pass", until=Until("dusk"), yields=("Bolt",), interrupts=())

    assert seat.is_asked("target", source="Bolt")
    assert not seat.is_asked()


def test_a_prompt_of_another_seat_is_not_considered() -> None:
    """That would be a defect of ours."""
    seat = Seat()
    prompt = Prompt(id=1, seat=1, shape="one", kind="chance", text="?", default=0)

    with pytest.raises(AssertionError, match="seat 1 at seat 0"):
        seat.passer.consider(prompt, seat.view, ())


# ---------------------------------------------------------------- stops


@pytest.mark.parametrize(
    ("whose", "asked"), [("own", [True, False]), ("others", [False, True]), ("any", [True, True])]
)
def test_a_stop_asks_in_its_phase(whose: str, asked: list[bool]) -> None:
    """In whose turn it says, also where passing is all that can be done, and only there."""
    seat = Seat(mode="pass", stops=(Stop("noon", whose),))
    seen = []
    for player in (0, 1):
        seat.at(1 + player, player, "noon")
        seen.append(seat.is_asked(options=False))
        seat.at(1 + player, player, "dusk")
        assert not seat.is_asked(options=False)

    assert seen == asked


def test_a_stop_asks_in_spite_of_until_and_does_not_end_it() -> None:
    """After it, passing goes on."""
    seat = Seat(stops=(Stop("noon"),), until=Until("dusk", "others"))
    seat.at(1, 0, "noon")
    assert seat.ask() == Ask()
    seat.at(1, 0, "dusk")

    assert not seat.is_asked()


# ---------------------------------------------------------------- until


@pytest.mark.parametrize(
    ("at", "until", "label"),
    [
        ((1, 0, "dawn"), Until("noon", "others"), "Pass until the opponent's noon phase"),
        ((1, 1, "noon"), Until("noon", "others"), "Pass until the opponent's next noon phase"),
        ((1, 1, "noon"), Until("noon", "own"), "Pass until your noon phase"),
        ((1, 0, "dusk"), Until("noon", "own"), "Pass until your next noon phase"),
        ((1, 0, "noon"), Until("noon", "any"), "Pass until the next noon phase"),
        ((0, -1, ""), Until("dawn", "own"), "Pass until your dawn"),
    ],
)
def test_the_label_is_the_end_condition(at: tuple[int, int, str], until: Until, label: str) -> None:
    """It says whose phase, and that one which has begun is not meant."""
    seat = Seat()
    seat.at(*at)

    assert seat.set(until=until) == label
    assert seat.passer.message() == PassingSet(passing=Passing(until=until), until=label)
    rule = label.replace("Pass until", "until:")
    assert seat.ask("own") == Pass(prompt=1, answer=1, rule=rule)


def test_more_than_two_players() -> None:
    """There is no one opponent."""
    seat = Seat()
    seat.view.entities["seat:2"] = {}

    assert seat.set(until=Until("noon", "others")) == "Pass until another player's noon phase"


WALK = tuple(
    (turn, player, phase)
    for turn, player in ((1, 0), (2, 1), (3, 0), (4, 1))
    for phase in ("dawn", "noon", "dusk")
)


@pytest.mark.parametrize("start", range(6))
@pytest.mark.parametrize("whose", ["own", "others", "any"])
@pytest.mark.parametrize("phase", ["dawn", "noon", "dusk"])
def test_until_ends_as_its_phase_begins(start: int, whose: str, phase: str) -> None:
    """The next time that it does: nothing before it is asked, and it is."""
    seat = Seat()
    seat.at(*WALK[start])
    seat.set(mode="ask", until=Until(phase, whose))
    seats = {"own": (0,), "others": (1,), "any": (0, 1)}[whose]
    wanted = next(at for at in WALK[start + 1 :] if at[2] == phase and at[1] in seats)
    assert not seat.is_asked()
    for at in WALK[start + 1 :]:
        seat.at(*at)
        verdict = seat.ask(turns=[at[1]] if at[2] == "dawn" else [])
        if isinstance(verdict, Ask):
            assert verdict == Ask(changed=True)
            break

    assert at == wanted
    assert seat.passer.message() == PassingSet(passing=Passing(mode="ask"))


@pytest.mark.parametrize(
    ("at", "turns", "over"),
    [
        ((1, 0, "noon"), [], False),
        ((1, 0, "dusk"), [], True),
        ((2, 1, "dawn"), [1], True),
        ((3, 0, "noon"), [0, 0], True),
    ],
)
def test_a_phase_that_was_skipped_ends_it_all_the_same(
    at: tuple[int, int, str], turns: list[int], over: bool
) -> None:
    """As soon as the game is past where it would have been."""
    seat = Seat(mode="ask", until=Until("dusk", "own"))
    seat.at(*at)

    assert seat.is_asked(turns=turns) == over


def test_an_additional_turn_is_no_turn_of_the_other() -> None:
    """Whose turn it is, is what the seat was told, not what comes in turn."""
    seat = Seat(mode="ask", until=Until("dusk", "others"))
    seat.at(3, 0, "dawn")
    assert not seat.is_asked(turns=[0, 0])
    seat.at(5, 0, "dawn")
    assert seat.is_asked(turns=[1, 0])


def test_turns_that_the_seat_was_not_told_of_may_have_been_the_one() -> None:
    """In doubt it is asked."""
    seat = Seat(mode="ask", until=Until("noon", "others"))
    seat.at(3, 0, "dawn")

    assert seat.is_asked()


def test_after_until_the_mode_goes_on() -> None:
    """Where nothing but passing can be done, the phase itself asks nobody."""
    seat = Seat(until=Until("noon"))
    seat.at(1, 0, "noon")

    verdict = seat.ask(options=False)
    assert verdict == Pass(prompt=1, answer=1, rule="smart: nothing but passing", changed=True)


@pytest.mark.parametrize("settings", [{"stops": (Stop("midnight"),)}, {"until": Until("midnight")}])
def test_a_phase_that_is_none_is_refused(settings: dict[str, Any]) -> None:
    """It says which there are, and everything stays as it was."""
    seat = Seat(mode="pass", until=Until("noon"))
    with pytest.raises(Refused) as refused:
        seat.set(**settings)

    assert refused.value.reason == "there is no phase 'midnight'; there is dawn, noon, dusk"
    assert seat.passer.message().passing == Passing(mode="pass", until=Until("noon"))
    assert not seat.is_asked("own")


# ---------------------------------------------------------------- interrupts

EACH = (ATTACK, AIMED, PLAYED, FUSE, WAITS)


@pytest.mark.complaint("ui U07")
@pytest.mark.parametrize("one", EACH, ids=[one.kind for one in EACH])
@pytest.mark.parametrize("wanted", ["attacked", "targeted", "played", "fuse", "anything"])
def test_an_interrupt_asks_who_passes_everything(one: Interruption, wanted: Interrupt) -> None:
    """If it is set, and there is something to answer; "anything" is each of them."""
    seat = Seat(mode="pass", interrupts=(wanted,))
    assert not seat.is_asked()
    seat.rules.there = [one]

    assert seat.is_asked() == (wanted in (one.kind, "anything"))
    assert not seat.is_asked(options=False)


@pytest.mark.complaint("ui U04")
@pytest.mark.parametrize("one", EACH, ids=[one.kind for one in EACH])
@pytest.mark.parametrize("wanted", ["attacked", "targeted", "played", "fuse", "anything"])
def test_an_interrupt_ends_until(one: Interruption, wanted: Interrupt) -> None:
    """If it is set: it says why, and asks, whatever can be done."""
    seat = Seat(until=Until("dusk"), interrupts=(wanted,))
    assert not seat.is_asked()
    seat.rules.there = [one]
    verdict = seat.ask(options=False)

    if wanted in (one.kind, "anything"):
        stopped = f"Stopped: {one.text}"
        assert verdict == Ask(stopped=stopped, changed=True)
        message = seat.passer.message(stopped)
        assert (message.passing.until, message.until, message.stopped) == (None, "", stopped)
        assert seat.is_asked()
    else:
        assert isinstance(verdict, Pass)


def test_the_defaults() -> None:
    """Smart; attacks, targets and fuses interrupt, what is played does not."""
    assert Passing().mode == "smart"
    seat = Seat(until=Until("dusk"))
    seat.rules.there = [PLAYED, WAITS]
    assert not seat.is_asked()
    for one in (ATTACK, AIMED, FUSE):
        seat.rules.there = ()
        assert not seat.is_asked(options=False)
        seat.set(until=Until("dusk"))
        seat.rules.there = [one]
        assert seat.is_asked()


@pytest.mark.complaint("ui U07")
def test_no_interrupts_at_all() -> None:
    """That is risky, and can be wanted."""
    seat = Seat(until=Until("dusk"), interrupts=())
    seat.rules.there = EACH

    assert not seat.is_asked()


def test_what_the_seat_was_asked_about_does_not_interrupt_until() -> None:
    """Attacked, it says "pass until": that goes for this attack, and for no other."""
    seat = Seat()
    seat.rules.there = [ATTACK]
    assert seat.is_asked()
    seat.set(until=Until("dusk"))
    assert not seat.is_asked()
    seat.rules.there = [ATTACK._replace(fresh=True)]

    assert seat.ask() == Ask(stopped="Stopped: you are attacked", changed=True)


def test_what_came_before_until_was_set_and_was_not_asked_about_interrupts_it() -> None:
    """The player may not have seen it yet when the setting was sent."""
    seat = Seat()
    seat.rules.there = [ATTACK]
    seat.set(until=Until("dusk"))

    assert seat.ask() == Ask(stopped="Stopped: you are attacked", changed=True)


def test_it_interrupts_where_the_seat_is_asked_anyway() -> None:
    """Also at a prompt that is no chance: until is over from there on."""
    seat = Seat(until=Until("dusk"))
    seat.rules.there = [AIMED]

    assert seat.ask("target") == Ask(stopped="Stopped: you are targeted", changed=True)
    assert seat.is_asked()


def test_what_happened_before_a_choice_is_asked_about_after_it() -> None:
    """It is not lost because the seat had to choose a target first; and it is asked about once."""
    seat = Seat(mode="pass", interrupts=("played",))
    seat.rules.there = [PLAYED]
    seat.ask("target")
    seat.rules.there = ()

    assert seat.is_asked()
    assert not seat.is_asked()


# ---------------------------------------------------------------- yields


@pytest.mark.parametrize("mode", ["ask", "smart", "pass"])
def test_a_yield_passes_to_what_it_names(mode: str) -> None:
    """In every mode, at stops too; to nothing else."""
    seat = Seat(mode=mode, yields=("Oak: Draw 1.",), stops=(Stop("dawn"),))

    verdict = seat.ask(source="Oak: Draw 1.")
    assert verdict == Pass(prompt=1, answer=1, rule="yield: Oak: Draw 1.")
    assert seat.is_asked(source="Oak: Draw 2.")
    assert seat.is_asked(source="Oak")
    assert seat.is_asked()


def test_what_is_yielded_to_does_not_interrupt() -> None:
    """It has chosen the seat, and the seat always passes to it; another's choice interrupts."""
    seat = Seat(until=Until("dusk"), yields=("Bolt",))
    seat.rules.there = [AIMED]
    assert not seat.is_asked(source="Bolt")
    assert not seat.is_asked()
    seat.rules.there = [AIMED, AIMED._replace(key="other", source="Dart")]

    assert seat.ask(source="Bolt") == Ask(stopped="Stopped: you are targeted", changed=True)


def test_yields_are_listed_and_can_be_taken_back() -> None:
    """All settings are given back, and set anew as a whole."""
    seat = Seat(yields=("Bolt", "Dart"))
    assert seat.passer.message().passing.yields == ("Bolt", "Dart")
    seat.set(yields=("Dart",))

    assert seat.passer.message().passing.yields == ("Dart",)
    assert seat.is_asked(source="Bolt")
    assert not seat.is_asked(source="Dart")


def test_a_new_game_forgets_what_spoke_of_the_last() -> None:
    """Until and yields; mode, stops and interrupts stay. The new game's first attack is new."""
    kept: dict[str, Any] = {"mode": "pass", "stops": (Stop("dusk"),), "interrupts": ("attacked",)}
    seat = Seat(until=Until("noon"), yields=("Bolt",), **kept)
    seat.rules.there = [ATTACK]
    seat.ask("target")
    seat.set(until=Until("noon"), yields=("Bolt",), **kept)
    seat.passer.new_game()
    assert seat.passer.message() == PassingSet(passing=Passing(**kept))
    seat.set(until=Until("noon"), **kept)

    assert seat.ask() == Ask(stopped="Stopped: you are attacked", changed=True)
