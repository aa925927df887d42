"""The store: values by key, the incremental hash, the savepoint."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from longfuse.game.store import Savepoint, Store
from longfuse.timing.references import Ref

keys = st.one_of(
    st.tuples(st.just("seat"), st.integers(0, 3)), st.builds(Ref, st.integers(0, 3), st.just(1))
)
writes = st.lists(st.tuples(keys, st.one_of(st.none(), st.integers(0, 99))), max_size=40)


def fresh(store: Store) -> str:
    """The hash of the same values, worked out from nothing."""
    other = Store()
    for key, value in store.values.items():
        other.put(key, value)
    return other.digest()


@given(writes)
def test_the_incremental_hash_is_the_whole_one(moves: list[tuple[object, int | None]]) -> None:
    """However often it was asked for on the way."""
    store = Store()
    for number, (key, value) in enumerate(moves):
        if value is None and key not in store.values:
            continue
        store.put(key, value)
        if number % 3 == 0:
            store.digest()

    assert store.digest() == fresh(store)


def test_the_hash_does_not_depend_on_the_order_of_writes() -> None:
    """The same values in any order are the same state."""
    one, other = Store(), Store()
    one.put(("a",), 1)
    one.put(("b",), 2)
    other.put(("b",), 2)
    other.put(("a",), 1)

    assert one.digest() == other.digest()


def test_keys_and_values_both_count() -> None:
    """The same value under another key is another state."""
    one, other = Store(), Store()
    one.put(("a",), 1)
    other.put(("b",), 1)

    assert one.digest() != other.digest()


def test_none_takes_a_value_away() -> None:
    """And its part of the hash with it."""
    store = Store()
    empty = store.digest()
    store.put(("a",), 1)
    store.put(("a",), None)

    assert store.get(("a",)) is None
    assert store.digest() == empty


def test_the_savepoint_keeps_the_first_value_that_was_written_over() -> None:
    """Also that there was none."""
    store = Store()
    store.put(("a",), 1)
    store.savepoint = Savepoint(0)
    store.put(("a",), 2)
    store.put(("a",), 3)
    store.put(("b",), 4)

    assert store.savepoint.before == {("a",): 1, ("b",): None}


def test_the_version_moves_with_each_write() -> None:
    """Writing the same value is no write."""
    store = Store()
    value = (1, 2)
    store.put(("a",), value)
    version = store.version
    store.put(("a",), value)

    assert store.version == version
