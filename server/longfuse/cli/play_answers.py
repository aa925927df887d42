"""Answers as a player types them: from a line of text to what fits a prompt, shape by shape.

Owns how items are numbered for people (from 1, the legal ones only) and the words for what is wrong
with a line. It prints nothing and sends nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from longfuse_protocol.answers import bounds, fits
from longfuse_protocol.prompts import Answer, Item, Prompt, Shape

RANGE = re.compile(r"(\d+)(?:-(\d+))?")
AMOUNT = re.compile(r"(\d+)=(\d+)")
WHOLE = re.compile(r"-?\d+")
NUMBERS_MAX = 1_000
"""A longer list of numbers, or a wider range, answers no prompt."""
ONE = "one number"
WORDS_MIN = 3
"""So many letters of an item's words name it."""


class NotAnAnswer(Exception):
    """The line answers nothing; the message says what would."""


def numbered(prompt: Prompt) -> list[int]:
    """The items that can be chosen, in the order of their numbers; to order, that is all."""
    if prompt.shape == "order":
        return list(range(len(prompt.items)))
    return [index for index, item in enumerate(prompt.items) if item.legal]


def refused(prompt: Prompt) -> list[int]:
    """The items that cannot be chosen now."""
    numbers = set(numbered(prompt))
    return [index for index in range(len(prompt.items)) if index not in numbers]


def read(prompt: Prompt, line: str) -> Answer:
    """The answer that a line is; an empty one is the prompt's default. Raises `NotAnAnswer`."""
    line = line.strip()
    if not line:
        return prompt.default
    answer = _READERS[prompt.shape](prompt, line)
    if wrong := fits(prompt, answer):
        raise NotAnAnswer(wrong)
    return answer


def how(prompt: Prompt) -> str:
    """What to type, in a sentence."""
    count = len(numbered(prompt))
    match prompt.shape:
        case "one":
            return "Type a number."
        case "some":
            few = _some_words(prompt, count)
            none = ", `none` for none" if prompt.least == 0 else ""
            such = f", such as `1 {count}` or `1-{count}`" if few != ONE and count > 1 else ""
            return f"Type {few}{such}{none}."
        case "order":
            return "Type the numbers in your order, such as `2 1`; those left out follow as listed."
        case "divide":
            return (
                f"Divide {prompt.total}: an amount for each in order, such as "
                f"`{' '.join(_example(prompt.total, count))}`, or only some, such as "
                f"`1={prompt.total}`."
            )
        case "number":
            return f"Type a number from {prompt.least} to {prompt.most}."


def default_words(prompt: Prompt, label: Callable[[Item], str]) -> str:
    """What Enter does. label: the words for an item."""
    default, numbers = prompt.default, numbered(prompt)
    if isinstance(default, int):
        if prompt.shape == "number":
            return str(default)
        return label(prompt.items[default])
    if prompt.shape == "divide":
        parts = (f"{numbers.index(at) + 1}={n}" for at, n in enumerate(default) if n)
        return " ".join(parts) or "nothing"
    if prompt.shape == "order":
        return "as listed" if list(default) == numbers else _numbers(default)
    return _numbers(numbers.index(at) for at in default) or "none"


def _numbers(indices: object) -> str:
    assert hasattr(indices, "__iter__")
    return " ".join(str(index + 1) for index in indices)


def _some_words(prompt: Prompt, count: int) -> str:
    most = min(prompt.most, count)
    if prompt.least == most:
        return f"{most} numbers" if most != 1 else ONE
    if prompt.least == 0:
        return f"up to {most} numbers" if most != 1 else ONE
    return f"{prompt.least} to {most} numbers"


def _example(total: int, count: int) -> list[str]:
    return [str(total), *["0"] * (count - 1)] if count else []


# ---------------------------------------------------------------- one reader per shape


