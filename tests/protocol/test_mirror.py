"""A client's copy of its view."""

from longfuse_protocol.messages import Events, Snapshot
from longfuse_protocol.mirror import Mirror
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


def test_a_wrong_snapshot():
    """A whole view that does not match its own digest is no good either."""
    mirror = Mirror()
    mirror.take_whole(Snapshot(n=1, view={"a": {}}, digest="0" * 32))

    assert mirror.is_lost
