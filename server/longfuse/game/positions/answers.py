"""Answers: what a file says to a question, as an answer that fits its prompt.

Owns the reading of refs, locations, yes and no, orders and divisions against the items of a prompt.
It enters nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from longfuse.game.positions.outcome import Refusal, refusal_of
from longfuse_protocol.answers import fits

if TYPE_CHECKING:
    from longfuse.game.positions.rules import PositionTable
    from longfuse.game.questions import Option, Question
    from longfuse_protocol.prompts import Answer


class Given(NamedTuple):
    """An answer, and what of the words is left for the questions that follow from it."""

    answer: Answer
    rest: Any = None


def answer_to(table: PositionTable, question: Question, said: Any) -> Given:
    """The answer that the words mean.

    Raises:
        Refusal: an item is not there or not legal, or the answer does not fit.
    """
    given = _given(table, question, said)
    wrong = fits(question, given.answer)
    if wrong:
        raise Refusal("target", wrong)
    return given


def _given(table: PositionTable, question: Question, said: Any) -> Given:
    match question.shape:
        case "number":
            if isinstance(said, bool) or not isinstance(said, int):
                raise Refusal("target", f"a number is asked, not {said!r}")
            return Given(said)
        case "divide":
            return Given(_division(table, question, said))
        case "some":
            names = said if isinstance(said, list) else [said]
            return Given(tuple(_one(table, question, name) for name in names))
        case "order":
            if isinstance(said, dict) and question.kind == "assign":
                return Given(table.assigned(question, said), said)
            return Given(_order(table, question, said if isinstance(said, list) else [said]))
        case "one":
            if isinstance(said, list):
                if not said:
                    raise Refusal("target", "one item is asked, not none")
                return Given(_one(table, question, said[0]), said[1:] or None)
            return Given(_one(table, question, said))


def matching(table: PositionTable, question: Question, said: Any) -> list[int]:
    """The items that one word may mean, legal or not."""
    return [index for index, item in enumerate(question.items) if item_fits(table, item, said)]


def item_fits(table: PositionTable, item: Option, said: Any) -> bool:
    """Whether an item is what a word of the file means."""
    if isinstance(said, bool) or isinstance(item.value, bool):
        return item.value is said
    if isinstance(said, int):
        return bool(item.value == said) or item.label == str(said)
    if not isinstance(said, str):
        return False
    card = table.cards.get(said)
    if card is not None:
        return any(ref.card == card for ref in item.refs)
    return table.means(said, item)


def _one(table: PositionTable, question: Question, said: Any) -> int:
    found = matching(table, question, said)
    for index in found:
        if question.items[index].legal:
            return index
    if found:
        raise refusal_of(question.items[found[0]].reason or "target: it may not be chosen")
    raise Refusal("target", f"{said!r} is not among {offered(question)}")


def offered(question: Question) -> list[str]:
    """The labels of the legal items."""
    return [item.label for item in question.items if item.legal]


def _division(table: PositionTable, question: Question, said: Any) -> tuple[int, ...]:
    if not isinstance(said, dict):
        raise Refusal("target", f"a division is asked, not {said!r}")
    amounts = [0] * len(question.items)
    for name, amount in said.items():
        if not isinstance(amount, int):
            raise Refusal("target", f"a number is needed for {name!r}, not {amount!r}")
        amounts[_one(table, question, name)] += amount
    return tuple(amounts)


def _order(table: PositionTable, question: Question, names: Sequence[Any]) -> tuple[int, ...]:
    """The named items in that order, then the others; a name may fit several."""
    found = _assign(table, question.items, list(names), ())
    if found is None:
        raise Refusal("target", f"{list(names)!r} is no order of {offered(question)}")
    others = (index for index in range(len(question.items)) if index not in found)
    return (*found, *others)


def _assign(
    table: PositionTable, items: Sequence[Option], names: list[Any], taken: tuple[int, ...]
) -> tuple[int, ...] | None:
    if not names:
        return taken
    fitting = [
        index
        for index, item in enumerate(items)
        if index not in taken and item_fits(table, item, names[0])
    ]
    # What an item comes from goes before what it is about.
    card = table.cards.get(names[0]) if isinstance(names[0], str) else None
    fitting.sort(key=lambda index: not _comes_from(items[index], card))
    for index in fitting:
        found = _assign(table, items, names[1:], (*taken, index))
        if found is not None:
            return found
    return None


def _comes_from(item: Option, card: int | None) -> bool:
    return bool(item.refs) and item.refs[0].card == card


# ---------------------------------------------------------------- questions the game settled


def agrees(table: PositionTable, question: Question, answer: Answer, said: Any) -> bool:
    """Whether what a file says is the answer that the game settled a question with."""
    try:
        given = answer_to(table, question, said)
    except Refusal:
        return False
    if question.shape == "some":
        assert isinstance(given.answer, tuple)
        assert isinstance(answer, tuple)
        return set(given.answer) == set(answer)
    return question.shape == "order" or given.answer == answer


def takes_several(question: Question) -> int:
    """How many answers a question must have at once; 1 for one that takes a single word."""
    return question.least if question.shape == "some" and question.least == question.most else 1