def _one(prompt: Prompt, line: str) -> Answer:
    numbers = numbered(prompt)
    if line.isdecimal():
        return numbers[_at(line, len(numbers))]
    word = line.casefold()
    whole = [at for at in numbers if prompt.items[at].label.casefold() == word]
    if len(whole) == 1:
        return whole[0]
    if len(word) >= WORDS_MIN:
        named = [at for at, item in enumerate(prompt.items) if _is_named(item.label, word)]
        legal = [at for at in named if prompt.items[at].legal]
        if len(legal) == 1:
            return legal[0]
        if len(legal) > 1:
            raise NotAnAnswer(f"Several items begin so; {_choose(len(numbers))}")
        if named:
            item = prompt.items[named[0]]
            raise NotAnAnswer(f"{item.label} is not possible now: {item.reason}")
    raise NotAnAnswer(f"{line!r} is no command and no item; {_choose(len(numbers))}")


def _is_named(label: str, word: str) -> bool:
    """Whether the word begins the label, or what comes after its first word (the card's name)."""
    label = label.casefold()
    return label.startswith(word) or label.partition(" ")[2].startswith(word)


def _some(prompt: Prompt, line: str) -> Answer:
    numbers = numbered(prompt)
    if line in ("none", "0", "-"):
        chosen: list[int] = []
    elif line == "all":
        chosen = numbers
    else:
        chosen = [numbers[at] for at in _list(line, len(numbers))]
    if not prompt.least <= len(chosen) <= prompt.most:
        few = _some_words(prompt, len(numbers))
        raise NotAnAnswer(f"That is {len(chosen)}; {few}, please.")
    return tuple(chosen)


def _order(prompt: Prompt, line: str) -> Answer:
    numbers = numbered(prompt)
    first = [numbers[at] for at in _list(line, len(numbers))]
    return (*first, *(index for index in numbers if index not in first))


def _divide(prompt: Prompt, line: str) -> Answer:
    numbers = numbered(prompt)
    amounts = [0] * len(prompt.items)
    words = line.replace(",", " ").split()
    if all(AMOUNT.fullmatch(word) for word in words):
        for word in words:
            item, _, amount = word.partition("=")
            amounts[numbers[_at(item, len(numbers))]] = _whole(amount)
    elif all(word.isdecimal() for word in words) and len(words) == len(numbers):
        for index, word in zip(numbers, words, strict=True):
            amounts[index] = _whole(word)
    else:
        raise NotAnAnswer(how(prompt))
    if sum(amounts) != prompt.total:
        raise NotAnAnswer(f"That adds up to {sum(amounts)}, and should to {prompt.total}.")
    for number, index in enumerate(numbers, 1):
        low, high = bounds(prompt, index)
        if not low <= amounts[index] <= high:
            span = f"{low} to {high}" if low != high else f"{low}"
            raise NotAnAnswer(f"{number} takes {span}, not {amounts[index]}.")
    return tuple(amounts)


def _number(prompt: Prompt, line: str) -> Answer:
    if not WHOLE.fullmatch(line) or not prompt.least <= _whole(line) <= prompt.most:
        raise NotAnAnswer(how(prompt))
    return _whole(line)


_READERS: Mapping[Shape, Callable[[Prompt, str], Answer]] = {
    "one": _one,
    "some": _some,
    "order": _order,
    "divide": _divide,
    "number": _number,
}


# ---------------------------------------------------------------- numbers


def _list(line: str, count: int) -> list[int]:
    """Positions from a list of numbers and ranges, each once."""
    found: list[int] = []
    for word in line.replace(",", " ").split():
        match = RANGE.fullmatch(word)
        if match is None:
            raise NotAnAnswer(f"{word!r} is no number; {_choose(count)}")
        first, last = _at(match[1], count), _at(match[2] or match[1], count)
        for at in range(first, last + 1):
            if at in found:
                raise NotAnAnswer(f"{at + 1} is named twice.")
            found.append(at)
    return found


def _at(word: str, count: int) -> int:
    number = _whole(word)
    if not 1 <= number <= count:
        raise NotAnAnswer(f"There is no {word[:9]}; {_choose(count)}")
    return number - 1


def _whole(word: str) -> int:
    """A number that was typed; one too long for any prompt stays too large for it."""
    return int(word) if len(word) < len(str(NUMBERS_MAX)) + 3 else NUMBERS_MAX**2


def _choose(count: int) -> str:
    return f"choose from 1 to {count}, or `?`." if count > 1 else "choose 1, or `?`."
