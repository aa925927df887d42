"""The calendar: marks that come once, occurrences that last."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from longfuse.timing.calendar import Now, next_turn, over, reach


def test_a_new_game_stands_before_its_first_turn() -> None:
    """Nothing was passed, nobody's turn it is."""
    now = Now()

    assert (now.turn, now.passed, now.open) == (0, (), ())


def test_turns_are_counted_for_both_players_together() -> None:
    """Each player's turn has a number of its own."""
    now = next_turn(next_turn(Now(), 0), 1)

    assert (now.turn, now.owner) == (2, 1)


def test_a_mark_s_id_is_never_used_twice() -> None:
    """The same name reached again is another occurrence."""
    one = reach(next_turn(Now(), 0), "main", opens=("phase",))
    two = reach(over(one, "phase"), "main", opens=("phase",))

    assert one.mark.id != two.mark.id
    assert one.occurrence("phase") != two.occurrence("phase")


def test_passed_counts_each_coming_in_this_turn_only() -> None:
    """A new turn begins with nothing passed but its own start."""
    now = reach(reach(next_turn(Now(), 0), "end"), "end")
    assert now.passed == ("turn", "end", "end")

    assert next_turn(now, 1).passed == ("turn",)


def test_over_ends_the_latest_occurrence_of_a_name() -> None:
    """An outer one of the same name stays open."""
    outer = reach(next_turn(Now(), 0), "a", opens=("step",))
    inner = reach(outer, "b", opens=("step",))
    left = over(inner, "step")

    assert left.occurrence("step") == outer.mark.id
    assert over(left, "step").occurrence("step") == 0


def test_place_is_the_step_or_else_the_phase() -> None:
    """A phase without a step is its own place."""
    now = reach(next_turn(Now(), 0), "main", phase="main", step="")
    assert now.place == "main"

    assert reach(now, "combat", step="damage").place == "damage"


@given(st.lists(st.sampled_from(["turn", "mark", "over"]), max_size=30))
def test_marks_only_grow(moves: list[str]) -> None:
    """Whatever comes, a later mark has a greater id and a turn not smaller."""
    now = Now()
    for move in moves:
        before = now
        if move == "turn":
            now = next_turn(now, 0)
        elif move == "mark":
            now = reach(now, "mark", opens=("phase",))
        else:
            now = over(now, "phase")
        assert now.mark.id >= before.mark.id
        assert now.turn >= before.turn
