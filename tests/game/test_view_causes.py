"""What a viewer's events say about causes."""

from __future__ import annotations

from types import SimpleNamespace

from longfuse.game.views import Views
from longfuse.timing.messages import Happened


def an_event(name: str, number: int, cause: int = 0) -> Happened:
    """An event that speaks of nothing."""
    return Happened(event=name, id=number, ordinal=number, cause=cause)


def test_a_cause_is_followed_through_what_is_not_told() -> None:
    """Between two events that are told lies one that is not: the first is the cause."""
    events = [an_event("told", 3), an_event("untold", 5, 3), an_event("told", 8, 5)]
    rules = SimpleNamespace(
        is_told=lambda event: event.event == "told", sentence=lambda _event, _viewer: "Done."
    )
    game = SimpleNamespace(seats=2, log=SimpleNamespace(events=events), rules=rules)
    views = Views(game)

    told = views._events(views.eyes[0])
    assert [(event["n"], event["cause"]) for event in told] == [(1, 0), (2, 1)]
