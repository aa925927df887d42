"""A client's copy of its view."""

import pytest

from longfuse_protocol.messages import Events, Snapshot
from longfuse_protocol.mirror import ENTITIES_MAX, Mirror
from longfuse_protocol.views import View, digest


def frame(n, changes, after):
    """Build a game frame that leads to a view."""
    return Events(n=n, events=[], changes=changes, digest=digest(View(after)), shared="")


def snapshot(n, entities):
    """Build a whole view."""
    return Snapshot(n=n, view=entities, digest=digest(View(entities)))


def test_following():
    """Frames that follow one another are applied."""
    mirror = Mirror()

    assert mirror.follow(frame(1, {"a": {"x": 1}}, {"a": {"x": 1}}))
    assert mirror.follow(frame(2, {"b": {}}, {"a": {"x": 1}, "b": {}}))
    assert (mirror.n, mirror.view.entities) == (2, {"a": {"x": 1}, "b": {}})


def test_a_gap():
    """A missing frame is noticed once; nothing more is applied until the whole view comes."""
    mirror = Mirror()

    assert not mirror.follow(frame(2, {"b": {}}, {"b": {}}))
    assert mirror.follow(frame(3, {"c": {}}, {"c": {}}))
    assert (mirror.n, mirror.view.entities, mirror.is_lost) == (0, {}, True)

    mirror.take_whole(snapshot(3, {"a": {}, "c": {}}))

    assert mirror.follow(frame(4, {"a": None}, {"c": {}}))
    assert (mirror.n, mirror.view.entities, mirror.is_lost) == (4, {"c": {}}, False)


def test_drift():
    """A digest that does not match the view is noticed."""
    mirror = Mirror()

    assert not mirror.follow(frame(1, {"a": {"x": 1}}, {"a": {"x": 2}}))
    assert mirror.is_lost


@pytest.mark.parametrize("number", [ENTITIES_MAX, ENTITIES_MAX + 1])
def test_more_than_any_game_shows(number):
    """A view that would fill the memory is no good, though its digest is right."""
    before, more = {f"o{n}": {} for n in range(number - 1)}, {"last": {}}
    mirror = Mirror()
    mirror.take_whole(snapshot(1, before))
    assert not mirror.is_lost

    mirror.follow(frame(2, more, before | more))
    assert mirror.is_lost is (number > ENTITIES_MAX)


def test_a_wrong_snapshot():
    """A whole view that does not match its own digest is no good either."""
    mirror = Mirror()
    mirror.take_whole(Snapshot(n=1, view={"a": {}}, digest="0" * 32))

    assert mirror.is_lost
