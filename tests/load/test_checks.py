"""What a right server sends passes; each kind of violation is seen, with its table and place."""

from __future__ import annotations

import pytest

from load.streams import (
    Stream,
    heard,
    joined,
    kinds,
    question,
    seated,
    shared_digest,
    spoiled,
)
from longfuse.load.checks import ClientCheck, TableCheck
from longfuse_protocol import messages as m

ANSWER = m.Answered(command="c", ok=True)


def test_a_right_stream_passes() -> None:
    """Frames, questions, answers and the end in order are nothing to tell of."""
    check, stream = seated(), Stream()
    check.sent("c")

    found = heard(
        check,
        stream.frame(1),
        stream.asked(1),
        ANSWER,
        stream.frame(1),
        stream.frame(2),
        stream.asked(2),
        m.Over(n=3, winner=0, reason="won"),
    )

    assert found == []
    assert list(check.end()) == []


def test_a_missing_frame_is_seen_where_it_is_missing() -> None:
    """The violation names table, client and the last frame that was there."""
    check, stream = seated(), Stream()
    heard(check, stream.frame(1), stream.frame(2))
    stream.frame(3)

    (found,) = heard(check, stream.frame(4))

    assert (found.kind, found.table, found.client, found.n) == ("gap", "t", "client 0", 2)


def test_one_missing_frame_is_told_once() -> None:
    """What follows a gap is in order again, though the view cannot be right."""
    check, stream = seated(), Stream()
    heard(check, stream.frame(1))
    stream.frame(2)

    found = heard(check, stream.frame(3), stream.frame(4), stream.frame(5))

    assert kinds(found) == ["gap"]


def test_a_frame_that_comes_twice_is_seen() -> None:
    """As after a resume that gives more than the gap."""
    check, stream = seated(), Stream()
    frame = stream.frame(1)

    assert kinds(heard(check, frame, frame)) == ["repeat"]


def test_a_wrong_digest_is_seen() -> None:
    """The view does not come out as the frame says."""
    check, stream = seated(), Stream()

    found = heard(check, stream.frame(1), spoiled(stream.frame(2), digest="f" * 32))

    assert [(one.kind, one.n) for one in found] == [("digest", 2)]


def test_a_wrong_digest_of_a_whole_view_is_seen() -> None:
    """Also where nothing came before."""
    check, stream = seated(), Stream()
    stream.frame(1)
    whole = m.Snapshot(n=1, view=stream.snapshot().view, digest="f" * 32)

    assert kinds(heard(check, whole)) == ["digest"]


def test_a_spectator_s_own_digest_is_the_shared_one() -> None:
    """What all see is all that a spectator sees."""
    check, stream = seated(None), Stream()
    frame = stream.frame(1)

    assert kinds(heard(check, spoiled(frame, shared=frame.digest))) == []
    assert kinds(heard(check, stream.frame(2))) == ["shared"]


def test_the_whole_view_comes_to_who_comes_late_or_back() -> None:
    """Numbers go on from where it is."""
    check, stream = seated(), Stream()
    stream.frame(1)

    assert heard(check, stream.snapshot(), stream.frame(2)) == []
    check.dropped()
    check.resumed()
    stream.frame(3)
    assert heard(check, stream.snapshot(), stream.frame(4), stream.asked(1)) == []


def test_a_whole_view_that_nobody_should_need_is_seen() -> None:
    """Nothing was missing or wrong."""
    check, stream = seated(), Stream()
    heard(check, stream.frame(1))
    stream.frame(2)

    assert kinds(heard(check, stream.snapshot())) == ["whole view"]


def test_after_a_gap_the_whole_view_is_needed() -> None:
    """It comes after what was still under way, and all is well again."""
    check, stream = seated(), Stream()
    heard(check, stream.frame(1))
    stream.frame(2)
    heard(check, stream.frame(3))

    assert heard(check, stream.frame(4), stream.snapshot(), stream.frame(5)) == []


def test_a_whole_view_from_before_is_seen() -> None:
    """Who comes back does not see the past again."""
    check, stream = seated(), Stream()
    heard(check, stream.frame(1))
    old = stream.snapshot()
    heard(check, stream.frame(2))
    check.resumed()

    assert kinds(heard(check, old)) == ["repeat"]


def test_an_end_at_another_frame_is_seen() -> None:
    """The end belongs to the last frame."""
    check, stream = seated(), Stream()

    found = heard(check, stream.frame(1), m.Over(n=2, winner=None, reason="drawn"))

    assert kinds(found) == ["gap"]


def test_a_second_answer_is_seen() -> None:
    """Each command has one."""
    check = seated()
    check.sent("c")

    assert kinds(heard(check, ANSWER, ANSWER)) == ["answered twice"]


def test_an_error_is_an_answer_too() -> None:
    """A command that did not belong there is answered by an error, and by nothing else."""
    check = seated()
    check.sent("c")
    error = m.Failed(code="out_of_order", text="not here", command="c")

    assert kinds(heard(check, error, ANSWER)) == ["answered twice"]


def test_an_answer_that_nobody_asked_for_is_seen() -> None:
    """It may be another client's."""
    assert kinds(heard(seated(), ANSWER)) == ["unknown answer"]


