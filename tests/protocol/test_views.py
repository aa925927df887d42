"""Views, changes and digests."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from longfuse_protocol.views import Frame, RunningDigest, View, apply, digest

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)
ENTITY = st.dictionaries(st.text(max_size=3), PLAIN, max_size=3)
KEY = st.sampled_from(["mark", "seat:0", "o1", "o2", "w1"])
DELTA = st.dictionaries(KEY, st.none() | ENTITY)


def test_changes():
    """Changes replace whole entities, add new ones and take others away."""
    view = View({"a": {"x": 1, "y": 2}, "b": {}})

    apply(view, {"a": {"x": 3}, "b": None, "c": {"z": 0}, "d": None})

    assert view.entities == {"a": {"x": 3}, "c": {"z": 0}}


@given(deltas=st.lists(DELTA, max_size=6))
def test_running_digest(deltas):
    """The digest kept by changes is the digest of the whole view, however it came about."""
    view, running = View(), RunningDigest()
    for delta in deltas:
        apply(view, delta)
        running.apply(delta)

    assert running.hex() == digest(view)


@given(one=st.dictionaries(KEY, ENTITY), other=st.dictionaries(KEY, ENTITY))
def test_digests_differ(one, other):
    """Two views have one digest exactly if they are written alike: True is not 1."""
    assert (digest(View(one)) == digest(View(other))) is (_written(one) == _written(other))


def _written(entities):
    return {key: _plain(entity) for key, entity in entities.items()}


def _plain(value):
    if isinstance(value, dict):
        return sorted((key, _plain(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return (type(value).__name__, value)


def test_as_documented():
    """The digest is what its documentation says, so that another language can compute it."""
    view = View({"o1": {"name": "Ü", "at": [1, None, True]}, "mark": {}})
    parts = ('["o1",{"at":[1,null,true],"name":"Ü"}]', '["mark",{}]')
    total = sum(
        int.from_bytes(hashlib.sha256(part.encode()).digest()[:16], "big") for part in parts
    )

    assert digest(view) == f"{total % 2**128:032x}"


def test_order_does_not_matter():
    """The order in which entities and fields came does not change the digest."""
    one = View({"a": {"x": 1, "y": 2}, "b": {}})
    other = View({"b": {}, "a": {"y": 2, "x": 1}})

    assert digest(one) == digest(other)


def test_an_empty_frame():
    """A frame with neither events nor changes is empty, and any other is not."""
    assert [bool(Frame()), bool(Frame([{}])), bool(Frame(changes={"a": None}))] == [
        False,
        True,
        True,
    ]
