"""Whether an answer fits its prompt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longfuse_protocol.answers import fits
from longfuse_protocol.prompts import Item, Prompt

ITEMS = (Item("a"), Item("b", legal=False, reason="it is stunned"), Item("c"))


def prompt(shape, **fields):
    """Build a prompt of a shape over three items, of which the middle one is not legal."""
    fields.setdefault("items", ITEMS)
    return Prompt(id=1, seat=0, shape=shape, kind="k", text="?", default=0, **fields)


ONE = prompt("one")
SOME = prompt("some", least=1, most=2)
ORDER = prompt("order")
DIVIDE = prompt("divide", total=4, bounds=((1, 4), (0, 4), (0, 2)))
NUMBER = prompt("number", least=-1, most=5)
ALL = (ONE, SOME, ORDER, DIVIDE, NUMBER)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (ONE, 0),
        (ONE, 2),
        (SOME, (0,)),
        (SOME, (2, 0)),
        (ORDER, (2, 1, 0)),
        (DIVIDE, (4, 0, 0)),
        (DIVIDE, (2, 0, 2)),
        (NUMBER, -1),
        (NUMBER, 5),
        (prompt("some", least=0, most=0), ()),
        (prompt("divide", total=2), (2, 0, 0)),
    ],
)
def test_an_answer_that_fits(asked, answer):
    """An answer within shape, bounds and legality fits."""
    assert fits(asked, answer) == ""


@pytest.mark.parametrize(
    ("asked", "answer", "told"),
    [
        (ONE, 3, "no item 3"),
        (ONE, -1, "no item -1"),
        (ONE, 1, "it is stunned"),
        (ONE, (0,), "index of one item"),
        (ONE, True, "index of one item"),
        pytest.param(ONE, 10**5000, "that large", id="huge"),
        (prompt("one", items=()), 0, "lists none"),
        (SOME, (), "1 to 2 items, not 0"),
        (SOME, (0, 2, 0), "1 to 2 items, not 3"),
        (SOME, (0, 0), "chosen twice"),
        (SOME, (1,), "it is stunned"),
        (SOME, (False,), "whole number"),
        (SOME, 0, "list of item indices"),
        (ORDER, (0, 1), "all 3 items, not 2"),
        (ORDER, (0, 1, 1), "named twice"),
        (ORDER, (0, 1, 3), "no item 3"),
        (ORDER, [0, 1, 2], "list of item indices in order"),
        (ORDER, (0, 1, None), "whole number"),
        (DIVIDE, (4, 0), "3 items, not 2"),
        (DIVIDE, (0, 0, 4), "item 0 must be 1 to 4, not 0"),
        (DIVIDE, (1, 0, 3), "item 2 must be 0 to 2"),
        (DIVIDE, (1, 0, 2), "add up to 4, not 3"),
        (DIVIDE, (2, 1, 1), "it is stunned"),
        (DIVIDE, (1, 0, 1.0), "item 2 must be a whole number"),
        (DIVIDE, 4, "list of amounts"),
        (NUMBER, 6, "-1 to 5, not 6"),
        (NUMBER, "3", "whole number"),
        (prompt("number", least=2, most=2), 3, "exactly 2"),
    ],
)
def test_an_answer_that_does_not(asked, answer, told):
    """An answer that does not fit is told what is wrong with it."""
    assert told in fits(asked, answer)


class Hostile(int):
    """An integer that raises wherever it is touched."""

    def __eq__(self, other):
        raise RuntimeError

    def __lt__(self, other):
        raise RuntimeError

    __hash__ = int.__hash__
    __le__ = __gt__ = __ge__ = __index__ = __lt__


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.just(Hostile(1)),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
)


@given(asked=st.sampled_from(ALL), answer=ANYTHING)
def test_total(asked, answer):
    """Any value of any type gets a sentence, and nothing raises."""
    assert isinstance(fits(asked, answer), str)


@given(answer=st.lists(st.integers(-1, 4), max_size=4).map(tuple))
def test_against_the_definition(answer):
    """For small lists, the verdict is that of the shape's definition."""
    distinct = len(set(answer)) == len(answer)
    is_some = 1 <= len(answer) <= 2 and distinct and set(answer) <= {0, 2}
    is_order = sorted(answer) == [0, 1, 2]
    is_divide = (
        len(answer) == 3
        and sum(answer) == 4
        and 1 <= answer[0] <= 4
        and answer[1] == 0
        and 0 <= answer[2] <= 2
    )

    assert [fits(SOME, answer) == "", fits(ORDER, answer) == "", fits(DIVIDE, answer) == ""] == [
        is_some,
        is_order,
        is_divide,
    ]
