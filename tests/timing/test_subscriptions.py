"""Subscriptions: records found by what wakes them and by what ends them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longfuse.timing.calendar import Now
from longfuse.timing.records import Record, Source
from longfuse.timing.references import Ref
from longfuse.timing.subscriptions import Subscriptions
from longfuse.timing.windows import Forever, InZone, Key, ThisTurn, Window

OAK, ELM = Ref(1, 1), Ref(2, 1)


FOREVER = Forever()


def record(number: int, *watch: str, window: Window = FOREVER, **fields: Any) -> Record:
    """A delayed record."""
    return Record(
        id=number,
        kind="triggered",
        delayed=fields.pop("delayed", True),
        controller=0,
        source=Source(None, "Fuse", 0),
        ability=None,
        digest="",
        window=window,
        watch=watch,
        **fields,
    )


@pytest.fixture
def subscriptions() -> Subscriptions:
    """An empty index."""
    return Subscriptions("end")


def test_a_record_is_found_under_each_of_its_words(subscriptions: Subscriptions) -> None:
    """And under no other."""
    subscriptions.install(record(1, "hit", "left"))

    assert [r.id for r in subscriptions.matching("hit")] == [1]
    assert [r.id for r in subscriptions.matching("left")] == [1]
    assert subscriptions.matching("drawn") == []


def test_one_about_an_object_is_found_for_that_object_only(subscriptions: Subscriptions) -> None:
    """One about anything is found for every object; oldest first."""
    subscriptions.install(record(2, "hit"))
    subscriptions.install(record(1, "hit", subjects=(OAK,)))

    assert [r.id for r in subscriptions.matching("hit", (OAK,))] == [1, 2]
    assert [r.id for r in subscriptions.matching("hit", (ELM,))] == [2]
    assert [r.id for r in subscriptions.about(OAK)] == [1]


def test_a_new_value_replaces_the_old_one(subscriptions: Subscriptions) -> None:
    """Words that it no longer has do not find it."""
    subscriptions.install(record(1, "hit"))
    subscriptions.install(record(1, "left"))

    assert subscriptions.matching("hit") == []
    assert len(subscriptions.records) == 1


def test_removing_leaves_no_trace(subscriptions: Subscriptions) -> None:
    """Nothing finds it, and it does not count."""
    subscriptions.install(record(1, "hit", window=InZone(OAK, "board"), subjects=(OAK,), about=OAK))
    removed = subscriptions.remove(1)

    assert removed is not None
    assert removed.id == 1
    assert subscriptions.remove(1) is None
    assert (subscriptions.matching("hit", (OAK,)), subscriptions.about(OAK)) == ([], [])
    assert subscriptions.closing(Key("left", OAK), Now()) == []
    assert subscriptions.delayed == 0


def test_what_is_about_an_object_ends_with_it(subscriptions: Subscriptions) -> None:
    """Whatever its window says."""
    subscriptions.install(record(1, "hit", window=ThisTurn(5), subjects=(OAK,), about=OAK))

    assert [r.id for r in subscriptions.closing(Key("left", OAK), Now())] == [1]


def test_only_delayed_ones_wait(subscriptions: Subscriptions) -> None:
    """Printed abilities listen, but are not listed as waiting."""
    subscriptions.install(record(1, "hit", delayed=False))
    subscriptions.install(record(2, "hit"))

    assert [r.id for r in subscriptions.waiting()] == [2]
    assert subscriptions.delayed == 1


def test_a_word_s_version_moves_with_its_records(subscriptions: Subscriptions) -> None:
    """Coming, changing and going each give a new number; another word's stays."""
    seen = [subscriptions.version("hit")]
    subscriptions.install(record(1, "hit"))
    seen.append(subscriptions.version("hit"))
    subscriptions.install(msgspec.structs.replace(subscriptions.records[1], uses=2))
    seen.append(subscriptions.version("hit"))
    subscriptions.remove(1)
    seen.append(subscriptions.version("hit"))

    assert len(set(seen)) == 4
    assert subscriptions.version("left") == 0


@given(st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["hit", "left", ""])), max_size=40))
def test_the_index_is_what_the_records_say(moves: list[tuple[int, str]]) -> None:
    """After any installing and removing, each word finds exactly the records that have it."""
    subscriptions = Subscriptions("end")
    for number, word in moves:
        if word:
            subscriptions.install(record(number, word, subjects=(OAK,) if number % 2 else ()))
        else:
            subscriptions.remove(number)
    for word in ("hit", "left"):
        wanted = sorted(n for n, r in subscriptions.records.items() if word in r.watch)
        assert [r.id for r in subscriptions.matching(word, (OAK,))] == wanted
