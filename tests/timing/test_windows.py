"""Windows as data: keys, closing, and the axis of whose and when."""

from __future__ import annotations

import pytest

from longfuse.timing.calendar import Now, next_turn, reach
from longfuse.timing.references import Ref
from longfuse.timing.windows import (
    AtMark,
    AttachedTo,
    ControlledBy,
    Counters,
    During,
    EndedBy,
    FirstOf,
    Forever,
    InPlace,
    InZone,
    Key,
    OnChain,
    ThisTurn,
    UntilMark,
    Window,
    closes,
    keys,
    matches_mark,
)

OAK, ELM = Ref(1, 1), Ref(2, 1)
TURN = next_turn(next_turn(Now(), 0), 1)
"""Turn 2, of seat 1."""


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (Forever(), ()),
        (During("phase", 3), (Key("over", "phase"),)),
        (ThisTurn(2), (Key("until", "end"),)),
        (UntilMark("main"), (Key("until", "main"),)),
        (AtMark("main"), (Key("at", "main"),)),
        (InZone(OAK, "board"), (Key("left", OAK),)),
        (InPlace(OAK, "board", "here"), (Key("moved", OAK), Key("left", OAK))),
        (OnChain(OAK), (Key("left", OAK),)),
        (AttachedTo(OAK, ELM), (Key("detached", OAK), Key("left", OAK), Key("left", ELM))),
        (ControlledBy(OAK, 0), (Key("control", OAK), Key("left", OAK))),
        (Counters(OAK, "fuse"), (Key("counters", (OAK, "fuse")), Key("left", OAK))),
        (EndedBy(7), (Key("ended", 7),)),
        (FirstOf((ThisTurn(2), InZone(OAK, "board"))), (Key("until", "end"), Key("left", OAK))),
    ],
)
def test_each_window_is_filed_under_what_may_close_it(
    window: Window, expected: tuple[Key, ...]
) -> None:
    """Its keys are what the game looks it up by when something happens."""
    assert keys(window, "end") == expected


@pytest.mark.parametrize(
    ("owner", "not_before", "due"),
    [(None, 0, True), (1, 0, True), (0, 0, False), (1, 3, False), (None, 2, True)],
)
def test_until_and_at_ask_whose_turn_and_which(
    owner: int | None, not_before: int, due: bool
) -> None:
    """ "Until your next turn" is not due at the opponent's, nor before its earliest turn."""
    assert closes(UntilMark("m", owner, not_before), Key("until", "m"), TURN, "end") == due
    assert matches_mark(AtMark("m", owner, not_before), TURN) == due


@pytest.mark.parametrize(("turn", "acts"), [(1, False), (2, True), (3, False)])
def test_at_this_turn_acts_in_that_turn_only(turn: int, acts: bool) -> None:
    """With one turn named, no other does."""
    assert matches_mark(AtMark("m", None, 0, turn), TURN) == acts


def test_a_named_turn_that_is_over_closes_at_the_next_such_mark() -> None:
    """It never acts any more, and does not wait for ever."""
    assert closes(AtMark("m", None, 0, 1), Key("at", "m"), TURN, "end")
    assert not closes(AtMark("m", None, 0, 3), Key("at", "m"), TURN, "end")


def test_during_closes_when_its_own_occurrence_is_over() -> None:
    """Another occurrence of the same name leaves it open."""
    now = reach(TURN, "fight", opens=("combat",))
    window = During("combat", now.occurrence("combat"))

    assert not closes(window, Key("over", "combat"), now, "end")
    assert closes(window, Key("over", "combat"), TURN, "end")


def test_this_turn_is_not_closed_by_an_earlier_turn() -> None:
    """A window of a turn to come is still open."""
    assert not closes(ThisTurn(3), Key("until", "end"), TURN, "end")
    assert closes(ThisTurn(2), Key("until", "end"), TURN, "end")


@pytest.mark.parametrize(("seat", "closed"), [(0, False), (1, True)])
def test_control_closes_with_another_controller(seat: int, closed: bool) -> None:
    """A change that leaves it with the same player is none."""
    window = ControlledBy(OAK, 0)

    assert closes(window, Key("control", OAK), TURN, "end", seat) == closed
    assert closes(window, Key("left", OAK), TURN, "end", None)


def test_first_of_closes_with_any_of_its_parts_and_acts_with_all() -> None:
    """Each part has its own key; a key of one does not close another."""
    window = FirstOf((ThisTurn(3), InZone(OAK, "board")))

    assert closes(window, Key("left", OAK), TURN, "end")
    assert not closes(window, Key("until", "end"), TURN, "end")
    assert not matches_mark(FirstOf((AtMark("m", 1), AtMark("m", 0))), TURN)
