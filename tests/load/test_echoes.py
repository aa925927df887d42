"""A decision is found in the other seat's stream by the public view that it brings."""

from __future__ import annotations

from longfuse.load.echoes import Echoes


def test_a_decision_is_seen_by_the_other_seat() -> None:
    """From when it was meant to when its view arrived there."""
    echoes = Echoes(2)
    echoes.decided(0, 10.0)

    assert echoes.frame(0, "a", 10.2) is None
    assert echoes.frame(1, "a", 10.3) == (10.0, 10.3)


def test_the_other_seat_may_see_it_first() -> None:
    """Two connections are two ways."""
    echoes = Echoes(2)
    echoes.decided(0, 10.0)

    assert echoes.frame(1, "a", 10.1) is None
    assert echoes.frame(0, "a", 10.2) == (10.0, 10.1)


def test_what_nobody_else_sees_counts_nowhere() -> None:
    """A frame that changes nothing public is no sight of a decision."""
    echoes = Echoes(2)
    echoes.decided(0, 10.0)
    echoes.frame(0, "a", 10.1)
    echoes.frame(1, "a", 10.1)
    echoes.decided(0, 11.0)

    assert echoes.frame(0, "a", 11.1) is None
    assert echoes.frame(1, "a", 11.2) is None
    echoes.decided(0, 12.0)
    assert echoes.frame(0, "b", 12.1) is None
    assert echoes.frame(1, "b", 12.2) == (12.0, 12.2)


def test_what_the_server_passes_after_a_decision_is_not_its_echo() -> None:
    """One decision is seen once, however many entries follow it."""
    echoes = Echoes(2)
    echoes.decided(0, 10.0)
    for shared in ("a", "b"):
        echoes.frame(0, shared, 10.1)

    assert [echoes.frame(1, shared, 10.2) for shared in ("a", "b")] == [(10.0, 10.2), None]


def test_views_that_come_again_are_told_apart() -> None:
    """What all see may be again as it was."""
    echoes = Echoes(2)
    for number, shared in enumerate(("a", "b", "a", "b")):
        echoes.decided(0, float(number))
        echoes.frame(0, shared, number + 0.1)

    seen = [echoes.frame(1, shared, 9.0) for shared in ("a", "b", "a", "b")]

    assert seen == [(0.0, 9.0), (1.0, 9.0), (2.0, 9.0), (3.0, 9.0)]


def test_after_a_whole_view_nothing_is_matched() -> None:
    """How many views came before it is unknown."""
    echoes = Echoes(2)
    echoes.lost(1)
    echoes.decided(0, 10.0)

    assert echoes.frame(0, "a", 10.1) is None
    assert echoes.frame(1, "a", 10.2) is None