def test_a_command_without_an_answer_is_seen() -> None:
    """In the end; but not if the connection was lost meanwhile."""
    check = seated()
    check.sent("c")
    check.dropped()
    check.sent("d")
    check.sent("e", is_away=True)

    assert [one.text for one in check.end()] == ["command d has no answer"]


@pytest.mark.parametrize("seat", [1, None])
def test_a_question_to_another_seat_is_seen(seat: int | None) -> None:
    """Neither the other seat nor a spectator is asked."""
    check, stream = seated(seat), Stream()
    stream.n = 0

    assert "wrong prompt" in kinds(heard(check, stream.asked(1, seat=0)))


def test_a_question_from_before_is_seen() -> None:
    """Prompts of a seat count up; the last may be asked again, as after a drop."""
    check, stream = seated(), Stream()
    heard(check, stream.frame(1))

    assert heard(check, stream.asked(2), stream.asked(2)) == []
    assert kinds(heard(check, stream.asked(1))) == ["wrong prompt"]


def test_a_question_about_another_view_is_seen() -> None:
    """It belongs to the last frame."""
    check, stream = seated(), Stream()
    heard(check, stream.frame(1))

    assert kinds(heard(check, m.Asked(n=2, prompt=question(1)))) == ["wrong prompt"]


def test_another_table_begins_anew() -> None:
    """Numbers, prompts and histories belong to a place."""
    check, stream = seated(), Stream()
    heard(check, stream.frame(1), stream.asked(7))

    assert heard(check, joined(table="u"), Stream().frame(1)) == []
    assert (check.table, len(check.histories)) == ("u", 1)


# ---------------------------------------------------------------- clients of one game


def saw(seat: int | None, *public: int, snapshot_at: int | None = None) -> ClientCheck:
    """A client that has seen a frame for each of these counts of public changes."""
    check, stream = seated(seat), Stream()
    for index, step in enumerate(public):
        if index == snapshot_at:
            check.resumed()
            stream.frame(step - 1)
            heard(check, stream.snapshot())
        frame = stream.frame(step)
        heard(check, frame)
    return check


def test_viewers_with_different_frames_can_agree() -> None:
    """Who sees something of its own gets more frames; public views are the same sequence."""
    clients = [saw(0, 1, 1, 2, 3), saw(1, 1, 2, 2, 3), saw(None, 1, 2, 3)]

    assert TableCheck(clients).compare(is_over=True) == []


def test_a_viewer_that_saw_something_else_is_found() -> None:
    """The violation names who, and at which frame."""
    table = TableCheck([saw(0, 1, 2, 3, 4), saw(1, 1, 2, 9)])

    (found,) = table.compare(is_over=True) or []

    assert (found.kind, found.client, found.n) == ("shared", "client 1", 3)
    assert shared_digest(9) in found.text


def test_a_viewer_that_missed_a_public_view_is_found() -> None:
    """Even though every view that it saw was there."""
    table = TableCheck([saw(0, 1, 2, 3, 4), saw(1, 1, 3, 4)])

    assert kinds(table.compare(is_over=True) or []) == ["shared"]


def test_who_has_not_got_everything_yet_agrees_so_far() -> None:
    """At the end of a run, frames are still under way."""
    assert TableCheck([saw(0, 1, 2, 3), saw(1, 1, 2)]).compare(is_over=False) == []


def test_who_came_back_with_the_whole_view_is_compared_from_there() -> None:
    """And may have missed what was before, but nothing after."""
    right = saw(1, 1, 2, 6, 7, snapshot_at=2)
    wrong = saw(1, 1, 2, 5, 7, snapshot_at=2)
    whole = saw(0, 1, 2, 3, 4, 5, 6, 7)

    assert TableCheck([whole, right]).compare(is_over=True) == []
    assert kinds(TableCheck([whole, wrong]).compare(is_over=True) or []) == ["shared"]


def test_who_came_back_may_be_ahead_while_the_game_goes_on() -> None:
    """Others have not got those frames yet; in the end, everybody has."""
    clients = [saw(0, 1, 2, 3), saw(1, 1, 2, 5, snapshot_at=2)]

    assert TableCheck(clients).compare(is_over=False) == []
    assert kinds(TableCheck(clients).compare(is_over=True) or []) == ["shared"]


def test_nothing_can_be_compared_where_nobody_saw_it_all() -> None:
    """That is not the same as agreeing."""
    clients = [saw(0, 1, 3, snapshot_at=1), saw(1, 1, 3, snapshot_at=1)]

    assert TableCheck(clients).compare(is_over=True) is None


def test_two_open_questions_are_seen() -> None:
    """One prompt is open at a table at a time."""
    ada, bo = seated(0), seated(1)
    table = TableCheck([ada, bo])

    assert list(table.asked(ada, question(1, 0))) == []
    assert kinds(list(table.asked(bo, question(1, 1)))) == ["two asked"]


def test_seats_are_asked_in_turn() -> None:
    """An answered question is closed, even if it is asked again before the answer is known."""
    ada, bo = seated(0), seated(1)
    table = TableCheck([ada, bo])
    list(table.asked(ada, question(1, 0)))
    table.closed(0, 1)

    assert list(table.asked(ada, question(1, 0))) == []
    assert list(table.asked(bo, question(1, 1))) == []
