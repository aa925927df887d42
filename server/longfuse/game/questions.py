"""Questions: prompts as the rules make them, with what each item stands for.

Owns the kernel's side of a prompt. A `Question` is a `Prompt` of the wire whose items also carry
the value that the rules get back and the objects they are about; those never leave the server as
they are.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from longfuse.timing.calendar import Mark
from longfuse.timing.references import Ref
from longfuse_protocol.prompts import Answer, Item, Prompt, Shape


class Option(Item, frozen=True, kw_only=True):
    """An item with its meaning. refs: the objects it is about."""

    value: Any = None
    refs: tuple[Ref, ...] = ()


def refusable(label: str, ref: Ref, reason: str) -> Option:
    """An object to choose, unless there is a reason why not."""
    return Option(label=label, value=ref, legal=not reason, reason=reason, refs=(ref,))


_RULE = re.compile(r"\((\d+(?:\.\w+)*)\)$")


def rule_of(option: Option) -> str:
    """The rule by which an option is not legal: its own, or the one with which its reason ends."""
    if option.legal or option.clause:
        return option.clause
    found = _RULE.search(option.reason)
    return found.group(1) if found else ""


class Question(Prompt, frozen=True, kw_only=True):
    """A prompt with its meaning. public: settled without asking when there is one legal answer."""

    items: tuple[Option, ...] = ()
    public: bool = True
    about: Ref | None = None

    def chosen(self, answer: Answer) -> Any:
        """What the rules get for an answer: a value, a tuple of values, or the number itself."""
        if self.shape == "one":
            assert isinstance(answer, int)
            return self.items[answer].value
        if self.shape in ("some", "order"):
            assert isinstance(answer, tuple)
            return tuple(self.items[index].value for index in answer)
        return answer


T = TypeVar("T")
Steps = Generator[Question | Mark, Any, T]
"""Rules: they yield questions and marks and get answers' values back."""


def only_answer(question: Question) -> Answer | None:
    """The answer that is the only one, on facts that everybody knows; None if there is a choice."""
    if not question.public:
        return None
    legal = [index for index, item in enumerate(question.items) if item.legal]
    match question.shape:
        case "one":
            return legal[0] if len(legal) == 1 else None
        case "some":
            most = min(question.most, len(legal))
            if most == 0:
                return ()
            return tuple(legal) if question.least >= len(legal) else None
        case "order":
            return tuple(range(len(question.items))) if _all_alike(question.items) else None
        case "number":
            return question.least if question.least == question.most else None
        case "divide":
            return _only_division(question)


def _all_alike(items: Sequence[Option]) -> bool:
    first = items[0].value if items else None
    return len(items) < 2 or all(
        item.value == first or (item.label and _alike(item, items[0])) for item in items
    )


def _alike(one: Option, other: Option) -> bool:
    same = getattr(one.value, "indistinguishable", None)
    return bool(same is not None and same(other.value))


def _only_division(question: Question) -> Answer | None:
    bounds = question.bounds or ((0, question.total),) * len(question.items)
    least = sum(low for low, _ in bounds)
    most = sum(high for _, high in bounds)
    if len(bounds) == 1:
        return (question.total,)
    if question.total == least:
        return tuple(low for low, _ in bounds)
    if question.total == most:
        return tuple(high for _, high in bounds)
    return None


def default_some(items: Sequence[Option], least: int) -> Answer:
    """The first legal items, as many as must be."""
    legal = [index for index, item in enumerate(items) if item.legal]
    return tuple(legal[:least])


def shape_of_one(most: int, least: int) -> Shape:
    """Whether a choice of that many is a single one or several."""
    return "one" if most == 1 and least == 1 else "some"
