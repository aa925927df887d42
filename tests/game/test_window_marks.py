"""The moments at which windows close, as programs read them."""

from __future__ import annotations

import pytest

from longfuse.game.words import window_marks
from longfuse.timing.references import Ref
from longfuse.timing.windows import (
    AtMark,
    During,
    FirstOf,
    Forever,
    InZone,
    ThisTurn,
    UntilMark,
    Window,
)


@pytest.mark.parametrize(
    ("window", "marks"),
    [
        (ThisTurn(4), [{"mark": "dusk", "player": None, "turn": 4}]),
        (UntilMark("turn", 1, 5), [{"mark": "turn", "player": 1, "turn": 5}]),
        (AtMark("main", None, 3, 3), [{"mark": "main", "player": None, "turn": 3}]),
        (During("combat", 7), [{"over": "combat"}]),
        (InZone(Ref(1, 1), "board"), []),
        (Forever(), []),
        (
            FirstOf((ThisTurn(4), InZone(Ref(1, 1), "board"), During("phase", 2))),
            [{"mark": "dusk", "player": None, "turn": 4}, {"over": "phase"}],
        ),
    ],
)
def test_what_closes_a_window_by_a_moment(window: Window, marks: list[dict[str, object]]) -> None:
    """Each with whose and when at the earliest; a window on a stay has none."""
    assert window_marks(window, "dusk") == marks
