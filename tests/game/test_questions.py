"""Questions: what is settled without asking, for each shape of prompt."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.game.questions import Option, Question, only_answer
from longfuse_protocol.prompts import Answer


def question(shape: Any, *legal: bool, values: Any = None, **more: Any) -> Question:
    """A question with items that are legal or not."""
    items = tuple(
        Option(label=f"{n}", value=n if values is None else values[n], legal=one)
        for n, one in enumerate(legal)
    )
    more.setdefault("default", 0)
    return Question(id=1, seat=0, shape=shape, kind="may", text="?", items=items, **more)


@pytest.mark.complaint("ui U22")
@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (question("one", True), 0),
        (question("one", False, True), 1),
        (question("one", True, True), None),
        (question("some", True, True, least=2, most=2), (0, 1)),
        (question("some", True, False, least=1, most=2), (0,)),
        (question("some", True, True, least=0, most=2), None),
        (question("some", True, True, least=1, most=1), None),
        (question("some", False, least=0, most=1), ()),
        (question("some", True, least=0, most=0), ()),
        (question("order", True), (0,)),
        (question("order", True, True, values=("a", "a")), (0, 1)),
        (question("order", True, True, values=("a", "b")), None),
        (question("divide", True, total=3), (3,)),
        (question("divide", True, True, total=2, bounds=((1, 2), (1, 2))), (1, 1)),
        (question("divide", True, True, total=4, bounds=((0, 2), (0, 2))), (2, 2)),
        (question("divide", True, True, total=2, bounds=((0, 2), (0, 2))), None),
        (question("number", least=2, most=2), 2),
        (question("number", least=1, most=2), None),
    ],
)
def test_only_answer(asked: Question, answer: Answer | None) -> None:
    """One legal answer, or an order that nobody could tell apart, needs no asking."""
    assert only_answer(asked) == answer


@pytest.mark.parametrize("shape", ["one", "some", "order", "number"])
def test_what_rests_on_hidden_facts_is_always_asked(shape: str) -> None:
    """That there is one answer would tell something."""
    asked = question(shape, True, least=1, most=1, public=False)

    assert only_answer(asked) is None


@pytest.mark.parametrize(
    ("shape", "answer", "chosen"),
    [("one", 1, "b"), ("some", (1,), ("b",)), ("order", (1, 0), ("b", "a")), ("number", 3, 3)],
)
def test_the_rules_get_values(shape: str, answer: Answer, chosen: object) -> None:
    """Not indices."""
    assert question(shape, True, True, values=("a", "b")).chosen(answer) == chosen
