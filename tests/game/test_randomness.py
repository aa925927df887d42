"""Randomness: the recipe's vectors, uniformity, independence."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longfuse.game.randomness import below, key_of_seed, shuffled

KEY = key_of_seed(1)


def by_hand(key: bytes, limit: int, purpose: str, label: str, counter: int) -> int:
    """The recipe as the module's page tells it, written down once more."""
    index = 0
    while True:
        fields = (
            b"longfuse random 1",
            purpose.encode(),
            label.encode(),
            counter.to_bytes(8, "big"),
            index.to_bytes(8, "big"),
        )
        content = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
        block = blake2b(content, key=key, digest_size=32).digest()
        for start in range(0, 32, 8):
            word = int.from_bytes(block[start : start + 8], "big")
            if word < 2**64 - 2**64 % limit:
                return word % limit
        index += 1


@given(st.integers(1, 1000), st.sampled_from(["shuffle", "die"]), st.integers(0, 50))
def test_values_follow_the_recipe(limit: int, purpose: str, counter: int) -> None:
    """Whoever has the key can check each value."""
    assert below(KEY, limit, purpose, "0", counter) == by_hand(KEY, limit, purpose, "0", counter)


def test_vectors_that_may_not_change() -> None:
    """A game that was played must come out the same for ever."""
    assert [below(KEY, 100, "die", "0", n) for n in range(5)] == VECTORS
    assert shuffled(KEY, "abcdef", "shuffle", "1", 0) == SHUFFLE


VECTORS = [2, 8, 49, 88, 21]
SHUFFLE = (("f", "e", "c", "b", "d", "a"), 5)


def test_rejection_keeps_the_largest_limits_uniform() -> None:
    """A limit just above half of the words rejects about half of them, and still answers."""
    limit = 2**63 + 1

    assert all(below(KEY, limit, "die", "0", n) < limit for n in range(50))


@pytest.mark.parametrize("limit", [0, -1, 2**64 + 1])
def test_limits_that_make_no_sense_are_refused(limit: int) -> None:
    """Nothing is drawn."""
    with pytest.raises(ValueError, match="limit"):
        below(KEY, limit, "die", "0", 0)


@pytest.mark.parametrize("other", [("coin", "0"), ("die", "1")])
def test_purposes_and_seats_do_not_shift_each_other(other: tuple[str, str]) -> None:
    """Each has a sequence of its own."""
    mine = [below(KEY, 1000, "die", "0", n) for n in range(20)]

    assert mine != [below(KEY, 1000, *other, n) for n in range(20)]


def test_values_are_uniform_within_a_bound() -> None:
    """10,000 values below 10: chi squared stays below what one game in a million exceeds."""
    counts = Counter(below(KEY, 10, "die", "0", n) for n in range(10_000))
    chi_squared = sum((counts[value] - 1000) ** 2 / 1000 for value in range(10))

    assert chi_squared < 45


def test_all_orders_of_a_shuffle_are_as_likely() -> None:
    """The 24 orders of four things over 4,800 shuffles, within the same kind of bound."""
    counts: Counter[tuple[str, ...]] = Counter()
    counter = 0
    for _ in range(4_800):
        order, counter = shuffled(KEY, "abcd", "shuffle", "0", counter)
        counts[order] += 1
    chi_squared = sum((count - 200) ** 2 / 200 for count in counts.values())

    assert len(counts) == 24
    assert chi_squared < 75


@given(st.lists(st.integers(), max_size=30))
def test_a_shuffle_loses_and_doubles_nothing(items: list[int]) -> None:
    """And uses one counter for each place but the first."""
    order, after = shuffled(KEY, items, "shuffle", "0", 5)

    assert sorted(order) == sorted(items)
    assert after == 5 + max(0, len(items) - 1)


def test_keys_of_seeds_differ() -> None:
    """Numbers and words are both seeds."""
    assert len({key_of_seed(seed) for seed in (0, 1, "one", "two")}) == 4
