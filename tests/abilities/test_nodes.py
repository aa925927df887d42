"""Nodes: what is equal is spelt alike, so that it is hashed alike."""

from __future__ import annotations

import msgspec

from longfuse.abilities.ability import Ability, Change, Duration
from longfuse.abilities.nodes import Who
from longfuse.timing.windows import ThisTurn, UntilMark


def put_together(word: str) -> str:
    """An equal string that is not the same one, as a compiler makes them."""
    return "".join([word[:1], word[1:]])


def test_equal_nodes_are_spelt_alike() -> None:
    """Whether a word was put together or is the default itself."""
    word = put_together("you")
    assert word is not Who().role
    for encode in (msgspec.json.encode, msgspec.msgpack.encode):
        assert encode(Who(word)) == encode(Who())  # type: ignore[arg-type]


def test_an_ability_that_was_stored_is_spelt_as_before() -> None:
    """The cache of compiled sets and a fresh compilation give the same state hashes."""
    made = Ability(
        kind="passive",
        changes=(Change("might", amount=1),),
        window=Duration("this turn", who=Who(put_together("you"))),  # type: ignore[arg-type]
    )
    spelt = msgspec.json.encode(made)
    assert msgspec.json.encode(msgspec.json.decode(spelt, type=Ability)) == spelt


def test_no_window_leaves_a_field_out() -> None:
    """A field that is left out may be one that only equals its default."""
    for window in (ThisTurn(1), UntilMark("turn", 0, 2)):
        spelt = msgspec.json.decode(msgspec.json.encode(window))
        assert set(window.__struct_fields__) <= set(spelt)
